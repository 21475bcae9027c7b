"""Strategies at Casino Stud: published totals, named strategies, words, and refusals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from odds.renaming import sheet_of
from strategies.rules import (
    Recorded,
    compare_with_twins,
    shipped_files,
    strategy,
    value,
)
from tapisvert.cards import parse_hand
from tapisvert.games.casino_stud.odds.position_values import options
from tapisvert.games.casino_stud.odds.vocabulary import QUESTION, VOCABULARY, Counted
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.odds.figures import Figure
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.vocabulary import Spots
from tapisvert.ranking.standard import strength
from tapisvert.refusal import Refused
from tapisvert.strategies.evaluation import Evaluation
from tapisvert.strategies.strategy_file import StrategyFile

SHEET = sheet_of(CasinoStud)
DEALS = 19_933_230_517_200
RANKS = "23456789TJQKA"
# The totals of the published table, typed out: losses over all deals, in antes.
PUBLISHED = {
    "three-rules": 1_041_417_758_724,
    "AKJ83-or-better": 1_059_715_400_580,
    "matching-rank": 1_063_176_931_284,
    "pair-or-better": 1_090_272_101_460,
    "ace-king-or-better": 1_132_600_203_540,
    "always-play": 3_310_360_338_060,
}
PERFECT = 1_041_372_912_372
Rules = tuple[dict[str, Any], str]


@pytest.fixture(scope="module")
def counted() -> Counted:
    """Return the positions of the shipped sheet."""
    return Counted(SHEET, no_progress)


@pytest.fixture(scope="module")
def best(counted: Counted) -> tuple[Figure, Spots]:
    """Return the figure of the best option everywhere, and the positions."""
    recorded = Recorded()
    return counted.play("optimal", recorded, no_progress), recorded.spots[QUESTION][0]


@pytest.fixture(scope="module")
def shipped(counted: Counted) -> dict[str, Evaluation]:
    """Return every shipped strategy, evaluated."""
    return {file.name: value(file, VOCABULARY, counted) for file in shipped_files("casino-stud")}


def ruled(*rules: Rules) -> StrategyFile:
    return strategy("casino-stud", QUESTION, *rules)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_strategy_loses_what_is_published_to_the_last_unit(
    shipped: dict[str, Evaluation], name: str
) -> None:
    found, printed = shipped[name], shipped[name].strategy.published
    assert printed is not None
    assert printed.loss == PUBLISHED[name] == -found.figure.edge * DEALS
    assert found.best_edge * DEALS == -PERFECT
    assert found.cost * DEALS == PUBLISHED[name] - PERFECT
    assert f"{-100 * float(found.figure.edge):.3f}" == printed.edge
    risk = found.figure.edge / found.figure.staked
    assert f"{-100 * float(risk):.3f}" == printed.element_of_risk


def test_the_best_option_everywhere_is_the_best_play(best: tuple[Figure, Spots]) -> None:
    from tapisvert.games.casino_stud.odds.proof import main_bet, positions

    at = positions(SHEET.least_to_qualify)
    assert best[0] == main_bet(SHEET, at, "optimal")
    assert best[0].edge * DEALS == -PERFECT


def test_named_strategies_as_files_have_the_same_figures(shipped: dict[str, Evaluation]) -> None:
    from tapisvert.lab import proof_store

    named = {each.strategy: each for each in proof_store.find(SHEET) if each.bet == "main"}
    for file, name in (
        ("ace-king-or-better", "as-the-house"),
        ("pair-or-better", "pair-or-better"),
        ("always-play", "always-play"),
    ):
        ours = proof_store.written(SHEET, shipped[file].figure)
        assert (ours.edge, ours.outcomes) == (named[name].edge, named[name].outcomes)
        assert (ours.variance, ours.hit) == (named[name].variance, named[name].hit)


def hand(position: Any) -> list[int]:
    return parse_hand(" ".join(position["player"]))


def ranks(position: Any) -> str:
    return "".join(card[0] for card in position["player"])


def up(position: Any) -> str:
    return str(position["house"][0])


def place(rank: str) -> int:
    return RANKS.index(rank)


LIMITS = {"AK": "As Kd 4c 3h 2s", "pair": "2s 2d 3c 4h 5s", "QJ": "Qs Jd 4c 3h 2s"}
TWINS: dict[str, tuple[Any, list[Any]]] = {
    "at_least": (
        lambda at, limit: strength(hand(at)) >= strength(parse_hand(LIMITS[limit])),
        list(LIMITS),
    ),
    "below": (
        lambda at, limit: strength(hand(at)) < strength(parse_hand(LIMITS[limit])),
        list(LIMITS),
    ),
    "holds": (
        lambda at, asked: all(rank in ranks(at) for rank in asked),
        ["A", "7", ["A", "K"]],
    ),
    "holds_any": (
        lambda at, asked: any(rank in ranks(at) for rank in asked),
        ["Q", ["Q", "J"], ["2", "3", "4"]],
    ),
    "up": (lambda at, asked: up(at)[0] in asked, ["A", ["A", "K", "2"]]),
    "up_at_least": (lambda at, rank: place(up(at)[0]) >= place(rank), ["3", "K"]),
    "up_at_most": (lambda at, rank: place(up(at)[0]) <= place(rank), ["3", "Q"]),
    "up_matches": (lambda at, asked: (up(at)[0] in ranks(at)) == asked, [True, False]),
    "cards_above_up": (
        lambda at, count: sum(place(rank) > place(up(at)[0]) for rank in ranks(at)) >= count,
        [1, 4, 5],
    ),
    "cards_of_up_suit": (
        lambda at, count: sum(card[1] == up(at)[1] for card in at["player"]) >= count,
        [1, 2, 3],
    ),
    "longest_suit": (
        lambda at, count: any(
            sum(card[1] == suit for card in at["player"]) >= count for suit in "cdhs"
        ),
        [3, 4],
    ),
}


def test_every_word_is_what_its_plain_twin_says(best: tuple[Figure, Spots]) -> None:
    compare_with_twins(best[1], VOCABULARY, QUESTION, TWINS)


def test_a_mistake_loses_what_the_advice_for_its_position_says(
    shipped: dict[str, Evaluation],
) -> None:
    worst = shipped["matching-rank"].costliest
    assert worst is not None
    for each in worst.mistakes:
        values = options(SHEET, hand(each.position), parse_hand(up(each.position))[0])
        assert float(each.loss) == pytest.approx(values[each.best] - values["play"], abs=1e-12)
        assert each.best == "fold"


def test_a_planted_wrong_rule_is_named_with_what_it_costs(counted: Counted) -> None:
    wrong = {"at_least": "pair A", "up": "2"}
    found = value(
        ruled(
            ({"at_least": "royal-flush"}, "play"),
            (wrong, "fold"),
            ({"at_least": "AKJ83"}, "play"),
            ({}, "fold"),
        ),
        VOCABULARY,
        counted,
    )
    assert found.costliest is not None
    assert (found.costliest.number, found.costliest.rule.when) == (2, wrong)
    assert {each.best for each in found.costliest.mistakes} == {"play"}
    others = found.cost - found.costliest.cost
    assert others == Fraction(PUBLISHED["AKJ83-or-better"] - PERFECT, DEALS)


@pytest.mark.parametrize(
    ("rules", "code", "example"),
    [
        ([({"at_least": "AK"}, "play")], "strategy/uncovered", "player "),
        ([({"at_least": "pair"}, "fold"), ({}, "play")], "strategy/not_legal", "Ac Kc Qc Jc Tc"),
        (
            [({"at_least": "AK"}, "play"), ({"at_least": "pair"}, "play"), ({}, "fold")],
            "strategy/never_applies",
            'rule 1 (at_least = "AK") decides all its positions',
        ),
        (
            [({"at_least": "AK", "below": "AK"}, "play"), ({}, "play")],
            "strategy/never_applies",
            "exclude each other",
        ),
    ],
)
def test_a_strategy_that_cannot_be_played_is_refused_with_an_example(
    counted: Counted, rules: list[Rules], code: str, example: str
) -> None:
    with pytest.raises(Refused) as caught:
        value(ruled(*rules), VOCABULARY, counted)
    assert caught.value.code == code
    assert example in str(caught.value.details["example"])


def test_two_wordings_of_the_same_play_have_the_same_figure(
    shipped: dict[str, Evaluation],
) -> None:
    """The published 5.23 % and 2.56 % of the other wording are rounded up."""
    assert shipped["splitting-hairs"].figure.outcomes == shipped["three-rules"].figure.outcomes
