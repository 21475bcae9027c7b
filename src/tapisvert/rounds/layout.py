"""The games served here, with their figures and their layout of betting spots."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tapisvert.games import current
from tapisvert.sheets import Sheet, content


class SpotView(Struct, frozen=True):
    """Where a stake may be placed before the deal. Amounts are cents."""

    id: str
    min: int
    max: int
    step: int
    fixed: bool
    requires: tuple[str, ...]
    equals: str | None
    main: bool


class GameView(Struct, frozen=True):
    """A game as it is played here: its figures and its layout."""

    id: str
    edition: int
    sheet_hash: str
    sheet: dict[str, Any]
    spots: tuple[SpotView, ...]
    void_after_s: int


class GameList(Struct, frozen=True):
    """All games served here."""

    games: tuple[GameView, ...]


def spots(sheet: Sheet) -> tuple[SpotView, ...]:
    """Describe the layout; limits are given as multiples of the step."""
    step = sheet.step_cents
    shown = []
    for name, place in sheet.layout.items():
        least = -(-sheet.spots[name].min_cents // step) * step
        most = sheet.spots[name].max_cents // step * step
        shown.append(
            SpotView(
                id=name,
                min=least,
                max=most,
                step=step,
                fixed=least == most,
                requires=place.requires,
                equals=place.equals,
                main=place.main,
            )
        )
    return tuple(shown)


def game_view(sheet: Sheet) -> GameView:
    """Describe a game as it is played by this sheet."""
    return GameView(
        id=sheet.game,
        edition=current(sheet.game).number,
        sheet_hash=sheet.hash,
        sheet=content(sheet),
        spots=spots(sheet),
        void_after_s=sheet.void_after_s,
    )
