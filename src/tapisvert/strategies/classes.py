"""Joins the positions of a question into classes; no word distinguishes positions of one class.

A search values thousands of rules. Every rule treats the positions of a class alike, so one sum per
class and option is enough. The sums are whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.combinatorics import must_fit
from tapisvert.odds.vocabulary import Question, Spots
from tapisvert.strategies.evaluation import holds
from tapisvert.strategies.strategy_file import StrategyFile


class Classes(NamedTuple):
    """The classes of a question: a row of sums for each option, and their columns."""

    options: tuple[str, ...]
    sums: NDArray[np.int64]  # weights x values
    legal: NDArray[np.bool_]
    columns: Mapping[str, NDArray[np.int64]]

    def spots(self) -> Spots:
        """Return the classes in the form in which rules decide positions."""
        weights = np.ones(self.sums.shape[1], dtype=np.int64)
        return Spots(self.options, weights, 1, self.sums, self.legal, self._column, _no_cards)

    def _column(self, name: str) -> NDArray[np.int64]:
        return self.columns[name]

    @property
    def best(self) -> NDArray[np.int64]:
        """Return the best sum that one legal option reaches in each class."""
        least = np.iinfo(np.int64).min
        found: NDArray[np.int64] = np.where(self.legal, self.sums, least).max(axis=0)
        return found


def _no_cards(_: int) -> Mapping[str, Sequence[str]]:
    return {}


class Gatherer:
    """Adds up positions by class, chunk by chunk, and decides each by its best option.

    It also has separate sums for every column of a word, for rules of one condition. The strategies
    `files` are evaluated in the same pass. If values are rounded, one deal weighs `parts`.
    """

    def __init__(
        self,
        questions: Mapping[str, Question],
        files: Sequence[StrategyFile] = (),
        parts: int = 1,
    ) -> None:
        self._questions, self._files, self._of_one = questions, files, parts
        self._kept: dict[str, dict[str, list[Classes]]] = {}
        self.totals: dict[str, int | None] = {file.name: 0 for file in files}

    def __call__(self, question: str, spots: Spots) -> NDArray[np.int8]:
        """Add the classes of these positions; return the best options."""
        reached = np.flatnonzero(spots.weights > 0)
        sums, legal = self._sums(spots, reached), spots.legal[:, reached]
        kept = self._kept.setdefault(question, {})
        words = self._questions[question].words.values()
        searched = searched_columns(self._questions[question])
        for name in {_EVERY, *(word.column for word in words if word.column not in searched)}:
            asked = searched if name == _EVERY else [name]
            columns = {each: spots.column(each)[reached] for each in asked}
            kept.setdefault(name, []).append(_joined(spots.options, columns, sums, legal))
        for file in self._files:
            self._value(file, question, spots, reached, sums)
        least = np.iinfo(np.int64).min
        best = np.where(spots.legal, spots.values, least).argmax(axis=0)
        return np.asarray(best, dtype=np.int8)

    def _sums(self, spots: Spots, reached: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the values of all options times the weights."""
        values, weights = spots.values[:, reached], spots.weights[reached]
        if self._of_one > 1:
            return np.rint(values * (weights / self._of_one)).astype(np.int64)
        most = float(np.abs(values.astype(np.float64) @ weights).max(initial=0))
        must_fit(int(4 * most))
        found: NDArray[np.int64] = values * weights
        return found

    def _value(
        self,
        file: StrategyFile,
        question: str,
        spots: Spots,
        reached: NDArray[np.intp],
        sums: NDArray[np.int64],
    ) -> None:
        """Add the value of a strategy to its total; None if it cannot be played."""
        free = spots.weights > 0
        total = self.totals[file.name]
        for rule in file.rules[question]:
            taken = free & holds(rule.when, self._questions[question].words, spots)
            option = spots.options.index(rule.choose) if rule.choose in spots.options else -1
            if total is None or (taken.any() and not spots.legal[option][taken].all()):
                total = None
                break
            total += int(sums[option][taken[reached]].sum())
            free &= ~taken
        self.totals[file.name] = None if free.any() else total

    def classes(self, question: str) -> Classes:
        """Join the classes of all chunks."""
        return _together(self._kept[question][_EVERY])

    def columns(self, question: str) -> Mapping[str, Classes]:
        """Return the sums of every column that a word of the question compares."""
        kept = self._kept[question]
        found = {name: _together(parts) for name, parts in kept.items() if name != _EVERY}
        every = self.classes(question)
        for name, column in every.columns.items():
            found[name] = _joined(every.options, {name: column}, every.sums, every.legal)
        return found


_EVERY = ""  # the classes of all searched columns


def _together(parts: Sequence[Classes]) -> Classes:
    columns = {
        name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].columns
    }
    sums = np.concatenate([part.sums for part in parts], axis=1)
    legal = np.concatenate([part.legal for part in parts], axis=1)
    return _joined(parts[0].options, columns, sums, legal)


def searched_columns(question: Question) -> list[str]:
    """Return the columns of the words that a search uses."""
    return sorted({word.column for word in question.words.values() if word.searched})


def _joined(
    options: tuple[str, ...],
    columns: Mapping[str, NDArray[np.int64]],
    sums: NDArray[np.int64],
    legal: NDArray[np.bool_],
) -> Classes:
    """Add up positions with equal columns."""
    first, place = distinct(columns.values())
    added = np.zeros((len(sums), len(first)), dtype=np.int64)
    allowed = np.ones((len(sums), len(first)), dtype=np.bool_)
    for option in range(len(sums)):
        np.add.at(added[option], place, sums[option])
        allowed[option][place[~legal[option]]] = False
    return Classes(
        options, added, allowed, {name: column[first] for name, column in columns.items()}
    )


def distinct(columns: Iterable[NDArray[np.int64]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return a row of each class, and the class of each row."""
    given = list(columns)
    factor = np.uint64(0x9E3779B97F4A7C15)
    names = np.zeros(len(given[0]), dtype=np.uint64)
    for column in given:
        names = (names + column.astype(np.uint64)) * factor
        names ^= names >> np.uint64(29)
    _, first, place = np.unique(names, return_index=True, return_inverse=True)
    for column in given:  # two classes with the same name would be joined
        if not np.array_equal(column, column[first][place]):
            raise AssertionError("two classes of positions have the same name")
    return first, place


def without_idle_levels(classes: Classes, column: str) -> Classes:
    """Join neighbouring levels of a column where one of two options is best in every class.

    A threshold between such levels can move to their end without loss: a rule for the better option
    then decides more of them, a rule for the other one fewer.
    """
    if len(classes.options) != 2:
        return classes
    values = classes.columns[column]
    levels, place = np.unique(values, return_inverse=True)
    better = np.zeros((2, len(levels)), dtype=np.bool_)
    legal = classes.legal.all(axis=0)
    for option in range(2):
        ahead = (classes.sums[option] > classes.sums[1 - option]) & legal
        better[option][place[ahead | ~legal & classes.legal[option]]] = True
    side = np.where(better.all(axis=0), -1, better[1])  # -1: it depends on the class
    first = np.arange(len(levels))
    for level in range(1, len(levels)):
        if side[level] >= 0 and side[level] == side[level - 1]:
            first[level] = first[level - 1]
    columns = {**classes.columns, column: levels[first[place]]}
    return _joined(classes.options, columns, classes.sums, classes.legal)
