"""Prove a sheet, or draw its best play: the mathematics of its game, loaded when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tapisvert.odds.cores import Tell, silent
from tapisvert.odds.figures import Figure
from tapisvert.sheets import Sheet


def prove(sheet: Sheet, tell: Tell = silent) -> list[Figure]:
    """Count every bet of the sheet's game; `tell` hears how far it is."""
    mathematics = import_module(f"tapisvert.odds.{sheet.game.replace('-', '_')}.proof")
    figures: list[Figure] = mathematics.prove(sheet, tell)
    return figures


def strategy(sheet: Sheet, tell: Tell = silent) -> Any:
    """Draw the best play of the sheet's game, in the form that suits it: see its `chart`."""
    mathematics = import_module(f"tapisvert.odds.{sheet.game.replace('-', '_')}.chart")
    return mathematics.chart(sheet, tell)
