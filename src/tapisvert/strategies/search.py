"""A search for the best lists of at most K rules for one question.

One rule: every candidate with every option, and every option otherwise (exhaustion). Longer lists:
beam search. Each list of a length grows by the best rule at each of its places; then each of its
rules is replaced by the best candidate while that gains. The best few lists are continued.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.combinatorics import must_fit
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.odds.vocabulary import Question
from tapisvert.strategies.candidates import Candidates, When, large_columns
from tapisvert.strategies.classes import Classes, without_idle_levels
from tapisvert.strategies.evaluation import holds
from tapisvert.strategies.strategy_file import Rule

BEAM = 3
_FEW = 64  # classes in which an option may be illegal and still be the last rule's


class Listed(NamedTuple):
    """An ordered list of rules with a condition, and the option of the last rule."""

    rules: tuple[tuple[When, int], ...]
    otherwise: int
    total: int  # net results of all deals


def _order(listed: Listed) -> tuple[int, int]:
    """Order lists, the best first; of equal ones that with the fewest conditions."""
    return -listed.total, sum(len(when) for when, _ in listed.rules)


class Search:
    """The search over the classes of one question."""

    def __init__(self, question: Question, classes: Classes, known: Iterable[When] = ()) -> None:
        for column in large_columns(question, classes):
            classes = without_idle_levels(classes, column)
        self._question, self._classes = question, classes
        self._spots = classes.spots()
        self.candidates = Candidates(question, classes, known)
        illegal = (~classes.legal).sum(axis=1)
        last = [n for n in range(len(classes.options)) if illegal[n] <= _FEW]
        # Of equal lists the one that ends with the poorest option reads best: "otherwise fold".
        self._last = sorted(last, key=lambda option: int(classes.sums[option].sum()))
        self._penalty = 2 * int(np.abs(classes.sums).sum(axis=1).max()) + 1
        must_fit((_FEW + 2) * self._penalty)
        self._far = min(self._penalty, (1 << 61) // classes.sums.shape[1])  # of every class, fits
        self._masks: dict[str, NDArray[np.bool_]] = {}

    def run(self, most: int, tell: Progress = no_progress) -> list[Listed]:
        """Return the best list found of each length, from no rule to `most`."""
        beam = [self._valued((), option) for option in self._last]
        found = [max(beam, key=lambda each: each.total)]
        for length in range(1, most + 1):
            grown: dict[tuple[object, ...], Listed] = {}
            for each in beam:
                for more in self._grown(each, many=1 if length == 1 else 2):
                    grown[self._key(more)] = more
            ranked = sorted(grown.values(), key=_order)
            if length > 1:  # one rule is exhausted already
                better = [self._improved(each) for each in ranked[: 2 * BEAM]]
                ranked = sorted({self._key(each): each for each in better}.values(), key=_order)
            # After one rule more lists are continued: one with another last rule may become best.
            beam = ranked[: 2 * BEAM if length == 1 else BEAM]
            best = beam[0] if beam and beam[0].total > found[-1].total else found[-1]
            found.append(best)
            tell(length / most)
        return found

    def rules(self, listed: Listed) -> list[Rule]:
        """Return a list as rules, without those that decide nothing."""
        free = np.ones(self._classes.sums.shape[1], dtype=np.bool_)
        found = []
        for when, option in listed.rules:
            mask = self._mask(when)
            if (free & mask).any():
                found.append(Rule(self._classes.options[option], dict(when)))
            free &= ~mask
        if free.any():
            found.append(Rule(self._classes.options[listed.otherwise]))
        return found

    def _key(self, listed: Listed) -> tuple[object, ...]:
        return (tuple((repr(when), option) for when, option in listed.rules), listed.otherwise)

    def _mask(self, when: When) -> NDArray[np.bool_]:
        name = repr(when)
        if name not in self._masks:
            self._masks[name] = holds(when, self._question.words, self._spots)
        return self._masks[name]

    def _chosen(self, rules: Sequence[tuple[When, int]], otherwise: int) -> NDArray[np.intp]:
        """Return the option of each class under a list."""
        found = np.full(self._classes.sums.shape[1], otherwise, dtype=np.intp)
        for when, option in reversed(rules):
            found[self._mask(when)] = option
        return found

    def _decided(self, rules: Sequence[tuple[When, int]], otherwise: int) -> NDArray[np.int64]:
        """Return the sum of each class under a list; a penalty where the option is illegal."""
        chosen = self._chosen(rules, otherwise)[None]
        sums = np.take_along_axis(self._classes.sums, chosen, axis=0)[0]
        legal = np.take_along_axis(self._classes.legal, chosen, axis=0)[0]
        found: NDArray[np.int64] = sums - self._far * ~legal
        return found

    def _valued(self, rules: tuple[tuple[When, int], ...], otherwise: int) -> Listed:
        chosen = self._chosen(rules, otherwise)[None]
        total = int(np.take_along_axis(self._classes.sums, chosen, axis=0).sum())
        illegal = int((~np.take_along_axis(self._classes.legal, chosen, axis=0)).sum())
        return Listed(rules, otherwise, total - self._penalty * min(illegal, _FEW + 1))

    def _grown(self, listed: Listed, many: int) -> Iterator[Listed]:
        """Yield the list with the best further rule at each of its places."""
        for place in range(len(listed.rules) + 1):
            for when, option in self._best_at(listed, place, place, many):
                rules = (*listed.rules[:place], (when, option), *listed.rules[place:])
                yield self._valued(rules, listed.otherwise)

    def _best_at(
        self, listed: Listed, place: int, after: int, many: int = 1
    ) -> Iterator[tuple[When, int]]:
        """Yield the best rules of each option before the rules from `after` on."""
        free = np.ones(self._classes.sums.shape[1], dtype=np.bool_)
        for when, _ in listed.rules[:place]:
            free &= ~self._mask(when)
        later = self._decided(listed.rules[after:], listed.otherwise)
        gains = np.where(free, self._classes.sums - later, 0)
        bad = free & ~self._classes.legal
        for found in self.candidates.best(gains, bad, many):
            yield found.when, found.option

    def _improved(self, listed: Listed) -> Listed:
        """Replace single rules by better ones while that gains."""
        better = True
        while better:
            better = False
            for place in range(len(listed.rules)):
                for when, option in self._best_at(listed, place, place + 1):
                    rules = (*listed.rules[:place], (when, option), *listed.rules[place + 1 :])
                    found = self._valued(rules, listed.otherwise)
                    if found.total > listed.total:
                        listed, better = found, True
        return listed
