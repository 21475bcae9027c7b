"""Commands per second through HTTP on SQLite, beside an empty route and bare commits.

    python benches/commands.py [--clients 32] [--seconds 5]

The three figures come from one run on one machine: compare their ratios, not the figures. Every
command is a real open or choose with its fsync. The client is a plain keep-alive HTTP/1.1 client in
another process, on the same two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Step = Callable[[], Awaitable[None]]


class Client:
    """One keep-alive connection, and one guest at the Casino Stud table."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._token = ""
        self._keys: Iterator[object] = itertools.count()
        self._seat: dict[str, Any] = {}
        self._open = False
        self._choice = "fold"

    async def connect(self) -> None:
        """Create a guest and take a seat."""
        self._in, self._out = await asyncio.open_connection("127.0.0.1", self._port)
        self._token = (await self._ask("POST", "/guests", {"bearer": True}))["token"]
        self._seat = await self._ask("POST", "/seats", {"game": "casino-stud"})

    def close(self) -> None:
        """Close the connection."""
        self._out.close()

    async def empty(self) -> None:
        """Request the empty route."""
        await self._ask("GET", "/health")

    async def command(self) -> None:
        """Open a round, or fold the open one."""
        if self._open:
            path = f"/rounds/{self._seat['round_id']}/choices?since=5"
            reply = await self._ask("POST", path, {"step": 0, "choice": self._choice})
            self._seat = reply["seat"]
            if reply["wallet"]["balance_cents"] < 1000:
                await self._ask("POST", "/wallet/play-money")
        else:
            asked = {
                "round_id": self._seat["round_id"],
                "commitment": self._seat["commitment"],
                "stakes": {"ante": 100},
                "client_seed": "bench",
            }
            reply = await self._ask("POST", "/rounds", asked)
            options = {option["id"]: option["legal"] for option in reply["round"]["ask"]["options"]}
            self._choice = "fold" if options["fold"] else "play"
        self._open = not self._open

    async def _ask(self, method: str, path: str, body: object = None) -> Any:
        data = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} /api/v1{path} HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {self._token}\r\nIdempotency-Key: {next(self._keys)}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        self._out.write(head.encode() + data)
        answer = await self._in.readuntil(b"\r\n\r\n")
        length = int(answer.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        reply = json.loads(await self._in.readexactly(length))
        if not answer.startswith(b"HTTP/1.1 2"):
            raise RuntimeError(f"{method} {path}: {reply}")
        return reply


async def rate(steps: Sequence[Step], seconds: float) -> tuple[float, list[float]]:
    """Return the steps per second of all clients together, and the time of each step in ms."""
    times: list[float] = []
    until = time.perf_counter() + seconds

    async def loop(step: Step) -> None:
        while (start := time.perf_counter()) < until:
            await step()
            times.append((time.perf_counter() - start) * 1000)

    begin = time.perf_counter()
    await asyncio.gather(*(loop(step) for step in steps))
    return len(times) / (time.perf_counter() - begin), sorted(times)


def bare_commits(folder: Path, seconds: float) -> float:
    """Return the single-row commits per second of SQLite itself, with WAL and synchronous=FULL."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, body BLOB)")
    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        connection.execute("INSERT INTO rows (body) VALUES (zeroblob(200))")
        count += 1
    elapsed = time.perf_counter() - begin
    connection.close()
    return count / elapsed


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def server(folder: Path) -> Iterator[int]:
    """Run a server on a new database; yield its port."""
    port = free_port()
    url = f"sqlite:///{folder / 'bench.db'}"
    command = [sys.executable, "-m", "tapisvert.cli", "serve", "--database", url]
    process = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def percentile(times: list[float], share: float) -> float:
    """Return the percentile of the times at this share."""
    return times[min(len(times) - 1, int(share * len(times)))]


async def measure(port: int, clients: int, seconds: float) -> dict[str, Any]:
    """Measure the empty route, then commands."""
    seated = [Client(port) for _ in range(clients)]
    for client in seated:
        await client.connect()
    await rate([client.command for client in seated], 1)  # warm-up
    empty, _ = await rate([client.empty for client in seated], seconds)
    commands, times = await rate([client.command for client in seated], seconds)
    return {"empty": empty, "commands": commands, "times": times}


def run(clients: int = 32, seconds: float = 5.0) -> list[tuple[str, str]]:
    """Return the rows to print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare = bare_commits(folder, seconds)
        with server(folder) as port:
            found = asyncio.run(measure(port, clients, seconds))
    commands, times = found["commands"], found["times"]
    return [
        (f"commands (open or choose), {clients} clients", f"{commands:,.0f}/s"),
        ("p50 / p99", f"{percentile(times, 0.5):.1f} / {percentile(times, 0.99):.1f} ms"),
        ("synchronous", "FULL"),
        ("empty route, same server and clients", f"{found['empty']:,.0f}/s"),
        ("bare single commits", f"{bare:,.0f}/s"),
        ("commands / empty route (floor 20 %, aim 40 %)", f"{commands / found['empty']:.0%}"),
        ("commands / bare commits (floor 35 %, aim 70 %)", f"{commands / bare:.0%}"),
    ]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=5.0)
    asked = parser.parse_args()
    for name, figure in run(asked.clients, asked.seconds):
        print(f"{name:<50} {figure:>16}")


if __name__ == "__main__":
    main()
