"""A playing line: from which hand on one plays, down to which one folds, and what lies between."""

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
    played: Fraction  # the part of the positions
    against: dict[str, tuple[int, int]] = {}  # by rank of the up card: played, and of how many


class PlayingLine(Struct, frozen=True, kw_only=True):
    """Where playing begins. Every position above is played, every one below is folded."""

    plays_from: str | None  # None: not even the best hand is always played
    folds_to: str | None  # None: not even the worst hand is always folded
    between: list[Between]


class Found(NamedTuple):
    """How positions of each strength are played, weakest first."""

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
    """Find the line in how hands are played."""
    always = np.flatnonzero(found.played < found.positions)
    never = np.flatnonzero(found.played > 0)
    first = int(always[-1]) + 1 if len(always) else 0  # of those that are always played
    last = int(never[0]) if len(never) else len(found.strengths)  # of those never, and one more
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
