"""A round that waits, as a position: only what its player may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tapisvert.sheets import Sheet, keys, load
from tapisvert.table import Line
from tapisvert.table.events import Asked
from tapisvert.table.view import AskView

Hands = Mapping[str, tuple[str, ...]]
Question = Asked | AskView
_INSURED = ("insure", "even-money")


def position_of(
    sheet: Sheet, ask: AskView, hands: Hands, stakes: Mapping[str, int]
) -> dict[str, Any]:
    """Write the position of a question down, as `tapis advise` reads it."""
    position: dict[str, Any] = {"game": sheet.game}
    shipped = load(sheet.game)
    if sheet != shipped:
        position["sheet"] = dict(keys(sheet))
    match sheet.game:
        case "casino-stud":
            return position | {"player": hands["player"], "house": hands["house"][:1]}
        case "ultimate":
            return position | {"player": hands["player"], "board": hands.get("board", ())}
        case "blackjack":
            return position | _blackjack(ask, hands, stakes)
        case _:
            return position | {"player": hands["player"]}


def stake_of(sheet: Sheet, ask: Question, stakes: Mapping[str, int]) -> int:
    """Return the stake that values are in units of: the ante, the main bet, or the asked hand's."""
    if ask.hand is not None:
        return stakes[f"hand-{ask.hand[-1]}"]
    return next(stakes[spot] for spot, place in sheet.layout.items() if place.main)


def net_of(sheet: Sheet, ask: Question, lines: Iterable[Line]) -> int:
    """Return the net cents of the bets that a value speaks of: not the side bets, at Blackjack
    those of the asked hand, its insurance only where insurance is asked.
    """
    bets = {line.bet: line.returned_cents - line.staked_cents for line in lines}
    if ask.hand is None:
        side = {spot for spot, place in sheet.layout.items() if place.requires and not place.equals}
        return sum(net for bet, net in bets.items() if bet not in side)
    number = ask.hand[-1]
    insured = any(option.id in _INSURED for option in ask.options)
    return sum(
        net
        for bet, net in bets.items()
        if bet.rstrip("b").endswith(f"-{number}") and (insured or not bet.startswith("insurance"))
    )


def _blackjack(ask: AskView, hands: Hands, stakes: Mapping[str, int]) -> dict[str, Any]:
    """Take the hand that is asked, its other half, and everything else that lies open."""
    assert ask.hand is not None
    number = ask.hand[-1]
    other = f"split-{number}" if ask.hand == f"hand-{number}" else f"hand-{number}"
    mine = (ask.hand, other)
    seen = [card for zone in _zones(hands) if zone not in mine for card in hands[zone]]
    doubled = f"double-{number}" in stakes if other.startswith("hand") else False
    return {
        "hand": hands[ask.hand],
        "up": hands["house"][0],
        "seen": seen,
        "other_half": hands.get(other, ()),
        "other_doubled": doubled,
        "can_split": any(option.id == "split" and option.legal for option in ask.options),
    }


def _zones(hands: Hands) -> list[str]:
    return [zone for zone in hands if zone.startswith(("hand-", "split-"))]
