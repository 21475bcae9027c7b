"""Strategy files at Ultimate Texas Hold'em: the three questions over every pair and board.

The values of a check are those with best play afterwards. A flop counts as often as the strategy
checks before it, a board as often as it also checks on the flop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import text
from tapisvert.games.ultimate.odds import rule_positions as rules
from tapisvert.games.ultimate.odds.boards import HOUSE_PAIRS, PAIRS, classes
from tapisvert.games.ultimate.odds.flops import PATTERNS, Renaming, flops
from tapisvert.games.ultimate.odds.play import STARTS, before_flop, best_after_flop
from tapisvert.games.ultimate.odds.proof import ENDS, FLOP_DEALS, figure
from tapisvert.games.ultimate.odds.sums import FIXED, PER_ANTE, RIVER, Sums, prices, sums
from tapisvert.games.ultimate.odds.words import AFTER_FLOP, AFTER_RIVER, BEFORE_FLOP, QUESTIONS
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.figures import Figure
from tapisvert.odds.mathematics import Position
from tapisvert.odds.parallel import Progress
from tapisvert.odds.suits import cards_of, patterns
from tapisvert.odds.vocabulary import AtTable, Decide, Spots, Vocabulary
from tapisvert.ranking.batch import strengths, tables
from tapisvert.ranking.standard import CATEGORIES

MOST = 5  # raises are at most four antes; 0 is a check or a fold
Columns = Mapping[str, Callable[[], NDArray[np.int64]]]


class Counted:
    """The sums over all boards, from which each question's values follow."""

    deals = STARTS * FLOP_DEALS

    def __init__(self, sheet: Ultimate, tell: Progress) -> None:
        self._sheet, self._asked = sheet, prices(sheet)
        self.unit = self._asked.unit
        self._found = sums(sheet, tell)
        known = flops()
        self._known = Renaming(known.pattern, known.renaming, known.cards, known.pairs)
        self._pairs = rules.all_pairs()
        boards = patterns(5)
        self._boards = np.sort(cards_of(boards.suits, 5), axis=1)
        self._weights = boards.weights

    def play(self, name: str, decide: Decide, tell: Progress) -> Figure:
        """Ask before the flop, on every flop and at every river that is reached."""
        before = self._before_flop(decide, best_after_flop(self._sheet, self._found)[1])
        after = self._after_flop(decide, before, self._found)
        ended = np.zeros((MOST, len(CATEGORIES), len(ENDS)), dtype=np.int64)
        numbers, _ = classes()
        for first in range(0, len(self._boards), rules.CHUNK):
            chunk = slice(first, first + rules.CHUNK)
            boards, weights = self._boards[chunk], self._weights[chunk]
            found = rules.rivers(boards, self._asked, numbers, tables(7), self._known, after)
            numbered = self._known.pairs[found.pairs[..., 0], found.pairs[..., 1]]
            early = before[numbered]
            last = self._after_river(decide, boards, weights, found, early)
            rules.end_all(found, weights, early, last, ended)
            tell(min(1.0, (first + rules.CHUNK) / len(self._boards)))
        return figure(self._sheet, name, ended)

    def alone(
        self, question: str, others: Mapping[str, str], decide: Decide, tell: Progress
    ) -> None:
        """Ask one question, with fixed answers to the others (`AsksAlone`)."""
        found = self._sums_with(question, others)
        if found is None:
            return
        if question == BEFORE_FLOP:
            self._before_flop(decide, found[:, :, RIVER])
        elif question == AFTER_FLOP:
            self._after_flop(decide, np.zeros(STARTS, dtype=np.int8), found)
        else:

            def checks(name: str, spots: Spots) -> NDArray[np.int8]:
                return decide(name, spots) if name == question else _first(spots)

            self.play("alone", checks, tell)

    def bound(self, question: str, others: Mapping[str, str]) -> int | None:
        """Return the sum of all deals with the best answers to one question (`AsksAlone`)."""
        found = self._sums_with(question, others)
        if found is None:
            return None
        river = found[:, :, RIVER]
        on_flop = best_after_flop(self._sheet, found)[1] if question == AFTER_FLOP else river
        worths = before_flop(found, on_flop)
        best = worths.check
        if question == BEFORE_FLOP:
            for times in self._sheet.play.before_flop:
                best = np.maximum(best, worths.of_raise(times))
        return int(best.sum())

    def _sums_with(self, question: str, others: Mapping[str, str]) -> Sums | None:
        """Return the sums with a fixed answer at the river; None if a question is not reached."""
        if any(others.get(each, "check") != "check" for each in (BEFORE_FLOP, AFTER_FLOP)):
            return None
        if question == AFTER_RIVER:
            return self._found
        last = _times(others[AFTER_RIVER])
        if last and last not in self._sheet.play.after_river:
            return None
        found = self._found.copy()
        found[:, :, RIVER] = found[:, :, FIXED] + last * found[:, :, PER_ANTE]
        if not last:
            found[:, :, RIVER] = -2 * self.unit * PAIRS * HOUSE_PAIRS
        return found

    def _before_flop(self, decide: Decide, on_flop: NDArray[np.int64]) -> NDArray[np.int8]:
        worths = before_flop(self._found, on_flop)
        times = self._sheet.play.before_flop
        values = [worths.check, *(worths.of_raise(each) for each in times)]
        spots = _spots(
            ("check", *(f"raise-{each}" for each in times)),
            np.ones(STARTS, dtype=np.int64),
            FLOP_DEALS,
            values,
            rules.pair_columns(self._pairs),
            lambda at: {"player": _cards(self._pairs[at])},
        )
        return np.array([0, *times], dtype=np.int8)[decide(BEFORE_FLOP, spots)]

    def _after_flop(
        self, decide: Decide, before: NDArray[np.int8], totals: Sums
    ) -> NDArray[np.int8]:
        known = flops()
        many = np.bincount(known.pattern, minlength=PATTERNS)
        shared = (self._pairs[None, :, :, None] == known.patterns[:, None, None, :]).any(
            axis=(2, 3)
        )
        row, pair = np.nonzero(~shared & (before == 0)[None, :])
        cards, board = self._pairs[pair], known.patterns[row]
        found, times = totals[row, pair], self._sheet.play.after_flop
        raises = [found[:, FIXED] + each * found[:, PER_ANTE] for each in times]
        spots = _spots(
            ("check", *(f"raise-{each}" for each in times)),
            many[row],
            PAIRS * HOUSE_PAIRS,
            [found[:, RIVER], *raises],
            rules.flop_columns(cards, board),
            lambda at: {"player": _cards(cards[at]), "board": _cards(board[at])},
        )
        after = np.zeros((PATTERNS, STARTS), dtype=np.int8)
        if len(row):
            after[row, pair] = np.array([0, *times], dtype=np.int8)[decide(AFTER_FLOP, spots)]
        return after

    def _after_river(
        self,
        decide: Decide,
        boards: NDArray[np.uint8],
        weights: NDArray[np.int64],
        found: rules.Rivers,
        early: NDArray[np.int8],
    ) -> NDArray[np.int8]:
        times = self._sheet.play.after_river
        checked = found.flop_raises & 255  # flops on which no raise is taken
        reached = np.where(early > 0, 0, checked) * weights[:, None]
        each, row = np.nonzero(reached)
        last = np.zeros(reached.shape, dtype=np.int8)
        if not len(each):
            return last
        pairs = found.pairs[each, row]
        fixed, per_ante = found.fixed[each, row], found.per_ante[each, row]
        folded = np.full(len(each), -2 * HOUSE_PAIRS * self.unit, dtype=np.int64)
        spots = _spots(
            (*(f"raise-{every}" for every in times), "fold"),
            reached[each, row],
            HOUSE_PAIRS,
            [*(fixed + every * per_ante for every in times), folded],
            rules.river_columns(
                pairs,
                boards,
                each,
                found.strengths[each, row],
                lambda: rules.dealer_outs(boards, found)[each, row],
            ),
            lambda at: {"player": _cards(pairs[at]), "board": _cards(boards[each[at]])},
        )
        last[each, row] = np.array([*times, 0], dtype=np.int8)[decide(AFTER_RIVER, spots)]
        return last


