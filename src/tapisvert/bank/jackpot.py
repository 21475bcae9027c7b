"""The progressive jackpot: a pot that bets on a game feed and that a few hands win.

A bet only appends a row to `contributions` and moves its part to `contributed:<pot>`, an account
without a balance row, so no bet waits for another. A fold locks the pot, claims what nobody has
claimed and moves it to `jackpot:<pot>`; so does an award, which then takes its share. Who locks the
pot first has won first. The house puts in the start and every reset; the rest is the players' money
and never the house's. After every change the pot is what was put in less what was awarded, to the
unit: the database and this module both refuse anything else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import astuple, replace

from tapisvert.bank import journal, ledger, money
from tapisvert.bank.covered_tables import CONTRIBUTION, digest
from tapisvert.bank.money import UNITS_PER_CENT, Purse, Transfer
from tapisvert.bank.pot import Contribution, Pot, folding, marked, told
from tapisvert.engine.sheet import Jackpot, write_odds
from tapisvert.refusal import Refused, invariant
from tapisvert.store import Tx

RESET_CENTS_MAX = 10**12
_PERCENT = re.compile(r"[0-9]{1,2}(\.[0-9]{1,5})?")  # a share of 10^7, as the ledger counts
_COLUMNS = ", ".join(Pot.__struct_fields__)


def find(tx: Tx, pot_id: str) -> Pot | None:
    """Find a pot."""
    row = tx.row(f"SELECT {_COLUMNS} FROM jackpots WHERE id = ?", (pot_id,))
    return Pot(*row) if row else None


def load(tx: Tx, pot_id: str) -> Pot:
    """Return a pot that has been opened."""
    pot = find(tx, pot_id)
    if pot is None:
        raise Refused("jackpot/unknown", pot=pot_id[:64])
    return pot


def pots(tx: Tx) -> list[Pot]:
    """Return all pots."""
    return [Pot(*row) for row in tx.rows(f"SELECT {_COLUMNS} FROM jackpots ORDER BY id")]


def open_pot(tx: Tx, pot_id: str, currency: str, figures: Jackpot, *, by: str, at_ms: int) -> Pot:
    """Open a pot with the starting value, which the house puts in."""
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
    journal.record(tx, at_ms, "jackpot_opened", by=by, after=told(pot))
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
    """Let the next pot go by other figures: this one is won by those it was fed under (J5)."""
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
    keep(tx, after)
    journal.record(
        tx, at_ms, "jackpot_changed", by=by, before=told(pot), after=told(after), reason=reason
    )
    return after


def _share(percent: str) -> str:
    """Return a share given in percent as a sheet writes it."""
    if not _PERCENT.fullmatch(percent):
        raise Refused("jackpot/figures", max_cents=RESET_CENTS_MAX)
    return write_odds(Fraction(percent) / 100)


def append(tx: Tx, parts: Sequence[Contribution]) -> None:
    """Append what stakes, or voided awards, put in."""
    numbers = tx.insert("contributions", (*CONTRIBUTION, "fold"), [astuple(part) for part in parts])
    for number, part in zip(numbers, parts, strict=True):
        tx.add_to_tail("contributions", number, digest(astuple(part)[: len(CONTRIBUTION)]))


def fold(tx: Tx, pot_id: str, at_ms: int) -> Pot:
    """Gather what was put in since the last fold, and note what there is to show."""
    tx.lock("jackpots", pot_id)
    return keep(tx, gathered(tx, load(tx, pot_id), at_ms))


def gathered(tx: Tx, pot: Pot, at_ms: int) -> Pot:
    """Claim every unclaimed contribution, and move it into the locked pot."""
    claimed = tx.rows(
        "UPDATE contributions SET fold = ? WHERE pot = ? AND fold IS NULL RETURNING units",
        (pot.folds + 1, pot.id),
    )
    if not claimed:
        return replace(pot, as_of_ms=at_ms)
    units = sum(row[0] for row in claimed)
    ledger.post(tx, folding(pot, units, at_ms))
    return pot.after_fold(units, at_ms)


def keep(tx: Tx, pot: Pot) -> Pot:
    """Store a locked pot as it stands; it holds what its account holds."""
    invariant(ledger.balance_units(tx, pot.account) == pot.units, "a pot is what its account holds")
    columns = ", ".join(f"{name} = ?" for name in (*Pot.__struct_fields__, "mark"))
    values = (*astuple(pot), tx.mark(marked(pot)))
    tx.run(f"UPDATE jackpots SET {columns} WHERE id = ?", (*values, pot.id))
    return pot
