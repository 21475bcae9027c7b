"""The proof of Pai Gow against a brute-force count of every deal, on small decks."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from odds import pai_gow_oracle as oracle
from odds.renaming import sheet_of
from tapisvert.cards import parse_hand
from tapisvert.games.pai_gow.odds.chart import chart
from tapisvert.games.pai_gow.odds.proof import OTHERS, prove
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.figures import Figure
from tiers import long

# A rank is in all suits or in some: only the first is counted by suit patterns.
WHOLE = "8c 8d 8h 8s 9c 9d 9h 9s Tc Td Th Ts Jc Jd Jh Js Jk"
MIXED = "As Ks 9s 8s 7s 6s Ah Kd 9d 9c 8h 6h 5c 2d Jk"
SMALL = "As Ks 9s 8s 7s 6s Kd 9d 9c 8h 6h 5c 2d Jk"
NO_JOKER = "Ac Kc Qc Jc Tc 9c 8c 9d 9h 8d 7d 4h 4s 2s"


def main_counts(figures: list[Figure]) -> dict[str, dict[str, int]]:
    return {each.strategy: each.counts for each in figures if each.bet == "main"}


@pytest.fixture(scope="module")
def small() -> dict[str, Figure]:
    """Return the proof of the small deck, by strategy."""
    return {each.strategy: each for each in prove(sheet_of(PaiGow), cards=parse_hand(SMALL))}


@pytest.mark.parametrize(
    "deck",
    [
        pytest.param(SMALL, id="small"),
        pytest.param(MIXED, id="mixed", marks=long),
        pytest.param(NO_JOKER, id="no joker", marks=long),
    ],
)
def test_every_deal_of_a_small_deck_ends_as_a_plain_count_says(deck: str) -> None:
    sheet, cards = sheet_of(PaiGow), parse_hand(deck)
    figures = prove(sheet, cards=cards)
    assert main_counts(figures) == oracle.count_main(sheet, cards, ("house-way", *OTHERS))
    fortune = {row: count for row, count in figures[-1].counts.items() if count}
    assert fortune == oracle.count_fortune(sheet, cards)


def test_a_deck_counted_by_suit_patterns_ends_as_a_plain_count_says() -> None:
    sheet, cards = sheet_of(PaiGow), parse_hand(WHOLE)
    found = main_counts(prove(sheet, cards=cards, others=()))
    assert found == oracle.count_main(sheet, cards, ["house-way"])


# Every figure the main bet turns on, with a deck of fourteen where it matters. One for each deck in
# the first tier, where test_pai_gow_hands.py sets hands by other figures too.
TWO_PAIRS = "As Kh Js Jd Ts Td 9c 9d 6h 6s 5c 5d 4h 2s"
FOURS = "Ac 7c 7d 7h 7s Jc Jd Jh Js Kc 9d 6h 5c Jk"
PAIRS = "As Kd 9s 9h 8s 7c 6s 5s 3s Qh Jd Tc 4h Jk"
FIGURES = [
    ("house.not_eligible_with", "8", PAIRS),
    ("house_way.fours_stay_to", "7", FOURS),
    ("house_way.fours_stay_with_ace_to", "J", FOURS),
    ("house_way.two_pairs_stay_to", "T", TWO_PAIRS),
    ("house_way.two_pairs_split_from", "T", TWO_PAIRS),
    ("house_way.two_pairs_split_with", "5", TWO_PAIRS),
    ("house_way.pair_stays_from", "9", PAIRS),
]


@long
@pytest.mark.parametrize(("key", "value", "deck"), FIGURES, ids=lambda it: str(it)[:40])
def test_another_figure_of_the_sheet_gives_another_proof_that_is_still_right(
    key: str, value: str, deck: str
) -> None:
    cards = parse_hand(deck)
    shipped, changed = sheet_of(PaiGow), sheet_of(PaiGow, {key: value})
    found = main_counts(prove(changed, cards=cards, others=["optimal"]))
    assert found == oracle.count_main(changed, cards, ["house-way", "optimal"])
    usual = main_counts(prove(shipped, cards=cards, others=[]))
    assert found["house-way"] != usual["house-way"]


def test_a_price_changes_the_edge_and_makes_the_best_sets_a_bound() -> None:
    cards = parse_hand(SMALL)
    usual, best, *_ = prove(
        sheet_of(PaiGow, {"main.pays": "19:20"}), cards=cards, others=["optimal"]
    )
    assert usual.exact
    assert usual.edge == Fraction(
        19 * usual.counts["win"] - 20 * usual.counts["loss"], 20 * comb(14, 7)
    )
    assert not best.exact
    assert best.error == 0.05


def test_the_figures_of_one_proof_agree_with_each_other(small: dict[str, Figure]) -> None:
    assert [*small] == ["house-way", "optimal", "best-high", "best-low", "none"]
    deals = comb(14, 7)
    for strategy in ("house-way", "optimal", "best-high", "best-low"):
        each = small[strategy]
        assert sum(each.counts.values()) == deals
        assert each.counts["not-eligible"] == small["house-way"].counts["not-eligible"]
        assert each.edge <= small["optimal"].edge
        assert each.hit == Fraction(each.counts["win"], deals)
        assert each.exact


def test_the_differences_are_what_the_best_sets_gain_rule_by_rule(small: dict[str, Figure]) -> None:
    sheet, cards = sheet_of(PaiGow), parse_hand(SMALL)
    found = chart(sheet, cards=cards).differences
    assert sum(each.cost for each in found) == small["optimal"].edge - small["house-way"].edge
    assert [each.cost for each in found] == sorted((each.cost for each in found), reverse=True)
    better = 0
    for hand, facing in oracle.deals(sheet, cards):
        worth = [
            oracle.net(sheet, choose(sheet, hand, facing), facing)
            for choose in (oracle.by_house, oracle.best)
        ]
        better += worth[1] > worth[0]
    assert sum(each.hands for each in found) == better


def test_every_hand_is_decided_by_one_rule() -> None:
    fired = chart(sheet_of(PaiGow), cards=parse_hand(WHOLE)).rules
    assert sum(fired.values()) == comb(17, 7)
    assert list(fired) == list(range(1, 12))
