"""Strategies at Blackjack: small decks against the whole game tree, named strategies, refusals."""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import Any

import numpy as np
import pytest

from odds.blackjack_twin import UNIT, Twin
from odds.renaming import sheet_of
from odds.test_blackjack_twin import FOURS, SMALL, bold
from strategies.rules import Recorded, compare_with_twins, shipped_files
from tapisvert.cards import parse_hand
from tapisvert.games.blackjack.odds.play import NEVER, ON_ANY
from tapisvert.games.blackjack.odds.position_values import Position, options
from tapisvert.games.blackjack.odds.proof import best_play
from tapisvert.games.blackjack.odds.rule_count import INSURANCE, PLAY, RulePositions
from tapisvert.games.blackjack.odds.rules import Rules, rules_of
from tapisvert.games.blackjack.odds.vocabulary import VOCABULARY
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.vocabulary import Spots
from tapisvert.refusal import Refused
from tapisvert.strategies.evaluation import Evaluation, evaluate
from tapisvert.strategies.strategy_file import StrategyFile, typed
from tiers import long

DECKS = {
    "as-shipped": Rules(deck=SMALL),
    "fours": Rules(deck=FOURS, hits_soft_17=False),
    "any-two-at-first": Rules(deck=SMALL, doubling=ON_ANY),
    "no-double-after-a-split": Rules(deck=SMALL, doubling_halves=NEVER),
    "insurance-worth-taking": Rules(deck=SMALL, insurance_pays=Fraction(3)),
}
NEAR = Fraction(1, 10**10)  # the sum of the rules' costs, which are rounded
Rule = tuple[dict[str, Any], str]
PAIRS = ["A", "2", "3", "4", "6", "7", "8", "9", "T"]  # fives are doubled
DECLINE: Rule = ({}, "decline")
BOLD: tuple[Rule, ...] = (
    ({"pair_of": PAIRS}, "split"),
    ({"can_double": True}, "double"),
    ({"total_at_most": 14}, "hit"),
    ({}, "stand"),
)


def ruled(*play: Rule, insurance: tuple[Rule, ...] = (DECLINE,)) -> StrategyFile:
    """Return a strategy."""
    content: dict[str, Any] = {"game": "blackjack", "name": "of a test"}
    for question, rules in ((INSURANCE, insurance), (PLAY, play)):
        content[question] = [{"when": when, "choose": choose} for when, choose in rules]
    return typed(content, "of a test")


def value(file: StrategyFile, counted: RulePositions) -> Evaluation:
    """Evaluate a strategy, and check that its costs add up."""
    found = evaluate(file, VOCABULARY, counted)
    assert abs(sum(each.cost for each in found.rules) - found.cost) < NEAR
    assert found.best_edge == counted.best_edge
    assert all(each.deals > 0 for each in found.rules)
    return found


@pytest.fixture(scope="module")
def small() -> RulePositions:
    """Return the positions of a deck of twelve cards."""
    return RulePositions(DECKS["as-shipped"], no_progress)


@pytest.mark.parametrize("name", DECKS)
def test_a_strategy_comes_to_what_the_whole_game_tree_says(name: str) -> None:
    rules = DECKS[name]
    counted = RulePositions(rules, no_progress)
    found = value(ruled(*BOLD), counted)
    orders = factorial(sum(rules.deck))
    habit = bold(rules, splits=["A23456789T".index(each) for each in PAIRS])
    assert found.figure.edge == Fraction(Twin(rules, habit).whole_game().net, orders * UNIT)
    assert found.best_edge == best_play(rules)[0].edge
    assert found.cost > 0
    assert found.costliest is not None
    assert found.costliest.mistakes


def place(name: str) -> int:
    return 11 if name == "A" else 10 if name in "TJQK" else int(name)


def names(position: Any) -> str:
    """Return the values of a hand as letters."""
    return "".join("T" if card[0] in "TJQK" else card[0] for card in position["hand"])


