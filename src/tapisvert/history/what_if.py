"""What if: a finished round replayed with other choices, on the same deck and stakes.

Nothing is stored or paid. Only a finished round can be replayed: its seed is public by then, so the
answer reveals nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tapisvert.engine import Answer, Transcript, replay, view
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import edition
from tapisvert.refusal import Refused
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.player_views import Waiting
from tapisvert.rounds.repository import load_round
from tapisvert.rounds.stored_sheets import stored_sheet


class Branch(NamedTuple):
    """A round replayed with some choices, as far as they reach."""

    sheet: Sheet
    played: Transcript


def branch(context: QueryContext, round_id: str, choices: Sequence[str]) -> Branch:
    """Replay a finished round of the player with these choices."""
    stored = load_round(context.tx, context.player.id, round_id)
    if not stored.over:
        raise Refused("round/not_ended", round_id=round_id)
    by = edition(stored.game, stored.edition)
    sheet = stored_sheet(context.tx, stored.sheet_hash, by)
    # The bank answered at the deal, before any choice: its answers stay.
    answers: list[Answer] = [answer for answer in stored.answers if isinstance(answer, int)]
    deck = context.dealer.decks.of(stored, sheet)
    return Branch(sheet, replay(by.script, sheet, deck, stored.stakes, [*answers, *choices]))


def question(context: QueryContext, round_id: str, choices: Sequence[str]) -> Waiting:
    """Return the question a finished round waits on after these choices."""
    sheet, played = branch(context, round_id, choices)
    seen = view(played)
    if seen.ask is None:
        raise Refused("round/ended", round_id=round_id)
    return Waiting(sheet, seen.ask, seen.hands, played.stakes)
