"""A threshold of play: the weakest hand always played, the best always folded, and the range."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray


class Between(Struct, frozen=True, kw_only=True):
    """Hands of one strength that are played in some positions only."""

    hand: str
    positions: int
    played: Fraction  # the fraction of positions played
    against: dict[str, tuple[int, int]] = {}  # by up card's rank: played, and all


class PlayingLine(Struct, frozen=True, kw_only=True):
    """The threshold of play. Every position above is played, every one below is folded."""

    plays_from: str | None  # None: even the best hand is sometimes folded
    folds_to: str | None  # None: even the worst hand is sometimes played
    between: list[Between]


class Found(NamedTuple):
    """The positions of each strength, and how many of them are played, weakest first."""

    strengths: NDArray[np.int64]
    positions: NDArray[np.int64]
    played: NDArray[np.int64]


def gather(
    strengths: NDArray[np.int64], positions: NDArray[np.int64], played: NDArray[np.int64]
) -> Found:
    """Add up the positions of each strength."""
    kinds, kind = np.unique(strengths, return_inverse=True)
    total, taken = np.zeros((2, len(kinds)), dtype=np.int64)
    np.add.at(total, kind, positions)
    np.add.at(taken, kind, played)
    return Found(kinds, total, taken)


def line_of(
    found: Found,
    name: Callable[[int], str],
    against: Callable[[int], dict[str, tuple[int, int]]] = lambda _: {},
) -> PlayingLine:
    """Find the threshold in counts by strength."""
    always = np.flatnonzero(found.played < found.positions)
    never = np.flatnonzero(found.played > 0)
    first = int(always[-1]) + 1 if len(always) else 0  # the weakest that is always played
    last = int(never[0]) if len(never) else len(found.strengths)  # after those never played
    strengths = [int(each) for each in found.strengths]
    return PlayingLine(
        plays_from=name(strengths[first]) if first < len(strengths) else None,
        folds_to=name(strengths[last - 1]) if last else None,
        between=[
            Between(
                hand=name(strengths[n]),
                positions=int(found.positions[n]),
                played=Fraction(int(found.played[n]), int(found.positions[n])),
                against=against(strengths[n]),
            )
            for n in range(last, first)
        ],
    )
