"""Checks of positions: the example and random ones are accepted and contain no hidden card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tapisvert.cards import Card
from tapisvert.coach.advice import advise
from tapisvert.coach.position_from_round import position_of, stake_of
from tapisvert.coach.positions import cards_of, flags_of
from tapisvert.engine import Transcript, view
from tapisvert.engine import events as ev
from tapisvert.engine.view import FACE_DOWN
from tapisvert.odds.mathematics import Advice
from tapisvert.refusal import Refused
from tapisvert.testing.case import Case
from tapisvert.testing.random_rounds import NAMED_MAX, Round, rounds_of

_ADVISED_EVERY = 50  # one position in this many is valued too


class Question(NamedTuple):
    """A question of a round, its position, and the stake that is the unit of its values."""

    asked: ev.Asked
    position: dict[str, Any]
    unit_cents: int


def question_of(case: Case, stage: Transcript) -> Question | None:
    """Return the question a round waits at, with its position for the coach; else None."""
    if not isinstance(asked := stage.waiting, ev.Asked):
        return None
    seen = view(stage)
    assert seen.ask is not None
    position = position_of(case.sheet, seen.ask, seen.hands, stage.stakes)
    plain = msgspec.json.decode(msgspec.json.encode(position))  # as sent to the coach
    return Question(asked, plain, stake_of(case.sheet, seen.ask, stage.stakes))


def options_of(question: Question, advice: Advice) -> dict[str, float]:
    """Return the values of the legal options."""
    return {
        option.id: advice.options[option.id]
        for option in question.asked.options
        if option.why_not is None
    }


def positions_are_accepted(case: Case) -> list[str]:
    """The example and the positions of random rounds are accepted and contain no hidden card."""
    example = {"game": case.game.id, **case.game.position.example}
    found = []
    try:
        if not case_advice(case, example).options:
            found.append("advise values no option of GAME.position.example")
    except (Refused, LookupError, ValueError, TypeError) as error:
        found.append(f"GAME.position.example is refused: {error}")
    number = 0
    for played in rounds_of(case, "positions", max(50, case.rounds // 20)):
        for stage in played.stages[:-1]:
            try:
                wrong = position_faults(case, played, stage, valued=number % _ADVISED_EVERY == 0)
            except (Refused, LookupError, ValueError, TypeError, AssertionError) as error:
                wrong = [f"a position of a random round is refused: {type(error).__name__} {error}"]
            found += [each for each in wrong if each not in found]
            number += 1
        if len(found) >= NAMED_MAX:
            break
    return found


def case_advice(case: Case, position: Mapping[str, Any]) -> Advice:
    """Return the advice for a position; raise NotRun if the mathematics is not installed."""
    assert case.mathematics
    return advise(position)


def position_faults(case: Case, played: Round, stage: Transcript, *, valued: bool) -> list[str]:
    """Return the findings on the position of a question."""
    question = question_of(case, stage)
    if question is None:
        return []
    key = question.asked.key
    cards = [card for held in cards_of(case.sheet, question.position).values() for card in held]
    flags_of(case.sheet, question.position)
    found = []
    if FACE_DOWN in msgspec.json.encode(question.position).decode():
        found.append(f"the position of {key!r} holds a card face down")
    if hidden := set(cards) - _seen(played.deck, stage):
        found.append(f"the position of {key!r} holds {len(hidden)} cards the player does not see")
    if valued:
        advice = case_advice(case, question.position)
        for option in question.asked.options:
            if option.why_not is None and option.id not in advice.options:
                found.append(f"advise does not value {option.id!r} when {key!r} is asked")
    return found


def _seen(deck: Sequence[Card], stage: Transcript) -> set[Card]:
    """Return the cards dealt face up."""
    zones: dict[str, list[Card]] = {}
    seen: set[Card] = set()
    dealt = 0
    for event in stage.events:
        if isinstance(event, ev.Dealt):
            new = deck[dealt : dealt + len(event.cards)]
            dealt += len(event.cards)
            zones.setdefault(event.zone, []).extend(new)
            seen |= {card for card, up in zip(new, event.cards, strict=True) if up}
        elif isinstance(event, ev.Revealed):
            seen |= set(zones.get(event.zone, ()))
    return seen
