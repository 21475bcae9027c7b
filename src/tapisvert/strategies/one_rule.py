"""Finds the best strategy of one rule at a game with several questions, by exhaustion.

The rule belongs to one question; every other question always gets the same answer. The cases are
all questions with all answers to the others, searched from the highest bound down. The search ends
when the bound of a case is no better than the best strategy found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from tapisvert.odds.parallel import no_progress
from tapisvert.odds.vocabulary import AsksAlone, Question
from tapisvert.strategies.classes import Gatherer
from tapisvert.strategies.lists import RuleList, search_lists
from tapisvert.strategies.strategy_file import Rule


def best_alone(questions: Mapping[str, Question], counted: AsksAlone) -> dict[str, RuleList]:
    """Return the rules of the best strategy of one rule."""
    bounds = [(counted.bound(*case), case) for case in _cases(questions)]
    cases = [(bound, case) for bound, case in bounds if bound is not None]
    best: tuple[int, dict[str, RuleList]] | None = None
    for bound, (name, others) in sorted(cases, key=lambda each: -each[0]):
        if best is not None and bound <= best[0]:
            break
        gatherer = Gatherer(questions)
        counted.alone(name, others, gatherer, no_progress)
        classes, columns = gatherer.classes(name), gatherer.columns(name)
        found = search_lists(questions[name], classes, columns, (), 1).found[1]
        if len(found.rules) > 1 and (best is None or found.total > best[0]):
            rules = {each: RuleList(0, (Rule(option),)) for each, option in others.items()}
            best = found.total, {each: rules.get(each, found) for each in questions}
    assert best is not None
    return best[1]


def _cases(questions: Mapping[str, Question]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each question with each combination of answers to the others."""
    for name in questions:
        others = [each for each in questions if each != name]
        for answers in product(*(questions[each].options for each in others)):
            yield name, dict(zip(others, answers, strict=True))
