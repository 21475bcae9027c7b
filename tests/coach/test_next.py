"""The decision after an option: the same as the advice of the position it leads to."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from random_positions import positions
from tapisvert.cards import STANDARD, parse, text
from tapisvert.coach.advice import advise
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tiers import few_or_many, long

PLAYED = ("hit", "stand", "double", "split")


@pytest.mark.parametrize("count", few_or_many(5, 300))
def test_blackjack_every_card_after_a_hit_or_a_split(count: int) -> None:
    rounds = positions(load("blackjack"), Random(count))
    checked = 0
    while checked < count:
        dealt = {
            name: [*each] if isinstance(each, tuple) else each
            for name, each in next(rounds).items()
        }
        position: dict[str, Any] = {**dealt, "next": True}
        for option, groups in advise(position).next.items():
            checked += 1
            hand, other = list(position["hand"]), list(position["other_half"])
            if option == "split":
                hand, other = hand[:1], hand[1:]
            known = {*hand, *other, *position["seen"], position["up"]}
            for best, card in ((each.best, card) for each in groups for card in each.cards):
                left = (card + suit for suit in "shdc")
                new = next(each for each in left if each not in known)
                after = {**position, "hand": [*hand, new], "other_half": other, "next": False}
                worth = advise({**after, "can_split": False}).options
                found = {name: worth[name] for name in PLAYED if name in worth}
                if found:
                    assert found[str(best)] == max(found.values())
                else:
                    assert best in (None, "stand")


@long
def test_ultimate_every_river_after_a_check_on_the_flop() -> None:
    pair, flop = ["Qd", "5c"], ["Ks", "7h", "2d"]
    (groups,) = advise(
        {"game": "ultimate", "player": pair, "board": flop, "next": True}
    ).next.values()
    said = {each.best: each.boards for each in groups}
    assert sum(said.values()) == 1081
    counted: dict[str | None, int] = {}
    left = [card for card in STANDARD if card not in {*map(parse, (*pair, *flop))}]
    for more in combinations(left, 2):
        board = [*flop, *map(text, more)]
        best = advise({"game": "ultimate", "player": pair, "board": board}).best
        counted[best] = counted.get(best, 0) + 1
    assert said == counted


def test_nothing_follows_where_no_decision_does() -> None:
    stud = {"player": ["As", "Kd", "Qh", "5c", "3d"], "house": ["Ac"], "next": True}
    assert advise({"game": "casino-stud", **stud}).next == {}
    assert advise({"game": "ultimate", "player": ["As", "Kd"], "next": True}).next == {}


def test_next_is_true_or_false() -> None:
    with pytest.raises(Refused) as refused:
        advise({"game": "ultimate", "player": ["As", "Kd"], "next": "yes"})
    assert refused.value.code == "request/malformed"
