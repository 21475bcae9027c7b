"""Strategies as files, counted over whole decks: minutes for each game.

    pytest tests/soak/strategies.py

The tests of `tests/strategies` count the quick games, small decks and samples.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import strategies_page
import strategy_cards
from odds.renaming import sheet_of
from strategies.rules import shipped_files, value
from tapisvert.games.pai_gow.odds.optimal_sets import choose, scales
from tapisvert.games.pai_gow.odds.pairs import count_deals
from tapisvert.games.pai_gow.odds.rule_count import Counted as PaiGowCount
from tapisvert.games.pai_gow.odds.sets import LOWS
from tapisvert.games.pai_gow.odds.vocabulary import VOCABULARY as PAI_GOW
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.games.ultimate.odds.vocabulary import VOCABULARY as ULTIMATE
from tapisvert.games.ultimate.odds.vocabulary import Counted as UltimateCount
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.lab import proof_store
from tapisvert.odds.parallel import no_progress
from tapisvert.sheets import load
from tapisvert.strategies import card_store
from tapisvert.strategies.evaluation import Decider

PAGE = strategies_page.PAGE.read_text(encoding="utf-8")
# Foxwoods' way on both sides: won, pushed, lost. The published counts of December 2013, and those
# of the shipped file, which differ by 31 deals in a million at most (docs/strategies.md).
PUBLISHED = (2_402_491_783_820_756, 3_341_087_256_920_524, 2_506_879_990_473_120)
FOXWOODS_GAIN = 18_290_930_049_824  # of the best sets, in wins less losses
FOXWOODS = (2_402_556_437_868_468, 3_340_828_470_902_840, 2_507_074_122_443_092)


@pytest.mark.parametrize("game", ["blackjack", "ultimate", "pai-gow"])
def test_the_figures_of_the_page_are_those_counted_today(game: str) -> None:
    assert strategies_page.replaced(PAGE, game, strategies_page.published(game)) == PAGE


@pytest.mark.parametrize("game", ["ultimate", "pai-gow"])
def test_the_cards_are_those_found_today(game: str) -> None:
    plan = strategy_cards.plan_of(game)
    assert plan is not None
    sheet = load(game)
    assert strategy_cards.cards_of(sheet, plan) == card_store.find(sheet)


def test_strategies_of_ultimate_cost_what_their_outcomes_lack() -> None:
    """The cost of the rules and the outcomes of all deals are counted apart."""
    sheet = sheet_of(Ultimate)
    counted = UltimateCount(sheet, no_progress)
    shipped = {file.name: value(file, ULTIMATE, counted) for file in shipped_files("ultimate")}
    proved = {each.strategy: each for each in proof_store.find(sheet) if each.bet == "main"}
    for found in shipped.values():
        assert found.best_edge == Fraction(proved["optimal"].edge)
    ours = proof_store.written(sheet, shipped["never-fold"].figure)
    assert ours.edge == proved["never-fold"].edge
    assert ours.outcomes == proved["never-fold"].outcomes


def test_foxwoods_way_on_both_sides_is_near_the_published_counts() -> None:
    counted = PaiGowCount(sheet_of(PaiGow))
    (file,) = (each for each in shipped_files("pai-gow") if each.name == "foxwoods")
    marks = counted.set_by(Decider(file, PAI_GOW), judged=False)
    usual = counted.house.usual._replace(marks=marks)
    house = counted.house._replace(usual=usual, eligible=np.ones(LOWS, dtype=np.bool_))
    (found,) = count_deals(house, [marks])
    assert found == (*FOXWOODS, 0)
    assert sum(found) == sum(PUBLISHED) == counted.deals
    for ours, theirs in zip(found, PUBLISHED, strict=False):
        assert abs(ours - theirs) < 32 * counted.deals // 1_000_000
    on = scales(house, counted._sheet.house_way)
    best = choose(on, counted.house.hands.rows, marks, of_house=marks)
    assert int((counted.house.hands.weights * best.gains).sum()) == FOXWOODS_GAIN
