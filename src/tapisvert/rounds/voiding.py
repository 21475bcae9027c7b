"""Rounds that are broken off or undone: by the sheet's delay, or by an operator.

A round left open past its delay is void: what is not settled is given back, what is settled stays
(G11). An operator voids a round for a malfunction, which voids plays and pays: every net result of
it is reversed, also when the round was over. Reversing takes back what was won as far as the
balance goes; the rest is a recorded debt, never a negative balance. What a pot has paid goes back
into the pot.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict, replace

from tapisvert.bank import awards, journal, ledger
from tapisvert.bank.ledger import Purse, Transfer
from tapisvert.engine import Transcript
from tapisvert.games.registry import GAMES
from tapisvert.refusal import Refused, sure
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.posting import awarded, end, post
from tapisvert.rounds.records import Round, VoidReason, transcript_of
from tapisvert.rounds.uninstalled import refund
from tapisvert.store import Tx


class Reversal(Struct, frozen=True):
    """What reversing a round moved: given to the player, taken from the player, and owed."""

    given_cents: int
    taken_cents: int
    debt_cents: int


class Voided(Reversal, frozen=True):
    """What voiding a round moved: its reversal, and the stakes it still held, given back."""

    refunded_cents: int


def due(tx: Tx, now_ms: int, limit: int) -> list[str]:
    """Return rounds that are past their delay, the oldest first."""
    rows = tx.rows(
        "SELECT id FROM rounds WHERE state = 'open' AND void_at_ms <= ?"
        f" ORDER BY void_at_ms LIMIT {limit}",
        (now_ms,),
    )
    return [row[0] for row in rows]


def expire(desk: Desk, stored: Round) -> Round:
    """Void an open round for its delay."""
    sure(stored.void_at_ms is not None and stored.void_at_ms <= desk.now_ms, "the delay is over")
    before = _standing(desk, stored)
    ended = _break_off(desk, stored, "expired")
    journal.record(
        desk.tx,
        desk.now_ms,
        "round_expired",
        player_id=stored.player_id,
        round_id=stored.id,
        before=before,
        after=_standing(desk, ended),
    )
    return ended


def void(desk: Desk, stored: Round, *, by: str, reason: str) -> Voided:
    """Void a round for an operator, open or over: nobody has won or lost by it."""
    if desk.tx.row("SELECT 1 FROM reversals WHERE round_id = ?", (stored.id,)):
        raise Refused("round/already_voided", round_id=stored.id)
    if stored.state not in ("open", "settled", "voided"):
        raise Refused("round/unknown", round_id=stored.id)
    before, played = _standing(desk, stored), transcript_of(desk.tx, desk.dealer, stored)
    refunded = ledger.balance_cents(desk.tx, ledger.round_account(stored.id))
    ended = _break_off(desk, stored, "operator") if stored.state == "open" else stored
    done = _reverse(desk.tx, desk.purse(stored.id), stored.game, played)
    for bet in awarded(desk.player.currency, played.events):
        awards.take_back(desk.tx, desk.purse(stored.id), bet)
    desk.tx.run(
        "INSERT INTO reversals (round_id, at_ms, by, reason, given_cents, taken_cents, debt_cents)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (stored.id, desk.now_ms, by, reason, done.given_cents, done.taken_cents, done.debt_cents),
    )
    desk.tx.run("UPDATE rounds SET seen = 0 WHERE id = ?", (stored.id,))
    journal.record(
        desk.tx,
        desk.now_ms,
        "round_voided",
        by=by,
        player_id=stored.player_id,
        round_id=stored.id,
        before=before,
        after={**_standing(desk, ended), **asdict(done)},
        reason=reason,
    )
    return Voided(**asdict(done), refunded_cents=refunded)


def _break_off(desk: Desk, stored: Round, reason: VoidReason) -> Round:
    """Give back what an open round still holds, and close it."""
    if stored.game not in GAMES:
        return refund(desk, stored, reason)
    before = transcript_of(desk.tx, desk.dealer, stored)
    played = transcript_of(desk.tx, desk.dealer, replace(stored, void_reason=reason))
    post(desk.tx, desk.purse(stored.id), stored.game, played.events[len(before.events) :])
    return end(desk, stored, played, reason)


def _reverse(tx: Tx, purse: Purse, game: str, played: Transcript) -> Reversal:
    """Move every net result back to where it came from."""
    mine, house = ledger.player_account(purse.player_id), f"house:{game}"
    nets = {bet: line.returned_cents - line.staked_cents for bet, line in played.lines.items()}
    given = 0
    for bet, net in nets.items():
        if net < 0:
            ledger.move(tx, purse, Transfer(house, mine, -net, "reversal", bet))
            given -= net
    taken = owed = 0
    for bet, net in nets.items():
        if net > 0:
            now = min(net, ledger.balance_cents(tx, mine))
            for debit, cents, why in (
                (mine, now, "reversal"),
                (ledger.debt_account(purse.player_id), net - now, "debt"),
            ):
                if cents:
                    ledger.move(tx, purse, Transfer(debit, house, cents, why, bet))
            taken, owed = taken + now, owed + net - now
    return Reversal(given, taken, owed)


def _standing(desk: Desk, stored: Round) -> dict[str, str | int]:
    """Return where a round and its player's money stand."""
    return {
        "state": stored.state,
        "held_cents": ledger.balance_cents(desk.tx, ledger.round_account(stored.id)),
        "balance_cents": ledger.balance_cents(desk.tx, ledger.player_account(stored.player_id)),
    }
