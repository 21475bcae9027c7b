"""Completeness of an installed game: the checks a server makes before offering it.

They are quick and run at every start. `tapis check-game` plays the game and counts it (testing/).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any

import msgspec

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import load_file
from tapisvert.games.game import Game
from tapisvert.games.proof_key import proof_key
from tapisvert.refusal import Refused

LANGUAGES = ("fr", "en")
FILES = ("sheet.toml", "proofs.json", "layout.js", "rankings.js", "settle.js")
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_ID_LENGTH_MAX = 32


class Incomplete(ValueError):
    """The missing or wrong part of a game, in a few words."""


def check(game: object, name: str) -> Game:
    """Return a game that can be played, proved and shown; otherwise raise `Incomplete`."""
    if not isinstance(game, Game):
        raise Incomplete(f"the entry point leads to a {type(game).__name__}, not to a Game")
    if game.id != name:
        raise Incomplete(f"the entry point is called {name!r}, the game {game.id!r}")
    if not _ID.fullmatch(game.id) or len(game.id) > _ID_LENGTH_MAX:
        raise Incomplete("its id must be small letters, digits and single hyphens")
    numbers = [edition.number for edition in game.editions]
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        raise Incomplete("its editions must be numbered 1, 2, 3, ...")
    for file in (*FILES, *(f"words/{language}.toml" for language in LANGUAGES)):
        if not (game.folder / file).is_file():
            raise Incomplete(f"{file} is missing")
    if find_spec(game.odds) is None:
        raise Incomplete(f"its mathematics, {game.odds}, is not there")
    sheet = _sheet(game)
    _check_words(game, sheet)
    _check_proofs(game, sheet)
    return game


def _sheet(game: Game) -> Sheet:
    try:
        return load_file(game.folder / "sheet.toml", game.sheet_type)
    except Refused as refusal:
        key, reason = refusal.details.get("key", "sheet.toml"), refusal.details.get("reason")
        raise Incomplete(f"its sheet does not load: {key}: {reason}") from None


def _check_words(game: Game, sheet: Sheet) -> None:
    """Require the same words in both languages, including those for lobby and table."""
    keys = {language: _words(game, language) for language in LANGUAGES}
    every = set().union(*keys.values())
    every |= {"title", "about", *(f"bet.{bet}" for bet in sheet.layout)}
    for language, found in keys.items():
        if missing := sorted(every - found):
            raise Incomplete(f"words/{language}.toml lacks {missing[0]}")


def _words(game: Game, language: str) -> set[str]:
    try:
        return set(_dotted("", tomllib.loads(game.words(language).read_text(encoding="utf-8"))))
    except ValueError as error:
        raise Incomplete(f"words/{language}.toml cannot be read: {error}") from None


def _dotted(prefix: str, table: Mapping[str, Any]) -> Iterator[str]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _dotted(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}"


def _check_proofs(game: Game, sheet: Sheet) -> None:
    try:
        kept = msgspec.json.decode((game.folder / "proofs.json").read_bytes())
    except msgspec.DecodeError as error:
        raise Incomplete(f"proofs.json cannot be read: {error}") from None
    for bet in game.bets:
        if proof_key(game, sheet, bet) not in kept:
            raise Incomplete(f"proofs.json has no proof of {bet} for its sheet")
