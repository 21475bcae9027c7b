"""Casino Stud: invariants of the figures, independent of the kernels, and published returns."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from random import Random

import numpy as np
import pytest

from odds.oracle_stud import bonus_row
from odds.renaming import sheet_of
from tapisvert.cards import STANDARD
from tapisvert.games.casino_stud.odds import chart
from tapisvert.games.casino_stud.odds.proof import (
    STRATEGIES,
    Positions,
    bonus,
    main_bet,
    optimal,
    play_values,
    positions,
)
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.lab import proof_store
from tapisvert.odds.figures import Figure
from tapisvert.ranking.standard import CATEGORIES, category, strength

HANDS = 2_598_960
HOUSE_HANDS = 163_185
DEALS = HANDS * 47 * HOUSE_HANDS
SHEET = sheet_of(CasinoStud)

# Every five and every best five of six cards, by category: textbook figures, typed out.
FIVE = (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4)
SIX = (6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_656, 188)
NOT_QUALIFIED = 1_135_260  # no pair or better and no ace-king: 1,302,540 less 167,280


@pytest.fixture(scope="module")
def at() -> Positions:
    """Return the positions of the shipped sheet."""
    return positions(SHEET.least_to_qualify)


@pytest.fixture(scope="module")
def shipped(at: Positions) -> dict[str, Figure]:
    """Return the figure of each strategy under the shipped sheet."""
    return {name: main_bet(SHEET, at, name) for name in STRATEGIES}


def test_the_textbook_figures_add_up() -> None:
    assert sum(FIVE) == HANDS == comb(52, 5)
    assert sum(SIX) == comb(52, 6)
    # Ace, king and three of the other eleven ranks in any suits, but no straight and no flush.
    assert (comb(11, 3) - 1) * (4**5 - 4) == FIVE[0] - NOT_QUALIFIED


def test_every_deal_is_counted_once_under_every_strategy(shipped: dict[str, Figure]) -> None:
    for figure in shipped.values():
        assert sum(figure.counts.values()) == DEALS
        assert sum(each.deals for each in figure.outcomes) == DEALS


def test_who_plays_everything_meets_every_hand_as_often_as_it_is_dealt(
    at: Positions, shipped: dict[str, Figure]
) -> None:
    by_row = np.bincount(at.strengths >> 20, weights=at.weights).astype(np.int64)
    assert tuple(by_row.tolist()) == FIVE
    counts = shipped["always-play"].counts
    assert counts["folded"] == 0
    assert Fraction(counts["not-qualified"], DEALS) == Fraction(NOT_QUALIFIED, HANDS)


def test_between_hands_that_both_qualify_neither_side_is_favoured(at: Positions) -> None:
    weights = at.weights[:, None]
    qualified = (at.strengths >= SHEET.least_to_qualify)[:, None]
    won = int((at.beaten * weights).sum())
    assert won == int((at.better * weights * qualified).sum())
    assert won == int((at.beaten * weights * qualified).sum())
    tied = int((at.tied * weights).sum())
    both = DEALS - int((at.unqualified * weights).sum())
    alone = int((at.better * weights * ~qualified).sum())
    assert 2 * won + tied + alone == both


def test_who_plays_as_the_house_folds_as_often_as_it(shipped: dict[str, Figure]) -> None:
    counts = shipped["as-the-house"].counts
    assert Fraction(counts["folded"], DEALS) == Fraction(NOT_QUALIFIED, HANDS)
    won = sum(deals for end, deals in counts.items() if end.startswith("won-"))
    assert won == counts["lost"]


def test_the_best_play_counted_by_ends_is_worth_what_its_choices_are_worth(
    at: Positions, shipped: dict[str, Figure]
) -> None:
    value, unit = play_values(SHEET, at)
    best = np.where(at.there, np.maximum(value, -HOUSE_HANDS * unit), 0).sum(axis=1)
    total = sum(map(int.__mul__, best.tolist(), at.weights.tolist()))
    assert shipped["optimal"].edge == Fraction(total, DEALS * unit)


def test_no_habit_beats_the_best_play(at: Positions, shipped: dict[str, Figure]) -> None:
    generous = sheet_of(CasinoStud, {"ante.pays": "3:2", "play.pays.high-card": 3})
    for found in (shipped, {name: main_bet(generous, at, name) for name in STRATEGIES}):
        for name in set(STRATEGIES) - {"optimal"}:
            assert found[name].edge < found["optimal"].edge


@pytest.mark.parametrize("row", ["flush", "high-card"])
def test_one_more_on_a_row_is_worth_its_frequency(
    at: Positions, shipped: dict[str, Figure], row: str
) -> None:
    raised = sheet_of(CasinoStud, {f"play.pays.{row}": str(SHEET.play.pays[row] + 1) + ":1"})
    for name in ("as-the-house", "optimal"):
        before, after = shipped[name], main_bet(raised, at, name)
        earned = Fraction(SHEET.play.times_ante * before.counts[f"won-{row}"], DEALS)
        if name == "optimal":  # it may also play more
            assert after.edge - before.edge >= earned > 0
        else:
            assert after.edge - before.edge == earned


def test_a_row_that_pays_more_is_played_in_more_positions(at: Positions) -> None:
    few = optimal(SHEET, at)
    many = optimal(sheet_of(CasinoStud, {"play.pays.high-card": 2}), at)
    assert (few <= many).all()
    assert (few < many).any()


def test_the_bonus_counts_six_cards_by_the_textbook() -> None:
    found = bonus(SHEET)
    assert tuple(found.counts[row] for row in CATEGORIES) == SIX
    assert found.staked == 1
    for row in ("royal-flush", "three-of-a-kind"):
        more = sheet_of(CasinoStud, {f"bonus.pays.{row}": int(SHEET.bonus.pays[row]) + 1})
        assert bonus(more).edge - found.edge == Fraction(found.counts[row], comb(52, 6))


def test_stud_13_the_best_five_of_six_are_found_by_trying_each_five() -> None:
    chance = Random(13)
    for _ in range(2000):
        six = chance.sample(STANDARD, 6)
        assert bonus_row(six) == category(strength(six))


def test_the_returns_are_those_the_rule_sheet_prints(shipped: dict[str, Figure]) -> None:
    best = shipped["optimal"]
    assert abs(100 * best.returned - Fraction(SHEET.published["main"])) < Fraction(1, 100)
    assert round(100 * best.returned, 4) == Fraction("97.4447")
    assert round(100 * best.edge, 3) == Fraction("-5.224")
    assert round(100 * bonus(SHEET).returned, 2) == Fraction(SHEET.published["bonus"])
    # The house's edge in the common game with this table is known as 5.22 %, at 2.045 antes staked.
    assert round(best.staked, 3) == Fraction("2.045")


def test_where_no_row_pays_and_nobody_folds_only_the_ante_is_won(at: Positions) -> None:
    rows = {f"play.pays.{row}": 0 for row in CATEGORIES}
    found = main_bet(sheet_of(CasinoStud, rows), at, "always-play")
    counts = found.counts
    won = sum(deals for end, deals in counts.items() if end.startswith("won-"))
    assert found.edge == Fraction(counts["not-qualified"] + won - 3 * counts["lost"], DEALS)
    assert found.hit == Fraction(counts["not-qualified"] + won, DEALS)


def test_casino_stud_plays_pairs_folds_what_cannot_qualify_and_asks_the_up_card_between(
    at: Positions, shipped: dict[str, Figure], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The positions are computed once and cached.
    counted = {SHEET.least_to_qualify: at}
    monkeypatch.setattr(chart, "positions", lambda least, _: counted[least])
    line = chart.chart(SHEET)
    assert (line.plays_from, line.folds_to) == ("high-card AKQJ2", "high-card AQJT9")
    # A pair or better in 1,296,420 hands; AKQJ with 2 ... 9, each in 4^5 - 4 ways.
    above = (1_296_420 + 8 * (4**5 - 4)) * 47
    between = sum(each.played * each.positions for each in line.between)
    everything = HANDS * 47
    assert (everything - above - between) * HOUSE_HANDS == shipped["optimal"].counts["folded"]
    for each in line.between:
        some, whole = (sum(part) for part in zip(*each.against.values(), strict=True))
        assert whole == each.positions == (4**5 - 4) * 47
        assert Fraction(some, whole) == each.played
    # The usual advice: ace-king against an ace or king plays with a queen or a jack beside it.
    hands = {each.hand: each.against for each in line.between}
    for rank in "AK":
        played, positions = hands["high-card AKQ32"][rank]
        assert played == positions == (4**5 - 4) * 3  # one of the four is in the hand
        assert hands["high-card AKT98"][rank] == (0, positions)


def test_G7_what_is_shipped_is_what_is_counted(shipped: dict[str, Figure]) -> None:
    shown = {(each.bet, each.strategy): each for each in proof_store.find(SHEET)}
    for figure in (*shipped.values(), bonus(SHEET)):
        assert proof_store.written(SHEET, figure) == shown[figure.bet, figure.strategy]
