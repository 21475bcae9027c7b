"""What the mathematics of a game must provide, and the values its advice is made of.

A game's package `odds` holds one `MATHEMATICS`. It is imported by name when it is asked for, so
that a server, which never asks, loads neither NumPy nor Numba. This module loads neither.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from tapisvert.cards import Card
from tapisvert.odds.figures import Figure
from tapisvert.odds.parallel import Progress

if TYPE_CHECKING:
    from tapisvert.odds.simulation import SimulatedPlayer


class Position(NamedTuple):
    """A position a coach is asked about: cards by their key, flags, and the kept chart if any."""

    cards: dict[str, list[Card]]
    flags: Mapping[str, bool]
    chart: Callable[[], Any]


class Advice(Struct, frozen=True, omit_defaults=True):
    """What every option is worth, and the best of them.

    At Blackjack insurance is worth the whole hand before the house has looked, everything else
    what it is worth if the house has no blackjack: each has a best of its own.
    """

    options: dict[str, float]
    best: str | None
    insurance: str | None = None
    house_way: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mathematics:
    """The exact mathematics of a game. `Any` stands for the game's own type of sheet."""

    prove: Callable[[Any, Progress], list[Figure]]
    """Count every bet under every strategy: the best play of each bet first."""

    chart: Callable[[Any, Progress], Any]
    """Work out the best play as data, in the form that suits the game."""

    advise: Callable[[Any, Position], Advice]
    """Value every option of a position exactly."""

    player: Callable[[Any, str, Progress], SimulatedPlayer]
    """Make the simulated player of a strategy that the game names."""

    compile: Callable[[Any], None]
    """Run every kernel of proofs and simulation once, on as little as will do: compiled kernels
    are kept on disk."""


def best_of(options: dict[str, float]) -> Advice:
    """Advise the option that is worth most."""
    return Advice(options, max(options, key=lambda option: options[option], default=None))
