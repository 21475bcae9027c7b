"""The games offered here, with their figures and betting layouts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from tapisvert.engine.sheet import Sheet, content
from tapisvert.games.registry import current
from tapisvert.lab import proof_store
from tapisvert.rounds.schemas import Conversion
from tapisvert.sheets import load


class SpotView(Struct, frozen=True):
    """A spot for a stake before the deal. Amounts are cents."""

    id: str
    min: int
    max: int
    step: int
    fixed: bool
    requires: tuple[str, ...]
    equals: str | None
    main: bool


class ReturnView(Struct, frozen=True):
    """The exact return of a bet under a strategy, as it was proved.

    `edge` and `staked` are exact fractions per first stake, `return` is per money staked.
    """

    bet: str
    strategy: str
    exact: bool
    edge: str
    staked: str
    returned: str = field(name="return")


class GameView(Struct, frozen=True):
    """A game as offered here: its figures, its layout, and its proved returns."""

    id: str
    edition: int
    sheet_hash: str
    sheet: dict[str, Any]
    spots: tuple[SpotView, ...]
    void_after_s: int
    returns: tuple[ReturnView, ...]
    conversion: Conversion | None = None
    rules: str | None = None  # a variant or `own`: the player's choice; null: the house's


class GameList(Struct, frozen=True):
    """All games offered here."""

    games: tuple[GameView, ...]


def spots(sheet: Sheet) -> tuple[SpotView, ...]:
    """Describe the layout; limits are multiples of the step."""
    shown = []
    for name, place in sheet.layout.items():
        step = sheet.step_of(name)
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


def returns(sheet: Sheet, folder: Path | None) -> tuple[ReturnView, ...]:
    """Return the figures proved for exactly this sheet."""
    return tuple(
        ReturnView(proof.bet, proof.strategy, proof.exact, proof.edge, proof.staked, proof.returned)
        for proof in proof_store.find(sheet, folder)
    )


def in_order_of(shipped: Mapping[str, Any], figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return figures in the order of the shipped sheet: the keys of a stored sheet are sorted.

    >>> in_order_of({"royal": 1, "flush": {"b": 0, "a": 0}}, {"flush": {"a": 1, "b": 2}, "new": 3})
    {'flush': {'b': 2, 'a': 1}, 'new': 3}
    """
    ordered = {key: figures[key] for key in shipped if key in figures} | dict(figures)
    return {
        key: in_order_of(shipped[key], value)
        if isinstance(value, Mapping) and isinstance(shipped.get(key), Mapping)
        else value
        for key, value in ordered.items()
    }


def game_view(
    sheet: Sheet,
    folder: Path | None = None,
    conversion: Conversion | None = None,
    rules: str | None = None,
) -> GameView:
    """Describe a game under this sheet; `folder` holds proofs of sheets that are not shipped."""
    return GameView(
        id=sheet.game,
        edition=current(sheet.game).number,
        sheet_hash=sheet.hash,
        sheet=in_order_of(content(load(sheet.game)), content(sheet)),
        spots=spots(sheet),
        void_after_s=sheet.void_after_s,
        returns=returns(sheet, folder),
        conversion=conversion,
        rules=rules,
    )
