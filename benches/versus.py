"""Compares the current tree with another commit in one run: rates, latency, processor time.

    python benches/versus.py                            against 795e69f, in half an hour
    python benches/versus.py main~5 --quick             a first look, in five minutes
    python benches/versus.py HEAD --clients 1 32 --databases sqlite --json figures.json

Each alternation starts a server of each side on a fresh database. For each number of clients the
two servers get short alternating turns of the same load, rounds of Blackjack with real money, after
an unmeasured warm-up. The first side changes with each alternation. At its end every acknowledged
command must be in the database, or the run fails. The speed of a machine drifts by more than two
commits differ, so what counts is the ratio in each alternation: its median, least and most.
docs/performance.md says how to read it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import signal
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import uvloop

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from measured_server import MeasuredServer, lost, measured_server, per_command, play, stored
from postgres import Server as Cluster
from postgres import _binaries as binaries
from ratios import Turn, table
from trees import Side, sides

Result = TypeVar("Result")
SQLITE, POSTGRESQL, TWO_WORKERS = "sqlite", "postgresql", "postgresql-2"
WORKERS = {SQLITE: 1, POSTGRESQL: 1, TWO_WORKERS: 2}
FULL: dict[str, Any] = {"clients": [1, 8, 32, 128], "alternations": 10}
QUICK: dict[str, Any] = {"clients": [1, 32], "alternations": 5}
SECONDS = 4.0  # for each side; with the other side's turns, long enough for two seals
BUSY_MAX = 0.8  # of a core: above it the clients may be the bottleneck
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Off: background work that could hit one turn and not its neighbour.
CLUSTER_SETTINGS = ("autovacuum=off", "max_wal_size=4GB", "checkpoint_timeout=1h")


def alternation(
    number: int, database: str, pair: list[MeasuredServer], asked: argparse.Namespace
) -> Iterator[Turn]:
    """Yield the turns of one alternation; the last two are its totals."""
    order = pair if number % 2 else pair[::-1]
    begun = {each.side.name: each.processor_s() for each in pair}
    for clients in asked.clients:
        both = run_interruptibly(play(order, clients, asked.warm, asked.seconds))
        load = os.getloadavg()[0]
        for each, played in zip(order, both, strict=True):
            yield Turn(database, clients, number, each.side.name, load=load, **played)
    nothing: dict[str, Any] = dict.fromkeys(("commands_per_s", "p50_ms", "p99_ms", "clients_busy"))
    for each in order:
        used = per_command(begun[each.side.name], each.stop(), len(each.acknowledged))
        if wrong := lost(each.acknowledged, *stored(each.url)):
            raise SystemExit(f"{each.side.name} on {database}: {wrong}")
        load = os.getloadavg()[0]
        yield Turn(database, None, number, each.side.name, load=load, **used, **nothing)


@contextmanager
def cluster(database: str) -> Iterator[Cluster | None]:
    """Start a PostgreSQL for one side, so that its processor time is separate; None for SQLite."""
    found = binaries()
    if database == SQLITE or found is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="tapis-versus-pg-") as folder:
        made = Cluster(found, Path(folder))
        try:
            made.start(*CLUSTER_SETTINGS)
            yield made
        finally:
            if made._process is not None:
                made.stop()


def turns(both: list[Side], asked: argparse.Namespace) -> Iterator[Turn]:
    """Yield every turn of the run."""
    for database in asked.databases:
        with cluster(database) as first, cluster(database) as second:
            for number in range(1, asked.alternations + 1):
                with ExitStack() as stack:
                    pair = [
                        stack.enter_context(
                            measured_server(side, where, max(asked.clients), WORKERS[database])
                        )
                        for side, where in zip(both, (first, second), strict=True)
                    ]
                    yield from alternation(number, database, pair, asked)


def with_progress(found: Iterable[Turn], asked: argparse.Namespace) -> Iterator[Turn]:
    """Yield the turns; print a line for each to standard error."""
    total = len(asked.databases) * asked.alternations * len(asked.clients) * 2
    began, done = time.monotonic(), 0
    for turn in found:
        if turn.clients is not None:
            done += 1
            left_min = (time.monotonic() - began) / done * (total - done) / 60
            where = f"{turn.database}, {turn.clients} clients, {turn.side}"
            told = f"{turn.commands_per_s:,.0f}/s, load {turn.load:.1f}"
            progress(f"{done}/{total}  {where}: {told}; {left_min:.0f} min left")
        yield turn


def progress(line: str) -> None:
    """Print a progress line to standard error."""
    print(line, file=sys.stderr, flush=True)


def run(asked: argparse.Namespace) -> None:
    """Measure, print the table and write the raw figures."""
    settings = {name: value for name, value in vars(asked).items() if name != "json"}
    with sides(asked.base) as both:
        about = {
            "date": time.strftime("%Y-%m-%d %H:%M"),
            **{side.name: side.commit for side in both},
            "cores": os.cpu_count(),
            "python": platform.python_version(),
        }
        progress(", ".join(f"{name} {value}" for name, value in about.items()))
        found = list(with_progress(turns(both, asked), asked))
    print(table(found))
    loads = [turn.load for turn in found]
    print(f"{', '.join(f'{name} {value}' for name, value in about.items())}")
    print(f"load of the machine, this run included: {min(loads):.1f} to {max(loads):.1f}")
    busy = max(turn.clients_busy or 0 for turn in found)
    print(f"the clients used {busy:.0%} of a core at most")
    if busy > BUSY_MAX:
        print("that is too much: the clients may be what was measured")
    if asked.json:
        figures = [{**turn._asdict(), "both_us": turn.both_us} for turn in found]
        text = json.dumps({**about, "settings": settings, "turns": figures}, indent=1)
        asked.json.write_text(text + "\n", encoding="utf-8")


def options(words: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    what = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=what)
    parser.add_argument("base", nargs="?", default="795e69f", help="commit (default 795e69f)")
    add = parser.add_argument
    add("--quick", action="store_true", help=f"{_told(QUICK)}, unless given otherwise")
    add("--clients", type=number, nargs="+", metavar="N", help="one or more numbers")
    add("--alternations", type=number, metavar="N", help=f"by default {_told(FULL)}")
    add("--databases", nargs="+", choices=list(WORKERS), help=_EACH)
    add("--seconds", type=seconds, default=SECONDS, metavar="S", help=f"{_PER} (default 4)")
    add("--warm", type=seconds, default=1.0, metavar="S", help="seconds of warm-up (default 1)")
    add("--json", type=Path, metavar="FILE", help="write the raw figures")
    asked = parser.parse_args(words)
    for name, value in (QUICK if asked.quick else FULL).items():
        if getattr(asked, name) is None:
            setattr(asked, name, value)
    asked.databases = asked.databases or list(WORKERS)
    if asked.databases != [SQLITE] and binaries() is None:
        parser.error("there is no PostgreSQL server here; ask for --databases sqlite")
    return asked


_EACH = "each by default; postgresql-2 has two workers on each side"
_PER = "of load for each side, alternation and number of clients"


def _told(plan: dict[str, Any]) -> str:
    clients = " ".join(map(str, plan["clients"]))
    return f"{plan['alternations']} alternations with {clients} clients"


def number(word: str) -> int:
    """Parse a number of clients or alternations."""
    if int(word) < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return int(word)


def seconds(word: str) -> float:
    """Parse a number of seconds."""
    if not 0 < float(word) < 3600:
        raise argparse.ArgumentTypeError("more than 0 and less than an hour")
    return float(word)


_playing: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []


def run_interruptibly(work: Coroutine[Any, Any, Result]) -> Result:
    """Run the clients; on an interrupt, stop them before anything is closed."""

    async def noted() -> Result:
        task = asyncio.current_task()
        assert task is not None
        _playing.append((asyncio.get_running_loop(), task))
        try:
            return await work
        finally:
            _playing.clear()

    try:
        result: Result = uvloop.run(noted())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    return result


def interrupt(number: int, frame: FrameType | None) -> None:
    """Interrupt the run, as Ctrl-C does; ignore a second signal during cleanup."""
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)
    if not _playing:
        raise KeyboardInterrupt
    loop, task = _playing[0]
    loop.call_soon_threadsafe(task.cancel)


def main() -> None:
    """Run the comparison."""
    asked = options(sys.argv[1:])
    for number in ENDING:
        signal.signal(number, interrupt)
    try:
        run(asked)
    except KeyboardInterrupt:
        progress("interrupted; servers, databases and the worktree are removed")
        sys.exit(130)


if __name__ == "__main__":
    main()
