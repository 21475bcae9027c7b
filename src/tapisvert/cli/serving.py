"""Starting a server: database, key, dealer, house, port."""

from __future__ import annotations

import errno
import gc
import logging
import os
import re
import socket
import threading
import webbrowser
from collections.abc import Iterable
from pathlib import Path

import uvicorn
from platformdirs import user_cache_path

from tapisvert import __version__
from tapisvert.coach.line import Line
from tapisvert.refusal import Refused
from tapisvert.rounds import Dealer, House
from tapisvert.rounds.keeper import Keeper
from tapisvert.rounds.key_check import check_key_file
from tapisvert.store import SqliteStore
from tapisvert.web import create_app
from tapisvert.web.access import JsonLines
from tapisvert.web.guard import LOCAL_HOSTS
from tapisvert.web.wire import Wire

_CONNECTIONS_MAX = 2000  # as many commands can wait for the writer at most


def run_server(
    database: Path,
    seed_key: Path | None,
    host: str,
    port: int,
    *,
    announce: str,
    browse: str | None = None,
    hosts: Iterable[str] = (),
    behind_tls: bool = False,
    proxies: Iterable[str] = (),
    json_log: bool = False,
) -> None:
    """Serve a database until stopped."""
    os.umask(0o077)  # database and key are for this user only
    write_log(as_json=json_log)
    house = open_house(database, seed_key)
    keeper = Keeper(house)
    keeper.run()
    print(announce, flush=True)
    coach = Line(coach_socket(), house.proofs)
    app = create_app(house, [*LOCAL_HOSTS, host, *hosts], behind_tls=behind_tls, coach=coach)
    gc.freeze()  # what is loaded by now stays: the collector need not look at it again
    if browse:
        threading.Timer(0.5, webbrowser.open, [browse]).start()
    try:
        uvicorn.run(
            app,
            host=host,
            port=port,
            log_level="warning",
            access_log=False,
            server_header=False,
            http=Wire,
            limit_concurrency=_CONNECTIONS_MAX,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
        )
    finally:
        keeper.stop()


def write_log(*, as_json: bool) -> None:
    """Write the log to standard error: for people, or as JSON lines with every request."""
    handler = logging.StreamHandler()
    plain = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    handler.setFormatter(JsonLines() if as_json else plain)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("tapisvert.access").setLevel(logging.INFO if as_json else logging.WARNING)


def open_house(database: Path, seed_key: Path | None = None) -> House:
    """Open a database and its key; a new database gets a new key, an old one must have its own."""
    key_file = seed_key or database.with_suffix(".key")
    store = SqliteStore(database)
    try:
        dealer = Dealer(check_key_file(store, key_file))
        house = House(store, dealer, proofs=database.parent / "proofs")
        house.games()  # a sheet with a wrong figure is found now, not at the first seat
        return house
    except BaseException:
        store.close()
        raise


def coach_socket() -> Path:
    """Return where the coach of this machine listens; another version has another coach."""
    return user_cache_path("tapisvert") / f"coach-{__version__}.sock"


def database_path(url: str, workers: int) -> Path:
    """Return the file of a `sqlite:///` address."""
    if not url.startswith("sqlite:///") or url == "sqlite:///":
        raise Refused("serve/bad_url", url=url)
    if workers != 1:
        raise Refused("serve/one_worker")
    path = Path(url.removeprefix("sqlite:///"))
    if path.name in ("", ":memory:"):
        raise Refused("serve/bad_url", url=url)
    return path


def host_name(given: str) -> str:
    """Return a host name as a browser sends it, without its port."""
    if not re.fullmatch(r"[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]", given):
        raise Refused("serve/host_name", host=given)
    return given


def free_port(wanted: int) -> int:
    """Return the port, or any free one if it is taken."""
    try:
        must_be_free("127.0.0.1", wanted)
        return wanted
    except Refused as refusal:
        if refusal.code != "serve/port":
            raise
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            found: int = probe.getsockname()[1]
            return found


def must_be_free(host: str, port: int) -> None:
    """Refuse a port that something else listens on."""
    if not 0 < port < 65_536:
        raise Refused("serve/address", host=host, port=port, reason="no such port")
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, OverflowError) as error:
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise Refused("serve/port", port=port) from None
        raise Refused("serve/address", host=host, port=port, reason=str(error)) from None
