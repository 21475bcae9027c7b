"""Positions of a question joined into classes that no word tells apart.

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
    """Adds up positions by class, chunk by chunk, and decides each by its best option."""

    def __init__(self, questions: Mapping[str, Question]) -> None:
        self._questions = questions
        self.parts: dict[str, list[Classes]] = {}
        self.lost: dict[str, int] = {}

    def __call__(self, question: str, spots: Spots) -> NDArray[np.int8]:
        """Keep the classes of these positions; return the best options."""
        names = searched_columns(self._questions[question])
        reached = np.flatnonzero(spots.weights > 0)
        weights = spots.weights[reached]
        most = float(np.abs(spots.values[:, reached].astype(np.float64) @ weights).max(initial=0))
        must_fit(int(4 * most))
        columns = {name: spots.column(name)[reached] for name in names}
        kept = self.parts.setdefault(question, [])
        sums = spots.values[:, reached] * weights
        kept.append(_joined(spots.options, columns, sums, spots.legal[:, reached]))
        least = np.iinfo(np.int64).min
        best = np.where(spots.legal, spots.values, least).argmax(axis=0)
        return np.asarray(best, dtype=np.int8)

    def classes(self, question: str) -> Classes:
        """Join the classes of all chunks."""
        parts = self.parts[question]
        columns = {
            name: np.concatenate([part.columns[name] for part in parts])
            for name in parts[0].columns
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
    first, place = _distinct(columns.values())
    added = np.zeros((len(sums), len(first)), dtype=np.int64)
    allowed = np.ones((len(sums), len(first)), dtype=np.bool_)
    for option in range(len(sums)):
        np.add.at(added[option], place, sums[option])
        allowed[option][place[~legal[option]]] = False
    return Classes(
        options, added, allowed, {name: column[first] for name, column in columns.items()}
    )


def _distinct(columns: Iterable[NDArray[np.int64]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
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
