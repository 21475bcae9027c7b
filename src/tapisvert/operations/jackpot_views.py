"""Views of pots: the meter for everyone, the full accounts for an operator.

The meter shows the pot after the last fold or award, with that time. Until a pot is won, its meter
only grows.
"""

from __future__ import annotations

from msgspec import Struct

from tapisvert.bank import awards, jackpot, rate_repository
from tapisvert.bank.ledger import balance_units
from tapisvert.bank.money import UNITS_PER_CENT
from tapisvert.bank.pot import Pot
from tapisvert.rounds import switches
from tapisvert.rounds.schemas import iso
from tapisvert.store import Tx


class WinView(Struct, frozen=True):
    """A win of a pot, in its currency; `trigger` counts the wins from 1 on.

    `converted` has the amount in each currency that has a rate, at today's rate.
    """

    trigger: int
    at: str
    amount_cents: int
    converted: dict[str, int]


class Converted(Struct, frozen=True):
    """A pot in a player's currency: whole cents, rounded down, and the rate."""

    rate: str
    amount_cents: int


class JackpotView(Struct, frozen=True):
    """A pot as shown to everyone. `amount_cents` is its value at `as_of`, `age_ms` ago."""

    id: str
    game: str
    currency: str
    state: str  # open, closed
    amount_cents: int
    as_of: str
    age_ms: int
    epoch: int
    reset_cents: int
    contribution: str
    last_win: WinView | None
    converted: dict[str, Converted]


class JackpotList(Struct, frozen=True):
    """Every pot of the house."""

    jackpots: tuple[JackpotView, ...]


class PotReport(Struct, frozen=True):
    """A pot in units (10^-7 of its currency): funded, paid, held and shown, and the difference."""

    pot: str
    currency: str
    epoch: int
    reset_cents: int
    contribution: str
    next_reset_cents: int | None
    next_contribution: str | None
    awards: int
    funded_units: int
    gathered_units: int
    awarded_units: int
    held_units: int
    shown_units: int
    waiting_units: int  # contributed, not folded yet
    difference_units: int  # funded + gathered - awarded - held: 0 in a correct ledger
    as_of: str
    rates: dict[str, str]
    stopped: str | None


def meters(tx: Tx, now_ms: int) -> JackpotList:
    """Return the meter of every pot."""
    stopped = switches.stopped(tx)
    return JackpotList(tuple(_meter(tx, pot, stopped, now_ms) for pot in jackpot.pots(tx)))


def wins_after(tx: Tx, pot_id: str, trigger: int) -> list[WinView]:
    """Return the wins of a pot after a given one, in order."""
    rows = awards.after(tx, pot_id, trigger)
    found = rate_repository.all_in_force(tx, pot_id) if rows else []
    return [
        WinView(number, iso(at_ms), cents, {each.currency: each.floor(cents) for each in found})
        for number, at_ms, cents in ((row[0], row[1], row[2] // UNITS_PER_CENT) for row in rows)
    ]


def pot_report(tx: Tx, pot: Pot) -> PotReport:
    """Return the accounts of a pot for the operator."""
    held = balance_units(tx, pot.account)
    stopped = switches.stopped(tx).get(f"jackpot:{pot.id}")
    return PotReport(
        pot=pot.id,
        currency=pot.currency,
        epoch=pot.epoch,
        reset_cents=pot.reset_cents,
        contribution=pot.contribution,
        next_reset_cents=pot.next_reset_cents,
        next_contribution=pot.next_contribution,
        awards=pot.triggers,
        funded_units=pot.funded_units,
        gathered_units=pot.gathered_units,
        awarded_units=pot.awarded_units,
        held_units=held,
        shown_units=pot.units,
        waiting_units=jackpot.waiting_units(tx, pot),
        difference_units=pot.funded_units + pot.gathered_units - pot.awarded_units - held,
        as_of=iso(pot.as_of_ms),
        rates={each.currency: each.written for each in rate_repository.all_in_force(tx, pot.id)},
        stopped=stopped["reason"] if stopped else None,
    )


def _meter(tx: Tx, pot: Pot, stopped: dict[str, dict[str, str]], now_ms: int) -> JackpotView:
    closed = stopped.keys() & {switches.ALL, f"game:{pot.id}", f"jackpot:{pot.id}"}
    last = wins_after(tx, pot.id, pot.triggers - 1)
    cents = pot.units // UNITS_PER_CENT
    return JackpotView(
        id=pot.id,
        game=pot.id,
        currency=pot.currency,
        state="closed" if closed else "open",
        amount_cents=cents,
        as_of=iso(pot.as_of_ms),
        age_ms=max(0, now_ms - pot.as_of_ms),
        epoch=pot.epoch,
        reset_cents=pot.reset_cents,
        contribution=pot.contribution,
        last_win=last[-1] if last else None,
        converted={
            each.currency: Converted(each.written, each.floor(cents))
            for each in rate_repository.all_in_force(tx, pot.id)
        },
    )
