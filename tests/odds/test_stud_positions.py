"""Casino Stud: the kernels' positions against every hand of the house, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from odds.oracle_stud import Ends, ends, play_value
from odds.renaming import RENAMINGS, renamed, sheet_of
from tapisvert.cards import STANDARD, parse, parse_hand
from tapisvert.games.casino_stud.odds.proof import Positions, optimal, play_values, positions
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.odds.weaker_hands import Ordered, below
from tapisvert.ranking.standard import strength
from tiers import few_or_many, long

HOUSE_HANDS = 163_185
SHEET = sheet_of(CasinoStud)
PLAY_ROWS = [f"play.pays.{row}" for row in SHEET.play.pays]

SPECIAL = [
    ("Ah Kh Qh Jh Th", "As"),  # no hand is better, another royal flush is equal
    ("Ah Kh Qh Jh 9h", "Th"),  # the royal flush would need the house's card
    ("5c 4c 3c 2c Ac", "6c"),
    ("9d 9c 9h 9s 2d", "2c"),
    ("As Ad Ac Kh Ks", "Kd"),
    ("Ah Jh 9h 5h 2h", "Ad"),
    ("Ad Kc Qh Js Tc", "Ts"),
    ("7d 7c 7h 6s 2d", "6c"),
    ("3d 3c 2h 2s 4d", "4c"),
    ("2d 2c 3h 4s 5d", "Ac"),  # the lowest pair
    ("As Kd 4c 3h 2s", "Ac"),  # the weakest hand that qualifies
    ("As Kd 4c 3h 2s", "7c"),
    ("As Kd Qc Jh 9s", "9c"),
    ("As Kd Jc 8h 3s", "3c"),
    ("As Kd Qc 6h 2s", "2c"),
    ("As Qd Jc Th 9s", "Kc"),  # the strongest that does not
    ("7s 5d 4c 3h 2s", "8c"),  # the weakest of all
]
# Prices the sheet allows, each with its own unit and its own line between play and fold.
PRICES: list[dict[str, object]] = [
    {},
    {"ante.pays": "3:2"},
    {"play.times_ante": 1, "play.pays.pair": "7:4"},
    {"play.times_ante": 100, "play.pays.high-card": 0, "play.pays.pair": "1:2"},
    {**dict.fromkeys(PLAY_ROWS, 0), "ante.pays": 0},
    {**dict.fromkeys(PLAY_ROWS, 10**6), "ante.pays": 10**6, "play.times_ante": 100},
]


class Found(NamedTuple):
    """Positions, and the row of each player's hand in them."""

    at: Positions
    rows: dict[tuple[int, ...], int]


def found_with(sheet: CasinoStud) -> Found:
    at = positions(sheet.least_to_qualify)
    return Found(at, {tuple(sorted(hand)): row for row, hand in enumerate(at.hands.tolist())})


@pytest.fixture(scope="module")
def shipped() -> Found:
    """Return the positions of the shipped sheet."""
    return found_with(SHEET)


def places(found: Found, player: tuple[int, ...], up: int) -> Iterator[tuple[int, int]]:
    """Yield the entries of a position: under every renaming by which its hand has a row."""
    for renaming in RENAMINGS:
        row = found.rows.get(renamed(player, renaming))
        if row is not None:
            yield row, renaming[up]


def check(
    found: Found, player: tuple[int, ...], up: int, sheet: CasinoStud, prices: list[CasinoStud]
) -> None:
    """Compare a position with the reference: the house's hands, and the value of playing."""
    expected = ends(player, up, sheet.house.qualifies_with)
    at = found.at
    where = list(places(found, player, up))
    assert where
    for place in where:
        assert at.there[place]
        assert Ends(*(int(kind[place]) for kind in at[4:])) == expected
    row, column = where[0]
    here = Positions._make(kind[row : row + 1] for kind in at)
    for priced in prices:
        value, unit = play_values(priced, here)
        worth = play_value(priced, player, expected)
        assert int(value[0, column]) == worth * HOUSE_HANDS * unit
        assert bool(optimal(priced, here)[0, column]) == (worth > -1)


