"""Voiding rounds: open ones after the sheet's delay, any round by an operator.

A round left open past its delay is void: unsettled bets are refunded, settled bets stand (G11). An
operator voids a round for a malfunction, which voids plays and pays: every net result is reversed,
even if the round is over. A reversal takes back winnings as far as the balance goes; the rest
becomes a recorded debt, never a negative balance. A pot's payment returns to the pot.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict, astuple, replace

from tapisvert.bank import awards, journal, ledger, money
from tapisvert.bank.money import Purse, Transfer
from tapisvert.engine import Transcript
from tapisvert.games.registry import GAMES
from tapisvert.operations.uninstalled import refund
from tapisvert.refusal import Refused, invariant
from tapisvert.rounds import repository
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.reversal_repository import ReversalRow, add_reversals, find_reversal
from tapisvert.rounds.round import Round, VoidReason
from tapisvert.rounds.save import save
from tapisvert.rounds.settlement import awarded, end, settle
from tapisvert.rounds.state import CommandState
from tapisvert.store import Tx


class Reversal(Struct, frozen=True):
    """The amounts of a reversal: given to the player, taken from the player, and owed."""

    given_cents: int
    taken_cents: int
    debt_cents: int


class Voided(Reversal, frozen=True):
    """The amounts of a void: the reversal, and the refunded stakes."""

    refunded_cents: int


def expire(tx: Tx, state: CommandState, stored: Round) -> Round:
    """Void an open round past its delay."""
    invariant(
        stored.void_at_ms is not None and stored.void_at_ms <= state.now_ms, "the delay is over"
    )
    draft = Draft(state)
    before = _standing(draft, stored)
    ended = _break_off(tx, draft, stored, "expired")
    save(tx, [draft.writes()])
    journal.record(
        tx,
        state.now_ms,
        "round_expired",
        player_id=stored.player_id,
        round_id=stored.id,
        before=before,
        after=_standing(draft, ended),
    )
    return ended


def void(tx: Tx, state: CommandState, stored: Round, *, by: str, reason: str) -> Voided:
    """Void a round for an operator, open or over, and reverse its money."""
    if find_reversal(tx, stored.id) is not None:
        raise Refused("round/already_voided", round_id=stored.id)
    if stored.state not in ("open", "settled", "voided"):
        raise Refused("round/unknown", round_id=stored.id)
    draft, purse = Draft(state), state.purse(stored.id)
    before, played = _standing(draft, stored), _replayed(state, stored)
    refunded = draft.balance_cents(money.round_account(stored.id))
    ended = _break_off(tx, draft, stored, "operator") if stored.state == "open" else stored
    done = _reverse(draft, stored.game, purse, played)
    save(tx, [draft.writes()])
    for bet in awarded(state.player.currency, played.events):
        awards.take_back(tx, purse, bet)
    add_reversals(tx, [ReversalRow(stored.id, state.now_ms, by, reason, *astuple(done))])
    repository.set_seen(tx, stored.id, seen=False)
    journal.record(
        tx,
        state.now_ms,
        "round_voided",
        by=by,
        player_id=stored.player_id,
        round_id=stored.id,
        before=before,
        after={**_standing(draft, ended), **asdict(done)},
        reason=reason,
    )
    return Voided(**asdict(done), refunded_cents=refunded)


def _replayed(state: CommandState, stored: Round) -> Transcript:
    return state.tables.decks.replay(stored, state.sheet_of(stored))


def _break_off(tx: Tx, draft: Draft, stored: Round, reason: VoidReason) -> Round:
    """Refund the unsettled bets of an open round, and close it."""
    if stored.game not in GAMES:
        return refund(draft, stored, reason, ledger.round_transfers(tx, stored.id))
    played = _replayed(draft.state, replace(stored, void_reason=reason))
    events = played.since(stored.steps_answered)
    settle(draft, draft.state.purse(stored.id), stored.game, events)
    return end(draft, stored, played, reason)


def _reverse(draft: Draft, game: str, purse: Purse, played: Transcript) -> Reversal:
    """Transfer every net result back."""
    mine, house = money.player_account(purse.player_id), f"house:{game}"
    nets = {bet: line.returned_cents - line.staked_cents for bet, line in played.lines.items()}
    given = 0
    for bet, net in nets.items():
        if net < 0:
            draft.move(purse, Transfer(house, mine, -net, "reversal", bet))
            given -= net
    taken = owed = 0
    for bet, net in nets.items():
        if net > 0:
            now = min(net, draft.balance_cents(mine))
            for debit, cents, why in (
                (mine, now, "reversal"),
                (money.debt_account(purse.player_id), net - now, "debt"),
            ):
                if cents:
                    draft.move(purse, Transfer(debit, house, cents, why, bet))
            taken, owed = taken + now, owed + net - now
    return Reversal(given, taken, owed)


def _standing(draft: Draft, stored: Round) -> dict[str, str | int]:
    """Return the state of a round and its player's money, for the journal."""
    return {
        "state": stored.state,
        "held_cents": draft.balance_cents(money.round_account(stored.id)),
        "balance_cents": draft.balance_cents(money.player_account(stored.player_id)),
    }
