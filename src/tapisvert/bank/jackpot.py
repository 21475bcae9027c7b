"""The progressive jackpot: bets on a game feed a pot, and a few hands win it.

A bet inserts a row into `contributions` and transfers its part to `contributed:<pot>`, where it
waits for a fold. That account has no balance row, so bets do not block one another. A fold locks
the pot and transfers the waiting contributions to `jackpot:<pot>`. An award does the same, then
takes its share. The first to lock the pot wins first. The house funds the start and every reset;
the rest is the players' money. The database enforces that the pot equals funds plus contributions
less awards, to the unit; this module enforces that it equals the balance of its account.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import astuple, replace

from tapisvert.bank import journal, ledger, money
from tapisvert.bank.covered_tables import CONTRIBUTION, digest
from tapisvert.bank.money import UNITS_PER_CENT, Purse, Transfer
from tapisvert.bank.pot import Contribution, Pot, folding, journal_fields, marked
from tapisvert.engine.sheet import Jackpot, write_odds
from tapisvert.refusal import Refused, invariant
from tapisvert.store import Tx

RESET_CENTS_MAX = 10**12
_PERCENT = re.compile(r"[0-9]{1,2}(\.[0-9]{1,5})?")  # a share of at most seven decimals
_COLUMNS = ", ".join(Pot.__struct_fields__)


def find(tx: Tx, pot_id: str) -> Pot | None:
    """Return a pot by id, or None."""
    row = tx.row(f"SELECT {_COLUMNS} FROM jackpots WHERE id = ?", (pot_id,))
    return Pot(*row) if row else None


def load(tx: Tx, pot_id: str) -> Pot:
    """Return a pot by id, or refuse."""
    pot = find(tx, pot_id)
    if pot is None:
        raise Refused("jackpot/unknown", pot=pot_id[:64])
    return pot


def pots(tx: Tx) -> list[Pot]:
    """Return all pots."""
    return [Pot(*row) for row in tx.rows(f"SELECT {_COLUMNS} FROM jackpots ORDER BY id")]


def open_pot(tx: Tx, pot_id: str, currency: str, figures: Jackpot, *, by: str, at_ms: int) -> Pot:
    """Open a pot; the house funds its starting value."""
    money.must_be_real(currency)
    tx.lock("jackpots", pot_id)
    if find(tx, pot_id):
        raise Refused("jackpot/exists", pot=pot_id)
    start = figures.reset_cents * UNITS_PER_CENT
    pot = Pot(
        id=pot_id,
        currency=currency,
        opened_at_ms=at_ms,
        epoch=1,
        reset_cents=figures.reset_cents,
        contribution=write_odds(figures.contribution),
        next_reset_cents=None,
        next_contribution=None,
        folds=0,
        triggers=0,
        funded_units=start,
        gathered_units=0,
        awarded_units=0,
        units=start,
        as_of_ms=at_ms,
    )
    places = ", ".join("?" for _ in Pot.__struct_fields__)
    tx.run(
        f"INSERT INTO jackpots ({_COLUMNS}, mark) VALUES ({places}, ?)",
        (*astuple(pot), tx.mark(marked(pot))),
    )
    ledger.open_account(tx, pot.account, currency)
    ours = Purse("", currency, at_ms)
    ledger.move(tx, ours, Transfer(pot.house, pot.account, figures.reset_cents, "reset"))
    journal.record(tx, at_ms, "jackpot_opened", by=by, after=journal_fields(pot))
    return pot


def queue(
    tx: Tx,
    pot_id: str,
    *,
    reset_cents: int | None,
    contribution: str | None,
    by: str,
    reason: str,
    at_ms: int,
) -> Pot:
    """Queue new figures for the next pot. The current pot keeps its own until it is won (J5)."""
    tx.lock("jackpots", pot_id)
    pot = load(tx, pot_id)
    if reset_cents is not None and not 0 < reset_cents <= RESET_CENTS_MAX:
        raise Refused("jackpot/figures", max_cents=RESET_CENTS_MAX)
    share = None if contribution is None else _share(contribution)
    after = replace(
        pot,
        next_reset_cents=reset_cents or pot.next_reset_cents,
        next_contribution=share or pot.next_contribution,
    )
    save(tx, after)
    journal.record(
        tx,
        at_ms,
        "jackpot_changed",
        by=by,
        before=journal_fields(pot),
        after=journal_fields(after),
        reason=reason,
    )
    return after


def _share(percent: str) -> str:
    """Convert a percentage to a share as a sheet writes it."""
    if not _PERCENT.fullmatch(percent):
        raise Refused("jackpot/figures", max_cents=RESET_CENTS_MAX)
    return write_odds(Fraction(percent) / 100)


def append(tx: Tx, parts: Sequence[Contribution]) -> None:
    """Append contributions: parts of stakes, or returned awards."""
    numbers = tx.insert("contributions", (*CONTRIBUTION, "fold"), [astuple(part) for part in parts])
    for number, part in zip(numbers, parts, strict=True):
        tx.add_to_tail("contributions", number, digest(astuple(part)[: len(CONTRIBUTION)]))


def waiting_units(tx: Tx, pot: Pot) -> int:
    """Return the units of a pot's waiting contributions."""
    row = tx.row(
        "SELECT COALESCE(SUM(units), 0) FROM contributions WHERE pot = ? AND fold IS NULL",
        (pot.id,),
    )
    assert row is not None
    return int(row[0])


def fold(tx: Tx, pot_id: str, at_ms: int) -> Pot:
    """Fold the waiting contributions into the pot, and update its displayed value."""
    tx.lock("jackpots", pot_id)
    return save(tx, gathered(tx, load(tx, pot_id), at_ms))


def gathered(tx: Tx, pot: Pot, at_ms: int) -> Pot:
    """Transfer all waiting contributions into the locked pot."""
    claimed = tx.rows(
        "UPDATE contributions SET fold = ? WHERE pot = ? AND fold IS NULL RETURNING units",
        (pot.folds + 1, pot.id),
    )
    if not claimed:
        return replace(pot, as_of_ms=at_ms)
    units = sum(row[0] for row in claimed)
    ledger.post(tx, folding(pot, units, at_ms))
    return pot.after_fold(units, at_ms)


def save(tx: Tx, pot: Pot) -> Pot:
    """Store a locked pot; its units must equal the balance of its account."""
    held = ledger.balance_units(tx, pot.account)
    invariant(held == pot.units, "a pot's units must equal its account's balance")
    columns = ", ".join(f"{name} = ?" for name in (*Pot.__struct_fields__, "mark"))
    values = (*astuple(pot), tx.mark(marked(pot)))
    tx.run(f"UPDATE jackpots SET {columns} WHERE id = ?", (*values, pot.id))
    return pot


def set_mark(tx: Tx, pot: Pot, mark: bytes) -> None:
    """Update only the mark of a pot."""
    tx.run("UPDATE jackpots SET mark = ? WHERE id = ?", (mark, pot.id))
