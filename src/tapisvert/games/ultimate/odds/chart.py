"""The best play of Ultimate Texas Hold'em before the flop: the 169 starting hands."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from tapisvert.cards import RANKS
from tapisvert.games.ultimate.odds.flops import flops
from tapisvert.games.ultimate.odds.play import (
    Worths,
    before_flop,
    best_after_flop,
    best_before_flop,
)
from tapisvert.games.ultimate.odds.proof import FLOP_DEALS
from tapisvert.games.ultimate.odds.sums import prices, sums
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.parallel import Progress, no_progress

CHECK = "check"


class Start(Struct, frozen=True):
    """A starting hand: the mean net result of each choice, in antes, with best play afterwards."""

    hand: str
    ways: int  # ways to be dealt it, of 1,326
    best: str
    values: dict[str, Fraction]


def chart(sheet: Ultimate, tell: Progress = no_progress) -> list[Start]:
    """Compute the values of a sheet's starting hands."""
    found = sums(sheet, tell)
    _, on_flop = best_after_flop(sheet, found)
    return starts(sheet, before_flop(found, on_flop))


def starts(sheet: Ultimate, worths: Worths) -> list[Start]:
    """List the starting hands from aces down: pairs, suited and offsuit."""
    best, numbers = best_before_flop(sheet, worths), flops().pairs
    whole = FLOP_DEALS * prices(sheet).unit
    found = []
    for hand, ways, cards in _every_hand():
        pair = int(numbers[cards])
        values = {CHECK: Fraction(int(worths.check[pair]), whole)}
        for times in sheet.play.before_flop:
            values[f"raise-{times}"] = Fraction(int(worths.of_raise(times)[pair]), whole)
        taken = f"raise-{best[pair]}" if best[pair] else CHECK
        found.append(Start(hand, ways, taken, values))
    return found


def _every_hand() -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Yield each starting hand, the number of ways to be dealt it, and an example."""
    for high in reversed(range(len(RANKS))):
        for low in reversed(range(high + 1)):
            ranks = RANKS[high] + RANKS[low]
            if high == low:
                yield ranks, 6, (4 * low, 4 * high + 1)
            else:
                yield f"{ranks}s", 4, (4 * low, 4 * high)
                yield f"{ranks}o", 12, (4 * low, 4 * high + 1)
