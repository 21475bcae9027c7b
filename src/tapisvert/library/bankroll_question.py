"""A question about a bankroll, and the checks that need no proof."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES
from tapisvert.library.refusals import check_whole
from tapisvert.refusal import Refused

_MOST = 10**12  # cents, rounds


class Question(NamedTuple):
    """The amounts and numbers of a question, all whole and above 0."""

    stake_cents: int
    bankroll_cents: int
    rounds: int
    rounds_per_hour: int
    goal_cents: int | None


def check_question(sheet: Sheet, asked: Question, strategy: str | None) -> None:
    """Refuse a question that is invalid whatever the proof, before the sheet is proved."""
    for name, value in asked._asdict().items():
        if (name, value) != ("goal_cents", None):
            check_whole(name, value, 1, _MOST)
    mains = [spot for spot, place in sheet.layout.items() if place.main]
    beside = sum(place.equals == mains[0] for place in sheet.layout.values())
    check_covers(asked, (1 + beside) * asked.stake_cents)
    if asked.goal_cents is not None and asked.goal_cents <= asked.bankroll_cents:
        raise Refused("bankroll/goal", bankroll_cents=asked.bankroll_cents)
    known = GAMES[sheet.game].strategies
    if strategy is not None and strategy not in known:
        raise unknown_strategy(strategy, known)


def check_covers(asked: Question, opening_cents: int) -> None:
    """Refuse a bankroll that does not cover the bets before the deal."""
    if asked.bankroll_cents < opening_cents:
        raise Refused("bankroll/too_small", min_cents=opening_cents)


def unknown_strategy(strategy: str | None, known: Iterable[str]) -> Refused:
    """Refuse a strategy that the game does not have."""
    names = ", ".join(known)
    return Refused("simulate/strategy", strategy=str(strategy)[:64], known=names)
