"""Strategy cards: the rules a player can learn, with their exact costs, as data of a game.

`tools/strategy_cards.py` counts them and writes `card.json` into the game's folder. A card is
stored under the proof key of the main bet: it is shown only for the figures it was counted for.
Imports no NumPy.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from tapisvert.decoding import read_json
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES
from tapisvert.lab.proof_keys import key
from tapisvert.odds.vocabulary import Written

SHIPPED = "card.json"  # in a game's folder
_BET = "main"

Texts = dict[str, str]  # by language


class CardRule(Struct, frozen=True):
    """A rule of a card: its texts, and its cost per first stake over all deals."""

    question: str
    number: int  # within its question, from 1
    when: dict[str, Written | list[Written]]
    choose: str
    says: Texts  # its conditions
    does: Texts  # its option
    cost: str


class StrategyCard(Struct, frozen=True, kw_only=True):
    """One strategy of a card; costs and edge are per first stake."""

    name: str
    length: int  # rules with a condition
    proved_best: bool | None  # of its length; None for a published strategy
    title: Texts
    asks: dict[str, Texts]  # the questions, if there are several
    edge: str
    cost: str
    rules: tuple[CardRule, ...]
    address: str = ""  # where it was read


class SheetCards(Struct, frozen=True):
    """The card of a game: strategies of several lengths, shortest first."""

    sheet_hash: str  # of the sheet they were counted for
    first: str  # the strategy to show first
    chart: bool  # whether the chart of the best play belongs to it
    cards: tuple[StrategyCard, ...]


class Applied(Struct, frozen=True):
    """The first rule of a card whose conditions hold, and the option that it chooses."""

    card: str
    question: str
    number: int  # of the rule within its question, from 1
    option: str | None


def find(sheet: Sheet) -> SheetCards | None:
    """Return the card counted for these figures, or None."""
    path = GAMES[sheet.game].folder / SHIPPED
    return _read(path).get(key(sheet, _BET)) if path.is_file() else None


@cache
def _read(path: Path) -> dict[str, SheetCards]:
    return read_json(path.read_bytes(), dict[str, SheetCards])


def write(path: Path, sheet: Sheet, cards: SheetCards) -> None:
    """Write the card of a sheet to a file."""
    kept = msgspec.json.encode({key(sheet, _BET): cards})
    path.write_bytes(msgspec.json.format(kept, indent=1) + b"\n")
