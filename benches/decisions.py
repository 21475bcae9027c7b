"""Decisions and payments of the simulated players beside those of another commit's, on one deal.

    python benches/decisions.py --write docs/performance.md       a million rounds, beside 795e69f
    python benches/decisions.py HEAD~5 --rounds 10000

Both sides get the same decks: this tree deals them. Every choice, net result and stake of every
round is compared. The exit code is 1 if one differs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from page import require, table, write
from servers import environment
from trees import Side, sides

CHAPTER = "decisions"
ROUNDS = 10**6
PIECE = 1 << 16  # rounds whose cards are in memory at once
SEED = 25
PLAYED = (
    ("casino-stud", "optimal"),
    ("high-card-flush", "optimal"),
    ("ultimate", "optimal"),
    ("blackjack", "optimal"),
    ("blackjack", "each-hand-alone"),
    ("pai-gow", "house-way"),
    ("pai-gow", "optimal"),
)
# Each side: deal (this tree alone), play, and write units, net results, stakes and choices.
PLAYER = """
import sys
from pathlib import Path
import numpy as np
from tapisvert.odds.simulation import deal
from tapisvert.sheets import load
try:
    from tapisvert.lab.mathematics import simulated_player
except ModuleNotFoundError:  # 795e69f
    from tapisvert.odds.simulation import seat as simulated_player
game, strategy, folder, deals, rounds, piece, seed = sys.argv[1:]
player = simulated_player(load(game), strategy)
for number, first in enumerate(range(0, int(rounds), int(piece))):
    path = Path(folder, f"decks-{number}.npy")
    if deals == "deals":
        size = min(int(piece), int(rounds) - first)
        np.save(path, deal(int(seed), first, size, player.cards, player.deck))
    played = player.play(np.load(path))
    found = dict(net=played.net, staked=played.staked, lines=played.lines)
    np.savez(Path(folder, f"{deals}-{number}.npz"), unit=player.unit, **found)
"""


def play(side: Side, game: str, strategy: str, folder: Path, deals: str, rounds: int) -> None:
    """Play the rounds of a folder with one tree."""
    words = [game, strategy, str(folder), deals, str(rounds), str(PIECE), str(SEED)]
    command = [sys.executable, "-c", PLAYER, *words]
    subprocess.run(command, cwd=folder, env=environment(side.source), check=True)


def different(folder: Path, rounds: int) -> tuple[int, int]:
    """Return how many rounds have other choices, and how many another payment or stake."""
    chosen = paid = 0
    for number in range(-(-rounds // PIECE)):
        new, old = (np.load(folder / f"{name}-{number}.npz") for name in ("deals", "plays"))
        width = max(new["lines"].shape[1], old["lines"].shape[1])
        both = [
            np.pad(each, ((0, 0), (0, width - each.shape[1])))
            for each in (new["lines"], old["lines"])
        ]
        chosen += int((both[0] != both[1]).any(axis=1).sum())
        alike = new["net"] * old["unit"] == old["net"] * new["unit"]
        alike &= new["staked"] * old["unit"] == old["staked"] * new["unit"]
        paid += int((~alike).any(axis=1).sum())
    return chosen, paid


def main() -> int:
    """Play with both trees; print a row for each player; return 1 if a round differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("base", nargs="?", default="795e69f")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--games", nargs="*", help="only these games")
    parser.add_argument("--write", type=Path, help="write the chapter of this page")
    asked = parser.parse_args()
    if asked.write:
        require(asked.write, [CHAPTER])
    rows, wrong = [], 0
    with sides(asked.base) as (today, base):
        for game, strategy in PLAYED:
            if asked.games and game not in asked.games:
                continue
            started = time.perf_counter()
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                play(today, game, strategy, folder, "deals", asked.rounds)
                play(base, game, strategy, folder, "plays", asked.rounds)
                chosen, paid = different(folder, asked.rounds)
            wrong += chosen + paid
            seconds = f"{time.perf_counter() - started:.0f} s"
            row = [f"{game}, {strategy}", f"{asked.rounds:,}", f"{chosen:,}", f"{paid:,}", seconds]
            rows.append(row)
            print(*row, file=sys.stderr, flush=True)
    heads = ("player", "rounds", "other choices", "other payments or stakes", "time")
    text = table(heads, rows)
    print(text)
    if asked.write:
        write(asked.write, CHAPTER, text)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
