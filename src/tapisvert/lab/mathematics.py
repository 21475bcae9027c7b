"""Loads the mathematics of a sheet's game on demand."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tapisvert.engine.sheet import Sheet
from tapisvert.extras import need
from tapisvert.games.registry import GAMES
from tapisvert.odds.figures import Figure
from tapisvert.odds.mathematics import Mathematics
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.refusal import Refused

if TYPE_CHECKING:
    from tapisvert.odds.simulation import SimulatedPlayer


def mathematics_of(sheet: Sheet) -> Mathematics:
    """Return the mathematics of a sheet's game; refuse where the extra it needs is missing."""
    need("prove")
    found: Mathematics = import_module(GAMES[sheet.game].odds).MATHEMATICS
    return found


def prove(sheet: Sheet, tell: Progress = no_progress) -> list[Figure]:
    """Prove every bet of the sheet's game; `tell` gets the progress."""
    return mathematics_of(sheet).prove(sheet, tell)


def strategy(sheet: Sheet, tell: Progress = no_progress) -> Any:
    """Compute the best play of the sheet's game; the game's `chart` defines its form."""
    return mathematics_of(sheet).chart(sheet, tell)


def simulated_player(sheet: Sheet, strategy: str, tell: Progress = no_progress) -> SimulatedPlayer:
    """Return a simulated player with a strategy; first compute what the strategy needs."""
    check_strategy(sheet, strategy)
    return mathematics_of(sheet).player(sheet, strategy, tell)


def check_strategy(sheet: Sheet, strategy: str) -> None:
    """Refuse a strategy that the sheet's game does not have."""
    strategies = GAMES[sheet.game].strategies
    if strategy not in strategies:
        known = ", ".join(strategies)
        raise Refused("simulate/strategy", strategy=str(strategy)[:64], known=known)
