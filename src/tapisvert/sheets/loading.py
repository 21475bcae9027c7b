"""From a TOML file or a stored body to a typed sheet; a wrong figure is named by file and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from tapisvert.refusal import Refused
from tapisvert.sheets.blackjack import Blackjack
from tapisvert.sheets.casino_stud import CasinoStud
from tapisvert.sheets.high_card_flush import HighCardFlush
from tapisvert.sheets.pai_gow import PaiGow
from tapisvert.sheets.sheet import Sheet, WrongFigure, content, parse_odds
from tapisvert.sheets.ultimate import Ultimate

_NAMED = re.compile(r"Object (missing required|contains unknown) field `(.*)`")

SHEETS: dict[str, type[Sheet]] = {
    kind.game_id: kind for kind in (PaiGow, CasinoStud, HighCardFlush, Blackjack, Ultimate)
}


@cache
def load(game: str) -> Sheet:
    """Load the sheet a game ships with."""
    return load_file(Path(__file__).parent / f"{game}.toml", SHEETS[game])


def load_file(path: Path, kind: type[Sheet] | None = None) -> Sheet:
    """Load a sheet from a file; refuse it with the file, the key and the reason.

    Without a kind, it is of the game that the file names.
    """
    try:
        figures = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:  # a number or nesting beyond reason too
        raise Refused("sheet/unreadable", file=path.name, reason=str(error)) from None
    return _typed(figures, kind or _kind_named(figures.get("game"), path.name), path.name)


def _kind_named(game: object, file: str) -> type[Sheet]:
    if isinstance(game, str) and game in SHEETS:
        return SHEETS[game]
    reason = "is missing" if game is None else f"must be one of {', '.join(SHEETS)}"
    raise Refused("sheet/invalid", file=file, key="game", reason=reason)


def load_body(body: bytes, kind: type[Sheet]) -> Sheet:
    """Load a sheet from the body it was stored under."""
    try:
        figures = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("sheet/unreadable", file="sheet", reason=str(error)) from None
    return _typed(figures, kind, "sheet")


def with_changes(sheet: Sheet, changes: Mapping[str, object]) -> Sheet:
    """Return the sheet with some figures replaced, each named by its dotted key."""
    if not changes:
        return sheet
    figures = content(sheet)
    known = dict(keys(sheet))
    for key, value in changes.items():
        if key not in known:
            raise Refused("sheet/unknown_key", key=key)
        *path, last = key.split(".")
        place = figures
        for name in path:
            place = place[name]
        place[last] = value
    return _typed(figures, type(sheet), "sheet")


def keys(sheet: Sheet) -> Iterator[tuple[str, Any]]:
    """Yield every dotted key of a sheet that may be changed, with its value."""
    return ((key, value) for key, value in _leaves("", content(sheet)) if key != "game")


def _leaves(prefix: str, figures: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in figures.items():
        if isinstance(value, dict):
            yield from _leaves(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", value


def _typed(figures: object, kind: type[Sheet], file: str) -> Sheet:
    try:
        return _convert(figures, kind)
    except WrongFigure as error:
        raise Refused("sheet/invalid", file=file, key=error.key, reason=error.reason) from None


def _convert(figures: object, kind: type[Sheet]) -> Sheet:
    try:
        return msgspec.convert(figures, kind, dec_hook=lambda _, odds: parse_odds(odds))
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, WrongFigure):
            raise error.__cause__ from None
        reason, _, path = str(error).partition(" - at `$")
        key = _pinpoint(figures, kind, path.rstrip("`").removeprefix("."), str(error))
        named = _NAMED.fullmatch(reason)
        if named:
            key = f"{key}.{named[2]}" if key else named[2]
            reason = "is missing" if named[1] == "missing required" else "is not in this sheet"
        raise WrongFigure(key, reason) from None


def _pinpoint(figures: Any, kind: type[Sheet], path: str, message: str) -> str:
    """Say which row of a table is meant where msgspec's path says only `[...]`."""
    table, dots, rest = path.partition("[...]")
    if not dots or not isinstance(figures, dict):
        return path
    *outer, last = table.split(".")
    holder = figures
    for name in outer:
        holder = holder[name]
    rows = holder[last]
    try:
        for row in rows:
            holder[last] = {row: rows[row]}
            try:
                msgspec.convert(figures, kind, dec_hook=lambda _, odds: parse_odds(odds))
            except msgspec.ValidationError as error:
                if str(error) == message:
                    return f"{table}.{row}{rest}"
    finally:
        holder[last] = rows
    return path
