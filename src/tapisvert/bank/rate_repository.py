"""Exchange rates: set by the operator, stored as decimal text, never as a float.

A rate is the value of one unit of the player's currency in the pot's currency. Amounts convert from
the pot's currency to the player's: divided by the rate and rounded half up, players' amounts to the
cent, amounts between house and pot to the ledger's unit. A displayed pot is rounded down.
"""

from __future__ import annotations

import re
from fractions import Fraction

from tapisvert.bank import journal, money
from tapisvert.bank.exchange_rate import Rate
from tapisvert.refusal import Refused
from tapisvert.store import Tx

_WRITTEN = re.compile(r"[0-9]{1,6}(\.[0-9]{1,8})?")


def all_in_force(tx: Tx, pot: str) -> list[Rate]:
    """Return the newest rate of each currency at a pot, ordered by currency."""
    newest = {rate.currency: rate for _, rate in sorted(all_of(tx, pot).items())}
    return [newest[currency] for currency in sorted(newest)]


def in_force(tx: Tx, pot: str, currency: str) -> Rate | None:
    """Return the newest rate of one currency at a pot."""
    row = tx.row(
        "SELECT id, currency, rate FROM rates WHERE pot = ? AND currency = ?"
        " ORDER BY id DESC LIMIT 1",
        (pot, currency),
    )
    return Rate(*row) if row else None


def newest(tx: Tx) -> dict[tuple[str, str], Rate]:
    """Return every rate in force, by pot and currency."""
    rows = tx.rows("SELECT pot, id, currency, rate FROM rates ORDER BY id")
    return {(pot, rate[1]): Rate(*rate) for pot, *rate in rows}


def all_of(tx: Tx, pot: str) -> dict[int, Rate]:
    """Return every rate a pot has had, by id."""
    rows = tx.rows("SELECT id, currency, rate FROM rates WHERE pot = ?", (pot,))
    return {row[0]: Rate(*row) for row in rows}


def set_rate(
    tx: Tx, pot: str, home: str, currency: str, written: str, *, by: str, at_ms: int
) -> None:
    """Set the value of one unit of a currency in `home`, the pot's currency, from now on."""
    money.must_be_real(currency)
    if currency == home or not _WRITTEN.fullmatch(written) or not Fraction(written):
        raise Refused("jackpot/rate", currency=currency, rate=written[:32])
    tx.lock("jackpots", pot)
    before = in_force(tx, pot, currency)
    (number,) = tx.inserted_ids(
        "INSERT INTO rates (pot, currency, rate, at_ms) VALUES (?, ?, ?, ?)",
        (pot, currency, written, at_ms),
    )
    journal.record(
        tx,
        at_ms,
        "rate_set",
        by=by,
        before={"pot": pot, "currency": currency, "rate": before and before.written},
        after={"pot": pot, "currency": currency, "rate": written, "id": number},
    )
