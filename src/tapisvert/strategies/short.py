"""The best short strategies of a game: lists of at most K rules over all its questions.

Each question is searched alone, with best play at the others. The numbers of rules are then divided
among the questions so that the costs add up to least. What is found is evaluated exactly.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.odds.parallel import Progress, no_progress, part
from tapisvert.odds.vocabulary import Counted, Vocabulary
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.strategies.classes import Gatherer
from tapisvert.strategies.evaluation import Evaluation, evaluate, vocabulary_of
from tapisvert.strategies.search import Listed, Search
from tapisvert.strategies.strategy_file import StrategyFile, read_file, shipped

EXHAUSTED = (
    "every rule with at most one threshold of the hand and two other conditions was tried;"
    " a better one of this form is excluded"
)
BEAM_SEARCH = "beam search; a better one is not excluded"


@dataclass(frozen=True, slots=True)
class ShortStrategy:
    """The best strategy found with at most so many rules."""

    most: int
    evaluation: Evaluation
    method: str


@dataclass(frozen=True, slots=True)
class ShortStrategies:
    """The best strategies found, one for each number of rules, and how they were found."""

    found: tuple[ShortStrategy, ...]
    candidates: int  # conditions tried for each rule
    seconds: float


def find_short(sheet: Sheet, most: int, tell: Progress = no_progress) -> ShortStrategies:
    """Search the best strategies of one to `most` rules for a sheet."""
    vocabulary = vocabulary_of(sheet)
    if not vocabulary.searchable:
        raise Refused("strategy/no_search", game=sheet.game)
    counted = vocabulary.count(sheet, part(tell, 0, 0.3))
    started = time.perf_counter()
    known = [file for file in _known(sheet) if file.length <= most]
    gatherer = Gatherer(vocabulary.questions)
    counted.play("optimal", gatherer, part(tell, 0.3, 0.4))
    searches, lists = dict[str, Search](), dict[str, list[Listed]]()
    for done, (name, question) in enumerate(vocabulary.questions.items()):
        share = 0.5 / len(vocabulary.questions)
        conditions = [rule.when for file in known for rule in file.rules[name] if rule.when]
        searches[name] = Search(question, gatherer.classes(name), conditions)
        begin = 0.4 + done * share
        lists[name] = searches[name].run(most, part(tell, begin, begin + share))
    found = tuple(_evaluated(sheet, vocabulary, counted, searches, lists, known, most))
    tell(1.0)
    tried = sum(search.candidates.count for search in searches.values())
    return ShortStrategies(found, tried, time.perf_counter() - started)


def _known(sheet: Sheet) -> Iterable[StrategyFile]:
    """Yield the shipped strategies whose figures are those of the sheet."""
    for path in shipped(sheet.game).values():
        file = read_file(path)
        if with_changes(load(sheet.game), dict(file.sheet)).hash == sheet.hash:
            yield file


def _evaluated(
    sheet: Sheet,
    vocabulary: Vocabulary,
    counted: Counted,
    searches: Mapping[str, Search],
    lists: Mapping[str, list[Listed]],
    known: Iterable[StrategyFile],
    most: int,
) -> Iterable[ShortStrategy]:
    """Yield the best strategy of each length; a shipped one where it is better."""
    several = len(searches) > 1
    best: Evaluation | None = None
    for length in range(1, most + 1):
        asked = [_strategy(sheet, searches, lists, length)]
        asked += [file for file in known if file.length == length]
        for file in asked:
            try:
                found = evaluate(file, vocabulary, counted)
            except Refused:
                continue  # the parts do not fit together: one rule is never reached
            if best is None or found.cost < best.cost:
                best = found
        if best is not None:
            proved = length == 1 and not several
            yield ShortStrategy(length, best, EXHAUSTED if proved else BEAM_SEARCH)


def _strategy(
    sheet: Sheet, searches: Mapping[str, Search], lists: Mapping[str, list[Listed]], length: int
) -> StrategyFile:
    """Return the strategy of this many rules, divided among the questions as is best."""
    divided: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for found in lists.values():
        more: dict[int, tuple[int, tuple[int, ...]]] = {}
        for used, (total, parts) in divided.items():
            for size, listed in enumerate(found[: length - used + 1]):
                sum_here = total + listed.total
                if used + size not in more or sum_here > more[used + size][0]:
                    more[used + size] = sum_here, (*parts, size)
        divided = more
    _, sizes = max(divided.values(), key=lambda each: (each[0], -sum(each[1])))
    rules = {
        name: tuple(searches[name].rules(lists[name][size]))
        for (name, size) in zip(lists, sizes, strict=True)
    }
    return StrategyFile(
        game=sheet.game,
        name=f"best-{length}",
        title={"en": f"The best found with {length} rules"},
        rules=rules,
    )
