"""Prove a sheet: the mathematics of its game, loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from tapisvert.odds.cores import Tell, silent
from tapisvert.odds.figures import Figure
from tapisvert.sheets import Sheet


def prove(sheet: Sheet, tell: Tell = silent) -> list[Figure]:
    """Count every bet of the sheet's game; `tell` hears how far it is."""
    mathematics = import_module(f"tapisvert.odds.{sheet.game.replace('-', '_')}")
    figures: list[Figure] = mathematics.prove(sheet, tell)
    return figures
