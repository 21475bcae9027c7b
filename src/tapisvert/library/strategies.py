"""Strategies written as rules: their exact figures, and what each rule costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.extras import need
from tapisvert.games.registry import known
from tapisvert.library.bet_proof import BetProof
from tapisvert.library.refusals import check_whole, explained
from tapisvert.library.sheets import sheet_of
from tapisvert.library.tables import Cell, Rows, Shown, rows_of
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.refusal import Refused
from tapisvert.strategies.strategy_file import (
    Published,
    Source,
    StrategyFile,
    find,
    read_file,
    shipped,
    typed,
)

if TYPE_CHECKING:
    from tapisvert.strategies.record import (
        MistakeRecord,
        RuleRecord,
        ShortRecord,
        ShortStrategiesRecord,
        StrategyRecord,
    )

SHORT_MAX = 12  # rules


@dataclass(frozen=True, slots=True)
class StrategyEntry(Shown):
    """A shipped strategy: its name, title, length and source."""

    file: StrategyFile

    def cells(self) -> Mapping[str, Cell]:
        """Return the row of this strategy."""
        source = self.file.source
        return {
            "name": self.file.name,
            "title": self.file.title.get("en", ""),
            "rules": self.file.length,
            "source": source.address if source else "",
        }


@dataclass(frozen=True, slots=True)
class Mistake(Shown):
    """A position where a rule chooses a worse option; `loss` is per first stake there."""

    record: MistakeRecord

    def cells(self) -> Mapping[str, Cell]:
        """Return the row of this position."""
        cards = ", ".join(f"{zone} {' '.join(held)}" for zone, held in self.record.position.items())
        return {
            "position": cards,
            "best": self.record.best,
            "loss": Fraction(self.record.loss),
            "deals": self.record.deals,
            "cost": Fraction(self.record.cost),
        }


@dataclass(frozen=True, slots=True)
class RuleValue(Shown):
    """A rule of a strategy: the deals it decides, and what it costs per first stake."""

    record: RuleRecord

    @property
    def cost(self) -> Fraction:
        """The mean loss per first stake against the best play."""
        return Fraction(self.record.cost)

    @property
    def mistakes(self) -> Rows[Mistake]:
        """The positions where the rule loses most."""
        return rows_of(map(Mistake, self.record.mistakes))

    def cells(self) -> Mapping[str, Cell]:
        """Return the row of this rule."""
        return {
            "question": self.record.question,
            "rule": self.record.number,
            "when": self.record.says,
            "choose": self.record.choose,
            "deals": self.record.deals,
            "cost": self.cost,
        }


@dataclass(frozen=True)
class StrategyProof:
    """A strategy over every deal. All figures are exact, per unit of the first stake."""

    sheet: Sheet
    record: StrategyRecord
    """The record that `tapis prove --strategy --json` prints."""

    @property
    def main(self) -> BetProof:
        """The figures of the main bet under this strategy, as `prove` gives them."""
        return BetProof(self.record.figure)

    @property
    def edge(self) -> Fraction:
        """The player's mean net result per first stake."""
        return self.main.edge

    @property
    def element_of_risk(self) -> Fraction:
        """The player's mean net result per money staked."""
        return self.main.element_of_risk

    @property
    def cost(self) -> Fraction:
        """What the strategy loses per first stake against the best play."""
        return Fraction(self.record.cost)

    @property
    def rules(self) -> Rows[RuleValue]:
        """Every rule with the deals it decides and its cost; the costs add up to `cost`."""
        return rows_of(map(RuleValue, self.record.rules))

    @property
    def costliest(self) -> RuleValue | None:
        """The rule that costs most; None for the best play."""
        place = self.record.costliest
        return None if place is None else self.rules[place]

    @property
    def source(self) -> Source | None:
        """Where the strategy was read."""
        return self.record.source

    @property
    def published(self) -> Published | None:
        """What the source prints."""
        return self.record.published

    def __repr__(self) -> str:
        return (
            f"StrategyProof({self.sheet.game}, {self.record.name}: edge"
            f" {self.record.figure.edge}, cost {self.record.cost})"
        )

    def _repr_html_(self) -> str:
        return self.main._repr_html_() + self.rules._repr_html_()


