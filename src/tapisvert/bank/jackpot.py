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
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from tapisvert.bank import journal, ledger
from tapisvert.bank.covered import CONTRIBUTION, digest
from tapisvert.bank.ledger import UNITS_PER_CENT, Purse, Transfer
from tapisvert.bank.rates import Rate
from tapisvert.engine.sheet import Jackpot, parse_odds, write_odds
from tapisvert.refusal import Refused, sure
from tapisvert.store import Tx


class Pot(Struct, frozen=True):
    """One row of `jackpots`: its fields are the names of the columns."""

    id: str
    currency: str
    opened_at_ms: int
    epoch: int
    reset_cents: int
    contribution: str
    next_reset_cents: int | None
    next_contribution: str | None
    folds: int
    triggers: int
    funded_units: int
    gathered_units: int
    awarded_units: int
    units: int
    as_of_ms: int

    @property
    def account(self) -> str:
        """Name the account of what is in the pot."""
        return f"jackpot:{self.id}"

    @property
    def waiting(self) -> str:
        """Name the account of what no fold has gathered yet."""
        return f"contributed:{self.id}"

    @property
    def house(self) -> str:
        """Name the account of the house that funds the pot."""
        return f"house:{self.id}"

    @property
    def figures(self) -> Jackpot:
        """Return the figures this pot goes by until it is won."""
        return Jackpot(self.reset_cents, parse_odds(self.contribution))


@dataclass(frozen=True, slots=True)
class Stake:
    """A stake on a pot: on which bet, its price and part of it for the pot, in its currency."""

    bet: str
    price_cents: int
    share: Fraction

    @property
    def units(self) -> int:
        """Return what goes into the pot; a fraction of a unit is the players' gain."""
        return ceil(self.price_cents * UNITS_PER_CENT * self.share)


RESET_CENTS_MAX = 10**12
_PERCENT = re.compile(r"[0-9]{1,2}(\.[0-9]{1,5})?")  # a share of 10^7, as the ledger counts
_QUEUED = ("next_reset_cents", "next_contribution")
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
    ledger.must_be_real(currency)
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


def contribute(tx: Tx, purse: Purse, pot: Pot, stake: Stake, rate: Rate | None) -> list[Transfer]:
    """Note a stake's part for the pot; return how it comes there, out of the house's takings.

    Both in the bet's own transaction.
    """
    units = stake.units
    append(tx, purse, pot, "stake", units, price_cents=stake.price_cents, rate=rate)
    taken = Leg(pot.house, purse.currency, units if rate is None else rate.convert(units))
    return exchange(taken, Leg(pot.waiting, pot.currency, units), "contribution", stake.bet)


def append(
    tx: Tx,
    purse: Purse,
    pot: Pot,
    kind: str,
    units: int,
    *,
    price_cents: int,
    rate: Rate | None,
) -> None:
    """Append what the next fold gathers."""
    written = (pot.id, purse.round_id, kind, price_cents, units, rate and rate.id)
    (number,) = tx.numbers(
        f"INSERT INTO contributions ({', '.join(CONTRIBUTION)}) VALUES (?, ?, ?, ?, ?, ?)",
        written,
    )
    tx.cover("contributions", number, digest(written))


class Leg(NamedTuple):
    """One side of a movement: an account, and how much of which currency."""

    account: str
    currency: str
    units: int


def exchange(out: Leg, into: Leg, reason: str, bet: str | None) -> list[Transfer]:
    """Return how money goes from an account to another; between currencies, each by its `fx:`.

    So nothing is created or destroyed in either, and what rounding leaves is on `fx:`.
    """
    legs = [(out.account, into.account, out)]
    if out.currency != into.currency:
        legs = [
            (out.account, f"fx:{out.currency}", out),
            (f"fx:{into.currency}", into.account, into),
        ]
    return [
        ledger.in_units(debit, credit, leg.units, reason, bet, leg.currency)
        for debit, credit, leg in legs
        if leg.units
    ]


def fold(tx: Tx, pot_id: str, at_ms: int) -> Pot:
    """Gather what was put in since the last fold, and note what there is to show."""
    tx.lock("jackpots", pot_id)
    return keep(tx, gathered(tx, load(tx, pot_id), at_ms))


def gathered(tx: Tx, pot: Pot, at_ms: int) -> Pot:
    """Claim every contribution that nobody has claimed, and move it into the locked pot."""
    claimed = tx.rows(
        "UPDATE contributions SET fold = ? WHERE pot = ? AND fold IS NULL RETURNING units",
        (pot.folds + 1, pot.id),
    )
    if not claimed:
        return replace(pot, as_of_ms=at_ms)
    units = sum(row[0] for row in claimed)
    if units:
        ours = Purse("", pot.currency, at_ms)
        ledger.move(tx, ours, ledger.in_units(pot.waiting, pot.account, units, "fold"))
    return replace(
        pot,
        folds=pot.folds + 1,
        gathered_units=pot.gathered_units + units,
        units=pot.units + units,
        as_of_ms=at_ms,
    )


def keep(tx: Tx, pot: Pot) -> Pot:
    """Store a locked pot as it stands; it holds what its account holds."""
    sure(ledger.balance_units(tx, pot.account) == pot.units, "a pot is what its account holds")
    columns = ", ".join(f"{name} = ?" for name in (*Pot.__struct_fields__, "mark"))
    values = (*astuple(pot), tx.mark(marked(pot)))
    tx.run(f"UPDATE jackpots SET {columns} WHERE id = ?", (*values, pot.id))
    return pot


def marked(pot: Pot) -> bytes:
    """Return what a pot's mark covers: all of its row."""
    return msgspec.json.encode(("jackpots", *astuple(pot)))


def told(pot: Pot) -> dict[str, object]:
    """Return what the journal says of a pot."""
    names = ("epoch", "units", "reset_cents", "contribution", *_QUEUED)
    return {"pot": pot.id, **{name: getattr(pot, name) for name in names}}
