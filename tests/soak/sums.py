"""The values of the advice, summed over all deals, equal the proofs: game by game (`make sums`).

    python tests/soak/sums.py                   # everything
    python tests/soak/sums.py --game ultimate --game pai-gow

Casino Stud and High Card Flush over the whole deck, one hand of each suit pattern; Ultimate from
the 169 starting hands, and some of those from all their flops; Blackjack from every two cards and
up card of the whole deck; Pai Gow on every deal of small decks. Differences are printed, and the
exit code is 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

from coach import sums
from coach.sums import Summed
from odds.renaming import sheet_of
from tapisvert.cards import STANDARD, parse_hand
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.games.pai_gow.odds.proof import prove as prove_pai_gow
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.games.ultimate.odds.advice import starting_hand
from tapisvert.lab import chart_store, proof_store
from tapisvert.odds.suits import cards_of, patterns
from tapisvert.sheets import load

CHUNK = 256  # hands of one piece of work
STARTS = ("As Ad", "Ks 5s", "7h 2c", "Jd 8c", "3s 3d", "Qs 6h")
PAI_GOW_DECKS = (
    "As Ks 9s 8s 7s 6s Ah Kd 9d 9c 8h 6h 5c 2d Jk",
    "Ac Kc Qc Jc Tc 9c 8c 9d 9h 8d 7d 4h 4s 2s",
    "8c 8d 8h 8s 9c 9d 9h 9s Tc Td Th Ts Jc Jd Jh Js Jk",
)
ERROR = 1e-12  # of a mean in doubles

Hands = list[tuple[list[int], int]]


class Check(NamedTuple):
    """One sum, and its expected value."""

    name: str
    positions: int
    deals: int
    summed: Fraction
    proved: Fraction
    exact: bool = True

    @property
    def holds(self) -> bool:
        """Tell whether they are equal; exactly, if the sum is a fraction."""
        return abs(self.summed - self.proved) <= (0 if self.exact else Fraction(ERROR))


def proved(game: str) -> Fraction:
    """Return the shipped edge of the best play."""
    found = next(each for each in proof_store.find(load(game)) if each.strategy == "optimal")
    return Fraction(found.edge)


def chunks(size: int) -> list[Hands]:
    """Return one hand per suit pattern, with its weight, in pieces of work."""
    every = patterns(size)
    rows: NDArray[np.uint8] = cards_of(every.suits, size)
    return [
        list(
            zip(
                rows[at : at + CHUNK].tolist(), every.weights[at : at + CHUNK].tolist(), strict=True
            )
        )
        for at in range(0, len(rows), CHUNK)
    ]


def spread(work: Callable[[Hands], Summed], pieces: Sequence[Hands], jobs: int) -> Summed:
    """Sum pieces on several cores, and report progress now and then."""
    total, started = Summed(), time.monotonic()
    context = multiprocessing.get_context("spawn")  # the kernels have threads: they must not fork
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        for done, each in enumerate(pool.map(work, pieces, chunksize=4), start=1):
            total += each
            if done % max(1, len(pieces) // 20) == 0:
                seconds = time.monotonic() - started
                print(f"  {done / len(pieces):4.0%} {seconds:7.0f} s", flush=True)
    return total


def whole_deck(game: str, work: Callable[[Hands], Summed], size: int, jobs: int) -> Iterator[Check]:
    """Sum a game over every suit pattern of the player's hand."""
    found = spread(work, chunks(size), jobs)
    yield Check(game, found.positions, found.deals, found.mean, proved(game))


def ultimate(jobs: int) -> Iterator[Check]:
    """Sum the starting hands, and the flops of some."""
    starts = {start["hand"]: start for start in chart_store.find(load("ultimate"))}
    best = sum(
        start["ways"] * max(map(Fraction, start["values"].values())) for start in starts.values()
    )
    ways = sum(start["ways"] for start in starts.values())
    yield Check("ultimate", len(starts), ways, Fraction(best) / ways, proved("ultimate"))
    for written in STARTS:
        pair = parse_hand(written)
        found, hand = sums.flops(pair), starting_hand(pair)
        checked = Fraction(starts[hand]["values"]["check"])
        yield Check(f"ultimate, {hand}", found.positions, found.deals, found.mean, checked)


def blackjack(jobs: int) -> Iterator[Check]:
    """Sum every two cards and up card of the whole deck."""
    positions, mean = sums.blackjack(sheet_of(Blackjack), STANDARD)
    edge = proved("blackjack")
    yield Check("blackjack", positions, 52 * 51 * 50, Fraction(mean), edge, exact=False)


def pai_gow(jobs: int) -> Iterator[Check]:
    """Sum every deal of small decks."""
    sheet = sheet_of(PaiGow)
    for deck in PAI_GOW_DECKS:
        cards = parse_hand(deck)
        found = sums.pai_gow(sheet, cards)
        _, best, *_ = prove_pai_gow(sheet, cards=cards, others=["optimal"])
        name = f"pai-gow, {len(cards)} cards"
        yield Check(name, found.positions, found.deals, found.mean, best.edge)


GAMES: dict[str, Callable[[int], Iterable[Check]]] = {
    "blackjack": blackjack,
    "pai-gow": pai_gow,
    "ultimate": ultimate,
    "casino-stud": lambda jobs: whole_deck("casino-stud", sums.stud, 5, jobs),
    "high-card-flush": lambda jobs: whole_deck("high-card-flush", sums.flush, 7, jobs),
}


def main() -> int:
    """Sum the requested games, and report."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    asked.add_argument("--game", choices=GAMES, action="append", help="all if none is named")
    asked.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = asked.parse_args()
    wrong = 0
    for game in given.game or GAMES:
        started = time.monotonic()
        for check in GAMES[game](given.jobs):
            wrong += not check.holds
            told = "as proved" if check.holds else f"{float(check.summed)} NOT {check.proved}"
            seconds = time.monotonic() - started
            print(
                f"{check.name}: {check.positions:,} positions for {check.deals:,} deals, {told},"
                f" {seconds:.0f} s",
                flush=True,
            )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
