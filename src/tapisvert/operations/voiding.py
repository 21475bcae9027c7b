"""Voiding rounds: open ones after the sheet's delay, any round by an operator.

A round left open past its delay is void: unsettled bets are refunded, settled bets stand (G11). An
operator voids a round for a malfunction, which voids plays and pays: every net result is reversed,
even if the round is over. A reversal takes back winnings as far as the balance goes; the rest
becomes a recorded debt, never a negative balance. A pot's payment returns to the pot.

Pure, like rounds/decide.py: a loaded state in, rows to write and an answer out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import asdict, astuple, replace

from tapisvert.bank import money
from tapisvert.bank.money import Purse, RoundTransfer, Transfer
from tapisvert.bank.pot import PaidAward, Pot, taking_back
from tapisvert.bank.significant_event import SignificantEvent
from tapisvert.engine import Transcript
from tapisvert.games.registry import GAMES
from tapisvert.operations.refunding import refund
from tapisvert.refusal import Refused, invariant
from tapisvert.rounds.draft import Draft, Writes
from tapisvert.rounds.reversal import ReversalRow
from tapisvert.rounds.round import Round, VoidReason
from tapisvert.rounds.settlement import awarded, end, settle
from tapisvert.rounds.state import CommandState


class WonPot(NamedTuple):
    """The pot that a round has won a share of, and the award."""

    pot: Pot
    paid: PaidAward


@dataclass(frozen=True, slots=True)
class VoidState:
    """The complete input for voiding a round; operations/void_state.py loads it."""

    command: CommandState
    stored: Round
    reversed: bool  # an operator has voided it before
    won: WonPot | None
    transfers: tuple[RoundTransfer, ...] = ()  # all of the round, if its game is not installed


class Reversal(Struct, frozen=True):
    """The amounts of a reversal: given to the player, taken from the player, and owed."""

    given_cents: int
    taken_cents: int
    debt_cents: int


class Voided(Reversal, frozen=True):
    """The amounts of a void: the reversal, and the refunded stakes."""

    refunded_cents: int


class VoidOutcome(NamedTuple):
    """The outcome of a void: the answer, and the rows to commit before it is sent."""

    answer: Voided
    writes: Writes


def decide_expiry(state: VoidState) -> Writes:
    """Void an open round past its delay."""
    stored, now_ms = state.stored, state.command.now_ms
    over = stored.void_at_ms is not None and stored.void_at_ms <= now_ms
    invariant(over, "a round must not expire before its delay")
    draft = Draft(state.command)
    before = _standing(draft, stored)
    ended = _break_off(draft, state, "expired")
    event = SignificantEvent(
        at_ms=now_ms,
        kind="round_expired",
        player_id=stored.player_id,
        round_id=stored.id,
        before=before,
        after=_standing(draft, ended),
    )
    draft.record(event)
    return draft.writes()


def decide_void(state: VoidState, *, by: str, reason: str) -> VoidOutcome:
    """Void a round for an operator, open or over, and reverse its money; or refuse."""
    stored, now_ms = state.stored, state.command.now_ms
    if state.reversed:
        raise Refused("round/already_voided", round_id=stored.id)
    if stored.state not in ("open", "settled", "voided"):
        raise Refused("round/unknown", round_id=stored.id)
    draft, purse = Draft(state.command), state.command.purse(stored.id)
    before, played = _standing(draft, stored), _replayed(state.command, stored)
    refunded = draft.balance_cents(money.round_account(stored.id))
    ended = _break_off(draft, state, "operator") if stored.state == "open" else stored
    done = _reverse(draft, stored.game, purse, played)
    for bet in awarded(purse.currency, played.events):
        _take_back(draft, state, purse, bet)
    draft.reverse(stored, ReversalRow(stored.id, now_ms, by, reason, *astuple(done)))
    event = SignificantEvent(
        at_ms=now_ms,
        kind="round_voided",
        by=by,
        player_id=stored.player_id,
        round_id=stored.id,
        before=before,
        after={**_standing(draft, ended), **asdict(done)},
        reason=reason,
    )
    draft.record(event)
    return VoidOutcome(Voided(**asdict(done), refunded_cents=refunded), draft.writes())


def _replayed(state: CommandState, stored: Round) -> Transcript:
    return state.tables.decks.replay(stored, state.sheet_of(stored))


def _break_off(draft: Draft, state: VoidState, reason: VoidReason) -> Round:
    """Refund the unsettled bets of an open round, and close it."""
    stored = state.stored
    if stored.game not in GAMES:
        return refund(draft, stored, reason, state.transfers)
    played = _replayed(draft.state, replace(stored, void_reason=reason))
    events = played.since(played.first_after(stored.steps_answered))
    settle(draft, draft.state.purse(stored.id), stored.game, events)
    return end(draft, stored, played, reason)


def _take_back(draft: Draft, state: VoidState, purse: Purse, bet: str) -> None:
    """Give the award of a round back to its pot."""
    assert state.won is not None
    part, transfers = taking_back(state.won.pot, purse, state.won.paid, bet)
    draft.contribute(part)
    draft.move(purse, *transfers)


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
