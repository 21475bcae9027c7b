"""The best play of a game, and the value of every option of a position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tapisvert.coach.advice import advise as values_of
from tapisvert.engine.sheet import Sheet
from tapisvert.lab import chart_store, mathematics
from tapisvert.library.refusals import explained
from tapisvert.library.sheets import sheet_of
from tapisvert.library.tables import html
from tapisvert.odds.mathematics import Advice
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.par.strategy import strategy as drawn
from tapisvert.refusal import Refused
from tapisvert.words import catalogue


@dataclass(frozen=True)
class OptionValues:
    """The value of every option: the mean net result in units of the first stake.

    After the option the best play follows.
    """

    record: Advice
    """The same as `tapis advise` prints it."""

    @property
    def options(self) -> dict[str, float]:
        """The value of each option."""
        return dict(self.record.options)

    @property
    def best(self) -> str | None:
        """The option that is worth most."""
        return self.record.best

    @explained
    def __getitem__(self, option: str) -> float:
        if option not in self.record.options:
            known = ", ".join(self.record.options)
            raise Refused("request/malformed", reason=f"the options are {known}")
        return self.record.options[option]

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {value:+.6f}" for name, value in self.record.options.items())
        return f"OptionValues(best {self.best}: {values})"

    def _repr_html_(self) -> str:
        found = self.record.options
        marks = ["best" if name in (self.best, self.record.insurance) else "" for name in found]
        return html({"option": list(found), "value": list(found.values()), "": marks})


@dataclass(frozen=True)
class StrategyChart:
    """The best play of a sheet. `data` has the form that suits the game (docs/prove.md)."""

    sheet: Sheet
    data: Any

    def __repr__(self) -> str:
        return f"StrategyChart({self.sheet.game}, sheet {self.sheet.hash[:12]})"

    def _repr_html_(self) -> str:
        return drawn(catalogue("en"), self.sheet.game, self.data)


@explained
def advise(position: Mapping[str, Any]) -> OptionValues:
    """Return the exact value of every option of a position (docs/advise.md says how to write it).

    >>> found = advise({"game": "casino-stud", "player": ["As", "Ad", "Qh", "5c", "3d"],
    ...                 "house": ["Kc"]})
    >>> found.best
    'play'
    """
    return OptionValues(values_of(position))


@explained
def strategy(
    game: str | Sheet, *, kept: bool = True, progress: Progress = no_progress
) -> StrategyChart:
    """Return the best play of a game or of a sheet.

    Charts of shipped sheets are in the package; others are worked out, which takes seconds to
    minutes. `kept=False` works it out in any case.
    """
    asked = sheet_of(game)
    found = chart_store.find(asked) if kept else None
    if found is None:
        found = chart_store.plain(mathematics.strategy(asked, progress))
    return StrategyChart(asked, found)
