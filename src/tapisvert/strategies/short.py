"""The best short strategies of a game: lists of at most K rules over all its questions.

Each question is searched alone, with best play at the others. The rules are then divided among the
questions so that the total cost is least. The strategies found are evaluated exactly.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.odds.parallel import Progress, no_progress, part
from tapisvert.odds.vocabulary import AsksAlone, Counted, LinksPositions, Spots, Surveys, Vocabulary
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.strategies.classes import Gatherer
from tapisvert.strategies.evaluation import Evaluation, evaluate, vocabulary_of
from tapisvert.strategies.linked_search import search_linked
from tapisvert.strategies.lists import Lists, RuleList, search_lists
from tapisvert.strategies.one_rule import best_alone
from tapisvert.strategies.strategy_file import StrategyFile, read_file, shipped

EXHAUSTED = (
    "tried: every rule of one condition, with every value and every list of values; and every rule"
    " of at most one threshold of the hand and two other conditions of one value (but words that"
    " are only tried alone), if the option otherwise is allowed in all positions but a few; better"
    " ones of these forms are excluded"
)
PAIRS_EXHAUSTED = (
    "tried: every rule of at most two conditions with one value each (words for the cards held only"
    " alone), if the option otherwise is always allowed; better ones of this form are excluded"
)
BEAM_SEARCH = "beam search; a better one is not excluded"
PUBLISHED = "a published one, better than what the search found; a better one is not excluded"


@dataclass(frozen=True, slots=True)
class ShortStrategy:
    """The best strategy found with at most `most` rules."""

    most: int
    evaluation: Evaluation
    method: str
    proved: bool  # whether no strategy of the forms tried is better


@dataclass(frozen=True, slots=True)
class ShortStrategies:
    """The best strategies found, one for each number of rules, and how they were found."""

    found: tuple[ShortStrategy, ...]
    candidates: int  # conditions tried for each rule
    seconds: float


class _Asked(NamedTuple):
    """A strategy to evaluate, and the method to report if it is the best of its length."""

    file: StrategyFile
    method: str
    proved: bool = False


def find_short(sheet: Sheet, most: int, tell: Progress = no_progress) -> ShortStrategies:
    """Search for the best strategies of one to `most` rules for a sheet."""
    vocabulary = vocabulary_of(sheet)
    counted = vocabulary.count(sheet, part(tell, 0, 0.2))
    started = time.perf_counter()
    known = [file for file in _known(sheet) if file.length <= most]
    lists, totals = _searched(sheet, vocabulary, counted, known, most, part(tell, 0.2, 0.7))
    asked = _asked(sheet, vocabulary, counted, lists, most)
    found = tuple(_evaluated(vocabulary, counted, asked, _best_known(known, totals), tell))
    tell(1.0)
    tried = sum(each.tried for each in lists.values())
    return ShortStrategies(found, tried, time.perf_counter() - started)


def _known(sheet: Sheet) -> Iterable[StrategyFile]:
    """Yield the shipped strategies whose figures are those of the sheet."""
    for path in shipped(sheet.game).values():
        file = read_file(path)
        if with_changes(load(sheet.game), dict(file.sheet)).hash == sheet.hash:
            yield file


def _searched(
    sheet: Sheet,
    vocabulary: Vocabulary,
    counted: Counted,
    known: Sequence[StrategyFile],
    most: int,
    tell: Progress,
) -> tuple[dict[str, Lists], Mapping[str, int | None]]:
    """Return the lists found for each question, and the values of published strategies."""
    rounded = isinstance(counted, LinksPositions)
    surveys = isinstance(counted, Surveys)
    files = known if surveys and not rounded else ()
    gatherer = Gatherer(vocabulary.questions, files, counted.deals if rounded else 1)

    def gather(name: str, spots: Spots) -> NDArray[np.int8]:
        if spots.judge is not None:  # the values of all options are missing
            raise Refused("strategy/no_search", game=sheet.game)
        return gatherer(name, spots)

    if isinstance(counted, Surveys):
        counted.survey(gather, part(tell, 0, 0.5))
    else:
        counted.play("optimal", gather, part(tell, 0, 0.5))
    lists = dict[str, Lists]()
    for done, (name, question) in enumerate(vocabulary.questions.items()):
        share = 0.5 / len(vocabulary.questions)
        told = part(tell, 0.5 + done * share, 0.5 + (done + 1) * share)
        conditions = [rule.when for file in known for rule in file.rules[name] if rule.when]
        linked = counted.linked(name, told) if isinstance(counted, LinksPositions) else None
        if linked is None:
            columns = gatherer.columns(name)
            classes = gatherer.classes(name)
            lists[name] = search_lists(question, classes, columns, conditions, most, told)
        else:
            lists[name] = search_linked(question, linked, conditions, most, told)
    return lists, gatherer.totals if files else {}


def _asked(
    sheet: Sheet,
    vocabulary: Vocabulary,
    counted: Counted,
    lists: Mapping[str, Lists],
    most: int,
) -> list[_Asked]:
    """Return the strategy of each length to evaluate."""
    found = []
    for length in range(1, most + 1):
        file = _strategy(sheet, lists, length)
        proved = length == 1 and (len(lists) == 1 or isinstance(counted, LinksPositions))
        told = PAIRS_EXHAUSTED if isinstance(counted, LinksPositions) else EXHAUSTED
        if length == 1 and isinstance(counted, AsksAlone):
            rules = best_alone(vocabulary.questions, counted)
            file, proved = _file(sheet, length, rules), True
        found.append(_Asked(file, told if proved else BEAM_SEARCH, proved))
    return found


def _best_known(
    known: Iterable[StrategyFile], totals: Mapping[str, int | None]
) -> dict[int, list[StrategyFile]]:
    """Return the published strategies by length; only the best of each where all are valued."""
    found: dict[int, list[StrategyFile]] = {}
    for file in known:
        if file.length and (not totals or totals[file.name] is not None):
            found.setdefault(file.length, []).append(file)
    if totals:
        return {
            length: [max(files, key=lambda file: totals[file.name] or 0)]
            for length, files in found.items()
        }
    return found


def _evaluated(
    vocabulary: Vocabulary,
    counted: Counted,
    asked: Sequence[_Asked],
    known: Mapping[int, Sequence[StrategyFile]],
    tell: Progress,
) -> Iterator[ShortStrategy]:
    """Yield the best strategy of each length; a published one where it is better."""
    best: ShortStrategy | None = None
    for length, searched in enumerate(asked, start=1):
        others = [_Asked(file, PUBLISHED) for file in known.get(length, ())]
        for each in (searched, *others):
            try:
                found = evaluate(each.file, vocabulary, counted)
            except Refused:
                continue  # one rule of the combined parts is never reached
            if best is None or found.cost < best.evaluation.cost:
                best = ShortStrategy(length, found, each.method, each.proved)
        tell(0.7 + 0.3 * length / len(asked))
        if best is not None:
            inherited = best.most < length
            best = ShortStrategy(
                length,
                best.evaluation,
                BEAM_SEARCH if inherited else best.method,
                best.proved and not inherited,
            )
            yield best


def _strategy(sheet: Sheet, lists: Mapping[str, Lists], length: int) -> StrategyFile:
    """Return the strategy of this many rules, divided among the questions as is best."""
    divided: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for each in lists.values():
        more: dict[int, tuple[int, tuple[int, ...]]] = {}
        for used, (total, parts) in divided.items():
            for size, found in enumerate(each.found[: length - used + 1]):
                sum_here = total + found.total
                if used + size not in more or sum_here > more[used + size][0]:
                    more[used + size] = sum_here, (*parts, size)
        divided = more
    _, sizes = max(divided.values(), key=lambda each: (each[0], -sum(each[1])))
    rules = {name: lists[name].found[size] for name, size in zip(lists, sizes, strict=True)}
    return _file(sheet, length, rules)


def _file(sheet: Sheet, length: int, rules: Mapping[str, RuleList]) -> StrategyFile:
    return StrategyFile(
        game=sheet.game,
        name=f"best-{length}",
        title={"en": f"The best found with {length} rules"},
        rules={name: found.rules for name, found in rules.items()},
    )