def best_total(position: Any) -> tuple[int, bool]:
    low = [1 if card[0] == "A" else place(card[0]) for card in position["hand"]]
    soft = 1 in low and sum(low) <= 11
    return sum(low) + 10 * soft, soft


def shown(position: Any) -> int:
    return place(position["up"][0][0])


def may(position: Any) -> bool:
    """Tell whether the shipped rules let this hand be doubled."""
    return len(position["hand"]) == 2 and best_total(position)[0] in (10, 11)


TWINS: dict[str, tuple[Any, list[Any]]] = {
    "total": (
        lambda at, asked: best_total(at)[0] in (asked if isinstance(asked, list) else [asked]),
        [16, 18, [12, 13, 14]],
    ),
    "total_at_least": (lambda at, least: best_total(at)[0] >= least, [12, 17]),
    "total_at_most": (lambda at, most: best_total(at)[0] <= most, [12, 17]),
    "soft": (lambda at, asked: best_total(at)[1] == asked, [True, False]),
    "pair_of": (
        lambda at, asked: (
            len(at) == 2
            and len(names(at)) == 2
            and len(set(names(at)) - set(asked)) == 0
            and len(set(names(at))) == 1
        ),
        [["8", "5"], ["A", "T", "8", "5"]],
    ),
    "hand": (
        lambda at, asked: sorted(names(at)) in [sorted(each) for each in asked],
        [["8T", "5T"], ["A5", "A8", "T8"]],
    ),
    "holds": (
        lambda at, asked: all(each in names(at) for each in asked),
        ["A", "5", ["8", "T"]],
    ),
    "holds_any": (lambda at, asked: any(each in names(at) for each in asked), ["A", ["8", "5"]]),
    "cards": (lambda at, asked: len(at["hand"]) == asked, [2, 3]),
    "cards_at_least": (lambda at, least: len(at["hand"]) >= least, [3]),
    "up": (lambda at, asked: shown(at) in [place(each) for each in asked], ["A", ["8", "T"]]),
    "up_at_least": (lambda at, least: shown(at) >= place(least), ["8", "A"]),
    "up_at_most": (lambda at, most: shown(at) <= place(most), ["8", "T"]),
    "can_double": (lambda at, asked: may(at) == asked, [True, False]),
    "after_split": (lambda at, asked: (len(at) == 3) == asked, [True, False]),
    "second_half": (lambda at, asked: ("first_half" in at) == asked, [True, False]),
}


class Joined(Recorded):
    """Splits where that is allowed, draws to 17, and keeps all positions together."""

    def __call__(self, question: str, spots: Spots) -> np.ndarray[Any, np.dtype[np.int8]]:
        """Return the option of each position."""
        self.spots.setdefault(question, []).append(spots)
        if question == INSURANCE:
            return np.full(len(spots.weights), 2, dtype=np.int8)
        drawn = spots.column("total") < 17
        return np.where(spots.legal[3], 3, drawn).astype(np.int8)


def together(parts: list[Spots]) -> Spots:
    """Return positions of several stages as if they were of one."""
    ends = np.cumsum([len(each.weights) for each in parts])

    def position(row: int) -> Any:
        part = int(np.searchsorted(ends, row, side="right"))
        return parts[part].position(row - int(ends[part - 1] if part else 0))

    return parts[0]._replace(
        weights=np.concatenate([each.weights for each in parts]),
        column=lambda name: np.concatenate([each.column(name) for each in parts]),
        position=position,
    )


def test_every_word_is_what_its_plain_twin_says(small: RulePositions) -> None:
    joined = Joined()
    small.play("of a test", joined, no_progress)
    compare_with_twins(together(joined.spots[PLAY]), VOCABULARY, PLAY, TWINS)


def test_insurance_words_tell_the_blackjack_and_the_cards(small: RulePositions) -> None:
    rules: tuple[Rule, ...] = (({"blackjack": True}, "even-money"), ({"holds": "T"}, "insure"))
    found = value(ruled(*BOLD, insurance=(*rules, DECLINE)), small)
    declined = value(ruled(*BOLD), small)
    assert found.figure.counts["even-money"] > 0
    # The small deck is rich in tens: insurance pays, and declining it costs.
    assert found.figure.edge > declined.figure.edge
    assert found.rules[1].cost == 0 < declined.rules[0].cost


