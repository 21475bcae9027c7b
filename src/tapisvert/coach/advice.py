"""Advice: a position in, the exact value of every option out.

Values are mean net results in units of the first stake (ante, main, the hand's stake), with the
best play afterwards. The mathematics is loaded when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from tapisvert.cards import RANKS, rank, suit, write_hand
from tapisvert.coach.positions import Cards, cards_of, flag, impossible, sheet_of
from tapisvert.house_way import house_way
from tapisvert.odds import charts
from tapisvert.refusal import Refused
from tapisvert.sheets import Blackjack, CasinoStud, HighCardFlush, PaiGow, Sheet, Ultimate

BEFORE_THE_LOOK = ("insure", "even-money", "decline")


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What every option is worth, and the best of them.

    At Blackjack insurance is worth the whole hand before the house has looked, everything else
    what it is worth if the house has no blackjack: each has a best of its own.
    """

    options: dict[str, float]
    best: str | None
    insurance: str | None = None
    house_way: str | None = None


def advise(position: Mapping[str, Any], folder: Path | None = None) -> Advice:
    """Value every option of a position; kept charts of other sheets are looked for in a folder."""
    sheet = sheet_of(position)
    cards = cards_of(sheet, position)
    match sheet:
        case CasinoStud():
            from tapisvert.odds.casino_stud import live as stud

            return _best(stud.options(sheet, cards["player"], cards["house"][0]))
        case HighCardFlush():
            from tapisvert.odds.high_card_flush import live as flush

            return _best(flush.options(sheet, cards["player"]))
        case Ultimate():
            return _best(_ultimate(sheet, cards, folder))
        case Blackjack():
            return _blackjack(sheet, cards, position)
        case PaiGow():
            from tapisvert.odds.pai_gow import live as pai_gow

            suggested = write_hand(house_way(cards["player"], sheet.house_way))
            found = _best(pai_gow.options(sheet, cards["player"]))
            return msgspec.structs.replace(found, house_way=suggested)
        case _:
            raise AssertionError(f"nobody advises at {sheet.game}")


def _best(options: dict[str, float]) -> Advice:
    return Advice(options, max(options, key=lambda option: options[option], default=None))


def _ultimate(sheet: Ultimate, cards: Cards, folder: Path | None) -> dict[str, float]:
    """Value a pair: before the flop from the kept chart, then by trying every card to come."""
    if not cards["board"]:
        return before_the_flop(sheet, cards["player"], folder)
    from tapisvert.odds.ultimate import live

    return live.options(sheet, cards["player"], cards["board"])


def before_the_flop(sheet: Sheet, pair: list[int], folder: Path | None) -> dict[str, float]:
    """Look two cards up among the 169 starting hands."""
    starts = charts.find(sheet, folder)
    if starts is None:
        raise Refused("advice/not_proved")
    hand = starting_hand(pair)
    found = next(each for each in starts if each["hand"] == hand)
    return {option: float(Fraction(worth)) for option, worth in found["values"].items()}


def starting_hand(pair: list[int]) -> str:
    """Name two cards as a starting hand.

    >>> from tapisvert.cards import parse_hand
    >>> starting_hand(parse_hand("9h Kh")), starting_hand(parse_hand("9h 9d"))
    ('K9s', '99')
    """
    high, low = sorted(map(rank, pair), reverse=True)
    suited = suit(pair[0]) == suit(pair[1])
    return RANKS[high] + RANKS[low] + ("" if high == low else "s" if suited else "o")


def _blackjack(sheet: Blackjack, cards: Cards, position: Mapping[str, Any]) -> Advice:
    from tapisvert.odds.blackjack.live import Position, options

    asked = Position(
        hand=cards["hand"],
        up=cards["up"][0],
        seen=cards["seen"],
        other_half=cards["other_half"],
        other_doubled=flag(position, "other_doubled"),
        can_split=flag(position, "can_split"),
    )
    try:
        found = options(sheet, asked)
    except ValueError as error:
        raise impossible(str(error)) from None
    before = {name: worth for name, worth in found.items() if name in BEFORE_THE_LOOK}
    after = {name: worth for name, worth in found.items() if name not in BEFORE_THE_LOOK}
    insurance = _best(before).best
    best = _best(after).best if after else insurance
    return Advice(found, best, insurance=insurance if after else None)
