"""The position of a waiting round: only what its player may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tapisvert.engine import Line
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import keys
from tapisvert.engine.view import AskView
from tapisvert.games.game import Hands, Question
from tapisvert.games.registry import GAMES
from tapisvert.sheets import load


def position_of(
    sheet: Sheet, ask: AskView, hands: Hands, stakes: Mapping[str, int]
) -> dict[str, Any]:
    """Return the position of a question, as `tapis advise` reads it."""
    return position_on(sheet, GAMES[sheet.game].position.of_question(ask, hands, stakes))


def position_on(sheet: Sheet, laid: Mapping[str, Any]) -> dict[str, Any]:
    """Return cards and flags as a position on a sheet; the shipped one is not written out."""
    position: dict[str, Any] = {"game": sheet.game}
    if sheet != load(sheet.game):
        position["sheet"] = dict(keys(sheet))
    return {**position, **laid}


def stake_of(sheet: Sheet, ask: Question, stakes: Mapping[str, int]) -> int:
    """Return the stake that is the unit of the values: ante, main bet, or the asked hand's."""
    return stakes[GAMES[sheet.game].position.bets(sheet, ask, stakes)[0]]


def net_of(sheet: Sheet, ask: Question, lines: Iterable[Line]) -> int:
    """Return the net cents of the bets that the values of a question cover."""
    bets = {line.bet: line.returned_cents - line.staked_cents for line in lines}
    return sum(bets[bet] for bet in GAMES[sheet.game].position.bets(sheet, ask, bets))
