"""The faults for which a strategy is refused, each with an example; one refusal reports all."""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.odds.vocabulary import Question, Spots
from tapisvert.refusal import Refused
from tapisvert.strategies.file_errors import room_for
from tapisvert.words import catalogue, explain

NOT_OFFERED = "the table does not offer it there"


def example(spots: Spots, at: int) -> str:
    """Write the cards of a position."""
    zones = spots.position(at).items()
    return ", ".join(f"{zone} {' '.join(cards)}" for zone, cards in zones)


def never_applies(question: str, rule: int, reason: str) -> Refused:
    """Return the refusal of a rule that decides no position."""
    return Refused("strategy/never_applies", question=question, rule=rule, example=reason, also="")


def not_legal(name: str, question: Question, rule: int, option: str, at: str) -> Refused:
    """Return the refusal of a rule whose option is not legal where it is chosen."""
    return Refused(
        "strategy/not_legal",
        question=name,
        rule=rule,
        option=option,
        example=at,
        reason=question.limits.get(option, NOT_OFFERED),
        also="",
    )


def uncovered(question: str, at: str) -> Refused:
    """Return the refusal of a question with a position that no rule covers."""
    return Refused("strategy/uncovered", question=question, example=at, also="")


def together(faults: Sequence[Refused]) -> Refused:
    """Return the first refusal, with the others in its message."""
    first, *others = faults
    words = catalogue("en")
    also = room_for(explain(words, each) for each in others)
    return Refused(first.code, **{**first.details, "also": also})
