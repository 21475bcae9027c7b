"""Views of a player's money and open rounds, for the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tapisvert.bank import money
from tapisvert.engine import view
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.view import AskView
from tapisvert.games.registry import edition
from tapisvert.refusal import Refused
from tapisvert.rounds import repository
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.replies import reply_of
from tapisvert.rounds.repository import load_round, transcript_of
from tapisvert.rounds.reversal_repository import find_reversal
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import (
    ReversalView,
    RoundReply,
    Wallet,
    iso,
)
from tapisvert.rounds.stored_sheets import stored_sheet


def wallet(context: QueryContext) -> Wallet:
    """Return the player's balance, and the sum that open rounds hold."""
    units = repository.balance_and_held(context.tx, context.player.id)
    balance, held = (each // money.UNITS_PER_CENT for each in units)
    return Wallet(context.player.currency, balance, held)


def round_reply(context: QueryContext, round_id: str, since: int = 0) -> RoundReply:
    """Return a round with its events from `since` on, and the wallet."""
    stored = load_round(context.tx, context.player.id, round_id)
    played = transcript_of(context.tx, context.dealer.decks, stored)
    sheet, shown = sheet_of(context, stored), reversal_of(context, stored)
    return reply_of(stored, played, sheet, wallet(context), since, shown)


class Waiting(NamedTuple):
    """An open question with everything its player may see: the input of the coach."""

    sheet: Sheet
    ask: AskView
    hands: dict[str, tuple[str, ...]]
    stakes: Mapping[str, int]  # includes stakes of options chosen so far


def waiting(context: QueryContext, round_id: str) -> Waiting:
    """Return the open question of a player's round."""
    stored = load_round(context.tx, context.player.id, round_id)
    played = transcript_of(context.tx, context.dealer.decks, stored)
    seen = view(played)
    if seen.ask is None:
        raise Refused("round/ended", round_id=round_id)
    return Waiting(sheet_of(context, stored), seen.ask, seen.hands, played.stakes)


def mark_seen(context: QueryContext, round_id: str) -> None:
    """Record that the player has seen how a round ended."""
    stored = load_round(context.tx, context.player.id, round_id)
    if not stored.over:
        raise Refused("round/not_ended", round_id=round_id)
    repository.set_seen(context.tx, round_id, seen=True)


def sheet_of(context: QueryContext, stored: Round) -> Sheet:
    """Return the sheet a round was played by."""
    return stored_sheet(context.tx, stored.sheet_hash, edition(stored.game, stored.edition))


def reversal_of(context: QueryContext, stored: Round) -> ReversalView | None:
    """Return the operator's reversal of a finished round, or None."""
    row = find_reversal(context.tx, stored.id) if stored.over else None
    if row is None:
        return None
    return ReversalView(
        iso(row.at_ms), row.reason, row.given_cents, row.taken_cents, row.debt_cents
    )
