"""The decisions of a finished round, each as its player saw it, and the values of its options."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from tapisvert.cards import Card
from tapisvert.coach.position_from_round import position_of, stake_of
from tapisvert.engine import Answer, GameScript, replay, view
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.view import AskView
from tapisvert.refusal import Refused

Ask = Callable[[dict[str, Any]], Awaitable[Mapping[str, Any]]]


class PastDecision(NamedTuple):
    """An answered question, and its position for the coach."""

    ask: AskView
    position: dict[str, Any]
    unit_cents: int  # the stake that is the unit of the values


class DecisionValue(Struct, frozen=True):
    """Value of each legal option of a question: the mean net result, in units of a stake."""

    step: int
    unit_cents: int
    options: dict[str, float]
    best: str
    house_way: str | None = None


def decisions(
    script: GameScript[Any],
    sheet: Sheet,
    deck: Sequence[Card],
    stakes: Mapping[str, int],
    answers: Sequence[Answer],
) -> list[PastDecision]:
    """Return the answered questions of a round, in order."""
    found = []
    for place, answer in enumerate(answers):
        if not isinstance(answer, str):  # the bank's answer, not a decision
            continue
        played = replay(script, sheet, deck, stakes, answers[:place])
        seen = view(played)
        assert seen.ask is not None
        position = position_of(sheet, seen.ask, seen.hands, played.stakes)
        found.append(PastDecision(seen.ask, position, stake_of(sheet, seen.ask, played.stakes)))
    return found


def value(decision: PastDecision, advice: Mapping[str, Any]) -> DecisionValue:
    """Return the coach's values of a decision, limited to the legal options."""
    legal = [option.id for option in decision.ask.options if option.legal]
    options = {option: float(advice["options"][option]) for option in legal}
    return DecisionValue(
        step=decision.ask.step,
        unit_cents=decision.unit_cents,
        options=options,
        best=max(options, key=lambda option: options[option]),
        house_way=advice.get("house_way"),
    )


async def values(ask: Ask, asked: Sequence[PastDecision]) -> list[DecisionValue] | None:
    """Value every decision; None if the coach cannot value one of them."""
    try:
        said = await asyncio.gather(*(ask(decision.position) for decision in asked))
    except Refused:
        return None
    return [value(decision, advice) for decision, advice in zip(asked, said, strict=True)]
