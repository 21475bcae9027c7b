"""The cashier: the only place where real money enters or leaves.

Reversing a round whose winnings are spent leaves a debt on `debt:<player>`; balances never go below
zero. A player in debt cannot withdraw.

Pure: a loaded state in, transfers and significant events out; operations/operator_commands.py loads
and saves them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tapisvert.bank import money
from tapisvert.bank.money import AccountBalances, Purse, Transfer
from tapisvert.bank.significant_event import SignificantEvent
from tapisvert.refusal import Refused, storable

AMOUNT_CENTS_MAX = 10**11
# Deposits may raise a balance to a ninth of the 64-bit range; the rest is room for wins.
BALANCE_CENTS_MAX = 10**13


@dataclass(frozen=True, slots=True)
class CashierState:
    """The complete input for a command at the cashier: a locked player's money."""

    purse: Purse
    balances: AccountBalances  # of the player's account, with the last hash of its chain
    debt_cents: int

    @property
    def balance_cents(self) -> int:
        """Return the player's balance."""
        units = self.balances.units.get(money.player_account(self.purse.player_id), 0)
        return units // money.UNITS_PER_CENT


class Booking(NamedTuple):
    """The rows of a command at the cashier; none if there is nothing to move."""

    transfers: tuple[Transfer, ...] = ()
    events: tuple[SignificantEvent, ...] = ()


def deposit(state: CashierState, cents: int, *, by: str, reference: str) -> Booking:
    """Deposit real money for a player."""
    return _booked(state, "deposit", cents, by, reference)


def withdraw(state: CashierState, cents: int, *, by: str, reference: str) -> Booking:
    """Withdraw real money for a player."""
    owed, balance = state.debt_cents, state.balance_cents
    if owed:
        raise Refused("cashier/in_debt", debt_cents=owed)
    if cents > balance:
        raise Refused("wallet/insufficient_funds", needed_cents=cents, balance_cents=balance)
    return _booked(state, "withdrawal", cents, by, reference)


def pay_debt(state: CashierState, *, by: str) -> Booking:
    """Pay a player's debt from the balance, as far as it goes."""
    player_id, owed = state.purse.player_id, state.debt_cents
    paid = min(owed, state.balance_cents)
    if not paid:
        return Booking()
    mine, debt = money.player_account(player_id), money.debt_account(player_id)
    event = _event(state, "debt_paid", by, "", owed, owed - paid)
    return Booking((Transfer(mine, debt, paid, "debt-paid"),), (event,))


def _booked(state: CashierState, kind: str, cents: int, by: str, reference: str) -> Booking:
    """Move money between the player and the cashier, or refuse."""
    purse, before = state.purse, state.balance_cents
    if purse.currency == money.PLAY_MONEY:
        raise Refused("cashier/play_money")
    if not 0 < cents <= AMOUNT_CENTS_MAX:
        raise Refused("cashier/amount", max_cents=AMOUNT_CENTS_MAX)
    storable(reference)
    if kind == "deposit" and before + cents > BALANCE_CENTS_MAX:
        raise Refused("cashier/balance", max_cents=BALANCE_CENTS_MAX)
    mine, cashier = money.player_account(purse.player_id), f"cashier:{purse.currency}"
    debit, credit = (cashier, mine) if kind == "deposit" else (mine, cashier)
    after = before + cents if kind == "deposit" else before - cents
    event = _event(state, kind, by, reference, before, after)
    return Booking((Transfer(debit, credit, cents, kind),), (event,))


def _event(
    state: CashierState, kind: str, by: str, reference: str, before: int, after: int
) -> SignificantEvent:
    return SignificantEvent(
        at_ms=state.purse.at_ms,
        kind=kind,
        by=by,
        player_id=state.purse.player_id,
        before={"cents": before},
        after={"cents": after},
        reason=reference or None,
    )
