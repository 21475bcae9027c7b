"""The conditions that a search tries, and the best of them for given gains.

A candidate is up to two conditions on small columns (an up card, a flag, a number of cards), and a
threshold at any level of a large column (the strength of the hand), or none. Conditions of shipped
strategies are added, however many words they have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, pairwise
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.parallel import spread
from tapisvert.odds.vocabulary import Question, Word, Written
from tapisvert.strategies.classes import Classes
from tapisvert.strategies.evaluation import compare
from tapisvert.strategies.strategy_file import numbers

When = Mapping[str, Written | list[Written]]
SMALL = 30  # a column with at most so many levels is small
TOGETHER = 2  # conditions on small columns in one rule
_NONE = -(1 << 62)  # the sum of no condition


class Found(NamedTuple):
    """A candidate, the option it chooses, and what it gains."""

    gain: int
    option: int
    when: When


class Scale(NamedTuple):
    """A large column: classes in its order, and the words that set a threshold."""

    order: NDArray[np.intp]
    levels: NDArray[np.int64]  # of the classes, ascending
    words: tuple[str, str]  # at least, below; empty if there is none
    values: tuple[Word | None, Word | None]


class Candidates:
    """All candidates of a question over its classes."""

    def __init__(self, question: Question, classes: Classes, known: Iterable[When] = ()) -> None:
        self._question, self._classes = question, classes
        words = {name: word for name, word in question.words.items() if word.searched}
        columns = large_columns(question, classes)
        large = {name for name, word in words.items() if word.column in columns}
        self.scales = list(self._scales({name: words[name] for name in large}))
        self._conditions: list[When] = []
        self._masks: list[NDArray[np.bool_]] = []
        seen: dict[bytes, int] = {}
        for name, word in words.items():
            if name not in large:
                for value in values_of(word, classes.columns[word.column]):
                    self._add(name, word, value, seen)
        singles = range(len(self._masks))
        groups = {group for size in range(TOGETHER + 1) for group in combinations(singles, size)}
        for when in known:
            small = {name: value for name, value in when.items() if name not in large}
            if small.keys() <= words.keys():
                added = (self._add(name, words[name], small[name], seen) for name in small)
                groups.add(tuple(sorted({place for place in added if place >= 0})))
        self.groups = sorted(groups, key=lambda group: (len(group), group))
        self._bits, self._group_bits = self._pack()
        self._leave_out_repeated()

    @property
    def count(self) -> int:
        """Return the number of conditions that a choice of one rule tries."""
        levels = sum(2 * len(np.unique(scale.levels)) for scale in self.scales)
        return len(self.groups) * max(1, levels)

    def best(self, gains: NDArray[np.int64], bad: NDArray[np.bool_], many: int = 1) -> list[Found]:
        """Return the best candidates of each option: the sum of its gains over the condition.

        A condition may not contain a class that is bad for the option.
        """
        found: list[Found] = []
        for scale in self.scales:
            sums = np.empty((len(self.groups), len(gains), 2), dtype=np.int64)
            at = np.empty_like(sums)
            bits, order = self._bits[scale.order], scale.order

            def work(
                first: int,
                end: int,
                scale: Scale = scale,
                bits: NDArray[np.uint64] = bits,
                order: NDArray[np.intp] = order,
                sums: NDArray[np.int64] = sums,
                at: NDArray[np.int64] = at,
            ) -> None:
                chosen = slice(first, end)
                _sweep(
                    bits,
                    scale.levels,
                    self._group_bits[chosen],
                    np.ascontiguousarray(gains[:, order]),
                    np.ascontiguousarray(bad[:, order]),
                    sums[chosen],
                    at[chosen],
                )

            spread(work, len(self.groups), pieces=8)
            for way, name in enumerate(scale.words):
                if not name:
                    sums[:, :, way] = _NONE
            for option in range(len(gains)):
                found += self._top(scale, option, sums[:, option], at[:, option], many)
        found.sort(key=lambda each: (-each.gain, len(each.when)))
        kept: dict[int, list[Found]] = {}
        for each in found:
            of_option = kept.setdefault(each.option, [])
            if len(of_option) < many:
                of_option.append(each)
        return [each for of_option in kept.values() for each in of_option]

    def _top(
        self,
        scale: Scale,
        option: int,
        sums: NDArray[np.int64],
        at: NDArray[np.int64],
        many: int,
    ) -> Iterator[Found]:
        flat = sums.ravel()
        for place in np.argsort(-flat, kind="stable")[: 2 * many].tolist():
            group, way = divmod(place, 2)
            if flat[place] > 0:
                when: dict[str, Written | list[Written]] = {}
                word = scale.values[way]
                if at[group, way] >= 0 and word is not None:
                    when[scale.words[way]] = word.values.write(int(at[group, way]))
                for condition in self.groups[group]:
                    when.update(self._conditions[condition])
                yield Found(int(flat[place]), option, when)

    def _scales(self, words: Mapping[str, Word]) -> Iterator[Scale]:
        by_column: dict[str, dict[str, tuple[str, Word]]] = {}
        for name, word in words.items():
            by_column.setdefault(word.column, {})[word.compare] = name, word
        for column, found in by_column.items():
            values = self._classes.columns[column]
            order = np.argsort(values, kind="stable")
            (up, up_word), (down, down_word) = (
                found.get(way, ("", None)) for way in ("at least", "below")
            )
            yield Scale(order, values[order], (up, down), (up_word, down_word))
        if not by_column:
            size = self._classes.sums.shape[1]
            yield Scale(np.arange(size), np.zeros(size, np.int64), ("none", ""), (None, None))

    def _add(
        self, name: str, word: Word, value: Written | list[Written], seen: dict[bytes, int]
    ) -> int:
        """Add a condition unless another one holds in the same classes; return its place."""
        mask = compare(word, self._classes.columns[word.column], numbers(word, value))
        if mask.all() or not mask.any():
            return -1
        place = seen.setdefault(mask.tobytes(), len(self._masks))
        if place == len(self._masks):
            self._masks.append(mask)
            self._conditions.append({name: value})
        return place

    def _leave_out_repeated(self) -> None:
        """Keep the shortest of the groups that hold in the same classes; drop those of no class."""
        stream = np.random.Generator(np.random.Philox(25))
        names = stream.integers(1 << 62, size=len(self._bits), dtype=np.int64)
        sums = np.empty(len(self.groups), dtype=np.int64)
        _name_groups(self._bits, self._group_bits, names, sums)
        _, first = np.unique(sums, return_index=True)
        kept = [place for place in sorted(first.tolist()) if sums[place]]
        self.groups = [self.groups[place] for place in kept]
        self._group_bits = self._group_bits[kept]

    def _pack(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return the conditions that hold in each class, and those of each group, as bits."""
        size = self._classes.sums.shape[1]
        length = max(1, -(-len(self._masks) // 64))
        bits = np.zeros((size, length), dtype=np.uint64)
        for place, mask in enumerate(self._masks):
            bits[mask, place // 64] |= np.uint64(1 << place % 64)
        groups = np.zeros((len(self.groups), length), dtype=np.uint64)
        for row, group in enumerate(self.groups):
            for place in group:
                groups[row, place // 64] |= np.uint64(1 << place % 64)
        return bits, groups


def large_columns(question: Question, classes: Classes) -> list[str]:
    """Return the columns whose words set a threshold at one of many levels."""
    ordered = {
        word.column
        for word in question.words.values()
        if word.searched and word.compare in ("at least", "below", "at most")
    }
    return sorted(name for name in ordered if len(np.unique(classes.columns[name])) > SMALL)


def values_of(word: Word, column: NDArray[np.int64]) -> Iterator[Written | list[Written]]:
    """Yield every value that a condition on a small column takes."""
    if word.compare.startswith("holds"):
        held = [bit for bit in range(62) if (column >> bit & 1).any()]
        if word.compare == "holds all":
            yield from (word.values.write(bit) for bit in held)
            return
        for first, second in pairwise(held):
            yield [word.values.write(second), word.values.write(first)]
        for place in range(len(held) - 2):
            yield [word.values.write(bit) for bit in held[:place:-1]]
        return
    for level in np.unique(column).tolist():
        try:
            word.values.read(word.values.write(level))
        except ValueError:
            continue  # such as none of something, which no file writes
        yield word.values.write(level)


@numba.njit(cache=True, nogil=True)
def _name_groups(
    bits: NDArray[np.uint64],
    groups: NDArray[np.uint64],
    names: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add up the random names of the classes of each group; 0 for none."""
    for group in range(len(groups)):
        total = 0
        for place in range(len(bits)):
            holds = True
            for word in range(bits.shape[1]):
                if bits[place, word] & groups[group, word] != groups[group, word]:
                    holds = False
                    break
            if holds:
                total += names[place]
        sums[group] = total


@numba.njit(cache=True, nogil=True)
def _sweep(
    bits: NDArray[np.uint64],
    levels: NDArray[np.int64],
    groups: NDArray[np.uint64],
    gains: NDArray[np.int64],
    bad: NDArray[np.bool_],
    sums: NDArray[np.int64],
    at: NDArray[np.int64],
) -> None:
    """Find the best threshold of each group and option, from above and from below.

    `at` is the level of the threshold, -1 where the whole group is best.
    """
    inside = np.empty(len(bits), dtype=np.int64)
    for group in range(len(groups)):
        size = 0
        for place in range(len(bits)):
            holds = True
            for word in range(bits.shape[1]):
                if bits[place, word] & groups[group, word] != groups[group, word]:
                    holds = False
                    break
            if holds:
                inside[size] = place
                size += 1
        for option in range(len(gains)):
            best, level, total = _NONE, -1, 0
            for n in range(size - 1, -1, -1):
                place = inside[n]
                if bad[option, place]:
                    break
                total += gains[option, place]
                if n == 0:
                    if total >= best:
                        best, level = total, -1
                elif levels[inside[n - 1]] < levels[place] and total > best:
                    best, level = total, levels[place]
            sums[group, option, 0], at[group, option, 0] = best, level
            best, level, total = _NONE, -1, 0
            for n in range(size):
                place = inside[n]
                if bad[option, place]:
                    break
                total += gains[option, place]
                if n < size - 1 and levels[inside[n + 1]] > levels[place] and total > best:
                    best, level = total, levels[inside[n + 1]]
            sums[group, option, 1], at[group, option, 1] = best, level
