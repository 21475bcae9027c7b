"""Review of a finished round: each choice of its player against the best one, by exact values."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from tapisvert.history.practice import Answered, answered
from tapisvert.refusal import Refused
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.repository import load_round


class JudgedChoice(Struct, frozen=True):
    """A choice and its cost against the best one, in units of the stake `unit_cents`."""

    step: int
    hand: str | None
    choice: str
    best: str
    unit_cents: int
    cost: float


class RoundReview(Struct, frozen=True):
    """The choices of a finished round. `unvalued` counts those for which no values exist."""

    round_id: str
    game: str
    choices: tuple[JudgedChoice, ...]
    unvalued: int


def questions(context: QueryContext, round_id: str) -> tuple[str, list[Answered]]:
    """Return the game of a finished round and its questions that had more than one answer."""
    stored = load_round(context.tx, context.player.id, round_id)
    if not stored.over:
        raise Refused("round/not_ended", round_id=round_id)
    asked = answered(context, round_id)
    open_ones = [each for each in asked if sum(o.legal for o in each.waiting.ask.options) > 1]
    return stored.game, open_ones


def judged(answer: Answered, options: Mapping[str, float], unit_cents: int) -> JudgedChoice:
    """Judge a choice by the values of the legal options. A choice as good as the best is best."""
    ask, choice = answer.waiting.ask, answer.choice
    best = max(options, key=lambda option: options[option])
    cost = options[best] - options[choice]
    return JudgedChoice(ask.step, ask.hand, choice, best if cost else choice, unit_cents, cost)
