"""Servers to measure: `tapis serve` of this tree or another, and players with a balance."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from commands import Client, free_port

MONEY_CENTS = 100_000_000
PATIENCE_S = 30


class Running:
    """A running server process."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        self.port, self.process = port, process

    def stop(self) -> float:
        """Stop the server; return its total processor time in seconds."""
        before = _of_ended_children_s()
        self.process.terminate()
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        return _of_ended_children_s() - before


def _of_ended_children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextlib.contextmanager
def server(
    database: str, key: Path, workers: int = 1, source: Path | None = None
) -> Iterator[Running]:
    """Run a server until the block ends, from the package in `source` if given."""
    port = free_port()
    command = [*_ends_with_us(), sys.executable, "-m", "tapisvert.cli", "serve"]
    command += ["--database", database, "--seed-key", str(key)]
    command += ["--workers", str(workers), "--port", str(port)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        cwd=key.parent,
        env=environment(source),
        start_new_session=True,  # Ctrl-C must not reach it; this process stops it
    )
    running = Running(port, process)
    try:
        _wait_until_it_answers(running)
        yield running
    finally:
        if process.returncode is None:
            running.stop()


def environment(source: Path | None) -> dict[str, str]:
    """Return the environment of a process that imports the package in `source`."""
    env = dict(os.environ)
    if source is not None:
        env["PYTHONPATH"] = str(source)
        env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


def _ends_with_us() -> list[str]:
    """Return a command prefix that stops the command if this process is killed."""
    return ["setpriv", "--pdeathsig=TERM"] if shutil.which("setpriv") else []


def _wait_until_it_answers(running: Running) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and running.process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", running.port)):
            return
        time.sleep(0.05)
    raise RuntimeError("the server did not start; what it said is above")


def tapis(database: str, key: Path, *words: str, source: Path | None = None) -> str:
    """Run an operator's command."""
    command = [sys.executable, "-m", "tapisvert.cli", *words, "--database", database]
    done = subprocess.run(
        [*command, "--seed-key", str(key)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=key.parent,
        env=environment(source),
    )
    return done.stdout


def people(
    database: str, key: Path, port: int, count: int, source: Path | None = None
) -> list[str]:
    """Create players with a balance through the operator's API; return their tokens."""
    clerk = re.findall(r"[\w-]{40,}", tapis(database, key, "operator", "load", source=source))[-1]
    return asyncio.run(_people(port, clerk, count))


async def _people(port: int, clerk: str, count: int) -> list[str]:
    office = Client(port)
    office._token = clerk
    office._in, office._out = await asyncio.open_connection("127.0.0.1", port)
    tokens = []
    for _ in range(count):
        made = await office._ask("POST", "/operator/players", {"currency": "CAD"})
        money = {"cents": MONEY_CENTS, "reference": "load"}
        await office._ask("POST", f"/operator/players/{made['player_id']}/deposits", money)
        tokens.append(made["token"])
    office.close()
    return tokens
