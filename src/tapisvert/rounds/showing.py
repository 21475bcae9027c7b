"""Rounds and money as their player sees them: replies, lists, history, statements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tapisvert.bank import ledger
from tapisvert.engine import Transcript, view
from tapisvert.engine.events import Chose
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.view import AskView
from tapisvert.games.registry import edition
from tapisvert.refusal import Refused
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.messages import (
    Recall,
    ReversalView,
    RoundList,
    RoundReply,
    RoundSummary,
    RoundView,
    TransferList,
    TransferView,
    Wallet,
    iso,
)
from tapisvert.rounds.records import Round, load_round, stored_sheet, transcript_of

PAGE = 50
_LATEST = 2**63 - 1
_LISTS = {
    None: "opened_at_ms IS NOT NULL",
    "open": "state = 'open'",
    "unseen": "seen = 0 AND state IN ('settled', 'voided')",
}


def wallet(desk: Desk) -> Wallet:
    """Return what the player has, and what open rounds hold."""
    row = desk.tx.row(
        "SELECT (SELECT units FROM accounts WHERE id = ?), (SELECT COALESCE(SUM(accounts.units), 0)"
        " FROM rounds JOIN accounts ON accounts.id = 'round:' || rounds.id"
        " WHERE rounds.player_id = ? AND rounds.state = 'open')",
        (ledger.player_account(desk.player.id), desk.player.id),
    )
    assert row is not None
    balance, held = (int(units) // ledger.UNITS_PER_CENT for units in row)
    return Wallet(desk.player.currency, balance, held)


def round_reply(desk: Desk, round_id: str, since: int = 0) -> RoundReply:
    """Return a round with its events from `since` on, and the wallet."""
    stored = load_round(desk.tx, desk.player.id, round_id)
    played = transcript_of(desk.tx, desk.dealer, stored)
    return reply_of(desk, stored, played, since, _reversal(desk, stored))


def reply_of(
    desk: Desk,
    stored: Round,
    played: Transcript,
    since: int,
    reversal: ReversalView | None = None,
) -> RoundReply:
    """Return the reply for a round that has just been replayed."""
    money = wallet(desk)
    shown = _round_view(desk, stored, played, money.balance_cents, since, reversal)
    return RoundReply(shown, money)


class Waiting(NamedTuple):
    """A question that waits, with all its player may see: what a coach needs to know."""

    sheet: Sheet
    ask: AskView
    hands: dict[str, tuple[str, ...]]
    stakes: Mapping[str, int]  # those of the options taken so far included


def waiting(desk: Desk, round_id: str) -> Waiting:
    """Return the question that a round of the player waits on."""
    stored = load_round(desk.tx, desk.player.id, round_id)
    played = transcript_of(desk.tx, desk.dealer, stored)
    seen = view(played)
    if seen.ask is None:
        raise Refused("round/ended", round_id=round_id)
    sheet = stored_sheet(desk.tx, stored.sheet_hash, edition(stored.game, stored.edition))
    return Waiting(sheet, seen.ask, seen.hands, played.stakes)


def recall(desk: Desk, round_id: str) -> Recall:
    """Tell a round that is over again, from its record (G9)."""
    stored = load_round(desk.tx, desk.player.id, round_id)
    if not stored.over:
        raise Refused("round/not_ended", round_id=round_id)
    assert stored.balance_before_cents is not None
    assert stored.balance_after_cents is not None
    played = transcript_of(desk.tx, desk.dealer, stored)
    return Recall(
        replay=True,
        round=_round_view(
            desk, stored, played, stored.balance_after_cents, 0, _reversal(desk, stored)
        ),
        choices=tuple(event.option for event in played.events if isinstance(event, Chose)),
        balance_before_cents=stored.balance_before_cents,
        balance_after_cents=stored.balance_after_cents,
        seen=stored.seen,
    )


def rounds(desk: Desk, status: str | None, before: int | None) -> RoundList:
    """List the player's rounds, newest first: open ones, those that ended unseen, or all."""
    if status not in _LISTS:
        raise Refused("request/malformed", reason="status is open or unseen")
    found = desk.tx.rows(
        "SELECT seq, id, game, state, opened_at_ms, ended_at_ms, staked_cents, returned_cents,"
        " seen, EXISTS (SELECT 1 FROM reversals WHERE round_id = rounds.id)"
        f" FROM rounds WHERE player_id = ? AND seq < ? AND {_LISTS[status]}"
        f" ORDER BY seq DESC LIMIT {PAGE}",
        (desk.player.id, _LATEST if before is None else before),
    )
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
        )
        for row in found
    )
    return RoundList(summaries, found[-1][0] if len(found) == PAGE else None)


def mark_seen(desk: Desk, round_id: str) -> None:
    """Note that the player has been shown how a round ended."""
    stored = load_round(desk.tx, desk.player.id, round_id)
    if not stored.over:
        raise Refused("round/not_ended", round_id=round_id)
    desk.tx.run("UPDATE rounds SET seen = 1 WHERE id = ?", (round_id,))


def transfers(desk: Desk, before: int | None) -> TransferList:
    """List the movements of the player's own account, newest first."""
    mine = ledger.player_account(desk.player.id)
    found = desk.tx.rows(
        "SELECT id, at_ms, CASE WHEN credit = ? THEN units ELSE -units END, reason, round_id, bet"
        " FROM transfers WHERE player_id = ? AND id < ? AND (credit = ? OR debit = ?)"
        f" ORDER BY id DESC LIMIT {PAGE}",
        (mine, desk.player.id, _LATEST if before is None else before, mine, mine),
    )
    shown = tuple(
        TransferView(row[0], iso(row[1]), row[2] // ledger.UNITS_PER_CENT, *row[3:])
        for row in found
    )
    return TransferList(shown, found[-1][0] if len(found) == PAGE else None)


def _round_view(
    desk: Desk,
    stored: Round,
    played: Transcript,
    balance_cents: int,
    since: int,
    reversal: ReversalView | None,
) -> RoundView:
    assert stored.opened_at_ms is not None
    assert stored.client_seed is not None
    seen = view(played, balance_cents)
    sheet = stored_sheet(desk.tx, stored.sheet_hash, edition(stored.game, stored.edition))
    return RoundView(
        id=stored.id,
        game=stored.game,
        edition=stored.edition,
        sheet_hash=stored.sheet_hash,
        commitment=stored.commitment,
        client_seed=stored.client_seed,
        state=stored.state,
        opened_at=iso(stored.opened_at_ms),
        ended_at=None if stored.ended_at_ms is None else iso(stored.ended_at_ms),
        void_after_s=sheet.void_after_s,
        stakes=stored.stakes,
        ask=seen.ask,
        lines=seen.lines,
        staked_cents=seen.staked_cents,
        returned_cents=seen.returned_cents,
        hands=seen.hands,
        events=played.events[max(since, 0) :],
        reversal=reversal,
    )


def _reversal(desk: Desk, stored: Round) -> ReversalView | None:
    row = stored.over and desk.tx.row(
        "SELECT at_ms, reason, given_cents, taken_cents, debt_cents FROM reversals"
        " WHERE round_id = ?",
        (stored.id,),
    )
    return ReversalView(iso(row[0]), row[1], row[2], row[3], row[4]) if row else None
