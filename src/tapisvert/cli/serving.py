"""Starting a server: database, key, dealer, house, port."""

from __future__ import annotations

import gc
import logging
import socket
import threading
import webbrowser
from collections.abc import Iterable
from pathlib import Path

import uvicorn

from tapisvert.refusal import Refused
from tapisvert.rounds import Dealer, House
from tapisvert.rounds.key_check import check_key_file
from tapisvert.store import SqliteStore
from tapisvert.web import create_app
from tapisvert.web.guard import LOCAL_HOSTS


def run_server(
    database: Path,
    seed_key: Path | None,
    host: str,
    port: int,
    *,
    browse: str | None = None,
    hosts: Iterable[str] = (),
    behind_tls: bool = False,
) -> None:
    """Serve a database until stopped."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    house = open_house(database, seed_key)
    app = create_app(house, [*LOCAL_HOSTS, host, *hosts], behind_tls=behind_tls)
    gc.freeze()  # what is loaded by now stays: the collector need not look at it again
    if browse:
        threading.Timer(0.5, webbrowser.open, [browse]).start()
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )


def open_house(database: Path, seed_key: Path | None = None) -> House:
    """Open a database and its key; a new database gets a new key, an old one must have its own."""
    key_file = seed_key or database.with_suffix(".key")
    store = SqliteStore(database)
    try:
        return House(store, Dealer(check_key_file(store, key_file)))
    except BaseException:
        store.close()
        raise


def database_path(url: str, workers: int) -> Path:
    """Return the file of a `sqlite:///` address."""
    if not url.startswith("sqlite:///") or url == "sqlite:///":
        raise Refused("serve/bad_url", url=url)
    if workers != 1:
        raise Refused("serve/one_worker")
    return Path(url.removeprefix("sqlite:///"))


def free_port(wanted: int) -> int:
    """Return the port, or any free one if it is taken."""
    try:
        must_be_free("127.0.0.1", wanted)
        return wanted
    except Refused:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            found: int = probe.getsockname()[1]
            return found


def must_be_free(host: str, port: int) -> None:
    """Refuse a port that something else listens on."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError):
            raise Refused("serve/port", port=port) from None
