"""A round that waits, as a position: only what its player may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tapisvert.engine import Line
from tapisvert.engine.events import Asked
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import keys
from tapisvert.engine.view import AskView
from tapisvert.games.game import Hands
from tapisvert.games.registry import GAMES
from tapisvert.sheets import load

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
    return position | GAMES[sheet.game].position.of_question(ask, hands, stakes)


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
