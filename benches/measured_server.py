"""One side of a comparison: its server on a fresh database, the load, and the processor time."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import psycopg

from commands import percentile, rate
from load import Player
from postgres import Server as Cluster
from processor_time import processor_time_s
from servers import Running, people, server
from trees import Side

Each = TypeVar("Each")
STAKES_PER_ROUND = 2  # of a Player
SLICE_S = 0.7  # shorter than the drift of the machine's speed, longer than a command


class Counted(Player):
    """A player that records which commands were acknowledged."""

    def __init__(self, port: int, token: str, name: str, acknowledged: set[str]) -> None:
        super().__init__(port, token)
        self._keys = self._numbered(name)
        self._key = ""
        self._acknowledged = acknowledged

    def _numbered(self, name: str) -> Iterator[str]:
        for number in itertools.count():
            self._key = f"{'open' if self._ask_of is None else 'choose'}-{name}-{number}"
            yield self._key

    async def command(self) -> None:
        """Open a round, or answer its question."""
        await super().command()
        self._acknowledged.add(self._key)


class MeasuredServer:
    """A server of one side on a fresh database, for one alternation."""

    def __init__(self, side: Side, url: str, running: Running, cluster: Cluster | None) -> None:
        self.side, self.url = side, url
        self._running, self._cluster = running, cluster
        self.tokens: list[str] = []
        self.acknowledged: set[str] = set()
        self._turns = itertools.count()

    def processor_s(self) -> tuple[float, float | None]:
        """Return the processor time used so far: of the server, and of PostgreSQL."""
        return processor_time_s(self._running.process.pid), self._of_postgresql_s()

    def _of_postgresql_s(self) -> float | None:
        return None if self._cluster is None else processor_time_s(self._cluster.pid)

    def stop(self) -> tuple[float, float | None]:
        """Stop the server; return the processor time up to its end."""
        used = self._running.stop()
        return used, self._of_postgresql_s()

    def players(self, clients: int) -> list[Counted]:
        """Return clients, each a different player, not yet connected."""
        turn, port = next(self._turns), self._running.port
        return [
            Counted(port, token, f"{turn}-{number}", self.acknowledged)
            for number, token in enumerate(self.tokens[:clients])
        ]


class Load:
    """The clients of one server, which all send commands or all wait."""

    def __init__(self, measured: MeasuredServer, clients: int) -> None:
        self._measured = measured
        self._players = measured.players(clients)
        self._times: list[float] = []
        self._seconds = 0.0

    async def warm(self, seconds: float) -> None:
        """Connect, and send warm-up commands."""
        await asyncio.gather(*(player.connect() for player in self._players))
        await rate([player.command for player in self._players], seconds)
        self._before = self._measured.processor_s()

    async def slice(self, seconds: float) -> None:
        """Send measured commands."""
        began = time.perf_counter()
        _, times = await rate([player.command for player in self._players], seconds)
        self._seconds += time.perf_counter() - began
        self._times += times

    def end(self) -> dict[str, Any]:
        """Close the connections; return the fields of a Turn."""
        after = self._measured.processor_s()
        for player in self._players:
            player.close()
        times = sorted(self._times)
        return {
            **per_command(self._before, after, len(times)),
            "commands_per_s": len(times) / self._seconds,
            "p50_ms": percentile(times, 0.5),
            "p99_ms": percentile(times, 0.99),
        }


def in_turn(number: int, pair: Sequence[Each]) -> Sequence[Each]:
    """Return the pair in the order of this slice: A B, B A, B A, A B, ... (Thue-Morse).

    With a fixed order A B, periodic background work could hit one side only.
    """
    return pair if number.bit_count() % 2 == 0 else pair[::-1]


async def play(
    servers: list[MeasuredServer], clients: int, warm_s: float, seconds: float
) -> list[dict[str, Any]]:
    """Load the servers alternately, a slice each; return the figures of each, in their order.

    A server's processor time includes its idle slices, because it also seals then.
    """
    loads = [Load(each, clients) for each in servers]
    for load in loads:
        await load.warm(warm_s)
    ours, began = time.process_time(), time.perf_counter()
    slices = max(1, round(seconds / SLICE_S))
    for number in range(slices):
        for load in in_turn(number, loads):
            await load.slice(seconds / slices)
    busy = (time.process_time() - ours) / (time.perf_counter() - began)
    return [{**load.end(), "clients_busy": busy} for load in loads]


def per_command(
    before: tuple[float, float | None], after: tuple[float, float | None], commands: int
) -> dict[str, Any]:
    """Return the processor time per command between two readings, in microseconds."""
    (server_0, postgresql_0), (server_1, postgresql_1) = before, after
    apart = None if postgresql_0 is None or postgresql_1 is None else postgresql_1 - postgresql_0
    return {
        "commands": commands,
        "server_us": (server_1 - server_0) / commands * 1e6,
        "postgresql_us": None if apart is None else apart / commands * 1e6,
    }


@contextmanager
def measured_server(
    side: Side, cluster: Cluster | None, players: int, workers: int = 1
) -> Iterator[MeasuredServer]:
    """Start a server of this side on a fresh database, with players who have money."""
    with tempfile.TemporaryDirectory(prefix="tapis-versus-") as name, ExitStack() as last:
        folder = Path(name)
        key = folder / "seeds.key"
        if cluster is None:
            url = f"sqlite:///{folder / 'house.db'}"
        else:
            url = cluster.empty()
            last.callback(_drop, cluster, url)
        running = last.enter_context(server(url, key, workers, side.source))
        made = MeasuredServer(side, url, running, cluster)
        made.tokens = people(url, key, running.port, players, side.source)
        yield made


def _drop(cluster: Cluster, url: str) -> None:
    with suppress(psycopg.Error):  # after Ctrl-C the cluster may have ended first
        cluster.drop(url)


def stored(url: str) -> tuple[set[str], int, int]:
    """Return the idempotency keys in a database, its number of rounds and its number of stakes."""
    queries = (
        "SELECT key FROM commands WHERE reply IS NOT NULL",
        "SELECT COUNT(*) FROM rounds WHERE opened_at_ms IS NOT NULL",
        "SELECT COUNT(*) FROM transfers WHERE reason = 'stake'",
    )
    connect: Any = psycopg.connect if url.startswith("postgresql") else sqlite3.connect
    with closing(connect(url.removeprefix("sqlite:///"))) as connection:
        keys, rounds, stakes = (connection.execute(query).fetchall() for query in queries)
    return {key for (key,) in keys}, rounds[0][0], stakes[0][0]


def lost(acknowledged: set[str], keys: set[str], rounds: int, stakes: int) -> str:
    """Describe the acknowledged commands missing from a database; empty if none is."""
    missing = len(acknowledged - keys)
    if missing:
        return f"{missing:,} of {len(acknowledged):,} acknowledged commands are not stored"
    opened = sum(key.startswith("open-") for key in acknowledged)
    if (rounds, stakes) != (opened, opened * STAKES_PER_ROUND):
        return f"{opened:,} rounds were opened; stored are {rounds:,} with {stakes:,} stakes"
    return ""
