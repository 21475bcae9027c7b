"""Compile the kernels that coach, simulator and proofs share, and keep them on disk.

    python tools/kernels.py

Part of setting up the tests: otherwise every worker of theirs would compile the same ones.
"""

from __future__ import annotations

import time
from multiprocessing import get_context

from tapisvert.cards import parse_hand
from tapisvert.coach.warm import LIBRARY, step
from tapisvert.odds.blackjack.felt import rules_of
from tapisvert.odds.blackjack.proof import best_play
from tapisvert.odds.pai_gow.proof import prove as prove_pai_gow
from tapisvert.odds.proving import prove
from tapisvert.odds.simulation import seat, simulate
from tapisvert.sheets import Blackjack, PaiGow, load

# The longest first; a strategy that needs no counting of its own.
STRATEGIES = {
    "pai-gow": "house-way",
    "blackjack": "each-hand-alone",
    "ultimate": "wait-for-the-river",
    "high-card-flush": "optimal",
    "casino-stud": "optimal",
}
SMALL_DECK = "As Ks 9s 8s 7s 6s Kd 9d 9c 8h 6h 5c 2d Jk"  # for Pai Gow: the whole one takes minutes
PROCESSES = 2
ROUNDS = 100


def compile_for(game: str) -> tuple[str, float]:
    """Advise, simulate and prove at a game; return how long that took."""
    began = time.monotonic()
    step(LIBRARY)
    step(game)
    sheet = load(game)
    simulate(seat(sheet, STRATEGIES[game]), ROUNDS, seed=1)
    if isinstance(sheet, PaiGow):
        prove_pai_gow(sheet, cards=parse_hand(SMALL_DECK))
    elif isinstance(sheet, Blackjack):
        best_play(rules_of(sheet))
    else:
        prove(sheet)
    return game, time.monotonic() - began


def main() -> None:
    """Compile for every game."""
    with get_context("spawn").Pool(PROCESSES) as pool:
        for game, seconds in pool.imap_unordered(compile_for, STRATEGIES, chunksize=1):
            print(f"  {game:16} {seconds:5.1f} s", flush=True)


if __name__ == "__main__":
    main()
