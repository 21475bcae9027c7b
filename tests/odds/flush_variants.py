"""High Card Flush with three times under other rules and other play: what may explain 2.64 %."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.high_card_flush.odds.proof import (
    DEALS,
    HOUSE_HANDS,
    Positions,
    main_bet,
    positions,
)
from tapisvert.games.high_card_flush.odds.weaker_hands import flush_values
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.figures import Figure
from tapisvert.sheets import load

THREE_TIMES = {"raise.most_times.flush-6": 3, "raise.most_times.flush-7": 3}
COMMON = (1, 2, 3, 3)  # the most antes raised with four, five, six and seven cards

Hands = NDArray[np.int64]


class Ends(NamedTuple):
    """How the house's hands end against each hand of the player."""

    unqualified: Hands
    beaten: Hands
    tied: Hands
    better: Hands
    all: int


class Variant(NamedTuple):
    """Other rules or another play, and the exact edge on the ante."""

    what: str
    edge: Callable[[], Fraction]


def sheet(**qualifies: Any) -> HighCardFlush:
    """Return the sheet of the common game, or one with another qualifying hand."""
    changes = {f"house.{key}": value for key, value in qualifies.items()}
    found = with_changes(load("high-card-flush"), {**THREE_TIMES, **changes})
    assert isinstance(found, HighCardFlush)
    return found


@cache
def counted(rank: str = "9") -> Positions:
    """Count every hand where the house qualifies with this rank."""
    return positions(sheet(qualifies_with=[rank]))


@cache
def common(strategy: str = "optimal") -> Figure:
    """Return the proof of the common game."""
    return main_bet(sheet(), counted(), strategy)


def raised() -> float:
    """Return how often the best play raises, in percent."""
    return 100 - 100 * common().counts["folded"] / DEALS


def tied() -> float:
    """Return how often a raise of the best play is tied, in percent."""
    deals = sum(deals for name, deals in common().counts.items() if name.endswith("-tie"))
    return 100 * deals / DEALS


def qualified() -> float:
    """Return how often any hand of the house qualifies, in percent."""
    at = counted()
    return 100 - 100 * int((at.unqualified.astype(np.int64) * at.weights).sum()) / DEALS


def dealt(at: Positions) -> Ends:
    """Return the ends against the house's hands from the 45 cards that are left."""
    unqualified, beaten, tied, better = (each.astype(np.int64) for each in at[5:])
    return Ends(unqualified, beaten, tied, better, HOUSE_HANDS)


def from_52_cards(at: Positions) -> Ends:
    """Return the ends against any seven of 52 cards: the player's cards are not taken out."""
    values, least = flush_values()[at.flushes], sheet().least_to_qualify
    order = np.argsort(values, kind="stable")
    up_to = np.concatenate([[0], np.cumsum(at.weights[order])])
    in_order = values[order]
    below = up_to[np.searchsorted(in_order, values, "left")]
    not_above = up_to[np.searchsorted(in_order, values, "right")]
    least_at = up_to[np.searchsorted(in_order, least, "left")]
    qualifies = values >= least
    unqualified = np.full(len(values), least_at)
    beaten = np.where(qualifies, below - least_at, 0)
    tied = np.where(qualifies, not_above - below, 0)
    every = int(up_to[-1])
    return Ends(unqualified, beaten, tied, every - unqualified - beaten - tied, every)


def edge(
    ends_of: Callable[[Positions], Ends] = dealt,
    most: Sequence[int] = COMMON,
    rank: str = "9",
    tie: int = 0,
) -> Fraction:
    """Return the house's edge under the best play; a tie pays (1) or takes (-1) both bets."""
    at = counted(rank)
    ends = ends_of(at)
    allowed = np.array([1] * 4 + list(most))[at.lengths]
    best = np.full(len(allowed), -ends.all)
    for times in range(1, max(most) + 1):
        net = ends.unqualified + (1 + times) * (ends.beaten + tie * ends.tied - ends.better)
        best = np.where((allowed >= times) & (net > best), net, best)
    return -Fraction(int((best * at.weights).sum()), int(at.weights.sum()) * ends.all)


VARIANTS = (
    Variant("the common game, best play", edge),
    Variant(
        "raising from T-8-6, the best play by the flush alone",
        lambda: -common("raise-from-T-8-6").edge,
    ),
    Variant("ties lose", partial(edge, tie=-1)),
    Variant("ties win", partial(edge, tie=1)),
    Variant("the house qualifies with ten high", partial(edge, rank="T")),
    Variant("the house qualifies with eight high", partial(edge, rank="8")),
    Variant("the house qualifies with any three cards", partial(edge, rank="2")),
    Variant("six and seven cards two times", partial(edge, most=(1, 2, 2, 2))),
    Variant("seven cards two times", partial(edge, most=(1, 2, 3, 2))),
    Variant("seven cards four times", partial(edge, most=(1, 2, 3, 4))),
    Variant("seven cards five times", partial(edge, most=(1, 2, 3, 5))),
    Variant("six and seven cards four times", partial(edge, most=(1, 2, 4, 4))),
    Variant("five cards three times", partial(edge, most=(1, 3, 3, 3))),
    Variant("the house's hand from all 52 cards", partial(edge, from_52_cards)),
)
