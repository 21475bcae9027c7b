"""Simulated rounds per second on one core: this tree, another commit, and loops of a careful user.

    python benches/simulate.py                          beside 795e69f; writes docs/performance.md
    python benches/simulate.py HEAD --turns 3 --print   beside another commit; writes nothing
    python benches/simulate.py --blackjack VENV         also two simulators in that venv

Each side plays in a process of its own, and the sides take turns. What counts is the processor time
of a round, without what a player computes before the first: the median of the turns' ratios. The
start is the processor time of the whole command for 1,000 rounds, with tables and kernels on disk,
in an installation with the extra `prove` alone: SciPy and coverage are hidden, which Numba imports
too where the tests have installed them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from page import require, table, write
from ratios import BASE, TODAY
from trees import Side, sides

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
CHAPTER = "simulation"
GOALS = {  # rounds per second, best play (Pai Gow: house way)
    ("casino-stud", "optimal"): 8e6,
    ("high-card-flush", "optimal"): 8e6,
    ("ultimate", "optimal"): 5e6,
    ("blackjack", "optimal"): 4e6,
    ("pai-gow", "house-way"): 1e6,
}
COMMAND = """
import sys
sys.modules.update(dict.fromkeys(("coverage", "scipy")))
from tapisvert.cli import main
main()
"""
ROUNDS = {TODAY: 1 << 22, BASE: 1 << 16}
TURNS = 5
# Appended to every program: a line with a number of rounds in, the processor seconds out.
ASKED = """
import sys, time
play(16_384)
print("ready", flush=True)
for line in sys.stdin:
    begun = time.process_time()
    play(int(line))
    print(time.process_time() - begun, flush=True)
"""
PLAYER = """
import sys
from tapisvert.odds import simulation
from tapisvert.sheets import load
try:
    from tapisvert.lab.mathematics import simulated_player
except ModuleNotFoundError:  # 795e69f
    from tapisvert.odds.simulation import seat as simulated_player
player = simulated_player(load(sys.argv[1]), sys.argv[2])
if hasattr(simulation, "play_block"):
    play = lambda rounds: simulation.play_block(player, 7, 0, rounds)
