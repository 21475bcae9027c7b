"""The lists found for one question, the best of each length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.odds.vocabulary import Question
from tapisvert.strategies.candidates import When
from tapisvert.strategies.classes import Classes
from tapisvert.strategies.one_condition import best_single
from tapisvert.strategies.search import Search
from tapisvert.strategies.strategy_file import Rule


class RuleList(NamedTuple):
    """Rules in order, and what it is worth over all positions."""

    total: int
    rules: tuple[Rule, ...]


class Lists(NamedTuple):
    """The best list found of each length, from no rule on, and how many conditions were tried."""

    found: list[RuleList]
    tried: int


def search_lists(
    question: Question,
    classes: Classes,
    columns: Mapping[str, Classes],
    known: Iterable[When],
    most: int,
    tell: Progress = no_progress,
) -> Lists:
    """Search for the best lists at a question whose positions do not lead to one another."""
    search = Search(question, classes, known)
    found = [RuleList(each.total, tuple(search.rules(each))) for each in search.run(most, tell)]
    single = best_single(question, columns)
    for length in range(1, len(found)):
        if single is not None and single.total > found[length].total:
            rules = (
                Rule(classes.options[single.option], dict(single.when)),
                Rule(classes.options[single.otherwise]),
            )
            found[length] = RuleList(single.total, rules)
    return Lists(found, search.candidates.count)
