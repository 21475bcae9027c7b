"""Advice at Blackjack: insurance before the house looks, everything else after."""

from __future__ import annotations

from tapisvert.games.blackjack.odds.position_values import Position as Asked
from tapisvert.games.blackjack.odds.position_values import options
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.mathematics import Advice, Position, best_of
from tapisvert.refusal import Refused

BEFORE_THE_LOOK = ("insure", "even-money", "decline")


def advise(sheet: Blackjack, position: Position) -> Advice:
    """Value every option of a hand."""
    cards, flags = position.cards, position.flags
    asked = Asked(
        hand=cards["hand"],
        up=cards["up"][0],
        seen=cards["seen"],
        other_half=cards["other_half"],
        other_doubled=flags["other_doubled"],
        can_split=flags["can_split"],
    )
    try:
        found = options(sheet, asked)
    except ValueError as error:
        raise Refused("advice/impossible", reason=str(error)) from None
    before = {name: worth for name, worth in found.items() if name in BEFORE_THE_LOOK}
    after = {name: worth for name, worth in found.items() if name not in BEFORE_THE_LOOK}
    insurance = best_of(before).best
    best = best_of(after).best if after else insurance
    return Advice(found, best, insurance=insurance if after else None)
