"""The reply to a command on a round: the round as its player sees it. Pure."""

from __future__ import annotations

from tapisvert.engine import Transcript, view
from tapisvert.engine.sheet import Sheet
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import ReversalView, RoundReply, RoundView, Wallet, iso


def reply_of(
    stored: Round,
    played: Transcript,
    sheet: Sheet,
    wallet: Wallet,
    since: int,
    reversal: ReversalView | None = None,
) -> RoundReply:
    """Return a round with its events from `since` on, and the wallet."""
    shown = round_view(stored, played, sheet, wallet.balance_cents, since, reversal)
    return RoundReply(shown, wallet)


def round_view(
    stored: Round,
    played: Transcript,
    sheet: Sheet,
    balance_cents: int,
    since: int,
    reversal: ReversalView | None,
) -> RoundView:
    """Return a round as its player sees it."""
    assert stored.opened_at_ms is not None
    assert stored.client_seed is not None
    seen = view(played, balance_cents)
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
        events=played.since(since),
        reversal=reversal,
    )
