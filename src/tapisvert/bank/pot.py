"""A progressive pot as a value: contributions, awards and restarts.

Pure: bank/jackpot.py and bank/awards.py write these values.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from tapisvert.bank import money
from tapisvert.bank.exchange_rate import Rate
from tapisvert.bank.money import UNITS_PER_CENT, Movement, Purse, Transfer
from tapisvert.engine.sheet import Jackpot, parse_odds
from tapisvert.refusal import Refused

_QUEUED = ("next_reset_cents", "next_contribution")


class Pot(Struct, frozen=True):
    """One row of `jackpots`. Field names are column names."""

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
        """Name the account of the pot."""
        return f"jackpot:{self.id}"

    @property
    def waiting(self) -> str:
        """Name the account of the waiting contributions."""
        return f"contributed:{self.id}"

    @property
    def house(self) -> str:
        """Name the house account that funds the pot."""
        return f"house:{self.id}"

    @property
    def figures(self) -> Jackpot:
        """Return the pot's reset value and contribution, in force until it is won."""
        return Jackpot(self.reset_cents, parse_odds(self.contribution))

    def after_fold(self, units: int, at_ms: int) -> Pot:
        """Return the pot after a fold of this many units."""
        return replace(
            self,
            folds=self.folds + 1,
            gathered_units=self.gathered_units + units,
            units=self.units + units,
            as_of_ms=at_ms,
        )


@dataclass(frozen=True, slots=True)
class Stake:
    """A stake on a pot: the bet, its price, and the share of the price that goes to the pot."""

    bet: str
    price_cents: int
    share: Fraction

    @property
    def units(self) -> int:
        """Return the part that goes to the pot, rounded up to the unit."""
        return ceil(self.price_cents * UNITS_PER_CENT * self.share)


class Contribution(Struct, frozen=True):
    """One row of `contributions`, without its number."""

    pot: str
    round_id: str
    kind: str  # stake; or void: a returned award
    price_cents: int
    units: int
    rate_id: int | None
    fold: int | None = None  # the fold that gathered it; None until then


class Leg(NamedTuple):
    """One side of a transfer: an account, a currency and an amount."""

    account: str
    currency: str
    units: int


def exchange(out: Leg, into: Leg, reason: str, bet: str | None) -> list[Transfer]:
    """Return the transfers from one account to another; across currencies, through both `fx:`
    accounts.

    Each currency still sums to zero, and the `fx:` accounts absorb the rounding.
    """
    legs = [(out.account, into.account, out)]
    if out.currency != into.currency:
        legs = [
            (out.account, f"fx:{out.currency}", out),
            (f"fx:{into.currency}", into.account, into),
        ]
    return [
        money.in_units(debit, credit, leg.units, reason, bet, leg.currency)
        for debit, credit, leg in legs
        if leg.units
    ]


def contribution(pot: Pot, purse: Purse, stake: Stake, rate: Rate | None) -> list[Transfer]:
    """Return the transfers of a stake's part from the house account to the waiting account."""
    units = stake.units
    taken = Leg(pot.house, purse.currency, units if rate is None else rate.convert(units))
    return exchange(taken, Leg(pot.waiting, pot.currency, units), "contribution", stake.bet)


def folding(pot: Pot, units: int, at_ms: int) -> list[Movement]:
    """Return the transfer of gathered contributions into the pot."""
    if not units:
        return []
    fold = money.in_units(pot.waiting, pot.account, units, "fold")
    return [(Purse("", pot.currency, at_ms), fold)]


class Award(Struct, frozen=True):
    """A share of a pot paid to a winner: the pot before and after, and the transfers."""

    before: Pot
    after: Pot
    share: Fraction
    rate: Rate | None
    paid_cents: int  # in the winner's currency
    transfers: tuple[Transfer, ...]


class PaidAward(Struct, frozen=True):
    """A paid award: its pot, the units it took there, and the cents the winner got."""

    pot: str
    units: int
    paid_cents: int
    rate_id: int | None


def taking_back(
    pot: Pot, purse: Purse, paid: PaidAward, bet: str
) -> tuple[Contribution, list[Transfer]]:
    """Give the award of a voided round back to the pot, from the house.

    The reversal has moved the player's repayment, or debt, to the house with the other results of
    the round. The pot is not locked: the amount waits for the next fold, like a contribution.
    """
    assert purse.round_id is not None
    part = Contribution(pot.id, purse.round_id, "void", 0, paid.units, paid.rate_id)
    passed_on = Leg(pot.house, purse.currency, paid.paid_cents * UNITS_PER_CENT)
    waiting = Leg(pot.waiting, pot.currency, paid.units)
    return part, exchange(passed_on, waiting, "award-back", bet)


def must_have_rate(pot: Pot, currency: str, rate: Rate | None) -> Rate | None:
    """Return the rate between the player's currency and the pot's; refuse if a needed rate is not
    set.
    """
    if rate is None and currency != pot.currency:
        raise Refused("jackpot/no_rate", currency=currency)
    return rate


def award(
    pot: Pot, purse: Purse, bet: str, share: Fraction, rate: Rate | None, *, restarts: bool
) -> Award:
    """Take a share of a pot, rounded down to the cent; if it restarts, the house refills it."""
    cents = int(pot.units * share) // UNITS_PER_CENT
    taken = replace(
        pot,
        triggers=pot.triggers + 1,
        awarded_units=pot.awarded_units + cents * UNITS_PER_CENT,
        units=pot.units - cents * UNITS_PER_CENT,
    )
    after = _restarted(taken) if restarts else taken
    for total in (after.funded_units, after.awarded_units, after.units):
        money.countable(total)
    rate = must_have_rate(pot, purse.currency, rate)
    paid_cents = cents if rate is None else rate.convert(cents)  # converted once, at the win
    winner = money.player_account(purse.player_id)
    moved = exchange(
        Leg(pot.account, pot.currency, cents * UNITS_PER_CENT),
        Leg(winner, purse.currency, paid_cents * UNITS_PER_CENT),
        "award",
        bet,
    )
    if restarts:
        refill = (pot.house, pot.account, after.reset_cents, "reset", bet)
        moved.append(Transfer(*refill, currency=pot.currency))
    return Award(pot, after, share, rate, paid_cents, tuple(moved))


def _restarted(pot: Pot) -> Pot:
    """Return the next pot after a win: refilled, with the queued figures in force."""
    reset_cents = pot.next_reset_cents or pot.reset_cents
    return replace(
        pot,
        epoch=pot.epoch + 1,
        reset_cents=reset_cents,
        contribution=pot.next_contribution or pot.contribution,
        next_reset_cents=None,
        next_contribution=None,
        funded_units=pot.funded_units + reset_cents * UNITS_PER_CENT,
        units=pot.units + reset_cents * UNITS_PER_CENT,
    )


def marked(pot: Pot) -> bytes:
    """Return the bytes that a pot's mark covers: all of its row."""
    return msgspec.json.encode(("jackpots", *astuple(pot)))


def journal_fields(pot: Pot) -> dict[str, object]:
    """Return the fields of a pot that the journal records."""
    names = ("epoch", "units", "reset_cents", "contribution", *_QUEUED)
    return {"pot": pot.id, **{name: getattr(pot, name) for name in names}}
