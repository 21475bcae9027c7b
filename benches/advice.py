"""Latency of the coach at live positions, with one client and with eight at once.

The coach runs as a real process and is asked over its socket, as a server does. Positions are
random ones of each kind of question. The start, from no process to the first answer, is measured
separately.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tapisvert.cards import STANDARD, text
from tapisvert.coach import client
from tapisvert.coach.client import CoachClient
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.refusal import Refused

ASKED = 240
AT_ONCE = 8
Make = Callable[[random.Random], dict[str, Any]]


def dealt(dice: random.Random, cards: int, deck: Any = STANDARD) -> list[str]:
    """Deal some cards."""
    return [text(card) for card in dice.sample(list(deck), cards)]


def stud(dice: random.Random) -> dict[str, Any]:
    """Five cards and the up card."""
    *player, up = dealt(dice, 6)
    return {"game": "casino-stud", "player": player, "house": [up]}


def flush(dice: random.Random) -> dict[str, Any]:
    """Seven cards."""
    return {"game": "high-card-flush", "player": dealt(dice, 7)}


def ultimate(board: int) -> Make:
    """Two cards and a board."""

    def make(dice: random.Random) -> dict[str, Any]:
        cards = dealt(dice, 2 + board)
        return {"game": "ultimate", "player": cards[:2], "board": cards[2:]}

    return make


def blackjack(dice: random.Random) -> dict[str, Any]:
    """Two cards, the up card, and another hand of two."""
    one, two, up, *seen = dealt(dice, 5)
    return {"game": "blackjack", "hand": [one, two], "up": up, "seen": seen, "can_split": True}


def eights(dice: random.Random) -> dict[str, Any]:
    """A pair of eights: the slowest question of Blackjack."""
    up = dice.choice([card for card in map(text, STANDARD) if card[0] != "8"])
    return {"game": "blackjack", "hand": ["8s", "8d"], "up": up, "can_split": True}


def eights_beside(dice: random.Random) -> dict[str, Any]:
    """A pair of eights beside another hand, which makes cached answers rare."""
    rest = [card for card in STANDARD if text(card) not in ("8s", "8d")]
    up, *seen = dealt(dice, 5, rest)
    return {"game": "blackjack", "hand": ["8s", "8d"], "up": up, "seen": seen, "can_split": True}


def pai_gow(dice: random.Random) -> dict[str, Any]:
    """Seven cards of 53."""
    return {"game": "pai-gow", "player": dealt(dice, 7, PaiGow.deck)}


QUESTIONS: dict[str, tuple[Make, int]] = {
    "casino-stud": (stud, 100),
    "high-card-flush": (flush, 100),
    "ultimate, before the flop": (ultimate(0), 100),
    "ultimate, on the flop": (ultimate(3), 100),
    "ultimate, at the river": (ultimate(5), 100),
    "blackjack, any two cards": (blackjack, 100),
    "blackjack, eights to split": (eights, 100),
    "blackjack, eights to split beside four cards": (eights_beside, 100),
    "pai-gow": (pai_gow, 300),
}


async def asked(line: CoachClient, position: dict[str, Any]) -> float:
    """Ask once; return the latency in milliseconds."""
    started = time.perf_counter()
    await line.ask(position)
    return 1000 * (time.perf_counter() - started)


async def first_answer(line: CoachClient, position: dict[str, Any]) -> float:
    """Ask until the coach answers; return the seconds it took."""
    started = time.perf_counter()
    while True:
        try:
            await line.ask(position)
            return time.perf_counter() - started
        except Refused:
            await asyncio.sleep(0.02)


async def askers(line: CoachClient, positions: list[dict[str, Any]], at_once: int) -> list[float]:
    """Ask about all positions, `at_once` at a time; return the latencies."""
    waiting = iter(positions)

    async def one() -> list[float]:
        return [await asked(line, position) for position in waiting]

    return [
        each for some in await asyncio.gather(*(one() for _ in range(at_once))) for each in some
    ]


async def measure(path: Path) -> list[tuple[str, str]]:
    """Measure everything on one coach."""
    started: list[subprocess.Popen[bytes]] = []
    line = CoachClient(path, start=lambda where: started.append(client.start(where)))
    dice = random.Random(1)
    rows = [
        (
            "from no coach to the first answer, kernels cached",
            f"{await first_answer(line, stud(dice)):.1f} s",
        )
    ]
    for name, (make, budget) in QUESTIONS.items():
        await askers(line, [make(dice) for _ in range(10)], 1)
        figures = []
        for at_once in (1, AT_ONCE):
            took = await askers(line, [make(dice) for _ in range(ASKED)], at_once)
            p95 = statistics.quantiles(took, n=20)[-1]
            figures.append(f"{statistics.median(took):.1f} / {p95:.1f} ms ({p95 / budget:.0%})")
        rows.append(
            (f"{name}: p50 / p95 (of {budget} ms), one and {AT_ONCE} askers", " and ".join(figures))
        )
    status = Path(f"/proc/{started[-1].pid}/status").read_text(encoding="utf-8")
    kept = next(row for row in status.splitlines() if row.startswith("VmRSS"))
    rows.append(("memory of the coach then", f"{int(kept.split()[1]) / 1024:,.0f} MB"))
    await line.close()
    os.kill(started[-1].pid, signal.SIGTERM)
    started[-1].wait()
    return rows


def run() -> list[tuple[str, str]]:
    """Start a coach and measure it."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measure(Path(folder) / "coach.sock"))


if __name__ == "__main__":
    for name, figure in run():
        print(f"{name:70} {figure}")
