"""A player's history: lists of rounds, recall of one, statements of account."""

from __future__ import annotations

from tapisvert.bank import money
from tapisvert.engine.events import Chose
from tapisvert.history.round_queries import ALL, LISTS, Wanted, page
from tapisvert.refusal import Refused
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.player_views import reversal_of, sheet_of
from tapisvert.rounds.replies import round_view
from tapisvert.rounds.repository import load_round, transcript_of
from tapisvert.rounds.schemas import (
    Recall,
    RoundList,
    RoundSummary,
    TransferList,
    TransferView,
    iso,
)

PAGE = 50
_LATEST = 2**63 - 1


def recall(context: QueryContext, round_id: str) -> Recall:
    """Return a finished round with all its events, replayed from its record (G9)."""
    stored = load_round(context.tx, context.player.id, round_id)
    if not stored.over:
        raise Refused("round/not_ended", round_id=round_id)
    assert stored.balance_before_cents is not None
    assert stored.balance_after_cents is not None
    played = transcript_of(context.tx, context.dealer.decks, stored)
    return Recall(
        replay=True,
        round=round_view(
            stored,
            played,
            sheet_of(context, stored),
            stored.balance_after_cents,
            0,
            reversal_of(context, stored),
        ),
        choices=tuple(event.option for event in played.events if isinstance(event, Chose)),
        balance_before_cents=stored.balance_before_cents,
        balance_after_cents=stored.balance_after_cents,
        seen=stored.seen,
    )


def rounds(
    context: QueryContext, status: str | None, before: int | None, wanted: Wanted = ALL
) -> RoundList:
    """List the player's rounds, newest first: open, finished but unseen, or all."""
    if status not in LISTS:
        raise Refused("request/malformed", reason="status must be open or unseen")
    upto = _LATEST if before is None else before
    found = page(context.tx, context.player.id, status, upto, PAGE, wanted)
    summaries = tuple(
        RoundSummary(
            id=row[1],
            game=row[2],
            state=row[3],
            opened_at=iso(row[4]),
            ended_at=None if row[5] is None else iso(row[5]),
            staked_cents=row[6],
            returned_cents=row[7],
            seen=bool(row[8]),
            reversed=bool(row[9]),
            rules=row[10],
        )
        for row in found
    )
    return RoundList(summaries, found[-1][0] if len(found) == PAGE else None)


def transfers(context: QueryContext, before: int | None) -> TransferList:
    """List the transfers of the player's account, newest first."""
    mine = money.player_account(context.player.id)
    found = context.tx.rows(
        "SELECT id, at_ms, CASE WHEN credit = ? THEN units ELSE -units END, reason, round_id, bet"
        " FROM transfers WHERE player_id = ? AND id < ? AND (credit = ? OR debit = ?)"
        f" ORDER BY id DESC LIMIT {PAGE}",
        (mine, context.player.id, _LATEST if before is None else before, mine, mine),
    )
    shown = tuple(
        TransferView(row[0], iso(row[1]), row[2] // money.UNITS_PER_CENT, *row[3:]) for row in found
    )
    return TransferList(shown, found[-1][0] if len(found) == PAGE else None)
