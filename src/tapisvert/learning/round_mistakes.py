"""Practice cards made of the mistakes in a player's finished rounds."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tapisvert.coach.drill import Judged
from tapisvert.history import practice
from tapisvert.learning import practice_repository as repository
from tapisvert.learning.practice import identity, rules_of, source_of, theme_of
from tapisvert.learning.practice_repository import PracticeCard
from tapisvert.learning.schedule import grade, reviewed
from tapisvert.rounds.context import QueryContext


def add_cards(context: QueryContext, game: str, cards: Sequence[PracticeCard]) -> None:
    """Store cards; a card that is stored already does not change."""
    repository.add_cards(context.tx, context.player.id, game, cards)


def cards_of(
    context: QueryContext, game: str, mistakes: Sequence[Judged]
) -> tuple[PracticeCard, ...]:
    """Return a card for each mistake in a finished round: it is due at once."""
    return tuple(_card_of(context, game, mistake) for mistake in mistakes)


def _card_of(context: QueryContext, game: str, mistake: Judged) -> PracticeCard:
    laid, stored = practice.before(context, mistake.round_id, mistake.place)
    source = msgspec.structs.replace(
        source_of(laid),
        sheet_hash=stored.sheet_hash,
        edition=stored.edition,
        round_id=stored.id,
        cost=mistake.cost,
    )
    ended_ms = stored.ended_at_ms or context.now_ms
    memory = reviewed(None, grade(mistake.cost, mistake.asked.gap), ended_ms)
    waiting = practice.position(*rules_of(context, game, source), laid).waiting
    return PracticeCard(
        position=identity(waiting),
        theme=theme_of(game, waiting),
        memory=msgspec.structs.replace(memory, due_ms=ended_ms),
        source=source,
    )