else:
    def play(rounds):
        for block in range(rounds // simulation.BLOCK):
            played = player.play(
                simulation.deal(7, block, simulation.BLOCK, player.cards, player.deck)
            )
            for bet in range(len(player.bets)):
                simulation._add((0, 0, 0, {}), played, bet)
"""
# A loop that somebody would write with eval7: raise 4 before the flop with what the known charts
# raise, 2 with a pair or better on the flop, 1 at the river with a pair or better.
EVAL7 = """
import random
import eval7
DECK = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
draw, rank_of = random.Random(7).sample, eval7.evaluate
PAIR = 1 << 24
def play(rounds):
    total = 0
    for _ in range(rounds):
        cards = draw(DECK, 9)
        one, two, board = cards[0], cards[1], cards[4:]
        mine, theirs = rank_of(cards[:2] + board), rank_of(cards[2:4] + board)
        high, low = max(one.rank, two.rank), min(one.rank, two.rank)
        if high == low or high == 12 or (high == 11 and low >= 3) or (high == 10 and low >= 6):
            times = 4
        elif rank_of(cards[:2] + cards[4:7]) >= PAIR:
            times = 2
        elif mine >= PAIR:
            times = 1
        else:
            total -= 2
            continue
        if mine > theirs:
            total += times + (theirs >= PAIR)
        elif mine < theirs:
            total -= times + 1 + (theirs >= PAIR)
    return total
"""
# Two simulators of Blackjack from PyPI, each with the simplest player it has.
BLACKJACK = {
    "gymnasium": """
import gymnasium
table = gymnasium.make("Blackjack-v1").unwrapped
def play(rounds):
    for _ in range(rounds):
        (total, _, _), _ = table.reset()
        ended = False
        while not ended:
            (total, _, _), _, ended, _, _ = table.step(int(total < 17))
""",
    "jackblack": """
from jackblack import Player, Simple, Simulation
table = Simulation([Player("one", chips=10**9, strategy=Simple())])
def play(rounds):
    table.run(rounds)
""",
}


class Playing:
    """A process that plays rounds when asked."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def seconds(self, rounds: int) -> float:
        """Play rounds; return the processor time of each."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{rounds}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline()) / rounds


@contextmanager
def playing(
    python: str, program: str, *words: str, source: Path | None = None
) -> Iterator[Playing]:
    """Start a process, and wait until it is ready to play."""
    paths = {} if source is None else {"PYTHONPATH": str(source)}
    with subprocess.Popen(
        [python, "-c", program + ASKED, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **paths},
    ) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != "ready\n":
                raise SystemExit(f"the player of {words} did not start")
            yield Playing(process)
        finally:
            process.kill()


def start_s(side: Side, game: str, strategy: str) -> float:
    """Return the processor seconds of a command that simulates 1,000 rounds."""
    words = ["simulate", game, "--strategy", strategy, "--rounds", "1000", "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", COMMAND, *words],
        env={**os.environ, "PYTHONPATH": str(side.source)},
        capture_output=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compared(pair: list[Side], game: str, strategy: str, turns: int) -> list[str]:
    """Return the row of a game: both sides in turns, and their starts."""
    today, base = pair
    words = game, strategy
    with (
        playing(sys.executable, PLAYER, *words, source=today.source) as new,
        playing(sys.executable, PLAYER, *words, source=base.source) as old,
    ):
        both = [(new.seconds(ROUNDS[TODAY]), old.seconds(ROUNDS[BASE])) for _ in range(turns)]
    ratios = sorted(old / new for new, old in both)
    rate, before = (1 / median(each) for each in zip(*both, strict=True))
    goal = GOALS[game, strategy]
    return [
        f"{game}, {strategy}",
        f"{rate / 1e6:.1f} M",
        f"{goal / 1e6:.0f} M" + (" (missed)" if rate < goal else ""),
        f"{before / 1e6:.2f} M",
        f"{median(ratios):.0f} ({ratios[0]:.0f} to {ratios[-1]:.0f})",
        f"{min(start_s(today, *words) for _ in range(3)):.1f} s",
    ]


def alone(name: str, python: str, program: str, rounds: int, turns: int) -> list[str]:
    """Return the row of a user's own loop."""
    with playing(python, program) as loop:
        each = [loop.seconds(rounds) for _ in range(turns)]
    return [name, f"{1e-6 / median(each):.3f} M", "", "", "", ""]


def main() -> None:
    """Measure, then print the table or write it to the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("base", nargs="?", default="795e69f")
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--games", nargs="*", help="only these games")
    parser.add_argument(
        "--blackjack", type=Path, metavar="VENV", help="a venv with gymnasium and jackblack"
    )
    parser.add_argument("--print", action="store_true", help="write nothing to the page")
    asked = parser.parse_args()
    if not asked.print:
        require(PAGE, [CHAPTER])
    rows = []
    with sides(asked.base) as pair:
        for game, strategy in GOALS:
            if not asked.games or game in asked.games:
                rows.append(compared(pair, game, strategy, asked.turns))
                print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    rows.append(alone("ultimate, a loop with eval7", sys.executable, EVAL7, 20_000, asked.turns))
    if asked.blackjack:
        python = str(asked.blackjack / "bin" / "python")
        for name, program in BLACKJACK.items():
            rows.append(alone(f"blackjack, {name}", python, program, 10_000, asked.turns))
    heads = ["one core", "rounds/s", "goal", asked.base, "times as fast", "start"]
    load = " / ".join(f"{each:.0f}" for each in os.getloadavg())
    text = f"Load at the end (1, 5 and 15 minutes): {load}.\n\n{table(heads, rows)}"
    print(text)
    if not asked.print:
        write(PAGE, CHAPTER, text)


if __name__ == "__main__":
    main()
