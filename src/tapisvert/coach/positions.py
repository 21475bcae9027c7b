"""Parsing positions: a JSON object in, checked cards out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tapisvert.cards import JOKER, Card, parse
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import GAMES
from tapisvert.refusal import Refused
from tapisvert.sheets import load

Cards = dict[str, list[Card]]


def sheet_of(position: Mapping[str, Any]) -> Sheet:
    """Return the sheet of a position: the shipped one, with the position's changes."""
    game, changes = position.get("game"), position.get("sheet", {})
    if not isinstance(game, str):
        raise malformed("'game' must be a text")
    if not isinstance(changes, dict):
        raise malformed("'sheet' must be an object")
    return with_changes(load(game), changes)


def cards_of(sheet: Sheet, position: Mapping[str, Any]) -> Cards:
    """Return the cards of a position; refuse impossible ones."""
    shape = GAMES[sheet.game].position
    known = {"game", "sheet", "next", *shape.cards, *shape.single, *shape.flags}
    for name in position:
        if name not in known:
            raise malformed(f"unknown key {name[:64]!r}")
    found: Cards = {}
    for name, allowed in shape.cards.items():
        if name not in position and name not in shape.optional:
            raise malformed(f"{name!r} is missing")
        found[name] = _read(name, position.get(name, []))
        if len(found[name]) not in allowed:
            raise impossible(f"{name!r} has {len(found[name])} cards")
    for name in shape.single:
        found[name] = _read(name, [position.get(name)])
    _check_deck(sheet, [card for cards in found.values() for card in cards])
    return found


def flags_of(sheet: Sheet, position: Mapping[str, Any]) -> dict[str, bool]:
    """Return the flags of a position; a missing flag is false."""
    found = {name: position.get(name, False) for name in GAMES[sheet.game].position.flags}
    for name, said in found.items():
        if not isinstance(said, bool):
            raise malformed(f"{name!r} must be true or false")
    return found


def wants_next(position: Mapping[str, Any]) -> bool:
    """Tell whether the best play after each option is asked for."""
    wanted = position.get("next", False)
    if not isinstance(wanted, bool):
        raise malformed("'next' must be true or false")
    return wanted


def _read(name: str, written: object) -> list[Card]:
    if not isinstance(written, list):
        raise malformed(f"{name!r} must be a list of cards")
    try:
        return [parse(card) for card in written]
    except ValueError:
        raise malformed(f'{name!r} must be a list of cards like "As"') from None


def _check_deck(sheet: Sheet, cards: Sequence[Card]) -> None:
    if JOKER in cards and JOKER not in sheet.deck:
        raise impossible("this game has no joker")
    if len(set(cards)) != len(cards):
        raise impossible("a card is there twice")


def malformed(reason: str) -> Refused:
    """Return the refusal of a position that cannot be parsed."""
    return Refused("request/malformed", reason=reason)


def impossible(reason: str) -> Refused:
    """Return the refusal of a position that cannot occur."""
    return Refused("advice/impossible", reason=reason)
