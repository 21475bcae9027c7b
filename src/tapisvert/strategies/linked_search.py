"""The search at a question whose positions lead to one another, as hands of Blackjack do.

The gain of a rule depends on the other rules, so every list is valued as a whole. For one rule, all
conditions of up to two words are tried. For longer lists, candidates are ranked by their gain if no
other choice changes; the best are valued, and the best few lists are continued.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.parallel import Progress, no_progress, part, spread
from tapisvert.odds.vocabulary import LinkedPositions, Question, Written
from tapisvert.strategies.candidates import Candidates, When, values_of
from tapisvert.strategies.classes import Classes, distinct, searched_columns
from tapisvert.strategies.evaluation import compare
from tapisvert.strategies.lists import Lists, RuleList
from tapisvert.strategies.strategy_file import Rule, numbers

BEAM = 4
VALUED = 12  # candidates of each option that are valued, of those that seem to gain most
SCALE = 1e15  # doubles as whole numbers
_Rules = tuple[tuple[When, int], ...]


class _Listed(NamedTuple):
    """An ordered list of rules with a condition, the option otherwise, and what it is worth."""

    value: float
    rules: _Rules
    otherwise: int


def _order(listed: _Listed) -> tuple[float, int]:
    return -listed.value, sum(len(when) for when, _ in listed.rules)


def search_linked(
    question: Question,
    linked: LinkedPositions,
    known: Iterable[When],
    most: int,
    tell: Progress = no_progress,
) -> Lists:
    """Return the best list found of each length."""
    search = _Search(question, linked, known)
    beam = [search.valued((), option) for option in search.last]
    found = [max(beam, key=lambda each: each.value)]
    for length in range(1, most + 1):
        told = part(tell, (length - 1) / most, length / most)
        if length == 1:
            beam = search.exhausted(told)
        else:
            grown = {repr(each[1:]): each for listed in beam for each in search.grown(listed)}
            ranked = sorted(grown.values(), key=_order)[: 2 * BEAM]
            better = {repr(each[1:]): each for each in map(search.improved, ranked)}
            beam = sorted(better.values(), key=_order)[:BEAM]
            told(1.0)
        found.append(max([found[-1], *beam[:1]], key=lambda each: each.value))
    return Lists([search.written(each) for each in found], search.tried)


class _Search:
    def __init__(self, question: Question, linked: LinkedPositions, known: Iterable[When]) -> None:
        self._question, self._at = question, linked
        asked = searched_columns(question)
        first, self._place = distinct([linked.columns[name] for name in asked])
        options, size = linked.options, len(first)
        legal = np.ones((len(options), size), dtype=np.bool_)
        for option in range(len(options)):
            legal[option][self._place[~linked.legal[option]]] = False
        columns = {name: linked.columns[name][first] for name in asked}
        sums = np.zeros((len(options), size), dtype=np.int64)
        self._classes = Classes(options, sums, legal, columns)
        self._candidates = Candidates(question, self._classes, known)
        self.last = [option for option in range(len(options)) if linked.legal[option].all()]
        self.tried = 0
        self._masks: dict[str, NDArray[np.bool_]] = {}

    def mask(self, when: When) -> NDArray[np.bool_]:
        """Tell in which positions a condition holds."""
        name = repr(when)
        if name not in self._masks:
            held = np.ones(len(self._place), dtype=np.bool_)
            for each, value in when.items():
                word = self._question.words[each]
                held &= compare(word, self._at.columns[word.column], numbers(word, value))
            self._masks[name] = held
        return self._masks[name]

    def chosen(self, rules: _Rules, otherwise: int) -> NDArray[np.int8]:
        """Return the option of every position under a list."""
        found = np.full(len(self._place), otherwise, dtype=np.int8)
        for when, option in reversed(rules):
            found[self.mask(when)] = option
        return found

    def valued(self, rules: _Rules, otherwise: int) -> _Listed:
        """Value a list; a list with an illegal option gets the lowest value."""
        chosen = self.chosen(rules, otherwise)
        legal = np.take_along_axis(self._at.legal, chosen[None].astype(np.intp), axis=0).all()
        return _Listed(self._at.value(chosen) if legal else -np.inf, rules, otherwise)

    def exhausted(self, tell: Progress) -> list[_Listed]:
        """Try every rule of one or two words with one value each; return the best of each kind."""
        single = [
            (name, value)
            for name, word in self._question.words.items()
            for value in values_of(word, self._at.columns[word.column])
            if not isinstance(value, list)
        ]
        searched = {name for name, word in self._question.words.items() if word.searched}
        pairs = [each for each in single if each[0] in searched]
        whens: list[dict[str, Written | list[Written]]] = [{name: value} for name, value in single]
        whens += [
            {a: one, b: two} for n, (a, one) in enumerate(pairs) for b, two in pairs[:n] if a != b
        ]
        masks = {each: self.mask({each[0]: each[1]}) for each in single}
        ways = [
            (option, last)
            for option, last in permutations(range(len(self._at.options)), 2)
            if last in self.last
        ]
        self.tried = len(whens)

        def work(first: int, end: int) -> dict[tuple[int, int], _Listed]:
            best: dict[tuple[int, int], _Listed] = {}
            for when in whens[first:end]:
                held = np.ones(len(self._place), dtype=np.bool_)
                for each in when.items():
                    held &= masks[each]  # type: ignore[index]
                for option, last in ways:
                    if not held.any() or (held & ~self._at.legal[option]).any():
                        continue
                    value = self._at.value(np.where(held, option, last).astype(np.int8))
                    if (option, last) not in best or value > best[option, last].value:
                        best[option, last] = _Listed(value, ((when, option),), last)
            return best

        pieces = spread(work, len(whens), tell)
        every = [listed for piece in pieces for listed in piece.values()]
        best = {
            (each.rules[0][1], each.otherwise): each for each in sorted(every, key=_order)[::-1]
        }
        return sorted(best.values(), key=_order)[: 2 * BEAM]

    def grown(self, listed: _Listed) -> Iterator[_Listed]:
        """Yield the list with further rules at each of its places."""
        for place in range(len(listed.rules) + 1):
            yield from self._tried(listed.rules, place, listed.otherwise)

    def improved(self, listed: _Listed) -> _Listed:
        """Replace single rules by better ones while that gains."""
        better = True
        while better:
            better = False
            for place in range(len(listed.rules)):
                rest = (*listed.rules[:place], *listed.rules[place + 1 :])
                for found in self._tried(rest, place, listed.otherwise):
                    if found.value > listed.value + 1e-12:
                        listed, better = found, True
        return listed

    def _tried(self, rules: _Rules, place: int, otherwise: int) -> Iterator[_Listed]:
        """Yield lists with one more rule, the candidates that seem to gain most."""
        base = self.chosen(rules, otherwise)
        if not np.take_along_axis(self._at.legal, base[None].astype(np.intp), axis=0).all():
            return
        free = np.ones(len(base), dtype=np.bool_)
        for when, _ in rules[:place]:
            free &= ~self.mask(when)
        gains = self._at.gains(base) * free
        size = len(self._classes.options), self._classes.sums.shape[1]
        sums = np.zeros(size)
        bad = np.zeros(size, dtype=np.bool_)
        for option in range(size[0]):
            sums[option] = np.bincount(self._place, weights=gains[option], minlength=size[1])
            bad[option][self._place[free & ~self._at.legal[option]]] = True
        whole = np.rint(sums * SCALE).astype(np.int64)
        for each in self._candidates.best(whole, bad, VALUED):
            grown = (*rules[:place], (each.when, each.option), *rules[place:])
            yield self.valued(grown, otherwise)

    def written(self, listed: _Listed) -> RuleList:
        """Return a list as rules, without those that decide nothing."""
        free = np.ones(len(self._place), dtype=np.bool_)
        rules: list[Rule] = []
        for when, option in listed.rules:
            if (free & self.mask(when)).any():
                rules.append(Rule(self._at.options[option], dict(when)))
            free &= ~self.mask(when)
        rules.append(Rule(self._at.options[listed.otherwise]))
        return RuleList(int(listed.value * SCALE), tuple(rules))
