"""Audit of pots: start + resets + contributions - awards = pot, from the first row to the last.

Every stored figure of a pot is recomputed from transfers, contributions and awards. Every award is
recomputed from the pot's value before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tapisvert.bank import jackpot, ledger, rate_repository
from tapisvert.bank.audit import Finding
from tapisvert.bank.money import UNITS_PER_CENT
from tapisvert.bank.pot import Pot
from tapisvert.engine.sheet import parse_odds
from tapisvert.store import Tx


def check_pots(tx: Tx) -> Iterator[Finding]:
    """Check every pot; yield the first error of each."""
    for pot in jackpot.pots(tx):
        what = _first_wrong(tx, pot)
        if what is not None:
            yield Finding("jackpots", pot.id, what)
    for table in ("contributions", "awards", "rates"):
        row = tx.row(
            f"SELECT pot FROM {table} WHERE pot NOT IN (SELECT id FROM jackpots)"
            " ORDER BY pot LIMIT 1"
        )
        if row is not None:
            yield Finding(table, row[0], "belongs to a pot that was never opened")


def _first_wrong(tx: Tx, pot: Pot) -> str | None:
    try:
        return next(chain(_sums(tx, pot), _folds(tx, pot), _awards(tx, pot)), None)
    except Exception as error:  # a forged row can raise any error
        return f"cannot be checked: {error!r}"


def _sums(tx: Tx, pot: Pot) -> Iterator[str]:
    """Recompute the sums in and out; compare with the stored pot and its accounts."""
    funded = _moved(tx, "credit", pot.account, "reason = 'reset'")
    gathered = _sum(tx, "contributions", "units", pot.id, "fold IS NOT NULL")
    awarded = _sum(tx, "awards", "award_units", pot.id)
    stored = (pot.funded_units, pot.gathered_units, pot.awarded_units)
    if stored != (funded, gathered, awarded):
        summed = f"its rows sum to {funded, gathered, awarded}"
        yield f"stores {stored} as funded, gathered, awarded; {summed}"
    held = ledger.balance_units(tx, pot.account)
    if not held == pot.units == funded + gathered - awarded:
        summed = f"funded + gathered - awarded is {funded + gathered - awarded}"
        yield f"stores {pot.units} units; its account holds {held}; {summed}"
    waiting = _moved(tx, "credit", pot.waiting) - _moved(tx, "debit", pot.waiting)
    unfolded = _sum(tx, "contributions", "units", pot.id, "fold IS NULL")
    if waiting != unfolded:
        yield f"its waiting account holds {waiting}; its unfolded contributions sum to {unfolded}"


def _folds(tx: Tx, pot: Pot) -> Iterator[str]:
    """Compare the contributions of every fold with the transfer it made."""
    parts = tx.rows(
        "SELECT fold, SUM(units) FROM contributions WHERE pot = ? AND fold IS NOT NULL"
        " GROUP BY fold ORDER BY fold",
        (pot.id,),
    )
    if [row[0] for row in parts] != [*range(1, pot.folds + 1)]:
        yield f"stores {pot.folds} folds; its contributions are not in folds 1 to {pot.folds}"
    moved = tx.rows(
        "SELECT units FROM transfers WHERE debit = ? AND reason = 'fold' ORDER BY id",
        (pot.waiting,),
    )
    if [int(row[1]) for row in parts if row[1]] != [row[0] for row in moved]:
        yield "the transfer of a fold differs from the sum of its contributions"


def _moved(tx: Tx, side: str, account: str, which: str = "1 = 1") -> int:
    row = tx.row(
        f"SELECT COALESCE(SUM(units), 0) FROM transfers WHERE {side} = ? AND {which}", (account,)
    )
    assert row is not None
    return int(row[0])


def _sum(tx: Tx, table: str, column: str, pot_id: str, which: str = "1 = 1") -> int:
    row = tx.row(
        f"SELECT COALESCE(SUM({column}), 0) FROM {table} WHERE pot = ? AND {which}", (pot_id,)
    )
    assert row is not None
    return int(row[0])


def _awards(tx: Tx, pot: Pot) -> Iterator[str]:
    """Recompute the awards in order: numbers without a gap, the right share, the pot after each."""
    first = tx.row(
        "SELECT units FROM transfers WHERE credit = ? AND reason = 'reset' ORDER BY id LIMIT 1",
        (pot.account,),
    )
    there, epoch, number, gathered = first[0] if first else 0, 1, 0, _Gathered(tx, pot.id)
    known = rate_repository.all_of(tx, pot.id)
    for row in tx.rows(
        "SELECT trigger_no, epoch, fold, share, before_units, award_units, reset_units,"
        " after_units, currency, paid_cents, rate_id, rounding_units FROM awards WHERE pot = ?"
        " ORDER BY trigger_no",
        (pot.id,),
    ):
        number, there = number + 1, there + gathered.up_to(row[2])
        award = int(there * parse_odds(row[3])) // UNITS_PER_CENT * UNITS_PER_CENT
        after = there - award + row[6]
        stored, due = (*row[:2], *row[4:6], row[7]), (number, epoch, there, award, after)
        if stored != due:
            yield f"stores award {stored} as number, epoch, before, taken, after; recomputed: {due}"
        if row[2] > pot.folds:
            yield f"award {row[0]} names fold {row[2]}; the pot has {pot.folds} folds"
        rate = known.get(row[10])
        if (rate.currency if rate else pot.currency) != row[8]:
            yield f"award {row[0]} was paid in {row[8]}; its rate is missing or of another currency"
        exact = rate.convert(award) if rate else award
        paid = rate.convert(award // UNITS_PER_CENT) if rate else award // UNITS_PER_CENT
        given, owed = (row[9], row[11]), (paid, exact - paid * UNITS_PER_CENT)
        if given != owed:
            yield f"award {row[0]} stores {given} as paid cents, rounding; recomputed: {owed}"
        there, epoch = after, epoch + bool(row[6])
    ends = (pot.triggers, pot.epoch)
    if ends != (number, epoch):
        yield f"stores {ends} as number of awards, epoch; recomputed: {number, epoch}"


class _Gathered:
    """The units each fold gathered, in order."""

    def __init__(self, tx: Tx, pot_id: str) -> None:
        self._left = tx.rows(
            "SELECT fold, SUM(units) FROM contributions WHERE pot = ? AND fold IS NOT NULL"
            " GROUP BY fold ORDER BY fold DESC",
            (pot_id,),
        )

    def up_to(self, fold: int) -> int:
        """Return the units gathered since the last call, up to and including this fold."""
        units = 0
        while self._left and self._left[-1][0] <= fold:
            units += int(self._left.pop()[1])
        return units
