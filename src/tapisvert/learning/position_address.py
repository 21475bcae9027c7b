"""The address of a position: cards, flags and rules in a query string that people can read.

    player=AsKdQh5c3d&house=Ac&rules=flush-6
    hand=8s8d&up=9d&can_split=no&set=hand.blackjack_pays=6:5

The names are those of `tapis advise` (docs/advise.md). `rules` names a variant of the game; each
`set` changes one figure of the house's sheet. An absent flag has its default value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote

import msgspec

from tapisvert.cards import parse, text
from tapisvert.coach.position_from_round import position_on
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import keys
from tapisvert.games.registry import GAMES
from tapisvert.refusal import Refused
from tapisvert.rounds.own_rules import OWN, RulesRequest, chosen, stays
from tapisvert.sheets import variants_of

RULES, SET = "rules", "set"
LENGTH_MAX = 2000  # of a query string
_NAMES_MAX = 128
_YES_NO = {"yes": True, "no": False}
_SHOWN_MAX = 32  # characters of a text that a refusal repeats
_READABLE = ":=,.[]"  # characters of `set` that are written as they are

Query = Sequence[tuple[str, str]]
Laid = dict[str, tuple[str, ...]]


class AddressedPosition(NamedTuple):
    """The content of an address: the rules, their name (None: the house's), cards and flags."""

    rules: str | None
    sheet: Sheet
    cards: Laid
    flags: dict[str, bool]

    @property
    def is_blank(self) -> bool:
        """Tell whether there are no cards."""
        return not any(self.cards.values())

    def position(self) -> dict[str, Any]:
        """Return the position as `tapis advise` reads it."""
        laid: dict[str, Any] = {name: list(cards) for name, cards in self.cards.items()}
        for name in GAMES[self.sheet.game].position.single:
            laid[name] = laid[name][0]
        return position_on(self.sheet, laid | self.flags)


def split_query(query: bytes) -> list[tuple[str, str]]:
    """Return the names and values of a query string."""
    if len(query) > LENGTH_MAX:
        raise Refused("position/too_long", most=LENGTH_MAX)
    try:
        return parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_NAMES_MAX,
        )
    except ValueError:  # not ASCII, not UTF-8, or too many fields
        raise Refused("position/unreadable", name="?") from None


def read_address(house: Sheet, query: Query) -> AddressedPosition:
    """Return the position of an address at a table whose own rules are `house`, or refuse it.

    The position must be complete, or have no cards at all.
    """
    shape = GAMES[house.game].position
    given = _once(query)
    for name in given:
        if name not in (RULES, *shape.fields(), *shape.flags):
            raise Refused("position/unknown_name", name=_shown(name))
    rules, sheet = _rules(house, query, given)
    cards = {name: _cards(sheet, given.get(name, "")) for name in shape.fields()}
    laid = [card for each in cards.values() for card in each]
    for place, card in enumerate(laid):
        if card in laid[:place]:
            raise Refused("position/twice", card=card)
    found = AddressedPosition(rules, sheet, cards, {})
    if found.is_blank:
        return found
    for name, counts in shape.fields().items():
        if len(cards[name]) not in counts:
            raise Refused("position/count", name=name, count=len(cards[name]))
    flags = {name: _flag(name, given[name]) for name in shape.flags if name in given}
    return found._replace(flags=dict(shape.usual(cards)) | flags)


def write_address(house: Sheet, sheet: Sheet, position: Mapping[str, Any]) -> str:
    """Return the path and query of a position that is played by `sheet` at a table of `house`."""
    shape = GAMES[house.game].position
    parts = []
    cards: Laid = {}
    for name in shape.fields():
        laid = position.get(name, ())
        cards[name] = (laid,) if isinstance(laid, str) else tuple(laid)
        if cards[name]:
            parts.append(f"{name}={''.join(cards[name])}")
    for name, usual in shape.usual(cards).items():
        if position.get(name, False) != usual:
            parts.append(f"{name}={'no' if usual else 'yes'}")
    return f"/position/{house.game}?{'&'.join([*parts, *_written_rules(house, sheet)])}"


def _once(query: Query) -> dict[str, str]:
    """Return the value of every name except `set`; refuse a name that is given twice."""
    found: dict[str, str] = {}
    for name, value in query:
        if not value.isprintable() or name in found:
            raise Refused("position/unreadable", name=_shown(name))
        if name != SET:
            found[name] = value
    return found


def _rules(house: Sheet, query: Query, given: Mapping[str, str]) -> tuple[str | None, Sheet]:
    """Return the rules of an address, checked like the rules a player chooses for a table."""
    changes: dict[str, Any] = {}
    for written in (value for name, value in query if name == SET):
        key, equals, value = written.partition("=")
        if not equals or key in changes or RULES in given:
            raise Refused("position/unreadable", name=SET)
        changes[key] = _figure(value)
    if RULES not in given and not changes:
        return None, house
    name, sheet = chosen(house, RulesRequest(given.get(RULES), changes))
    return (None if sheet == house else name), sheet


def _figure(written: str) -> Any:
    """Parse a figure as JSON, or else as text. NaN is not JSON."""
    try:
        return msgspec.json.decode(written.encode())
    except (msgspec.DecodeError, RecursionError):
        return written


def _cards(sheet: Sheet, written: str) -> tuple[str, ...]:
    """Return the cards of `AsKdQh`."""
    cards = tuple(written[place : place + 2] for place in range(0, len(written), 2))
    for card in cards:
        try:
            if parse(card) in sheet.deck:
                continue
        except ValueError:
            pass
        raise Refused("position/card", card=_shown(card))
    return cards


def _flag(name: str, written: str) -> bool:
    if written not in _YES_NO:
        raise Refused("position/unreadable", name=name)
    return _YES_NO[written]


def _written_rules(house: Sheet, sheet: Sheet) -> list[str]:
    """Return `rules` for a variant, or else `set` for each figure that a player can change."""
    if sheet == house:
        return []
    own = dict(keys(house))
    changes = {
        key: value
        for key, value in keys(sheet)
        if own.get(key) != value and key in own and not stays(house.game, key)
    }
    if not changes:
        return []
    name, plain = chosen(house, RulesRequest(changes=changes))
    assert name == OWN
    for variant, other in variants_of(house).items():
        if other == plain:
            return [f"{RULES}={variant}"]
    return [f"{SET}={quote(f'{key}={_text(value)}', _READABLE)}" for key, value in changes.items()]


def _text(value: Any) -> str:
    """Write a figure so that `_figure` reads the same."""
    if isinstance(value, str) and _figure(value) == value:
        return value
    return msgspec.json.encode(value).decode()


def _shown(given: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in given[:_SHOWN_MAX])


def deck_of(sheet: Sheet) -> tuple[str, ...]:
    """Return the cards of a game's deck, written."""
    return tuple(map(text, sheet.deck))
