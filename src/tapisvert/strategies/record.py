"""An evaluated strategy as `tapis prove --strategy --json` prints it; fractions are text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tapisvert.engine.sheet import Sheet
from tapisvert.lab.proof_store import StoredProof, ratio, written
from tapisvert.odds.vocabulary import Vocabulary, Written
from tapisvert.strategies.card import card, conditions
from tapisvert.strategies.evaluation import Evaluation, Mistake, RuleCost, vocabulary_of
from tapisvert.strategies.short import ShortStrategies
from tapisvert.strategies.strategy_file import Published, Source


class MistakeRecord(Struct, frozen=True):
    """A position where a rule chooses a worse option."""

    position: Mapping[str, Sequence[str]]
    best: str
    loss: str  # per first stake in this position
    deals: int
    cost: str  # per first stake over all deals


class RuleRecord(Struct, frozen=True):
    """A rule, the deals it decides, and its cost per first stake."""

    question: str
    number: int
    when: dict[str, Written | list[Written]]
    says: str
    choose: str
    deals: int
    cost: str
    mistakes: tuple[MistakeRecord, ...]


class StrategyRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A strategy over every deal of a sheet."""

    game: str
    sheet_hash: str
    name: str
    title: dict[str, str]
    figure: StoredProof
    best_edge: str
    cost: str  # per first stake, against the best play
    costliest: int | None  # the place of the costliest rule in `rules`
    rules: tuple[RuleRecord, ...]
    source: Source | None = None
    published: Published | None = None


def record(sheet: Sheet, vocabulary: Vocabulary, found: Evaluation) -> StrategyRecord:
    """Convert an evaluation to its printed form."""
    file = found.strategy
    return StrategyRecord(
        game=sheet.game,
        sheet_hash=sheet.hash,
        name=file.name,
        title=file.title,
        figure=written(sheet, found.figure),
        best_edge=ratio(found.best_edge),
        cost=ratio(found.cost),
        costliest=found.rules.index(found.costliest) if found.costliest else None,
        rules=tuple(_rule(each, vocabulary, sheet.game) for each in found.rules),
        source=file.source,
        published=file.published,
    )


def _rule(each: RuleCost, vocabulary: Vocabulary, game: str) -> RuleRecord:
    return RuleRecord(
        question=each.question,
        number=each.number,
        when=each.rule.when,
        says=conditions(each.rule, vocabulary.questions[each.question], game),
        choose=each.rule.choose,
        deals=each.deals,
        cost=ratio(each.cost),
        mistakes=tuple(map(_mistake, each.mistakes)),
    )


def _mistake(each: Mistake) -> MistakeRecord:
    return MistakeRecord(each.position, each.best, ratio(each.loss), each.deals, ratio(each.cost))


class ShortRecord(Struct, frozen=True):
    """The best strategy found with at most so many rules, as sentences and evaluated."""

    most: int
    method: str
    card: tuple[str, ...]
    strategy: StrategyRecord


class ShortStrategiesRecord(Struct, frozen=True):
    """The output of `tapis strategy GAME --rules K --json`."""

    game: str
    sheet_hash: str
    candidates: int  # conditions tried for each rule
    seconds: float
    strategies: tuple[ShortRecord, ...]


def short_record(sheet: Sheet, found: ShortStrategies) -> ShortStrategiesRecord:
    """Convert what a search found to its printed form."""
    vocabulary = vocabulary_of(sheet)
    return ShortStrategiesRecord(
        game=sheet.game,
        sheet_hash=sheet.hash,
        candidates=found.candidates,
        seconds=round(found.seconds, 1),
        strategies=tuple(
            ShortRecord(
                each.most,
                each.method,
                tuple(card(each.evaluation.strategy, vocabulary)),
                record(sheet, vocabulary, each.evaluation),
            )
            for each in found.found
        ),
    )