@explained
def strategy_files(game: str) -> Rows[StrategyEntry]:
    """Return the strategies that come with a game, as files of rules.

    >>> [each.file.name for each in strategy_files("casino-stud")][:2]
    ['AKJ83-or-better', 'ace-king-or-better']
    """
    return rows_of(StrategyEntry(read_file(path)) for path in shipped(known(game)).values())


@explained
def prove_strategy(
    game: str | Sheet,
    strategy: str | Path | Mapping[str, Any],
    *,
    progress: Progress = no_progress,
) -> StrategyProof:
    """Return the exact figures of a strategy written as rules (docs/strategies.md).

    `strategy` is the name of a shipped one, the path of a file, or the content of a file as a
    mapping. Figures under its `sheet` replace those of the shipped sheet, but not those of a sheet
    given as `game`.
    """
    asked = sheet_of(game)
    file = strategy_of(asked.game, strategy)
    if isinstance(game, str):
        asked = with_changes(asked, dict(file.sheet))
    need("prove")
    from tapisvert.strategies.evaluation import evaluated, vocabulary_of
    from tapisvert.strategies.record import record

    found = evaluated(file, asked, progress)
    return StrategyProof(asked, record(asked, vocabulary_of(asked), found))


@dataclass(frozen=True, slots=True)
class ShortStrategy(Shown):
    """The best strategy found with at most `most` rules."""

    record: ShortRecord

    @property
    def most(self) -> int:
        """The number of rules with a condition that were allowed."""
        return self.record.most

    @property
    def cost(self) -> Fraction:
        """What it loses per first stake against the best play."""
        return Fraction(self.record.strategy.cost)

    @property
    def edge(self) -> Fraction:
        """The player's mean net result per first stake."""
        return Fraction(self.record.strategy.figure.edge)

    @property
    def card(self) -> tuple[str, ...]:
        """The rules as sentences, in order."""
        return self.record.card

    def cells(self) -> Mapping[str, Cell]:
        """Return the row of this strategy."""
        return {
            "rules": self.most,
            "edge": self.edge,
            "cost": self.cost,
            "card": " ".join(self.card),
            "search": self.record.method,
        }


@dataclass(frozen=True)
class ShortStrategies:
    """The best short strategies found for a sheet, one for each number of rules."""

    sheet: Sheet
    record: ShortStrategiesRecord
    """The record that `tapis strategy --rules --json` prints."""

    @property
    def found(self) -> Rows[ShortStrategy]:
        """The best strategy of each length, from one rule on."""
        return rows_of(map(ShortStrategy, self.record.strategies))

    def __repr__(self) -> str:
        return f"ShortStrategies({self.sheet.game}, {len(self.found)} lengths)"

    def _repr_html_(self) -> str:
        return self.found._repr_html_()


@explained
def short_strategies(
    game: str | Sheet, rules: int, *, progress: Progress = no_progress
) -> ShortStrategies:
    """Search for the best strategies of one to `rules` rules; each is evaluated exactly.

    The `method` of each states whether the search excludes a better one of the same length.
    """
    asked = sheet_of(game)
    check_whole("rules", rules, 1, SHORT_MAX)
    need("prove")
    from tapisvert.strategies.record import short_record
    from tapisvert.strategies.short import find_short

    return ShortStrategies(asked, short_record(asked, find_short(asked, rules, progress)))


def strategy_of(game: str, strategy: str | Path | Mapping[str, Any]) -> StrategyFile:
    """Return the strategy a caller means; refuse one of another game."""
    if isinstance(strategy, Mapping):
        file = typed(strategy, "strategy")
    else:
        file = find(game, str(strategy))
    if file.game != game:
        raise Refused("prove/contradiction", reason=f"the strategy is for {file.game}")
    return file