def test_a_planted_wrong_rule_is_named_with_its_worst_position(small: RulePositions) -> None:
    wrong = {"hand": ["TT"]}
    found = value(ruled((wrong, "hit"), *BOLD[1:]), small)
    assert found.costliest is not None
    assert (found.costliest.number, found.costliest.rule.when) == (1, wrong)
    assert {each.best for each in found.costliest.mistakes} <= {"stand", "split"}


@pytest.mark.parametrize(
    ("play", "code", "example"),
    [
        ([({"total_at_most": 16}, "hit")], "strategy/uncovered", "hand "),
        ([({"total": [12, 13]}, "double"), ({}, "stand")], "strategy/not_legal", "hand "),
        ([({"pair_of": "8"}, "split"), ({}, "split")], "strategy/not_legal", "hand "),
        (
            [({"total_at_least": 4}, "stand"), ({"soft": True}, "hit")],
            "strategy/never_applies",
            "rule 1 decides it",
        ),
        ([({"after_split": True}, "hit"), ({}, "stand")], "strategy/never_applies", "no position"),
    ],
)
def test_a_strategy_that_cannot_be_played_is_refused_with_an_example(
    small: RulePositions, play: list[Rule], code: str, example: str
) -> None:
    with pytest.raises(Refused) as caught:
        value(ruled(*play), small)
    assert caught.value.code == code
    assert example in str(caught.value.details["example"])


@pytest.mark.parametrize("written", ["T", "TTT", "AX", 7, "88888"])
def test_a_hand_that_is_none_is_refused(written: Any) -> None:
    with pytest.raises(ValueError, match="must be the values of a hand"):
        VOCABULARY.questions[PLAY].words["hand"].values.read(written)


SHEET = sheet_of(Blackjack)


@pytest.fixture(scope="module")
def shipped() -> dict[str, Evaluation]:
    """Return the shipped strategies of the shipped sheet, evaluated."""
    counted = RulePositions(rules_of(SHEET), no_progress)
    files = [file for file in shipped_files("blackjack") if not file.sheet]
    return {file.name: value(file, counted) for file in files}


@long
def test_named_strategies_as_files_have_the_same_figures(shipped: dict[str, Evaluation]) -> None:
    from tapisvert.lab import proof_store

    named = {each.strategy: each for each in proof_store.find(SHEET) if each.bet == "main"}
    for name in ("always-stand", "never-bust", "like-the-house"):
        ours = proof_store.written(SHEET, shipped[name].figure)
        assert (ours.edge, ours.outcomes) == (named[name].edge, named[name].outcomes)
    assert str(shipped["nairn"].best_edge) == named["optimal"].edge


@long
def test_nairns_strategy_is_worth_what_his_values_say_rightly_averaged(
    shipped: dict[str, Evaluation],
) -> None:
    from odds.nairn import average

    found = shipped["nairn"]
    rules = rules_of(SHEET)
    assert 100 * float(found.figure.edge) == pytest.approx(average(rules, slip=False), abs=1e-9)
    assert found.strategy.published is not None
    printed = -float(found.strategy.published.edge)
    assert average(rules) == pytest.approx(printed, abs=0.00003)
    assert found.cost < shipped["one-deck-chart"].cost < shipped["never-bust"].cost


@long
def test_a_mistake_loses_what_the_advice_for_its_position_says(
    shipped: dict[str, Evaluation],
) -> None:
    checked = 0
    for rule in shipped["never-bust"].rules:
        for each in rule.mistakes:
            asked = Position(
                hand=parse_hand(" ".join(each.position["hand"])),
                up=parse_hand(each.position["up"][0])[0],
                can_split=True,
            )
            values = options(SHEET, asked)
            lost = values[each.best] - values[rule.rule.choose]
            assert float(each.loss) == pytest.approx(lost, abs=1e-12)
            checked += 1
    assert checked > 5