@pytest.mark.parametrize("count", few_or_many(8, 30))
def test_random_positions_have_the_ends_found_one_by_one(shipped: Found, count: int) -> None:
    chance = Random(20_250_101)
    prices = [sheet_of(CasinoStud, changes) for changes in PRICES]
    for _ in range(count):
        *player, up = chance.sample(STANDARD, 6)
        check(shipped, tuple(player), up, SHEET, prices)


@pytest.mark.parametrize(("player", "up"), SPECIAL)
def test_stud_7_stud_8_special_positions_have_the_ends_found_one_by_one(
    shipped: Found, player: str, up: str
) -> None:
    prices = [sheet_of(CasinoStud, changes) for changes in PRICES]
    check(shipped, tuple(parse_hand(player)), parse(up), SHEET, prices)


def test_the_closest_decisions_of_the_game_are_the_right_ones(shipped: Found) -> None:
    value, unit = play_values(SHEET, shipped.at)
    margin = np.where(shipped.at.there, np.abs(value + HOUSE_HANDS * unit), np.iinfo(np.int64).max)
    near = np.argpartition(margin, 3000, axis=None)[:3000]
    closest = near[np.argsort(margin.flat[near])][::375]
    assert margin.flat[closest[-1]] < HOUSE_HANDS * unit // 100  # a hundredth of an ante
    assert len(set(optimal(SHEET, shipped.at).flat[closest].tolist())) == 2
    for place in closest.tolist():
        row, up = divmod(place, 52)
        check(shipped, tuple(shipped.at.hands[row].tolist()), up, SHEET, [SHEET])


@long
def test_stud_8_another_hand_to_qualify_with_moves_the_classes() -> None:
    sheet = sheet_of(CasinoStud, {"house.qualifies_with": ["K", "Q", "8"]})
    found = found_with(sheet)
    chance = Random(8)
    for _ in range(4):
        *player, up = chance.sample(STANDARD, 6)
        check(found, tuple(player), up, sheet, [sheet])
    for written in ("Ks Qd 8c 7h 2s", "2d 2c 3h 4s 5d"):
        check(found, tuple(parse_hand(written)), parse("Ac"), sheet, [sheet])


def test_no_hand_faces_one_of_its_own_cards(shipped: Found) -> None:
    at = shipped.at
    assert (at.there.sum(axis=1) == 47).all()
    assert not np.take_along_axis(at.there, at.hands.astype(np.intp), axis=1).any()
    for kind in at[4:]:
        assert not kind[~at.there].any()
    assert (np.sum(at[4:], axis=0)[at.there] == HOUSE_HANDS).all()


def test_in_a_deck_of_fourteen_every_position_counts_what_is_there() -> None:
    deck = sorted(parse_hand("Ah Kh Qh Jh Th 9h As Ks Qs 2s Ac 2c Kd 9d"))
    strength_of = {hand: strength(hand) for hand in combinations(deck, 5)}
    hands = sorted(strength_of, key=strength_of.__getitem__)
    worth = [strength_of[hand] for hand in hands]
    ordered = Ordered(np.array(hands, dtype=np.uint8), np.array(worth, dtype=np.int32))
    qualifying = worth[len(worth) // 3]
    limits = [max(qualifying, worth[row] + row % 2) for row in range(len(hands))]
    counted = below(ordered, ordered.hands, np.array(limits, dtype=np.int32))
    for row, player in enumerate(hands):
        expected = [0] * 52
        for theirs in combinations([card for card in deck if card not in player], 5):
            if strength_of[theirs] < limits[row]:
                for card in theirs:
                    expected[card] += 1
        assert [counted[row, card] for card in deck if card not in player] == [
            expected[card] for card in deck if card not in player
        ]
