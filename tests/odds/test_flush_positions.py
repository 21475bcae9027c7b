"""High Card Flush: the kernels' classes of the house's hands, against three slower ways."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from odds.oracle_flush import (
    Ends,
    best_choice,
    ends_by_shares,
    ends_in_blocks,
    ends_in_deck,
    raise_value,
)
from odds.renaming import sheet_of
from tapisvert.cards import STANDARD, parse_hand
from tapisvert.games.high_card_flush.odds.proof import Positions, optimal, positions, raise_values
from tapisvert.games.high_card_flush.odds.weaker_hands import house_classes
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.suits import Patterns
from tapisvert.ranking.flush import least, strength, suits
from tiers import few_or_many, long

HOUSE_HANDS = 45_379_620
SHEET = sheet_of(HighCardFlush)

SPECIAL = [
    "Ah Kh Qh Jh Th 9h 8h",  # no hand is better, another such flush is equal
    "8h 7h 6h 5h 4h 3h 2h",
    "Ah Kh Qh Jh Th 9h 8s",
    "7h 6h 5h 4h 3h 2h 2s",
    "Ah Kh Qh Jh 9h 2s 2c",
    "5h 4h 3h 2h 9s 8d 7c",
    "9h 3h 2h 9s 3s 2d 2c",  # the weakest that qualifies
    "8h 7h 6h 8s 7s 5s Ad",  # the strongest that does not, beside a weaker one
    "Th 8h 6h 5s 4s 3d 2c",  # where raising begins
    "Th 8h 5h 4s 3s 3d 2c",
    "4h 3h 2h 4s 3s 2s Ad",  # equal flushes in two suits
    "Ah Kh As Ks Ad Kd Ac",
    "3h 2h 3s 2s 3d 2d 2c",  # the weakest of all
]
# Lengths of suits, and the ranks in them: uneven decks tell one suit from another.
DECKS = {
    "uneven": ("Ah Kh Qh 9h 8h 3h 2h", "As Ts 7s 2s", "9d 8d 4d", "Kc 2c"),
    "square": ("Ah 9h 8h 2h", "As 9s 8s 2s", "Kd 9d 3d 2d", "Kc 9c 3c 2c"),
    "long": ("Ah Kh Qh Jh Th 9h 8h 7h 6h 2h", "As 2s 3s", "9d", "Kc 2c"),
}
QUALIFIERS = {"uneven": (3, ["9"]), "square": (2, ["K", "2"]), "long": (5, ["K", "Q", "7"])}
# Prices the sheet allows, each with its own unit and its own best raises.
MOST = [f"raise.most_times.flush-{cards}" for cards in range(2, 8)]
PRICES: list[dict[str, object]] = [
    {},
    {"ante.pays": "3:2"},
    {"raise.most_times.flush-6": 3, "raise.most_times.flush-7": 3},
    {**dict.fromkeys(MOST, 3), "raise.pays": "3:4"},
    {"ante.pays": 0, "raise.pays": 0},
    {**dict.fromkeys(MOST, 3), "ante.pays": 10**6, "raise.pays": 10**6},
]


def positions_of(hands: list[list[int]], sheet: HighCardFlush = SHEET) -> Positions:
    """Return the positions of some hands, without renaming suits."""
    held = np.array([suits(hand) for hand in hands], dtype=np.int16)
    return positions(sheet, hands=Patterns(held, np.ones(len(hands), dtype=np.int64)))


def check(at: Positions, hand: list[int], row: int, sheets: list[HighCardFlush]) -> None:
    """Compare a row with the reference: the house's hands, every raise, and the best choice."""
    expected = ends_by_shares(hand, sheets[0].least_to_qualify)
    assert Ends(*(int(kind[row]) for kind in at[5:])) == expected
    here = Positions._make(kind[row : row + 1] for kind in at)
    for sheet in sheets:
        for times in range(1, 4):
            value, unit = raise_values(sheet, here, times)
            assert int(value[0]) == raise_value(sheet, expected, times) * HOUSE_HANDS * unit
        assert int(optimal(sheet, here)[0]) == best_choice(sheet, hand, expected)[1]


@pytest.mark.parametrize("count", few_or_many(10, 60))
def test_random_hands_meet_the_hands_of_the_house_counted_by_shares(count: int) -> None:
    chance = Random(7)
    hands = [chance.sample(STANDARD, 7) for _ in range(count)]
    hands += [parse_hand(written) for written in SPECIAL]
    at = positions_of(hands)
    sheets = [sheet_of(HighCardFlush, changes) for changes in PRICES]
    for row, hand in enumerate(hands):
        check(at, hand, row, sheets)


@long
def test_a_hand_meets_each_of_45_million_hands_of_the_house() -> None:
    hand = parse_hand("Th 8h 6h 5s 4s 3d 2c")
    expected = ends_in_blocks(hand, SHEET.least_to_qualify)
    assert Ends(*(int(kind[0]) for kind in positions_of([hand])[5:])) == expected
    assert sum(expected) == HOUSE_HANDS


@pytest.mark.parametrize(
    "deck", [pytest.param(deck, marks=[] if deck == "square" else [long]) for deck in DECKS]
)
def test_in_a_thinned_deck_every_position_counts_what_is_there(deck: str) -> None:
    cards = sorted(parse_hand(" ".join(DECKS[deck])))
    to_qualify = least(*QUALIFIERS[deck])
    expected = ends_in_deck(cards, to_qualify)
    held = np.array([suits(hand) for hand in expected], dtype=np.int16)
    found = house_classes(held, to_qualify, suits(cards))
    for row, (hand, (unqualified, beaten, tied, _)) in enumerate(expected.items()):
        assert found.unqualified[row] == unqualified
        if strength(hand) >= to_qualify:
            assert found.weaker[row] == unqualified + beaten
            assert found.not_better[row] == unqualified + beaten + tied


@pytest.mark.parametrize(
    ("length", "ranks"),
    [(2, ["2"]), (3, ["A", "9", "3"]), (4, ["J", "5"]), (7, list("AKQJT98"))],
    ids=str,
)
def test_flush_8_another_flush_to_qualify_with_moves_the_classes(
    length: int, ranks: list[str]
) -> None:
    changes = {"house.qualifies_length": length, "house.qualifies_with": ranks}
    sheet = sheet_of(HighCardFlush, changes)
    chance = Random(length)
    hands = [chance.sample(STANDARD, 7) for _ in range(8)]
    hands += [parse_hand("Jh 5h 3h 2h As Ad Ac"), parse_hand("Jh 4h 3h 2h As Ad Ac")]
    hands += [parse_hand("Ah 9h 3h Ks Qs Td Tc"), parse_hand("Ah 9h 2h Ks Qs Td Tc")]
    at = positions_of(hands, sheet)
    for row, hand in enumerate(hands):
        check(at, hand, row, [sheet])
