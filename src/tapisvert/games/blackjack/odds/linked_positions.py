"""Approximate values of whole strategies at Blackjack in doubles, many a second, for a search.

A row is a hand facing an up card: not split, a first half or a second half. A strategy is evaluated
from the largest hands to the smallest. The loss of a split is the sum of the losses of its halves.
How often each second half occurs is taken from the best play of first halves. `RulePositions.play`
takes it from the strategy itself and is exact; the values here only rank strategies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.play import CHOICES, HIT, SPLIT, STAND
from tapisvert.games.blackjack.odds.rule_positions import WHOLE, Table

Column = Callable[[Table, NDArray[np.intp], str], NDArray[np.int64]]


class _Hands(NamedTuple):
    """The rows of one stage, from the smallest hands to the largest."""

    next: NDArray[np.int64]
    chance: NDArray[np.float64]
    values: NDArray[np.float64]  # by option and row, times the chance; best play afterwards
    best: NDArray[np.float64]  # times the chance
    bust: NDArray[np.float64]  # what a hit adds where it busts, times the chance
    asked: NDArray[np.int64]  # the number of the position, or -1
    forced: NDArray[np.int8]  # the choice where none is asked
    begins: NDArray[np.float64]  # orders in which play begins here
    half: NDArray[np.int64]  # of a pair: the segment of its halves, or -1


class LinkedPositions:
    """Every position of the question how to play on."""

    options: tuple[str, ...] = CHOICES

    def __init__(
        self, tables: Sequence[Table], begins: NDArray[np.int64], column: Column, words: set[str]
    ) -> None:
        segments: dict[tuple[int, int], int] = {}
        for up, start in zip(tables[1].up.tolist(), tables[1].start.tolist(), strict=True):
            segments.setdefault((up, start), len(segments))
        self._stages, rows, offset = list[_Hands](), list[tuple[Table, NDArray[np.intp]]](), 0
        for table in tables:
            hands, places = _hands(table, offset, begins, segments)
            self._stages.append(hands)
            rows.append((table, places))
            offset += len(places)
        self.legal = np.concatenate([table.legal[:, at] for table, at in rows], axis=1)
        self.columns: Mapping[str, NDArray[np.int64]] = {
            name: np.concatenate([column(table, at, name) for table, at in rows])
            for name in sorted(words)
        }
        self._size, self._segments = offset, len(segments)

    def value(self, chosen: NDArray[np.int8]) -> float:
        """Return what a strategy nets per first stake, less what the best play does."""
        whole, lost = self._lost(chosen, [None, None, None])
        return -float((whole.begins * (whole.best - lost)).sum())

    def gains(self, chosen: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return what another option gains in each position, weighed by how often it is reached."""
        kept: list[NDArray[np.float64] | None] = [
            np.zeros((len(CHOICES), len(hands.chance))) for hands in self._stages
        ]
        self._lost(chosen, kept)
        found = np.zeros((len(CHOICES), self._size))
        split = np.zeros(self._segments)
        for hands, options in zip(self._stages, kept, strict=True):
            if options is None:
                continue
            _weigh(hands, chosen, options, split, found, hands is not self._stages[0])
        found[~self.legal] = 0.0
        return found

    def _lost(
        self, chosen: NDArray[np.int8], kept: list[NDArray[np.float64] | None]
    ) -> tuple[_Hands, NDArray[np.float64]]:
        """Return the hands that are not split, and their worths under a strategy."""
        lost = np.zeros(self._segments)
        if (chosen == SPLIT).any() or kept[0] is not None:
            for stage in (1, 2):
                hands = self._stages[stage]
                worth = _worths(hands, chosen, lost, kept[stage])
                np.add.at(
                    lost, hands.half[hands.begins > 0], (hands.best - worth)[hands.begins > 0]
                )
        return self._stages[0], _worths(self._stages[0], chosen, lost, kept[0])


