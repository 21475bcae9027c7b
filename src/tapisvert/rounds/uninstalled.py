"""Rounds of a game that is no longer installed: kept, named, and refunded from what is stored.

Without its script a round cannot be replayed. The ledger still says what each of its bets holds:
past its delay that is given back, as a replay would give it back (G11).
"""

from __future__ import annotations

from tapisvert.bank import ledger
from tapisvert.bank.ledger import Transfer
from tapisvert.games.registry import GAMES
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.posting import close
from tapisvert.rounds.records import Round, VoidReason
from tapisvert.store import Tx


def refund(desk: Desk, stored: Round, reason: VoidReason) -> Round:
    """Give back what each bet of an open round holds, and close the round."""
    held, mine = ledger.round_account(stored.id), ledger.player_account(stored.player_id)
    rows = desk.tx.rows(
        "SELECT bet, SUM(CASE WHEN credit = ? THEN units ELSE -units END) FROM transfers"
        " WHERE round_id = ? AND (credit = ? OR debit = ?) GROUP BY bet ORDER BY MIN(id)",
        (held, stored.id, held, held),
    )
    back = [
        Transfer(held, mine, int(units) // ledger.UNITS_PER_CENT, "return", bet)
        for bet, units in rows
        if units
    ]
    ledger.move(desk.tx, desk.purse(stored.id), *back)
    staked = _moved_cents(desk.tx, stored.id, "debit", mine)
    returned = _moved_cents(desk.tx, stored.id, "credit", mine)
    return close(desk, stored, reason, staked, returned)


def _moved_cents(tx: Tx, round_id: str, side: str, account: str) -> int:
    row = tx.row(
        f"SELECT SUM(units) FROM transfers WHERE round_id = ? AND {side} = ?", (round_id, account)
    )
    return int(row[0] or 0) // ledger.UNITS_PER_CENT if row else 0


def uninstalled(tx: Tx) -> tuple[str, ...]:
    """Say of which games there are rounds that cannot be replayed here, and how many."""
    rows = tx.rows("SELECT game, COUNT(*) FROM rounds GROUP BY game ORDER BY game")
    return tuple(f"{count} rounds of {game}" for game, count in rows if game not in GAMES)
