"""The exact figures of a strategy, and what each of its rules costs against the best play.

The cost of a rule is the sum, over the positions it decides, of the value of the best option less
that of its own, both with best play afterwards. Later positions count as often as the strategy
itself reaches them, so the costs of all rules add up to the cost of the strategy. Where a game has
rounded values (`KnowsBest`), the cost of the strategy is exact, and those of its rules are rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tapisvert.engine.sheet import Sheet
from tapisvert.lab.mathematics import mathematics_of
from tapisvert.odds.figures import Figure
from tapisvert.odds.parallel import Progress, no_progress, part
from tapisvert.odds.vocabulary import Counted, Judged, KnowsBest, Spots, Vocabulary, Word, Written
from tapisvert.refusal import Refused
from tapisvert.strategies.faults import example, never_applies, not_legal, together, uncovered
from tapisvert.strategies.strategy_file import Rule, StrategyFile, check, numbers

MISTAKES = 5  # shown for each rule
_CANDIDATES = 400  # positions looked at to find mistakes with different ranks


@dataclass(frozen=True, slots=True)
class Mistake:
    """A position where a rule chooses a worse option; amounts are per first stake."""

    position: Mapping[str, Sequence[str]]
    best: str
    loss: Fraction  # in this position
    deals: int
    cost: Fraction  # over all deals


@dataclass(frozen=True, slots=True)
class RuleCost:
    """The deals that a rule decides, and its cost per first stake over all deals."""

    question: str
    number: int
    rule: Rule
    deals: int
    cost: Fraction
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A strategy over every deal of a sheet."""

    strategy: StrategyFile
    figure: Figure
    cost: Fraction  # per first stake, against the best play
    rules: tuple[RuleCost, ...]

    @property
    def best_edge(self) -> Fraction:
        """Return the player's mean net result with the best play."""
        return self.figure.edge + self.cost

    @property
    def costliest(self) -> RuleCost | None:
        """Return the rule that costs most, or None if the strategy is the best play."""
        found = max(self.rules, key=lambda each: each.cost)
        return found if found.cost else None


@dataclass
class _Tally:
    """Sums for one rule, while positions are decided."""

    deals: int = 0
    lost: int = 0
    shadowed: str = ""  # an example of a position that an earlier rule decides
    mistakes: list[tuple[int, int, int, int, Mapping[str, Sequence[str]], str]] = field(
        default_factory=list
    )

    @property
    def never(self) -> str:
        """Say why the rule decides no position."""
        return self.shadowed or "no position fits its conditions"


class Decider:
    """Decides positions by the rules of a strategy, and adds up what each rule costs."""

    def __init__(self, strategy: StrategyFile, vocabulary: Vocabulary) -> None:
        check(strategy, vocabulary)
        self._strategy, self._vocabulary = strategy, vocabulary
        self.tallies = {
            (question, place): _Tally()
            for question in vocabulary.questions
            for place in range(len(strategy.rules[question]))
        }

    def __call__(self, question: str, spots: Spots) -> NDArray[np.int8]:
        """Return the option of every position; refuse rules that do not fit them."""
        rules, words = self._strategy.rules[question], self._vocabulary.questions[question].words
        decided_by = np.full(len(spots.weights), -1, dtype=np.int16)
        free = spots.weights > 0
        for place, rule in enumerate(rules):
            tally = self.tallies[question, place]
            held = holds(rule.when, words, spots) & (spots.weights > 0)
            taken = np.flatnonzero(held & free)
            if not tally.deals and not len(taken) and not tally.shadowed and held.any():
                at = int(np.flatnonzero(held)[0])
                tally.shadowed = f"{example(spots, at)}: rule {decided_by[at] + 1} decides it"
            decided_by[taken], free[taken] = place, False
        decided = [np.flatnonzero(decided_by == place) for place in range(len(rules))]
        if faults := list(self._faults(question, spots, decided, free)):
            raise together(faults)
        chosen = np.full(len(spots.weights), -1, dtype=np.int8)
        for rule, taken in zip(rules, decided, strict=True):
            if len(taken):
                chosen[taken] = spots.options.index(rule.choose)
        judged = spots.judge(chosen) if spots.judge else _judged(spots, chosen)
        for place, taken in enumerate(decided):
            self._add(self.tallies[question, place], spots, taken, judged, chosen)
        return chosen

    def _faults(
        self,
        name: str,
        spots: Spots,
        decided: Sequence[NDArray[np.intp]],
        free: NDArray[np.bool_],
    ) -> Iterator[Refused]:
        """Yield the faults of the rules; those of rules that never apply come first."""
        question = self._vocabulary.questions[name]
        for place, taken in enumerate(decided):
            if question.whole and not len(taken):
                yield never_applies(name, place + 1, self.tallies[name, place].never)
        for place, (rule, taken) in enumerate(
            zip(self._strategy.rules[name], decided, strict=True)
        ):
            legal = np.zeros(len(spots.weights), dtype=np.bool_)
            if rule.choose in spots.options:
                legal = spots.legal[spots.options.index(rule.choose)]
            if not legal[taken].all():
                at = example(spots, int(taken[np.argmin(legal[taken])]))
                yield not_legal(name, question, place + 1, rule.choose, at)
        if free.any():
            yield uncovered(name, example(spots, int(np.flatnonzero(free)[0])))

    def _add(
        self,
        tally: _Tally,
        spots: Spots,
        taken: NDArray[np.intp],
        judged: Judged,
        chosen: NDArray[np.int8],
    ) -> None:
        weights, lost = spots.weights[taken], judged.lost[taken]
        tally.deals += int(weights.sum()) * spots.hidden
        tally.lost += exact_dot(weights, lost)
        total = weights.astype(np.float64) * lost  # orders positions; no figure comes from it
        least = tally.mistakes[-1][0] if len(tally.mistakes) == _CANDIDATES else 0
        wrong = np.flatnonzero((lost > 0) & (total > least))
        if len(wrong) > _CANDIDATES:
            wrong = wrong[np.argpartition(total[wrong], -_CANDIDATES)[-_CANDIDATES:]]
        for at in wrong.tolist():
            place = int(taken[at])
            best = judged.best(place)
            if best == spots.options[chosen[place]]:
                continue  # the best play sees more than the words can say (`ceiling`)
            entry = (int(weights[at]) * int(lost[at]), int(lost[at]), int(weights[at]))
            tally.mistakes.append((*entry, spots.hidden, spots.position(place), best))
        tally.mistakes.sort(key=lambda each: each[:3], reverse=True)
        del tally.mistakes[_CANDIDATES:]

    def finish(self, counted: Counted) -> tuple[RuleCost, ...]:
        """Return the costs; refuse a rule that decides no position."""
        found = []
        never = [
            never_applies(question, place + 1, tally.never)
            for (question, place), tally in self.tallies.items()
            if not tally.deals
        ]
        if never:
            raise together(never)
        for (question, place), tally in self.tallies.items():
            rule = self._strategy.rules[question][place]
            cost = Fraction(tally.lost, counted.unit * counted.deals)
            mistakes = _different(tally, counted)
            found.append(RuleCost(question, place + 1, rule, tally.deals, cost, mistakes))
        return tuple(found)


