"""Which games there are, and the sheets they are played by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tapisvert import sheets as stored
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import GAMES
from tapisvert.library.refusals import explained
from tapisvert.library.tables import Cell, Rows, Shown, rows_of
from tapisvert.refusal import Refused
from tapisvert.words import catalogue


@dataclass(frozen=True, slots=True)
class GameEntry(Shown):
    """An installed game: its id, its name, the bets that are proved and the strategies."""

    id: str
    name: str
    bets: tuple[str, ...]
    strategies: tuple[str, ...]

    def cells(self) -> Mapping[str, Cell]:
        """Return the row of this game."""
        return {
            "id": self.id,
            "name": self.name,
            "bets": ", ".join(self.bets),
            "strategies": ", ".join(self.strategies),
        }


def games() -> Rows[GameEntry]:
    """Return the installed games."""
    words = catalogue("en")
    return rows_of(
        GameEntry(game.id, words.write("title", {}, game.id), tuple(game.bets), game.strategies)
        for game in GAMES.values()
    )


@explained
def sheet(game: str, /, **changes: object) -> Sheet:
    """Return the shipped sheet of a game, with figures changed by their dotted keys.

    Two underscores stand for a dot; a key with a hyphen is passed as `**{"a.b-c": value}`.

    >>> sheet("casino-stud", play__times_ante=3).play.times_ante
    3
    >>> sheet("casino-stud", **{"play.pays.royal-flush": "200:1"}).play.pays["royal-flush"]
    Fraction(200, 1)
    """
    return with_changes(
        stored.load(game), {key.replace("__", "."): value for key, value in changes.items()}
    )


def sheet_of(game: str | Sheet) -> Sheet:
    """Return the sheet a caller means: the shipped one of a game, or the one that is given."""
    if isinstance(game, Sheet):
        return game
    if isinstance(game, str):
        return stored.load(game)
    raise Refused("request/unknown_game", game=type(game).__name__)
