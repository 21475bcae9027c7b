"""Starts a server: database, key, dealer, house, port."""

from __future__ import annotations

import contextlib
import errno
import gc
import logging
import multiprocessing
import os
import re
import signal
import socket
import sys
import tempfile
import threading
import webbrowser
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from litestar import Litestar
from platformdirs import user_cache_path
from uvicorn.supervisors import Multiprocess

from tapisvert import __version__
from tapisvert.coach.client import CoachClient
from tapisvert.extras import need
from tapisvert.games.registry import OFFERED, known
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.operations.key_check import check_key_file
from tapisvert.refusal import Refused
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.store import SqliteStore, Store
from tapisvert.store.outage import OutageLog
from tapisvert.web import create_app
from tapisvert.web.access_log import JsonLines
from tapisvert.web.http_protocol import HttpProtocol
from tapisvert.web.jackpots import Board
from tapisvert.web.request_checks import LOCAL_HOSTS

Database = Path | str  # a SQLite file, or the address of a PostgreSQL database
_CONNECTIONS_MAX = 2000  # also the most commands that can wait for the writer
_NOT_STARTED = 3  # exit code if the server fails to start
# New objects between two searches for cycles. The commands of a group are more than Python's 700:
# it would search objects in use several times per group.
_OBJECTS_PER_COLLECTION = 10_000


class Serving(uvicorn.Server):
    """A uvicorn server that closes the event streams before it waits for open requests."""

    def __init__(self, config: uvicorn.Config, board: Board) -> None:
        super().__init__(config)
        self._board = board

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the event streams, then shut down."""
        self._board.close()
        await super().shutdown(sockets)


@dataclass(frozen=True, slots=True)
class Served:
    """Settings of a server; the same for each of its processes."""

    database: Database
    host: str
    port: int
    seed_key: Path | None = None
    hosts: tuple[str, ...] = ()
    behind_tls: bool = False
    proxies: tuple[str, ...] = ()
    json_log: bool = False
    games: tuple[str, ...] = ()  # besides the offered ones


def run_server(
    served: Served, *, announce: str, browse: str | None = None, workers: int = 1
) -> None:
    """Serve a database until stopped."""
    settings = http_settings(served)
    if browse:
        threading.Timer(0.5, webbrowser.open, [browse]).start()
    if workers == 1:
        app = server_app(served)
        print(announce, flush=True)
        server = Serving(uvicorn.Config(app, **settings), app.state.board)
        with contextlib.suppress(KeyboardInterrupt):
            server.run()
        if not server.started:
            sys.exit(_NOT_STARTED)
        return
    # Open the house here first, so that an error is reported once and not by every worker.
    open_house(served.database, served.seed_key, games=served.games).store.close()
    print(announce, flush=True)
    # Shared by the workers; must be set before they import the metrics.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="tapis-counts-")
    work = partial(worker_app, served)
    config = uvicorn.Config(work, factory=True, workers=workers, **settings)
    Multiprocess(config, sockets=[config.bind_socket()]).run()


def http_settings(served: Served) -> dict[str, Any]:
    """Return the settings of uvicorn."""
    return {
        "host": served.host,
        "port": served.port,
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "http": HttpProtocol,
        "limit_concurrency": _CONNECTIONS_MAX,
        "proxy_headers": bool(served.proxies),
        "forwarded_allow_ips": list(served.proxies),
    }


def server_app(served: Served) -> Litestar:
    """Build the application of one process: store, housekeeping, and a client of the coach."""
    os.umask(0o077)  # database and key are readable by this user only
    write_log(as_json=served.json_log)
    house = open_house(served.database, served.seed_key, games=served.games, logs_outages=True)
    housekeeping = Housekeeping(house)
    housekeeping.run()
    hosts = [*LOCAL_HOSTS, served.host, *served.hosts]
    coach = CoachClient(coach_socket(), house.proofs)
    app = create_app(house, hosts, behind_tls=served.behind_tls, coach=coach)
    app.on_shutdown.insert(0, housekeeping.stop)
    gc.freeze()  # exclude what is loaded so far from garbage collection
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    return app


def worker_app(served: Served) -> Litestar:
    """Build the application of a worker; the worker ends when its parent process ends."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=follow, name="parent", daemon=True).start()
    try:
        app = server_app(served)
    except Refused as refusal:  # database lost: the supervisor starts another worker
        logging.getLogger("tapisvert").error("%s", refusal)
        sys.exit(2)
    _close_first(app.state.board)
    return app


def _close_first(board: Board) -> None:
    """Make SIGTERM and SIGINT close the event streams, which shutdown would wait for."""
    for number in (signal.SIGTERM, signal.SIGINT):
        stop = signal.getsignal(number)

        def both(given: int, frame: FrameType | None, stop: Any = stop) -> None:
            board.close()
            if callable(stop):
                stop(given, frame)

        signal.signal(number, both)


def write_log(*, as_json: bool) -> None:
    """Configure logging to standard error: plain text, or JSON lines with every request."""
    handler = logging.StreamHandler()
    plain = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    handler.setFormatter(JsonLines() if as_json else plain)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("tapisvert.access").setLevel(logging.INFO if as_json else logging.WARNING)


def open_house(
    database: Database,
    seed_key: Path | None = None,
    *,
    new: bool = True,
    games: tuple[str, ...] = (),
    logs_outages: bool = False,
) -> PlayerService:
    """Open a database and its key; a new database gets a new key, others need their own."""
    store, key_file = _open_store(database, seed_key, new)
    if logs_outages:  # before the house is built, so that all of it uses this store
        store = OutageLog(store)
    try:
        dealer = Dealer(check_key_file(store, key_file))
        beside = database if isinstance(database, Path) else key_file
        offered = tuple(dict.fromkeys((*OFFERED, *map(known, games))))
        house = PlayerService(store, dealer, proofs=beside.parent / "proofs", offered=offered)
        house.games()  # report an invalid sheet now, not at the first seat
        return house
    except BaseException:
        store.close()
        raise


def _open_store(database: Database, seed_key: Path | None, new: bool) -> tuple[Store, Path]:
    """Open the store; return it with the path of its key file."""
    if isinstance(database, Path):
        if not new and not database.exists():
            reason = "there is no such file"
            raise Refused("store/unreadable", file=str(database), reason=reason)
        return SqliteStore(database), seed_key or database.with_suffix(".key")
    need("operate")
    if seed_key is None:  # all processes on all machines share one key
        raise Refused("serve/seed_key")
    from tapisvert.store.postgres import PostgresStore

    return PostgresStore(database, new=new), seed_key


def coach_socket() -> Path:
    """Return the socket of this machine's coach; each version has its own."""
    return user_cache_path("tapisvert") / f"coach-{__version__}.sock"


def database_of(url: str, workers: int = 1) -> Database:
    """Return the file of a `sqlite:///` URL, or the URL of a PostgreSQL database."""
    if url.startswith(("postgresql://", "postgres://")):
        return url
    if not url.startswith("sqlite:///") or url == "sqlite:///":
        raise Refused("serve/bad_url", url=url)
    if workers != 1:
        raise Refused("serve/one_worker")
    path = Path(url.removeprefix("sqlite:///"))
    if path.name in ("", ":memory:"):
        raise Refused("serve/bad_url", url=url)
    return path


def named(database: Database) -> str:
    """Return a database's name for display, without its password."""
    if isinstance(database, Path):
        return str(database)
    need("operate")
    from tapisvert.store.postgres_database import shown

    return shown(database)


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
    """Refuse a port that is in use."""
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