def _judged(spots: Spots, chosen: NDArray[np.int8]) -> Judged:
    """Compare the values of the chosen options with those of the best."""
    every = np.arange(len(chosen))
    best = np.where(spots.legal, spots.values, np.iinfo(np.int64).min).argmax(axis=0)
    top = spots.values[best, every] if spots.ceiling is None else spots.ceiling
    return Judged(top - spots.values[chosen, every], lambda place: spots.options[int(best[place])])


def _different(tally: _Tally, counted: Counted) -> tuple[Mistake, ...]:
    """Return the costliest mistakes, one for each set of ranks."""
    found: dict[str, Mistake] = {}
    for total, lost, weight, hidden, position, best in tally.mistakes:
        ranks = " ".join(f"{zone}{sorted(c[0] for c in at)}" for zone, at in position.items())
        if ranks not in found:
            found[ranks] = Mistake(
                position,
                best,
                Fraction(lost, counted.unit * hidden),
                weight * hidden,
                Fraction(total, counted.unit * counted.deals),
            )
    return tuple(list(found.values())[:MISTAKES])


def holds(
    when: Mapping[str, Written | list[Written]], words: Mapping[str, Word], spots: Spots
) -> NDArray[np.bool_]:
    """Tell for each position whether all conditions hold."""
    found = np.ones(len(spots.weights), dtype=np.bool_)
    for name, value in when.items():
        word = words[name]
        found &= compare(word, spots.column(word.column), numbers(word, value))
    return found


def compare(word: Word, column: NDArray[np.int64], levels: Sequence[int]) -> NDArray[np.bool_]:
    """Compare a column with the numbers of a condition."""
    bits = sum(1 << level for level in levels) if word.compare.startswith("holds") else 0
    found: NDArray[np.bool_]
    match word.compare:
        case "at least":
            found = column >= levels[0]
        case "at most":
            found = column <= levels[0]
        case "below":
            found = column < levels[0]
        case "holds all":
            found = (column & bits) == bits
        case "holds any":
            found = (column & bits) != 0
        case _:
            found = np.isin(column, levels)
    return found


def exact_dot(weights: NDArray[np.int64], values: NDArray[np.int64]) -> int:
    """Return the sum of products as a whole number of any size.

    >>> exact_dot(np.array([1 << 30]), np.array([1 << 62])) == 1 << 92
    True
    """
    high, low = values >> 31, values & (1 << 31) - 1
    if int(weights.sum()) >> 32:
        weights = weights.astype(object)  # whole numbers of any size
    return (int(weights @ high) << 31) + int(weights @ low)


def vocabulary_of(sheet: Sheet) -> Vocabulary:
    """Return the vocabulary of a sheet's game, or refuse."""
    found = mathematics_of(sheet).vocabulary
    if found is None:
        raise Refused("strategy/no_vocabulary", game=sheet.game)
    return found


def evaluate(
    strategy: StrategyFile,
    vocabulary: Vocabulary,
    counted: Counted,
    tell: Progress = no_progress,
) -> Evaluation:
    """Play a strategy in every position that is counted."""
    decider = Decider(strategy, vocabulary)
    figure = counted.play(strategy.name, decider, tell)
    rules = decider.finish(counted)
    cost = sum((each.cost for each in rules), Fraction(0))
    if isinstance(counted, KnowsBest):
        cost = counted.best_edge - figure.edge
    return Evaluation(strategy, figure, cost, rules)


def evaluated(strategy: StrategyFile, sheet: Sheet, tell: Progress = no_progress) -> Evaluation:
    """Count the positions of a sheet, and play a strategy in them."""
    vocabulary = vocabulary_of(sheet)
    check(strategy, vocabulary)
    counted = vocabulary.count(sheet, part(tell, 0, 0.8))
    return evaluate(strategy, vocabulary, counted, part(tell, 0.8, 1))
