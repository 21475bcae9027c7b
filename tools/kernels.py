"""Compile the kernels that coach, simulator and proofs share, and keep them on disk.

    python tools/kernels.py

Part of setting up the tests: otherwise every worker of theirs would compile the same ones. What
only one proof needs is compiled by the test that asks for it.
"""

from __future__ import annotations

import time
from multiprocessing import get_context

from tapisvert.coach.warm import LIBRARY, step
from tapisvert.odds.simulation import seat, simulate
from tapisvert.sheets import load

# The longest first; a strategy that needs no counting of its own.
STRATEGIES = {
    "pai-gow": "house-way",
    "blackjack": "chart",
    "ultimate": "wait-for-the-river",
    "high-card-flush": "optimal",
    "casino-stud": "optimal",
}
PROCESSES = 2
ROUNDS = 100


def compile_for(game: str) -> tuple[str, float]:
    """Advise and simulate at a game; return how long that took."""
    began = time.monotonic()
    step(LIBRARY)
    step(game)
    simulate(seat(load(game), STRATEGIES[game]), ROUNDS, seed=1)
    return game, time.monotonic() - began


def main() -> None:
    """Compile for every game."""
    with get_context("spawn").Pool(PROCESSES) as pool:
        for game, seconds in pool.imap_unordered(compile_for, STRATEGIES, chunksize=1):
            print(f"  {game:16} {seconds:5.1f} s", flush=True)


if __name__ == "__main__":
    main()
