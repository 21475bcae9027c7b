"""The interface of a game's mathematics, and the values of its advice.

A game's package `odds` holds one `MATHEMATICS`. It is imported by name on demand: a server never
needs it and so loads neither NumPy nor Numba. This module imports neither.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from tapisvert.cards import Card
from tapisvert.odds.figures import Figure
from tapisvert.odds.parallel import Progress
from tapisvert.odds.vocabulary import Vocabulary

if TYPE_CHECKING:
    from tapisvert.odds.simulation import SimulatedPlayer


class Position(NamedTuple):
    """A position for advice: cards by key, flags, and the stored chart if there is one."""

    cards: dict[str, list[Card]]
    flags: Mapping[str, bool]
    chart: Callable[[], Any]


class NextDecision(Struct, frozen=True, omit_defaults=True):
    """The best option of the next decision, and the cards or boards that lead to it.

    `best` is None where the hand has ended. A card stands for all cards of its value.
    """

    best: str | None
    cards: tuple[str, ...] = ()
    boards: int = 0


class Advice(Struct, frozen=True, omit_defaults=True):
    """The value of every option, and the best option.

    At Blackjack the value of insurance covers the whole hand, before the house looks. The values of
    the other options assume that the house has no blackjack. So each group has its own best option.
    """

    options: dict[str, float]
    best: str | None
    insurance: str | None = None
    house_way: str | None = None
    next: dict[str, tuple[NextDecision, ...]] = {}
    """By option: the best play of the decision that follows it. Only if it was requested."""


@dataclass(frozen=True, slots=True)
class SharedCount:
    """How to count once what does not depend on prices, and to prove many sheets from it."""

    group: Callable[[Any], str]  # sheets with equal keys share a count
    count: Callable[[Any, Progress], Any]  # what the sheets of a group share
    figures: Callable[[Any, Any], list[Figure]]  # the figures of `prove`, from a count and a sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Mathematics:
    """The exact mathematics of a game. `Any` stands for the game's own type of sheet."""

    prove: Callable[[Any, Progress], list[Figure]]
    """Count every bet under every strategy; the best play of each bet comes first."""

    chart: Callable[[Any, Progress], Any]
    """Compute the best play as data, in the game's own form."""

    advise: Callable[[Any, Position], Advice]
    """Value every option of a position exactly."""

    next: Callable[[Any, Position], dict[str, tuple[NextDecision, ...]]] | None = None
    """The best play of the decision after each option; None: a round has only one decision."""

    player: Callable[[Any, str, Progress], SimulatedPlayer]
    """Create the simulated player of a named strategy."""

    compile: Callable[[Any], None]
    """Run every kernel of proofs and simulation once, on minimal input, so that the compiled
    kernels are cached on disk.
    """

    vocabulary: Vocabulary | None = None
    """The words of strategy files (docs/strategies.md); None: the game has none."""

    shared_count: SharedCount | None = None
    """Proves many sheets from one count; None: each sheet is counted alone."""


def best_of(options: dict[str, float]) -> Advice:
    """Return advice with the option of the highest value as the best."""
    return Advice(options, max(options, key=lambda option: options[option], default=None))
