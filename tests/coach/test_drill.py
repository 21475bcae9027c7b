"""Practice: the nearest question equals that of a slow search by the definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from tapisvert.cards import STANDARD, text
from tapisvert.coach.drill import DrillQuestion, Judged, asked, closest, features, nearest, picked
from tapisvert.engine import HandName
from tapisvert.engine.view import AskView, OptionView
from tapisvert.games.blackjack.script import total


def some(chance: Random, count: int) -> list[DrillQuestion]:
    """Return random questions, many of them equal."""
    return [
        DrillQuestion(
            chance.choice(["play", "insurance"]),
            chance.choice(["hit", "stand", "double"]),
            chance.choice([0.0, 0.001, 0.02, 0.3, 0.31]),
            (chance.randint(2, 4), chance.randint(12, 14)),
        )
        for _ in range(count)
    ]


def slowly(wanted: DrillQuestion, found: Sequence[DrillQuestion]) -> DrillQuestion:
    """Narrow the questions down: same key, same best, nearest cards, nearest gap."""
    left = [each for each in found if each.key == wanted.key] or list(found)
    left = [each for each in left if each.best == wanted.best] or left
    for off in range(40):
        up, total = wanted.features
        near = [
            each
            for each in left
            if abs(each.features[0] - up) + abs(each.features[1] - total) == off
        ]
        if near:
            gaps = [abs(each.gap - wanted.gap) for each in near]
            return near[gaps.index(min(gaps))]
    raise AssertionError


def test_the_nearest_question_is_found_as_the_definition_says() -> None:
    chance = Random(11)
    for _ in range(500):
        (wanted,), found = some(chance, 1), some(chance, chance.randint(1, 12))
        assert found[nearest(wanted, found)] == slowly(wanted, found)


def test_without_a_mistake_it_is_the_closest_decision_that_matters() -> None:
    chance = Random(12)
    for _ in range(200):
        found = some(chance, chance.randint(1, 8))
        mattering = [each.gap for each in found if each.gap > 0]
        assert found[closest(found)].gap == min(mattering, default=0.0)
    noise = [DrillQuestion("set", "pair", 1e-17), DrillQuestion("set", "pair", 0.2)]
    assert closest(noise) == 1  # two sets that differ in suits only are worth the same


def test_a_dear_mistake_is_practised_more_often() -> None:
    mistakes = [
        Judged(str(cost), cost, DrillQuestion("play", "hit", cost)) for cost in (0.1, 0.3, 0.6)
    ]
    chance = Random(13)
    seen = Counter(each.round_id for _ in range(4000) if (each := picked(mistakes, chance)))
    for cost in (0.1, 0.3, 0.6):
        assert seen[str(cost)] / 4000 == pytest.approx(cost, abs=0.04)
    assert picked([], chance) is None


def test_cards_count_as_at_the_table() -> None:
    chance = Random(14)
    ask = AskView(0, "play", "hand-1", ())
    for _ in range(300):
        up, *hand = chance.sample(STANDARD, chance.randint(3, 6))
        hands = {"house": (text(up), "??"), "hand-1": tuple(map(text, hand))}
        assert features("blackjack", ask, hands) == (total([up]), total(hand))
    assert features("pai-gow", AskView(0, "set", None, ()), {"player": ("As", "Jk")}) == ()


def option(name: str, *categories: str) -> OptionView:
    hands = {str(at): HandName(category) for at, category in enumerate(categories)}
    return OptionView(name, "", 0, True, None, False, hands, True)


def test_a_set_is_known_by_the_hands_it_makes_and_not_by_its_cards() -> None:
    options = (option("As Kd", "high-card", "pair"), option("2c 2d", "pair", "high-card"))
    ask = AskView(0, "set", None, options)
    told = asked("pai-gow", ask, {}, {"As Kd": 0.25, "2c 2d": -0.5})
    assert told == DrillQuestion("set", "high-card pair", 0.75)
    plain = AskView(0, "play-or-fold", None, (option("play"), option("fold")))
    told = asked("casino-stud", plain, {}, {"play": -2.0, "fold": -1.0})
    assert told == DrillQuestion("play-or-fold", "fold", 1.0)
