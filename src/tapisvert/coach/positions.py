"""Positions as they are written: a JSON object in, cards that can lie on a table out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tapisvert.cards import JOKER, Card, parse
from tapisvert.refusal import Refused
from tapisvert.sheets import SHEETS, Sheet, load, with_changes

# The keys of a position beside "game" and "sheet", and how many cards each may have.
COUNTS: dict[str, dict[str, Sequence[int]]] = {
    "casino-stud": {"player": (5,), "house": (1,)},
    "high-card-flush": {"player": (7,)},
    "pai-gow": {"player": (7,)},
    "ultimate": {"player": (2,), "board": (0, 3, 5)},
    "blackjack": {"hand": range(2, 12), "seen": range(50), "other_half": range(12)},
}
OPTIONAL = {"board", "seen", "other_half"}
FLAGS = {"can_split", "other_doubled"}
Cards = dict[str, list[Card]]


def sheet_of(position: Mapping[str, Any]) -> Sheet:
    """Return the sheet of a position: the shipped one, or with what it overrides."""
    game, changes = position.get("game"), position.get("sheet", {})
    if not isinstance(game, str):
        raise malformed("'game' must be a text")
    if game not in SHEETS:
        raise Refused("request/unknown_game", game=game[:64])
    if not isinstance(changes, dict):
        raise malformed("'sheet' must be an object")
    return with_changes(load(game), changes)


def cards_of(sheet: Sheet, position: Mapping[str, Any]) -> Cards:
    """Return the cards of a position, or refuse what cannot be."""
    counts = COUNTS[sheet.game]
    known = {"game", "sheet", *counts}
    if sheet.game == "blackjack":
        known |= {"up", *FLAGS}
    for name in position:
        if name not in known:
            raise malformed(f"unknown key {name[:64]!r}")
    found: Cards = {}
    for name, allowed in counts.items():
        if name not in position and name not in OPTIONAL:
            raise malformed(f"{name!r} is missing")
        found[name] = _read(name, position.get(name, []))
        if len(found[name]) not in allowed:
            raise impossible(f"{name!r} has {len(found[name])} cards")
    if sheet.game == "blackjack":
        found["up"] = _read("up", [position.get("up")])
    _check_deck(sheet, [card for cards in found.values() for card in cards])
    return found


def flag(position: Mapping[str, Any], name: str) -> bool:
    """Return a yes or no; no if it is not said."""
    said = position.get(name, False)
    if not isinstance(said, bool):
        raise malformed(f"{name!r} must be true or false")
    return said


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
    """Refuse what cannot be read."""
    return Refused("request/malformed", reason=reason)


def impossible(reason: str) -> Refused:
    """Refuse what cannot lie on a table."""
    return Refused("advice/impossible", reason=reason)
