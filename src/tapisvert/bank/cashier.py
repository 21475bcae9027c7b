"""The cashier: the only place where real money enters or leaves.

Reversing a round whose winnings are spent leaves a debt on `debt:<player>`; balances never go below
zero. A player in debt cannot withdraw.
"""

from __future__ import annotations

from tapisvert.bank import journal, ledger, money
from tapisvert.bank.money import Purse, Transfer
from tapisvert.refusal import Refused, storable
from tapisvert.store import Tx

AMOUNT_CENTS_MAX = 10**11
# Deposits may raise a balance to a ninth of the 64-bit range; the rest is room for wins.
BALANCE_CENTS_MAX = 10**13


def deposit(tx: Tx, purse: Purse, cents: int, *, by: str, reference: str) -> int:
    """Deposit real money for a player; return the balance."""
    return _move(tx, purse, "deposit", cents, by, reference)


def withdraw(tx: Tx, purse: Purse, cents: int, *, by: str, reference: str) -> int:
    """Withdraw real money for a player; return the balance."""
    owed = ledger.debt_cents(tx, purse.player_id)
    if owed:
        raise Refused("cashier/in_debt", debt_cents=owed)
    balance = ledger.balance_cents(tx, money.player_account(purse.player_id))
    if cents > balance:
        raise Refused("wallet/insufficient_funds", needed_cents=cents, balance_cents=balance)
    return _move(tx, purse, "withdrawal", cents, by, reference)


def pay_debt(tx: Tx, purse: Purse, *, by: str) -> int:
    """Pay a player's debt from the balance, as far as it goes; return the debt that remains."""
    mine = money.player_account(purse.player_id)
    owed = ledger.debt_cents(tx, purse.player_id)
    paid = min(owed, ledger.balance_cents(tx, mine))
    if paid:
        debt = money.debt_account(purse.player_id)
        ledger.move(tx, purse, Transfer(mine, debt, paid, "debt-paid"))
        _write_down(tx, purse, "debt_paid", by, "", owed, owed - paid)
    return owed - paid


def _move(tx: Tx, purse: Purse, kind: str, cents: int, by: str, reference: str) -> int:
    if purse.currency == money.PLAY_MONEY:
        raise Refused("cashier/play_money")
    if not 0 < cents <= AMOUNT_CENTS_MAX:
        raise Refused("cashier/amount", max_cents=AMOUNT_CENTS_MAX)
    storable(reference)
    mine, cashier = money.player_account(purse.player_id), f"cashier:{purse.currency}"
    before = ledger.balance_cents(tx, mine)
    if kind == "deposit" and before + cents > BALANCE_CENTS_MAX:
        raise Refused("cashier/balance", max_cents=BALANCE_CENTS_MAX)
    debit, credit = (cashier, mine) if kind == "deposit" else (mine, cashier)
    ledger.move(tx, purse, Transfer(debit, credit, cents, kind))
    after = ledger.balance_cents(tx, mine)
    _write_down(tx, purse, kind, by, reference, before, after)
    return after


def _write_down(
    tx: Tx, purse: Purse, kind: str, by: str, reason: str, before: int, after: int
) -> None:
    journal.record(
        tx,
        purse.at_ms,
        kind,
        by=by,
        player_id=purse.player_id,
        before={"cents": before},
        after={"cents": after},
        reason=reason or None,
    )
