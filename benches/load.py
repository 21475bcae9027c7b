"""Load: rounds of Blackjack with real money on SQLite and PostgreSQL, with and without the pot.

    python benches/load.py [--seconds 7] [--write docs/performance.md]

Servers, database and clients share the cores of one machine, so the ratios mean more than the
rates. Each server is compared with its own empty route, PostgreSQL with pgbench's single-row
commits. Every round stakes both hands; with the pot also Royal Poker, which may cost at most 10 %.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import psycopg

import page

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from commands import Client, percentile, rate
from postgres import _binaries as binaries
from postgres import server as postgresql
from servers import people, server, tapis

CLIENTS = (1, 8, 32, 128)
TURNS = 7  # alternately without and with the pot; the median counts


class Figures(NamedTuple):
    """Figures for a number of clients: rates per second, times in ms, ages in s."""

    empty: float
    plain: float
    potted: float
    times: list[float]
    ages: list[float]


class Player(Client):
    """A player with real money at the Blackjack table who always stands."""

    royal = False  # whether the next round stakes on the pot

    def __init__(self, port: int, token: str) -> None:
        super().__init__(port)
        self._token = token
        self._keys = itertools.count(time.time_ns())  # unique keys across runs
        self._ask_of: dict[str, Any] | None = None

    async def connect(self) -> None:
        """Take a seat; continue a round that is still open."""
        self._in, self._out = await asyncio.open_connection("127.0.0.1", self._port)
        waiting = (await self._ask("GET", "/rounds?status=open"))["rounds"]
        if waiting:
            reply = await self._ask("GET", f"/rounds/{waiting[0]['id']}")
            self._seat, self._ask_of = {"round_id": waiting[0]["id"]}, reply["round"]["ask"]
        else:
            self._seat = await self._ask("POST", "/seats", {"game": "blackjack"})

    async def command(self) -> None:
        """Open a round, or answer its question."""
        if self._ask_of is None:
            stakes = {"hand-1": 100, "hand-2": 100} | ({"royal": 100} if self.royal else {})
            asked = {**self._seat, "stakes": stakes, "client_seed": "load"}
            named = {name: asked[name] for name in ("round_id", "commitment", "stakes")}
            reply = await self._ask("POST", "/rounds", {**named, "client_seed": "load"})
        else:
            options = [option["id"] for option in self._ask_of["options"]]
            choice = "stand" if "stand" in options else "decline"
            path = f"/rounds/{self._seat['round_id']}/choices?since=99"
            answer = {"step": self._ask_of["step"], "choice": choice}
            reply = await self._ask("POST", path, answer)
        self._ask_of = reply["round"]["ask"]
        if reply["seat"] is not None:
            self._seat = reply["seat"]


async def ages(port: int, until: float) -> list[float]:
    """Poll the jackpot display until a time; return its ages in seconds."""
    watcher, found = Client(port), []
    watcher._in, watcher._out = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < until:
        (pot,) = (await watcher._ask("GET", "/jackpots"))["jackpots"]
        found.append(pot["age_ms"] / 1000)
        await asyncio.sleep(0.1)
    return sorted(found)


async def measure(port: int, tokens: list[str], seconds: float) -> Figures:
    """Measure the players' commands, alternately without and with the pot, and the display."""
    players = [Player(port, token) for token in tokens]
    await asyncio.gather(*(player.connect() for player in players))
    await rate([player.command for player in players], 0.5)  # warm-up
    empty, _ = await rate([player.empty for player in players], min(seconds, 2.0))
    watching = asyncio.create_task(ages(port, time.perf_counter() + 2 * seconds))
    found: dict[bool, list[float]] = {False: [], True: []}
    times: list[float] = []
    for turn in range(2 * TURNS):
        royal = turn % 2 == 1
        for player in players:
            player.royal = royal
        commands, took = await rate([player.command for player in players], seconds / TURNS)
        found[royal].append(commands)
        times += [] if royal else took
    plain, potted = (median(rates) for rates in found.values())
    return Figures(empty, plain, potted, sorted(times), await watching)


def pgbench(url: str, clients: int, seconds: float) -> float:
    """Return the single-row commits per second of PostgreSQL itself."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS bench (id BIGSERIAL PRIMARY KEY, body TEXT)")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write("INSERT INTO bench (body) VALUES (repeat('x', 200));")
        file.flush()
        asked = ["-n", "-f", file.name, "-c", str(clients), "-j", "2", "-T", str(int(seconds))]
        programs = binaries()
        assert programs is not None
        command = [str(programs / "pgbench"), *asked, url]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"tps = ([0-9.]+)", told)
    assert found is not None
    return float(found[1])


def rows(name: str, database: str, key: Path, workers: int, seconds: float) -> Iterator[list[str]]:
    """Yield the figures of one kind of server, a row for each number of clients."""
    with server(database, key, workers) as running:
        port = running.port
        tapis(database, key, "jackpot", "open", "blackjack", "--currency", "CAD")
        tokens = people(database, key, port, max(CLIENTS))
        for clients in CLIENTS:
            some = tokens[:clients]
            empty, plain, potted, times, old = asyncio.run(measure(port, some, seconds))
            yield [
                name,
                str(clients),
                f"{plain:,.0f}/s",
                f"{percentile(times, 0.5):.1f} / {percentile(times, 0.99):.1f} ms",
                f"{plain / empty:.0%}",
                f"{potted:,.0f}/s",
                f"{potted / plain - 1:+.0%}",
                f"{percentile(old, 0.99):.1f} / {old[-1]:.1f} s",
            ]


HEADS = [
    "server",
    "clients",
    "commands",
    "p50 / p99",
    "of empty route",
    "with Royal Poker",
    "difference",
    "age of display, p99 / max",
]


def run(seconds: float) -> Iterator[list[str]]:
    """Yield every row: SQLite, then PostgreSQL with one and two workers, then pgbench."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        key = folder / "seeds.key"
        yield from rows("SQLite, 1 worker", f"sqlite:///{folder / 'load.db'}", key, 1, seconds)
        for workers in (1, 2):
            shared = folder / f"shared-{workers}.key"
            label = f"PostgreSQL, {workers} worker{'s' if workers > 1 else ''}"
            yield from rows(label, postgresql().empty(), shared, workers, seconds)
        url = postgresql().empty()
        for clients in CLIENTS:
            commits = pgbench(url, clients, seconds)
            yield ["pgbench, single-row commits", str(clients), f"{commits:,.0f}/s", *[""] * 5]


def main() -> None:
    """Print the figures, and write the chapter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=7.0)
    parser.add_argument("--write", type=Path, help="the page whose chapter is replaced")
    asked = parser.parse_args()
    if asked.write:
        page.require(asked.write, ["load"])
    measured = []
    for cells in run(asked.seconds):
        measured.append(cells)
        print(json.dumps(dict(zip(HEADS, cells, strict=True)), ensure_ascii=False), flush=True)
    if asked.write:
        page.write(asked.write, "load", page.table(HEADS, measured))


if __name__ == "__main__":
    main()
