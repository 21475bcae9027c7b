"""Ultimate Texas Hold'em: boards of one form are alike, and a flop's forms are counted once each.

The forms are written here a second time, from their definition, without numbers.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from odds.renaming import sheet_of
from tapisvert.cards import STANDARD, rank, suit
from tapisvert.games.ultimate.odds.boards import PAIRS, classes, measure
from tapisvert.games.ultimate.odds.flops import PATTERNS, flops
from tapisvert.games.ultimate.odds.forms import (
    COUPLES,
    KINDS,
    NO_FLUSH,
    Measured,
    couple,
    form_of,
    forms,
    kind_of,
    measured,
)
from tapisvert.games.ultimate.odds.play import STARTS
from tapisvert.games.ultimate.odds.proof import raised_on
from tapisvert.games.ultimate.odds.sums import prices
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.ranking.batch import tables

OPENS_FROM = prices(sheet_of(Ultimate)).opens_from
Form = tuple[tuple[int, ...], tuple[int, ...]]


@pytest.fixture(scope="module")
def results() -> Measured:
    return measured(OPENS_FROM)


def plain_form(board: tuple[int, ...]) -> Form:
    """Return the ranks in the flush suit, and the other ranks."""
    flush = flush_suit(board)
    mine = sorted(rank(card) for card in board if suit(card) == flush)
    return tuple(mine), tuple(sorted(rank(card) for card in board if suit(card) != flush))


def flush_suit(board: tuple[int, ...]) -> int:
    (most, count), *_ = Counter(suit(card) for card in board).most_common()
    return most if count >= 3 else NO_FLUSH


def numbered(board: tuple[int, ...]) -> tuple[int, int]:
    form, flush = form_of(np.array(board, dtype=np.uint8), forms().starts, forms().choose)
    return int(form), int(flush)


def test_every_board_has_one_form_and_every_form_its_own_number() -> None:
    known = forms()
    assert known.weights.sum() == comb(52, 5)
    assert (known.weights > 0).sum() == 6_188 - 13 + 26_026 + 9_295 + 1_287
    chance = Random(5)
    names: dict[Form, int] = {}
    for board in [tuple(sorted(chance.sample(STANDARD, 5))) for _ in range(3_000)]:
        number, flush = numbered(board)
        assert flush == flush_suit(board)
        assert plain_form(tuple(known.boards[number].tolist())) == plain_form(board)
        assert names.setdefault(plain_form(board), number) == number


def test_a_forms_weight_is_the_number_of_its_boards() -> None:
    ranks = (0, 1, 5, 12)
    cards = [4 * each + n for each in ranks for n in range(4)]
    counts = Counter(plain_form(board) for board in combinations(cards, 5))
    examples = {plain_form(board): board for board in combinations(cards, 5)}
    for form, board in examples.items():
        assert forms().weights[numbered(board)[0]] == counts[form]


def test_a_couple_of_kinds_is_numbered_in_either_order() -> None:
    found = {couple(low, high) for high in range(KINDS) for low in range(high + 1)}
    assert found == set(range(COUPLES))
    assert all(couple(a, b) == couple(b, a) for a, b in combinations(range(KINDS), 2))


def test_on_every_board_a_pair_has_the_results_of_its_form(results: Measured) -> None:
    chance = Random(7)
    hands = np.empty((PAIRS, 7), dtype=np.uint8)
    ranked = np.empty(PAIRS, dtype=np.int32)
    found = np.empty((PAIRS, 4), dtype=np.int32)
    boards = [chance.sample(STANDARD, 5) for _ in range(150)]
    boards += [chance.sample(range(n % 4, 52, 4), 3 + n % 3) for n in range(60)]  # of one suit
    for cards in boards:
        others = [card for card in STANDARD if card not in cards]
        board = tuple(sorted(cards + chance.sample(others, 5 - len(cards))))
        in_order = np.array(board, dtype=np.uint8)
        measure(in_order, OPENS_FROM, classes()[0], tables(7), hands, ranked, found)
        form, flush = numbered(board)
        ways: Counter[int] = Counter()
        for row in range(PAIRS):
            low, high = hands[row, :2].tolist()
            at = couple(kind_of(low, flush), kind_of(high, flush))
            ways[at] += 1
            assert results.categories[form, at] == ranked[row] >> 20
            assert results.results[form, at].tolist() == found[row].tolist()
        assert {at: int(ways[at]) for at in ways} == {
            int(at): int(results.ways[form, at]) for at in results.ways[form].nonzero()[0]
        }


def test_the_boards_after_a_flop_are_counted_by_form_once_for_each_chosen_pair() -> None:
    known, chance = flops(), Random(11)
    chosen = np.zeros((PATTERNS, STARTS), dtype=np.bool_)
    expected: Counter[tuple[int, int]] = Counter()
    alike = np.bincount(known.pattern)
    for row in (0, *chance.sample(range(PATTERNS), 6)):
        flop = known.patterns[row].tolist()
        left = [card for card in STANDARD if card not in flop]
        for low, high in chance.sample(list(combinations(left, 2)), 4):
            chosen[row, known.pairs[low, high]] = True
            for two in combinations([card for card in left if card not in (low, high)], 2):
                form, flush = numbered(tuple(sorted((*flop, *two))))
                at = couple(kind_of(low, flush), kind_of(high, flush))
                expected[form, at] += int(alike[row])
        chosen[row, known.pairs[flop[0], left[0]]] = True  # no such deal: it has a card twice
    counts = raised_on(chosen)
    found = {tuple(place): int(counts[tuple(place)]) for place in np.argwhere(counts).tolist()}
    assert found == dict(expected)


def test_if_every_pair_is_chosen_every_board_counts_ten_times(results: Measured) -> None:
    counts = raised_on(np.ones((PATTERNS, STARTS), dtype=np.bool_))
    assert (counts == 10 * forms().weights[:, None] * results.ways).all()
