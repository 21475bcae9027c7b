"""The values of a live hand's sets, against every hand the house can have."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest

from odds import pai_gow_oracle as oracle
from odds.renaming import sheet_of
from tapisvert.cards import Card, parse_hand, write_hand
from tapisvert.games.pai_gow.odds import table_cache
from tapisvert.games.pai_gow.odds.deck import deck_of
from tapisvert.games.pai_gow.odds.hands import house_of, marks_of_all
from tapisvert.games.pai_gow.odds.position_values import options
from tapisvert.games.pai_gow.odds.tables import Beaten, tables_of
from tapisvert.games.pai_gow.sheet import PaiGow
from tiers import few_or_many

DECK = parse_hand("As Ks 9s 8s 7s 6s Ah Kd 9d 9c 8h 6h 5c 2d Jk")


def tables(sheet: PaiGow) -> Beaten:
    house = house_of(sheet, deck_of(DECK))
    return tables_of(house.deck, marks_of_all(house), house.eligible)


@pytest.mark.parametrize("pays", ["1:1", "19:20"])
@pytest.mark.parametrize("hands", few_or_many(50, 200))
def test_each_set_is_worth_what_it_nets_against_all_hands_of_the_house(
    pays: str, hands: int
) -> None:
    sheet = sheet_of(PaiGow, {"main.pays": pays})
    beaten = tables(sheet)
    source = random.Random(7)
    for hand in source.sample(list(combinations(DECK, 7)), hands):
        facing = oracle.facing(sheet, hand, DECK)
        dealt = source.sample(hand, 7)
        found = options(sheet, dealt, deck=DECK, beaten=beaten)
        expected = {
            frozenset(low): float(oracle.net(sheet, laid, facing) / len(facing))
            for low, laid in oracle.allowed(hand).items()
        }
        assert {frozenset(parse_hand(low)): net for low, net in found.items()} == pytest.approx(
            expected, abs=1e-12
        )


def test_a_set_is_named_by_its_low_hand_in_the_order_dealt() -> None:
    sheet = sheet_of(PaiGow)
    dealt: list[Card] = parse_hand("9d As Jk 2d 9c Kd 5c")
    found = options(sheet, dealt, deck=DECK, beaten=tables(sheet))
    assert "9d 9c" in found
    assert all(dealt.index(a) < dealt.index(b) for a, b in map(parse_hand, found))
    assert max(found.values()) <= 1
    assert write_hand(parse_hand("As Jk")) not in found  # aces low beside nines would foul


def test_tables_are_kept_for_one_house_way_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_cache, "deck_of", lambda _: deck_of(DECK))
    sheet = sheet_of(PaiGow)
    made = table_cache.cached_beaten(sheet, tmp_path)
    monkeypatch.setattr(table_cache, "house_of", None)  # nothing is made a second time
    assert table_cache.cached_beaten(sheet, tmp_path) is made
    assert table_cache.cached_beaten(sheet_of(PaiGow, {"published.main": "97"}), tmp_path) is made
    [folder] = tmp_path.iterdir()
    assert (made.fours.highs == tables(sheet).fours.highs).all()
    assert options(sheet, DECK[:7], deck=DECK, beaten=made) == options(
        sheet, DECK[:7], deck=DECK, beaten=tables(sheet)
    )
    assert folder.name.startswith("pai-gow-")
