"""Practice: the distance between two questions, from numbers only.

Distances compare, in this order: whether the question is the same; whether the best answer is the
same; the difference of the game's features (at Blackjack, up card and total); the difference of
the gaps between best and second-best answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random, SystemRandom

from msgspec import Struct

from tapisvert.engine.view import AskView
from tapisvert.games.game import Hands
from tapisvert.games.registry import GAMES

MISTAKE = 0.005  # in units of the stake; the browser uses the same limit
# Chooses practice questions. Nothing is staked, so the dealer's random source is not used.
Chance = Random
CHANCE: Chance = SystemRandom()  # of a server; tests inject their own
_SAME = 1e-9  # values that differ by less count as equal


class DrillQuestion(Struct, frozen=True):
    """The features by which two questions are compared."""

    key: str
    best: str  # the best answer; at Pai Gow, the kinds of hands it makes
    gap: float  # best minus second-best value, in units of the stake
    features: tuple[int, ...] = ()  # given by the game


class Judged(Struct, frozen=True):
    """An answer of the player in a round, and its cost against the best answer."""

    round_id: str
    cost: float
    asked: DrillQuestion
    place: int = 0  # the number of answers before it


def asked(game: str, ask: AskView, hands: Hands, options: Mapping[str, float]) -> DrillQuestion:
    """Return the features of a question, from the values of its legal options."""
    first, *rest = sorted(options, key=lambda option: -options[option])
    gap = options[first] - options[rest[0]] if rest else 0.0
    return DrillQuestion(ask.key, _meaning(ask, first), gap, features(game, ask, hands))


def judged(
    round_id: str, choice: str, game: str, ask: AskView, hands: Hands, options: Mapping[str, float]
) -> Judged:
    """Judge an answer by the values of the legal options."""
    cost = max(options.values()) - options[choice]
    return Judged(round_id, cost, asked(game, ask, hands, options))


def features(game: str, ask: AskView, hands: Hands) -> tuple[int, ...]:
    """Return the numbers by which a game compares questions."""
    return GAMES[game].position.features(ask, hands)


def apart(one: Sequence[int], other: Sequence[int]) -> int:
    """Return the sum of the differences between two features of one game."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def picked(mistakes: Sequence[Judged], chance: Random) -> Judged | None:
    """Pick a mistake to practise at random, weighted by its cost."""
    costs = [each.cost for each in mistakes]
    return chance.choices(mistakes, costs)[0] if mistakes else None


def distance(one: DrillQuestion, other: DrillQuestion) -> tuple[bool, bool, int, float]:
    """Return the distance between two questions; tuples compare in order."""
    return (
        one.key != other.key,
        one.best != other.best,
        apart(one.features, other.features),
        abs(one.gap - other.gap),
    )


def nearest(wanted: DrillQuestion, found: Sequence[DrillQuestion]) -> int:
    """Return the index of the question nearest to `wanted`; of equals, the first."""
    return min(range(len(found)), key=lambda number: distance(wanted, found[number]))


def closest(found: Sequence[DrillQuestion]) -> int:
    """Return the index of the closest decision; questions with equal answers come last."""
    gaps = [each.gap for each in found]
    return min(range(len(found)), key=lambda number: (gaps[number] < _SAME, gaps[number]))


def telling(found: Sequence[DrillQuestion]) -> int:
    """Return the index of the closest decision at which a wrong answer is a mistake."""
    gaps = [each.gap for each in found]
    return min(range(len(found)), key=lambda number: (gaps[number] <= MISTAKE, gaps[number]))


def _meaning(ask: AskView, best: str) -> str:
    """Return the meaning of an answer: its id, or the kinds of hands it makes."""
    option = next(each for each in ask.options if each.id == best)
    return " ".join(hand.category for hand in option.hands.values()) or best
