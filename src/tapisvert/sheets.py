"""Sheets by game id: the one a game ships with, or a custom file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tapisvert.engine import sheet_file
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import keys as keys
from tapisvert.engine.sheet_file import with_changes as with_changes
from tapisvert.games.registry import GAMES, known
from tapisvert.refusal import Refused


@cache
def load(game: str) -> Sheet:
    """Load the sheet a game ships with."""
    found = GAMES[known(game)]
    return sheet_file.load_file(found.folder / "sheet.toml", found.sheet_type)


def load_file(path: Path) -> Sheet:
    """Load a sheet from a file; the file names its game."""
    figures = sheet_file.read(path)
    game = figures.get("game")
    if isinstance(game, str) and game in GAMES:
        return sheet_file.typed(figures, GAMES[game].sheet_type, path.name)
    reason = "is missing" if game is None else f"must be one of {', '.join(GAMES)}"
    raise Refused("sheet/invalid", file=path.name, key="game", reason=reason)


def variants_of(sheet: Sheet) -> dict[str, Sheet]:
    """Return the variants of a game as sheets; what they do not change is as in this one."""
    declared = GAMES[sheet.game].variants()
    return {name: with_changes(sheet, changes) for name, changes in declared.items()}
