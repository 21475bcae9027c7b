"""Practice: the distance between two questions, from numbers only.

Two questions are the nearer, in this order: the same question is put; the same answer is best; the
features that the game names differ by little (at Blackjack up card and total); the best answer
beats the second by about as much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random, SystemRandom

from msgspec import Struct

from tapisvert.engine.view import AskView
from tapisvert.games.game import Hands
from tapisvert.games.registry import GAMES

MISTAKE = 0.005  # of the stake: what costs less is no mistake, as at the table
# Chooses practice questions. Nothing is staked on them: the dealer's source is not used.
Chance = Random
CHANCE: Chance = SystemRandom()
_SAME = 1e-9  # two answers that differ by less are worth the same


class DrillQuestion(Struct, frozen=True):
    """What two questions are compared by."""

    key: str
    best: str  # what the best answer is; at Pai Gow which hands it makes
    gap: float  # by how much it beats the second best, in units of the stake
    features: tuple[int, ...] = ()  # as the game says


class Judged(Struct, frozen=True):
    """An answer the player gave in a round, and what it cost against the best."""

    round_id: str
    cost: float
    asked: DrillQuestion


def asked(game: str, ask: AskView, hands: Hands, options: Mapping[str, float]) -> DrillQuestion:
    """Return what a question is compared by, from what its legal options are worth."""
    first, *rest = sorted(options, key=lambda option: -options[option])
    gap = options[first] - options[rest[0]] if rest else 0.0
    return DrillQuestion(ask.key, _meaning(ask, first), gap, features(game, ask, hands))


def judged(
    round_id: str, choice: str, game: str, ask: AskView, hands: Hands, options: Mapping[str, float]
) -> Judged:
    """Judge an answer by what the legal options were worth."""
    cost = max(options.values()) - options[choice]
    return Judged(round_id, cost, asked(game, ask, hands, options))


def features(game: str, ask: AskView, hands: Hands) -> tuple[int, ...]:
    """Return the numbers that a game compares questions by."""
    return GAMES[game].position.features(ask, hands)


def apart(one: Sequence[int], other: Sequence[int]) -> int:
    """Return by how much the features of two questions of one game differ together."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def picked(mistakes: Sequence[Judged], chance: Random) -> Judged | None:
    """Pick a mistake to practise, the dearer the more often."""
    costs = [each.cost for each in mistakes]
    return chance.choices(mistakes, costs)[0] if mistakes else None


def distance(one: DrillQuestion, other: DrillQuestion) -> tuple[bool, bool, int, float]:
    """Return how far two questions are from each other, for comparing."""
    return (
        one.key != other.key,
        one.best != other.best,
        apart(one.features, other.features),
        abs(one.gap - other.gap),
    )


def nearest(wanted: DrillQuestion, found: Sequence[DrillQuestion]) -> int:
    """Return which of some questions is nearest to one; of equals, the first."""
    return min(range(len(found)), key=lambda number: distance(wanted, found[number]))


def closest(found: Sequence[DrillQuestion]) -> int:
    """Return which of some questions is the closest decision; one that does not matter is none."""
    gaps = [each.gap for each in found]
    return min(range(len(found)), key=lambda number: (gaps[number] < _SAME, gaps[number]))


def _meaning(ask: AskView, best: str) -> str:
    """Say what an answer is: its name, or the kinds of hands it makes."""
    option = next(each for each in ask.options if each.id == best)
    return " ".join(hand.category for hand in option.hands.values()) or best
