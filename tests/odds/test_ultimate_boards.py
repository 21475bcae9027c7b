"""Ultimate Texas Hold'em: the kernels' boards and flops against every pair of the house.

Other sheets are tested too.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from odds.oracle_ultimate import Showdowns, at_river, on_flop, showdowns
from odds.renaming import RENAMINGS, renamed, sheet_of
from tapisvert.cards import STANDARD, parse_hand
from tapisvert.games.ultimate.odds.boards import (
    LOST,
    LOST_OPENED,
    PAIRS,
    WON,
    WON_OPENED,
    classes,
    measure,
)
from tapisvert.games.ultimate.odds.flops import flops
from tapisvert.games.ultimate.odds.sums import prices, sums, worth_of
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.ranking.batch import tables
from tapisvert.ranking.standard import category, strength

SHEET = sheet_of(Ultimate)
BLIND = [f"blind.pays.{row}" for row in SHEET.blind.pays]

SHEETS: dict[str, Mapping[str, object]] = {
    "shipped": {},
    "always open": {"house.opens_with": "high-card", "ante.pays": "3:2"},
    "open late": {"house.opens_with": "two-pair", "play.after_river": [1, 2, 3]},
    "open never": {"house.opens_with": "royal-flush", "play.pays": "1:2"},
    "nothing paid": {**dict.fromkeys(BLIND, 0), "ante.pays": 0, "play.pays": 0},
    "all too much": {**dict.fromkeys(BLIND, 10**6), "ante.pays": 10**6, "play.pays": 10**6},
}
BOARDS = [
    "Ah Kh Qh Jh Th",  # everybody has it
    "9c 9d 9h 9s 2c",
    "9c 9d 9h 2s 2c",
    "Ah 9h 7h 4h 2h",
    "5c 4d 3h 2s 9c",
    "Kc Jd 8h 4s 2c",
]

Measured = dict[tuple[int, ...], tuple[int, NDArray[np.int32]]]


def measured(sheet: Ultimate, board: list[int]) -> Measured:
    """Return the strength and the results of every pair on a board, from the kernels."""
    hands = np.empty((PAIRS, 7), dtype=np.uint8)
    ranked = np.empty(PAIRS, dtype=np.int32)
    results = np.empty((PAIRS, 4), dtype=np.int32)
    in_order = np.array(sorted(board), dtype=np.uint8)
    opens_from = prices(sheet).opens_from
    measure(in_order, opens_from, classes()[0], tables(7), hands, ranked, results)
    found = {
        tuple(hand[:2]): (int(value), result)
        for hand, value, result in zip(hands.tolist(), ranked, results, strict=True)
    }
    assert len(found) == PAIRS
    return found


def as_counted(result: NDArray[np.int32]) -> Showdowns:
    won, lost = int(result[WON]), int(result[LOST])
    won_opened, lost_opened = int(result[WON_OPENED]), int(result[LOST_OPENED])
    return Showdowns(won_opened, won - won_opened, lost_opened, lost - lost_opened, 990)


def check_river(sheet: Ultimate, hole: tuple[int, ...], board: list[int], found: Measured) -> None:
    """Compare a pair on a board with the reference: the showdowns, the values, the last raise."""
    value, result = found[tuple(sorted(hole))]
    expected = showdowns(hole, board, sheet.house.opens_with)
    assert value == strength([*hole, *board])
    assert as_counted(result) == expected
    worths, best = at_river(sheet, category(value), expected)
    asked = prices(sheet)
    assert worth_of(value, result, asked) == (*(asked.unit * worth for worth in worths), best)


@pytest.mark.parametrize("name", SHEETS)
def test_random_pairs_on_random_boards_are_worth_what_each_pair_of_the_house_says(
    name: str,
) -> None:
    sheet = sheet_of(Ultimate, SHEETS[name])
    chance = Random(name)
    for _ in range(12 if SHEETS[name] else 60):
        *hole, a, b, c, d, e = chance.sample(STANDARD, 7)
        board = [a, b, c, d, e]
        check_river(sheet, tuple(hole), board, measured(sheet, board))


@pytest.mark.parametrize("board", BOARDS)
def test_on_a_special_board_every_pair_meets_every_other(board: str) -> None:
    cards = parse_hand(board)
    found = measured(SHEET, cards)
    left = [card for card in STANDARD if card not in cards]
    worth = {pair: strength([*pair, *cards]) for pair in combinations(left, 2)}
    for pair in list(worth)[::5]:
        others = [worth[other] for other in worth if not set(pair) & set(other)]
        mine = worth[pair]
        expected = Showdowns(
            sum(theirs < mine and theirs >> 20 >= 1 for theirs in others),
            sum(theirs < mine and theirs >> 20 < 1 for theirs in others),
            sum(theirs > mine and theirs >> 20 >= 1 for theirs in others),
            sum(theirs > mine and theirs >> 20 < 1 for theirs in others),
            len(others),
        )
        assert found[pair][0] == mine
        assert as_counted(found[pair][1]) == expected


@pytest.mark.parametrize("name", list(SHEETS)[1:])
def test_under_another_sheet_a_flop_is_worth_what_its_endings_say(name: str) -> None:
    sheet = sheet_of(Ultimate, SHEETS[name])
    chance = Random(name)
    *first, a, b, c = chance.sample(STANDARD, 5)
    flop = (a, b, c)
    total = sums(sheet)
    unit = prices(sheet).unit
    stands = {tuple(sorted(cards)): row for row, cards in enumerate(flops().patterns.tolist())}
    left = [card for card in STANDARD if card not in flop]
    for hole in (first, chance.sample(left, 2)):
        expected = on_flop(sheet, hole, flop)
        for renaming in RENAMINGS:
            row = stands.get(renamed(flop, renaming))
            if row is not None:
                low, high = renamed(hole, renaming)
                for kind, worth in enumerate(expected):
                    assert int(total[row, comb(high, 2) + low, kind]) == unit * worth
