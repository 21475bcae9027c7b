"""Strategies at Pai Gow: a small deck against its proof, words, refusals, and Foxwoods' counts."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from odds.renaming import sheet_of
from strategies.rules import Recorded, compare_with_twins, shipped_files, strategy, value
from tapisvert.cards import RANKS, parse_hand
from tapisvert.games.pai_gow.odds.proof import prove
from tapisvert.games.pai_gow.odds.rule_count import QUESTION, Counted
from tapisvert.games.pai_gow.odds.vocabulary import VOCABULARY, read_low
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.vocabulary import Spots
from tapisvert.ranking.joker import strength
from tapisvert.ranking.standard import FLUSH, ROYAL, STRAIGHT, STRAIGHT_FLUSH
from tapisvert.refusal import Refused
from tapisvert.strategies.evaluation import Decider
from tapisvert.strategies.strategy_file import StrategyFile

SHEET = sheet_of(PaiGow)
SMALL = parse_hand("As Ks 9s 8s 7s 6s Kd 9d 9c 8h 6h 5c 2d Ad Jk")
Rule = tuple[dict[str, Any], str]


def ruled(*rules: Rule) -> StrategyFile:
    return strategy("pai-gow", QUESTION, *rules)


def file(name: str) -> StrategyFile:
    return next(each for each in shipped_files("pai-gow") if each.name == name)


@pytest.fixture(scope="module")
def small() -> Counted:
    """Return the hands of fifteen cards."""
    return Counted(SHEET, no_progress, SMALL)


@pytest.fixture(scope="module")
def spots(small: Counted) -> Spots:
    """Return the positions of fifteen cards."""
    recorded = Legal()
    small.set_by(recorded, judged=False)
    return recorded.spots[QUESTION][0]


class Legal(Recorded):
    """Sets the best high hand, which every hand has."""

    def __call__(self, question: str, spots: Spots) -> Any:
        """Return the same option everywhere."""
        self.spots.setdefault(question, []).append(spots)
        return np.full(len(spots.weights), spots.options.index("best-high"), dtype=np.int8)


def test_the_house_way_as_a_file_sets_as_the_house_does(small: Counted) -> None:
    found = small.set_by(Decider(file("house-way"), VOCABULARY), judged=False)
    assert (found == small.house.usual.marks).all()


def test_a_strategy_has_the_figure_and_the_cost_that_the_proof_says(small: Counted) -> None:
    proved = {each.strategy: each for each in prove(SHEET, cards=SMALL)}
    for habit in ("best-high", "best-low"):
        found = value(file(habit), VOCABULARY, small)
        assert found.figure.outcomes == proved[habit].outcomes
        assert found.best_edge == proved["optimal"].edge
        assert found.cost > 0


def test_a_planted_wrong_rule_is_named_with_its_worst_hand(small: Counted) -> None:
    wrong = {"kind": "full-house"}
    found = value(ruled((wrong, "best-high"), ({}, "best-low")), VOCABULARY, small)
    right = value(ruled((wrong, "high-pair"), ({}, "best-low")), VOCABULARY, small)
    assert found.rules[1].cost == right.rules[1].cost
    assert found.rules[0].cost > right.rules[0].cost
    assert len(found.rules[0].mistakes[0].position["player"]) == 7


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ([({"kind": "pair"}, "two-singles")], "strategy/uncovered"),
        ([({}, "pair-of-four")], "strategy/not_legal"),
        ([({"kind": "no-pair", "three": "9"}, "best-low"), ({}, "best-high")], "never_applies"),
    ],
)
def test_a_strategy_that_cannot_be_played_is_refused_with_an_example(
    small: Counted, rules: list[Rule], code: str
) -> None:
    with pytest.raises(Refused) as caught:
        value(ruled(*rules), VOCABULARY, small)
    assert code in caught.value.code


class Seen:
    """Seven cards, looked at one by one."""

    def __init__(self, position: Any) -> None:
        self.cards = parse_hand(" ".join(position["player"]))
        held = Counter(min(card >> 2, 12) for card in self.cards)
        self.of = {n: sorted((r for r in held if held[r] == n), reverse=True) for n in range(1, 6)}
        self.lows = sorted(
            read_low("".join(RANKS[min(card >> 2, 12)] for card in low))
            for low in combinations(self.cards, 2)
            if strength([card for card in self.cards if card not in low]) >> 20
            in (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL)
        )

    def first(self, count: int, place: int = 0) -> int:
        found = self.of[count]
        return found[place] if len(found) > (place if place >= 0 else 0) else -1

    @property
    def kind(self) -> str:
        sizes = [n for n in (5, 4, 3, 2) for _ in self.of[n]]
        names = {
            (): "no-pair", (2,): "pair", (2, 2): "two-pair", (2, 2, 2): "three-pair",
            (3,): "three", (3, 3): "two-threes", (3, 2): "full-house", (3, 2, 2): "three-two-pair",
            (4,): "four", (4, 2): "four-pair", (4, 3): "four-three",
        }  # fmt: skip
        return names.get(tuple(sizes), "five-aces")

    @property
    def singles(self) -> int:
        one = self.of[1]
        return read_low(RANKS[one[0]] + RANKS[one[1]]) if len(one) > 1 else -1


def group(count: int, at: int = 0) -> dict[str, tuple[Any, list[Any]]]:
    return {
        "": (lambda seen, rank: RANKS.find(rank) == Seen(seen).first(count, at), ["9", "A", "K"]),
        "_at_least": (
            lambda seen, rank: Seen(seen).first(count, at) >= RANKS.index(rank),
            ["7", "K"],
        ),
    }


GROUPS = {"high_pair": (2, 0), "low_pair": (2, -1), "three": (3, 0), "single": (1, 0)}
GROUPS |= {"second_single": (1, 1)}
TWINS: dict[str, tuple[Any, list[Any]]] = {
    "kind": (
        lambda at, asked: Seen(at).kind in asked,
        [["pair"], ["two-pair", "full-house"], ["three", "three-pair", "no-pair"]],
    ),
    **{
        name + more: twin
        for name, (count, at) in GROUPS.items()
        for more, twin in group(count, at).items()
    },
    "complete": (lambda at, asked: bool(Seen(at).lows) == asked, [True, False]),
    "complete_low_at_least": (
        lambda at, low: max(Seen(at).lows, default=-1) >= read_low(low),
        ["98", "AK", "22"],
    ),
    "complete_low_below": (
        lambda at, low: max(Seen(at).lows, default=-1) < read_low(low),
        ["98", "AK", "22"],
    ),
    "singles_beat_complete": (
        lambda at, asked: (
            (bool(Seen(at).lows) and Seen(at).singles > max(Seen(at).lows, default=99)) == asked
        ),
        [True, False],
    ),
    "ace_low_completes": (
        lambda at, asked: (
            any(read_low("A2") <= low < read_low("22") for low in Seen(at).lows) == asked
        ),
        [True, False],
    ),
    "joker": (lambda at, asked: ("Jk" in at["player"]) == asked, [True, False]),
}


def test_every_word_is_what_its_plain_twin_says(spots: Spots) -> None:
    question = VOCABULARY.questions[QUESTION]
    apart = {"four", "four_at_least", "three_completes"}  # too rare in fifteen cards
    words = {name: word for name, word in question.words.items() if name not in apart}
    asked = type(question)(asks="", words=words, options=question.options)
    vocabulary = type(VOCABULARY)(questions={QUESTION: asked}, count=VOCABULARY.count)
    compare_with_twins(spots, vocabulary, QUESTION, TWINS)
