"""What the cashier decides, as values: without a database, and the same from the same state."""

from __future__ import annotations

from functools import partial

import pytest

from rounds.guest_seat import refusal_of
from tapisvert.bank import cashier
from tapisvert.bank.cashier import AMOUNT_CENTS_MAX, BALANCE_CENTS_MAX, Booking, CashierState
from tapisvert.bank.money import AccountBalances, Purse, Transfer

NOW_MS = 1_700_000_000_000
MINE, DEBT = "player:p", "debt:p"


def state(balance_cents: int, debt_cents: int = 0, currency: str = "CAD") -> CashierState:
    """Return the state of a player with this balance and debt."""
    balances = AccountBalances({MINE: balance_cents * 100_000}, {"p": bytes(32)})
    return CashierState(Purse("p", currency, NOW_MS), balances, debt_cents)


def told(booking: Booking) -> list[tuple[str, object, object, str | None]]:
    """Return the events of a booking: kind, before, after, reason."""
    return [(each.kind, each.before, each.after, each.reason) for each in booking.events]


def test_a_deposit_moves_from_the_cashier_and_a_withdrawal_back() -> None:
    given = cashier.deposit(state(1000), 250, by="anne", reference="wire")
    assert given.transfers == (Transfer("cashier:CAD", MINE, 250, "deposit"),)
    assert told(given) == [("deposit", {"cents": 1000}, {"cents": 1250}, "wire")]
    assert (given.events[0].by, given.events[0].player_id) == ("anne", "p")
    taken = cashier.withdraw(state(1000), 1000, by="anne", reference="")
    assert taken.transfers == (Transfer(MINE, "cashier:CAD", 1000, "withdrawal"),)
    assert told(taken) == [("withdrawal", {"cents": 1000}, {"cents": 0}, None)]


@pytest.mark.parametrize(
    ("balance", "debt", "paid"), [(1000, 300, 300), (200, 300, 200), (300, 300, 300)]
)
def test_a_debt_is_paid_as_far_as_the_balance_goes(balance: int, debt: int, paid: int) -> None:
    booking = cashier.pay_debt(state(balance, debt), by="anne")
    assert booking.transfers == (Transfer(MINE, DEBT, paid, "debt-paid"),)
    assert told(booking) == [("debt_paid", {"cents": debt}, {"cents": debt - paid}, None)]


@pytest.mark.parametrize(("balance", "debt"), [(0, 300), (1000, 0), (0, 0)])
def test_without_a_debt_or_a_balance_nothing_is_moved_or_written_down(
    balance: int, debt: int
) -> None:
    assert cashier.pay_debt(state(balance, debt), by="anne") == Booking()


def test_refusals_come_in_their_order() -> None:
    pay_in, pay_out = (
        partial(each, by="anne", reference="") for each in (cashier.deposit, cashier.withdraw)
    )
    assert refusal_of(partial(pay_out, state(0, 5), 0)).code == "cashier/in_debt"
    poor = refusal_of(partial(pay_out, state(99), 100))
    assert (poor.code, poor.details) == (
        "wallet/insufficient_funds",
        {"needed_cents": 100, "balance_cents": 99},
    )
    for cents in (0, -1):
        assert refusal_of(partial(pay_out, state(99), cents)).code == "cashier/amount"
    assert refusal_of(partial(pay_in, state(0), AMOUNT_CENTS_MAX + 1)).code == "cashier/amount"
    assert pay_in(state(0), AMOUNT_CENTS_MAX).transfers
    play = state(99, currency="FUN")
    assert refusal_of(partial(pay_in, play, 0)).code == "cashier/play_money"
    assert pay_in(state(BALANCE_CENTS_MAX - 1), 1).transfers
    full = refusal_of(partial(pay_in, state(BALANCE_CENTS_MAX), 1))
    assert (full.code, full.details) == ("cashier/balance", {"max_cents": BALANCE_CENTS_MAX})


def test_a_reference_that_cannot_be_stored_is_refused() -> None:
    refused = refusal_of(
        lambda: cashier.deposit(state(0), 1, by="anne", reference="a\x00b").transfers
    )
    assert refused.code == "request/malformed"


def test_the_same_state_gives_the_same_booking() -> None:
    asked = partial(cashier.withdraw, state(1000), 10, by="anne", reference="wire")
    assert asked() == asked()
