"""A player's money and open rounds as they stand: what the table shows."""

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
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import (
    ReversalView,
    RoundReply,
    Wallet,
    iso,
)
from tapisvert.rounds.stored_sheets import stored_sheet


def wallet(context: QueryContext) -> Wallet:
    """Return what the player has, and what open rounds hold."""
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
    """A question that waits, with all its player may see: what a coach needs to know."""

    sheet: Sheet
    ask: AskView
    hands: dict[str, tuple[str, ...]]
    stakes: Mapping[str, int]  # those of the options taken so far included


def waiting(context: QueryContext, round_id: str) -> Waiting:
    """Return the question that a round of the player waits on."""
    stored = load_round(context.tx, context.player.id, round_id)
    played = transcript_of(context.tx, context.dealer.decks, stored)
    seen = view(played)
    if seen.ask is None:
        raise Refused("round/ended", round_id=round_id)
    return Waiting(sheet_of(context, stored), seen.ask, seen.hands, played.stakes)


def mark_seen(context: QueryContext, round_id: str) -> None:
    """Note that the player has been shown how a round ended."""
    stored = load_round(context.tx, context.player.id, round_id)
    if not stored.over:
        raise Refused("round/not_ended", round_id=round_id)
    repository.set_seen(context.tx, round_id, seen=True)


def sheet_of(context: QueryContext, stored: Round) -> Sheet:
    """Return the sheet a round was played by."""
    return stored_sheet(context.tx, stored.sheet_hash, edition(stored.game, stored.edition))


def reversal_of(context: QueryContext, stored: Round) -> ReversalView | None:
    """Return that an operator has voided a round that was over."""
    row = stored.over and context.tx.row(
        "SELECT at_ms, reason, given_cents, taken_cents, debt_cents FROM reversals"
        " WHERE round_id = ?",
        (stored.id,),
    )
    return ReversalView(iso(row[0]), row[1], row[2], row[3], row[4]) if row else None
