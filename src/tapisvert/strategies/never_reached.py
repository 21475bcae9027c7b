"""Finds rules that never apply, from their conditions alone.

A rule never applies if its conditions on one column exclude each other, or if an earlier rule has
weaker conditions on every column. Cases that depend on the positions are found by the count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import NamedTuple

from tapisvert.odds.vocabulary import Compare


class Condition(NamedTuple):
    """A column compared with numbers, and the text of it in the file."""

    column: str
    compare: Compare
    levels: Sequence[int]
    text: str


class Left(NamedTuple):
    """The values of a column that satisfy some conditions: a range, or single values in it."""

    least: float = -inf
    most: float = inf
    among: frozenset[int] | None = None
    holds: frozenset[int] = frozenset()  # bits that are all set
    any_of: tuple[frozenset[int], ...] = ()  # one bit of each is set

    def and_also(self, condition: Condition) -> Left:
        """Return the values that also satisfy a further condition."""
        levels = frozenset(condition.levels)
        match condition.compare:
            case "at least":
                return self._replace(least=max(self.least, *levels))._within()
            case "at most":
                return self._replace(most=min(self.most, *levels))._within()
            case "below":
                return self._replace(
                    most=min(self.most, *(level - 1 for level in levels))
                )._within()
            case "holds all":
                return self._replace(holds=self.holds | levels)
            case "holds any":
                return self._replace(any_of=(*self.any_of, levels))
            case _:
                among = levels if self.among is None else self.among & levels
                return self._replace(among=among)._within()

    def _within(self) -> Left:
        if self.among is None:
            return self
        inside = frozenset(level for level in self.among if self.least <= level <= self.most)
        return self._replace(among=inside)

    @property
    def empty(self) -> bool:
        """Tell whether no value is left."""
        return self.least > self.most or (self.among is not None and not self.among)

    def all_fit(self, condition: Condition) -> bool:
        """Tell whether every value that is left fulfils a condition."""
        levels = frozenset(condition.levels)
        match condition.compare:
            case "holds all":
                return levels <= self.holds
            case "holds any":
                return bool(levels & self.holds) or any(each <= levels for each in self.any_of)
            case _:
                narrower = self.and_also(condition)
                return (self.bounds, self.among) == (narrower.bounds, narrower.among)

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the least and the greatest value that is left."""
        if self.among:
            return min(self.among), max(self.among)
        return self.least, self.most


def never_reached(rules: Sequence[Sequence[Condition]]) -> Iterator[tuple[int, str]]:
    """Yield the number of each rule that never applies, and why."""
    left = [_left(conditions) for conditions in rules]
    for place, (conditions, columns) in enumerate(zip(rules, left, strict=True)):
        if empty := next((name for name, each in columns.items() if each.empty), None):
            texts = [each.text for each in conditions if each.column == empty]
            yield place + 1, f"{' and '.join(texts)} exclude each other"
            continue
        for earlier, asked in enumerate(rules[:place]):
            if not asked:
                yield place + 1, f"rule {earlier + 1} has no condition and decides every position"
                break
            if all(columns.get(each.column, Left()).all_fit(each) for each in asked):
                told = " and ".join(each.text for each in asked)
                yield place + 1, f"rule {earlier + 1} ({told}) decides all its positions"
                break


def _left(conditions: Sequence[Condition]) -> Mapping[str, Left]:
    """Return, for each column, the values that satisfy the conditions of a rule."""
    columns: dict[str, Left] = {}
    for each in conditions:
        columns[each.column] = columns.get(each.column, Left()).and_also(each)
    return columns