def _hands(
    table: Table,
    offset: int,
    begins: NDArray[np.int64],
    segments: Mapping[tuple[int, int], int],
) -> tuple[_Hands, NDArray[np.intp]]:
    """Return the rows of a stage in order, and the rows where a question is put."""
    order = np.argsort(table.size, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    following = table.next[order]
    following = np.where(following >= 0, place[following], -1)
    chance = table.chance[order]
    values, best = table.values[:, order] * chance, table.best[order] * chance
    values[~table.legal[:, order]] = -np.inf
    hit = table.values[HIT, order] * chance
    bust = hit - np.where(following >= 0, best[following], 0.0).sum(axis=1)
    size = table.size[order]
    asks = (size > 1) & (table.hard[order] < 21) & (chance > 0)
    asked = np.full(len(order), -1, dtype=np.int64)
    asked[asks] = offset + np.arange(int(asks.sum()))
    up, start = table.up[order].tolist(), table.start[order].tolist()
    if table.stage == WHOLE:
        half = np.array(
            [
                segments.get((each, _pair(packed)), -1)
                for each, packed in zip(up, table.packed[order].tolist(), strict=True)
            ]
        )
        half[size != 2] = -1
        first = begins[order].astype(np.float64)
    else:
        half = np.array([segments[each] for each in zip(up, start, strict=True)], dtype=np.int64)
        first = ((size == 1) & (chance > 0)).astype(np.float64)
    forced = np.where(size == 1, HIT, STAND).astype(np.int8)
    found = _Hands(following, chance, values, best, bust, asked, forced, first, half)
    return found, order[asks]


def _pair(packed: int) -> int:
    """Return the value of which a hand holds exactly two cards and no other, or -1."""
    card = (packed.bit_length() - 1) // 4
    return card if packed == 2 << 4 * card else -1


def _worths(
    hands: _Hands,
    chosen: NDArray[np.int8],
    lost: NDArray[np.float64],
    kept: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    none = np.zeros((0, 0))
    return _walk_back(hands, chosen, lost, none if kept is None else kept)


@numba.njit(cache=True, nogil=True)
def _walk_back(
    hands: _Hands,
    chosen: NDArray[np.int8],
    lost: NDArray[np.float64],
    kept: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the worth of every hand under a strategy; keep those of all options if asked."""
    worth = np.zeros(len(hands.chance))
    for row in range(len(worth) - 1, -1, -1):
        if hands.chance[row] == 0.0:
            continue
        asked = hands.asked[row]
        choice = chosen[asked] if asked >= 0 else hands.forced[row]
        drawn = 0.0
        if choice == HIT or (len(kept) and asked >= 0):
            drawn = hands.bust[row]
            for card in range(hands.next.shape[1]):
                after = hands.next[row, card]
                if after >= 0:
                    drawn += worth[after]
        halves = 0.0
        if hands.half[row] >= 0:
            halves = lost[hands.half[row]]
        if choice == HIT:
            worth[row] = drawn
        elif choice == SPLIT:
            worth[row] = hands.values[choice, row] - halves
        else:
            worth[row] = hands.values[choice, row]
        if len(kept) and asked >= 0:
            for option in range(len(kept)):
                kept[option, row] = hands.values[option, row]
            kept[HIT, row] = drawn
            kept[SPLIT, row] -= halves
    return worth


@numba.njit(cache=True, nogil=True)
def _weigh(
    hands: _Hands,
    chosen: NDArray[np.int8],
    options: NDArray[np.float64],
    split: NDArray[np.float64],
    found: NDArray[np.float64],
    halves: bool,
) -> None:
    """Walk forwards: write what other options gain; note the segments that are split."""
    reached = np.zeros(len(hands.chance))
    for row in range(len(reached)):
        if hands.begins[row] > 0:
            reached[row] = split[hands.half[row]] if halves else hands.begins[row]
    for row in range(len(reached)):
        if reached[row] == 0 or hands.chance[row] == 0.0:
            continue
        asked = hands.asked[row]
        choice = chosen[asked] if asked >= 0 else hands.forced[row]
        if asked >= 0:
            for option in range(len(options)):
                found[option, asked] = reached[row] * (options[option, row] - options[choice, row])
        if choice == HIT:
            for card in range(hands.next.shape[1]):
                if hands.next[row, card] >= 0:
                    reached[hands.next[row, card]] += reached[row]
        if choice == SPLIT and hands.half[row] >= 0:
            split[hands.half[row]] += reached[row]
