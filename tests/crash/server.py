"""A real `tapis serve` in its own process, which can be killed and restarted on the same files.

The first start of an installation runs the operator's command line; later ones are forked
(forked.py), which is faster.
"""

from __future__ import annotations

import itertools
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, cast

import httpx
import psycopg
from litestar.testing import TestClient

from bank.tables import check_books
from crash.forked import PATIENCE_S, done, forked
from houses import Guest
from tapisvert.bank import ledger, money
from tapisvert.key_file import read_key
from tapisvert.store import SqliteStore, Store, Tx
from tapisvert.store.postgres import PostgresStore
from tapisvert.store.postgres_tx import translated
from tapisvert.store.tails import IntegrityKey

_PORTS = itertools.count(15_000 + os.getpid() * 50 % 15_000)
Process = subprocess.Popen[bytes] | ForkServerProcess


class Server:
    """One installation: a database, its key, a port, and the current server process.

    With the address of a PostgreSQL database, it is one of several servers on it.
    """

    def __init__(
        self, folder: Path, postgresql: str | None = None, options: Sequence[str] = ()
    ) -> None:
        self.database, self.postgresql = folder / "tapis.db", postgresql
        self.key = folder / "tapis.key"
        self._log, self._options = folder / "server.log", options
        self.port = free_port()
        self._process: Process | None = None
        self.client = self._new_client()
        self.starts = self._typed = 0

    @property
    def pid(self) -> int:
        assert self._process is not None
        assert self._process.pid is not None
        return self._process.pid

    def start(self) -> None:
        """Start the server with the operator's command line, and wait until it listens."""
        url = self.postgresql or f"sqlite:///{self.database}"
        words = ["serve", "--database", url, "--seed-key", str(self.key)]
        words += ["--port", str(self.port), *self._options]
        self._process = (forked if self.starts else _typed)(words, self._log)
        until = time.monotonic() + PATIENCE_S
        while not self._listens():
            if _has_ended(self._process) or time.monotonic() > until:
                raise AssertionError(f"the server did not start: {self._log.read_text()}")
            time.sleep(0.005)
        self.starts += 1

    def kill(self) -> None:
        """Kill -9: no handler runs, nothing is flushed, connections drop."""
        assert self._process is not None
        self._process.kill()
        _wait_for(self._process)
        self.client.close()
        self.client = self._new_client()

    def restart(self, *guests: Guest) -> None:
        """Kill the server and restart it; guests reconnect."""
        self.kill()
        self.start()
        for guest in guests:
            guest.client = _as_test_client(self.client)

    def guest(self) -> Guest:
        return Guest(_as_test_client(self.client))

    def send_and_hang_up(self, lines: list[str], body: object) -> None:
        """Send a whole request and close the connection without waiting for the answer."""
        content = json.dumps(body).encode()
        head = "\r\n".join([*lines, f"Content-Length: {len(content)}", "", ""]).encode()
        with socket.create_connection(("127.0.0.1", self.port)) as line:
            line.sendall(head + content)

    def typed(self, *words: str) -> str:
        """Run another `tapis` command beside the server; return its output."""
        self._typed += 1
        url = self.postgresql or f"sqlite:///{self.database}"
        printed = self._log.with_name(f"typed-{self.port}-{self._typed}.log")
        code, text = done([*words, "--database", url], printed)
        assert code == 0, text
        return text

    def rows(self, sql: str, *params: object) -> list[Any]:
        """Query the database beside the server."""
        if self.postgresql:
            with psycopg.connect(self.postgresql) as line:
                return line.execute(translated(sql), params).fetchall()
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as file:
            return file.execute(sql, params).fetchall()

    def leave(self, cents: int) -> None:
        """While the server is down: reduce the newest player's balance to this amount."""

        def work(tx: Tx) -> None:
            row = tx.row("SELECT id, currency FROM players ORDER BY created_at_ms DESC")
            assert row is not None
            mine = money.player_account(row[0])
            rest = ledger.balance_cents(tx, mine) - cents
            purse = money.Purse(row[0], row[1], 0)
            ledger.move(tx, purse, money.Transfer(mine, f"cashier:{row[1]}", rest, "grant"))

        with closing(self._store()) as store:
            store.protect_with(IntegrityKey(read_key(self.key).integrity_key))
            store.write(work).result(PATIENCE_S)

    def check_books(self) -> None:
        """While the server is down: check balances against transfers, and the sum of zero."""
        with closing(self._store()) as store:
            check_books(store)

    def _store(self) -> Store:
        return PostgresStore(self.postgresql) if self.postgresql else SqliteStore(self.database)

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def _new_client(self) -> httpx.Client:
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE_S)


def free_port() -> int:
    """Return a free port below the ephemeral range (32,768 and up)."""
    for port in _PORTS:
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("there is always another port")


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Serve a folder while the block runs; then kill the server and check the ledger."""
    server = Server(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
        server.client.close()
    server.check_books()


def _as_test_client(client: httpx.Client) -> TestClient[Any]:
    """Return an httpx client as a test client: guests only use GET and POST."""
    return cast("TestClient[Any]", client)


def _typed(words: list[str], log: Path) -> subprocess.Popen[bytes]:
    """Run a `tapis` command."""
    with log.open("ab") as told:
        command = [sys.executable, "-m", "tapisvert.cli", *words]
        return subprocess.Popen(command, stdout=told, stderr=told)


def _has_ended(process: Process) -> bool:
    if isinstance(process, subprocess.Popen):
        return process.poll() is not None
    return process.exitcode is not None


def _wait_for(process: Process) -> None:
    if isinstance(process, subprocess.Popen):
        process.wait(PATIENCE_S)
    else:
        process.join(PATIENCE_S)
        assert process.exitcode is not None, "the server does not end"
