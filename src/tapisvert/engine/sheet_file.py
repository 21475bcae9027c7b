"""Loading a typed sheet from TOML or from a stored body; errors name file and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from tapisvert.decoding import convert
from tapisvert.engine.sheet import Sheet, WrongFigure, content, parse_odds
from tapisvert.refusal import Refused

_NAMED = re.compile(r"Object (missing required|contains unknown) field `(.*)`")


def load_file(path: Path, kind: type[Sheet]) -> Sheet:
    """Load a sheet from a file; a refusal names the file, the key and the reason."""
    return typed(read(path), kind, path.name)


def read(path: Path) -> dict[str, Any]:
    """Read the figures from a file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:  # too large, or nested too deep
        raise Refused("sheet/unreadable", file=path.name, reason=str(error)) from None


def load_body(body: bytes, kind: type[Sheet]) -> Sheet:
    """Load a sheet from its stored body."""
    try:
        figures = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("sheet/unreadable", file="sheet", reason=str(error)) from None
    return typed(figures, kind, "sheet")


def with_changes(sheet: Sheet, changes: Mapping[str, object]) -> Sheet:
    """Return the sheet with some figures replaced, by dotted key."""
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
    return typed(figures, type(sheet), "sheet")


def keys(sheet: Sheet) -> Iterator[tuple[str, Any]]:
    """Yield every changeable dotted key of a sheet, with its value."""
    return ((key, value) for key, value in _leaves("", content(sheet)) if key != "game")


def _leaves(prefix: str, figures: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in figures.items():
        if isinstance(value, dict):
            yield from _leaves(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", value


def typed(figures: object, kind: type[Sheet], file: str) -> Sheet:
    """Return figures as a sheet of this type, or refuse them."""
    try:
        return _convert(figures, kind)
    except WrongFigure as error:
        raise Refused("sheet/invalid", file=file, key=error.key, reason=error.reason) from None


def _convert(figures: object, kind: type[Sheet]) -> Sheet:
    try:
        return convert(figures, kind, lambda _, odds: parse_odds(odds))
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
    """Name the row of a table where msgspec's path has only `[...]`."""
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
                convert(figures, kind, lambda _, odds: parse_odds(odds))
            except msgspec.ValidationError as error:
                if str(error) == message:
                    return f"{table}.{row}{rest}"
    finally:
        holder[last] = rows
    return path