def _spots(
    options: tuple[str, ...],
    weights: NDArray[np.int64],
    hidden: int,
    values: Sequence[NDArray[np.int64]],
    columns: Columns,
    position: Callable[[int], Mapping[str, Sequence[str]]],
) -> Spots:
    """Return positions in which every option is legal."""
    return Spots(
        options,
        weights,
        hidden,
        np.stack(values),
        np.ones((len(options), len(weights)), dtype=np.bool_),
        cache(lambda name: columns[name]()),
        position,
    )


def _times(option: str) -> int:
    """Return the antes that an option raises; 0 for a check or a fold."""
    return int(option.removeprefix("raise-")) if option.startswith("raise-") else 0


def _first(spots: Spots) -> NDArray[np.int8]:
    return np.zeros(len(spots.weights), dtype=np.int8)


def _cards(cards: NDArray[np.uint8]) -> list[str]:
    return [text(card) for card in sorted(cards.tolist(), reverse=True)]


def see(sheet: Ultimate, position: Position) -> list[AtTable]:
    """Return the question of two cards and the board dealt so far."""
    pair = np.array([sorted(position.cards["player"])], dtype=np.uint8)
    board = np.array([sorted(position.cards["board"])], dtype=np.uint8)
    columns: Columns = rules.pair_columns(pair)
    if board.size == 3:
        columns = rules.flop_columns(pair, board)
    elif board.size:
        mine = strengths(np.concatenate((pair, board), axis=1))
        # Only the pair and its strength are read.
        every = np.zeros((1, 1), dtype=np.int64)
        of_pair = rules.Rivers(pair[None], mine[None], every.astype(np.int32), every, every, every)
        columns = rules.river_columns(
            pair,
            board,
            np.zeros(1, dtype=np.intp),
            mine,
            lambda: rules.dealer_outs(board, of_pair)[0],
        )
    question = {0: BEFORE_FLOP, 3: AFTER_FLOP, 5: AFTER_RIVER}[board.size]
    return [AtTable(question, lambda name: columns[name]())]


VOCABULARY = Vocabulary(questions=QUESTIONS, count=Counted, see=see)
