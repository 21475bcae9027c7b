"""A private PostgreSQL for tests: its own folder, user and socket, and a fresh database each.

It is started once per test process and stopped with it. It accepts no outside connections, and no
running server is touched. It fsyncs, because the store refuses one that does not.
"""

from __future__ import annotations

import atexit
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import psycopg

from not_run import not_run
from tapisvert.store.postgres_database import prepare

PATIENCE_S = 60
_USER = "tapis"
_TEMPLATE = "house"
_SETTINGS = (
    *("log_min_messages=fatal", "max_connections=300", "deadlock_timeout=50ms"),
    *("min_wal_size=32MB", "max_wal_size=128MB"),  # it may lie in memory (memory.py)
    "autovacuum=off",  # its transactions come at any time, and seals wait for older transactions
)


class Server:
    """One cluster: a folder, its current process, and the databases created in it."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._binaries, self._folder = binaries, folder
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count()
        if os.getuid() == 0:
            shutil.chown(folder, "nobody")
        folder.chmod(0o700)
        command = [*_as_nobody(), str(binaries / "initdb"), "-D", str(folder / "data")]
        options = ["-U", _USER, "--auth=trust", "--no-locale", "--encoding=UTF8", "--no-sync"]
        subprocess.run([*command, *options], check=True, capture_output=True, cwd=folder)

    @property
    def pid(self) -> int:
        """Return the postmaster's process id."""
        assert self._process is not None
        return self._process.pid

    def start(self, *settings: str) -> None:
        """Start the server, with extra settings, and wait until it answers."""
        where = ("listen_addresses=", f"unix_socket_directories={self._folder}")
        given = (*where, *_SETTINGS, *settings)
        options = [word for setting in given for word in ("-c", setting)]
        folder, postgres = str(self._folder / "data"), str(self._binaries / "postgres")
        program = [*_as_nobody(), postgres, "-D", folder]
        until = time.monotonic() + PATIENCE_S
        while not self._answers():
            if time.monotonic() > until:
                raise AssertionError(f"it did not start: {(self._folder / 'log').read_text()}")
            # What a killed server leaves behind keeps the next one out until it has noticed.
            if self._process is None or self._process.poll() is not None:
                with (self._folder / "log").open("ab") as log:
                    self._process = subprocess.Popen(
                        [*program, *options], stdout=log, stderr=log, cwd=self._folder
                    )
            time.sleep(0.02)

    def kill_a_backend(self) -> None:
        """Kill a backend of a `tapis` server; PostgreSQL then restarts all of them."""
        serving = "SELECT pid FROM pg_stat_activity WHERE application_name = 'tapis' LIMIT 1"
        while True:
            self.start()
            with (
                suppress(psycopg.OperationalError),  # still at it from the last time
                psycopg.connect(self.url("postgres")) as connection,
            ):
                found = connection.execute(serving).fetchone()
                break
        if found:
            with suppress(ProcessLookupError):
                os.kill(found[0], signal.SIGKILL)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: cleanly, or as in a power cut."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(PATIENCE_S)

    def url(self, database: str) -> str:
        """Return the address of a database here."""
        return f"postgresql://{_USER}@/{database}?host={self._folder}"

    def empty(self, how: str = "") -> str:
        """Make an empty database; return its address."""
        return self._make(f"template0 {how}")

    def fresh(self) -> str:
        """Create a database with the empty tables of a house; return its address."""
        self._make_template()
        return self._make(_TEMPLATE)

    def _make(self, template: str) -> str:
        name = f"house_{os.getpid()}_{next(self._numbers)}"  # processes may share a server
        self._admin(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Drop a database that was made here."""
        self._admin(f"DROP DATABASE {url.partition('?')[0].rpartition('/')[2]} WITH (FORCE)")

    @cache  # noqa: B019 - as many servers as tests start, each for the life of the process
    def _make_template(self) -> None:
        self._admin(f"CREATE DATABASE {_TEMPLATE} TEMPLATE template0")
        prepare(self.url(_TEMPLATE))

    def _admin(self, sql: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(sql)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True


@cache
def server() -> Server:
    """Return the server of this test process; start it on first use."""
    made = own_server()
    atexit.register(made.stop, signal.SIGQUIT)
    return made


def own_server() -> Server:
    """Start a server that may be stopped and killed; skip and report without PostgreSQL."""
    binaries = _binaries()
    if binaries is None:
        not_run("tests on PostgreSQL", "no PostgreSQL server, see tools/get_postgresql.sh")
    folder = tempfile.mkdtemp(prefix="tapis-pg-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = Server(binaries, Path(folder))
    made.start()
    return made


def _binaries() -> Path | None:
    """Return the folder of the PostgreSQL server's programs, the newest version."""
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4])
    )
    found = shutil.which("initdb")
    if found:
        installed.append(Path(found).resolve())
    return installed[-1].parent if installed else None


def _as_nobody() -> list[str]:
    """Return a command prefix that drops root privileges, which PostgreSQL refuses.

    The prefix also ends the command when this process ends.
    """
    if shutil.which("setpriv") is None:
        return []
    nobody = ["--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    return ["setpriv", "--pdeathsig=QUIT", *(nobody if os.getuid() == 0 else [])]
