"""Time and memory of the proofs beside those of another commit, in one run.

    python benches/proofs_beside.py --write docs/performance.md       beside 795e69f
    python benches/proofs_beside.py HEAD~3 --games blackjack --turns 3

Both sides prove in turns, each in a process of its own, after one warm-up that compiles the kernels
and compares the figures: they must be equal. The ratio is the median of the turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import NamedTuple

from page import require, table, write
from servers import environment
from trees import Side, sides

CHAPTER = "beside"
GOALS = {"ultimate": 0.6, "blackjack": 0.6, "pai-gow": 0.8}  # of the base's time
PROGRAM = """
import json, sys, time
from tapisvert.sheets import load
try:
    from tapisvert.lab.mathematics import prove
except ModuleNotFoundError:  # 795e69f
    from tapisvert.odds.proving import prove
sheet = load(sys.argv[1])
begun = time.perf_counter(), time.process_time()
found = prove(sheet)
used = time.perf_counter() - begun[0], time.process_time() - begun[1]
figures = [[each.bet, each.strategy, str(each.edge), str(each.variance)] for each in found]
print(json.dumps([*used, figures]))
"""


class Proved(NamedTuple):
    """One proof: its seconds, its seconds of processor, its peak memory, and its figures."""

    seconds: float
    processor_s: float
    megabytes: float
    figures: list[list[str]]


def prove(side: Side, game: str) -> Proved:
    """Prove a game with one tree; the imports before it are not counted."""
    command = [sys.executable, "-c", PROGRAM, game]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, cwd=side.source, env=environment(side.source)
    ) as process:
        assert process.stdout is not None
        seconds, processor_s, figures = json.loads(process.stdout.read())
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
    return Proved(seconds, processor_s, used.ru_maxrss / 1024, figures)


def compared(pair: list[Side], game: str, turns: int) -> list[str]:
    """Return the row of a game."""
    today, base = pair
    if prove(today, game).figures != prove(base, game).figures:
        raise SystemExit(f"the two sides prove other figures of {game}")
    both = [(prove(today, game), prove(base, game)) for _ in range(turns)]
    ratio = median(new.seconds / old.seconds for new, old in both)
    processor = median(new.processor_s / old.processor_s for new, old in both)
    new, old = both[-1]
    return [
        game,
        f"{new.seconds:.0f} / {old.seconds:.0f} s",
        f"{new.processor_s:.1f} / {old.processor_s:.1f} s",
        f"{ratio:.2f}",
        f"{processor:.2f}",
        f"{GOALS[game]}",
        f"{new.megabytes:,.0f} / {old.megabytes:,.0f} MB",
    ]


def main() -> None:
    """Measure, then print the table or write it to a page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("base", nargs="?", default="795e69f")
    parser.add_argument("--games", nargs="*", choices=list(GOALS), help="only these games")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--write", type=Path, help="write the chapter of this page")
    asked = parser.parse_args()
    if asked.write:
        require(asked.write, [CHAPTER])
    rows = []
    with sides(asked.base) as pair:
        for game in asked.games or GOALS:
            rows.append(compared(pair, game, asked.turns))
            print(*rows[-1], file=sys.stderr, flush=True)
    heads = ("game", "time", "processor", "time, ratio", "processor, ratio", "goal", "peak memory")
    load = " / ".join(f"{each:.0f}" for each in os.getloadavg())
    text = f"Today / {asked.base}. Load at the end: {load}.\n\n{table(heads, rows)}"
    print(text)
    if asked.write:
        write(asked.write, CHAPTER, text)


if __name__ == "__main__":
    main()
