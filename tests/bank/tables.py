"""Ledger tests as text tables: one movement a line, its outcome in the last column.

    account  player:7 FUN                              ok
    grant    player:7 100.00                           ok
    stake    player:7 round:1 ante 10.00 bonus 5.00    ok
    settle   player:7 round:1 ante 10.00 25.00         ok      staked, returned
    transfer player:7 round:1 FUN 0.001                part_cent
    balance  player:7 100.00                           ok

Every line is one atomic unit of a real store. `transfer` is raw SQL that bypasses the bank's rules.
After every line this module checks that the accounts add up to zero in each currency, and that
every stored balance is the sum of its transfers.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from store.spies import PATIENCE_S
from stores import VIOLATIONS
from tapisvert.bank import ledger, money
from tapisvert.bank.money import Purse
from tapisvert.refusal import Refused
from tapisvert.store import Store, Tx
from tapisvert.store.port import Row

HOUSE = "house:casino-stud"
# The error message of each database when its constraint is violated.
CONSTRAINTS = {
    "below_zero": ("never_below_zero",),
    "part_cent": ("whole_cents",),
    "no_such_account": ("no such account in this currency", "transfers_player_id_fkey"),
    "between_players": ("CHECK constraint failed: substr(debit, 1, 7)", "not_between_players"),
    "moves_nothing": ("units > 0", "moves_something"),
    "same_account": ("debit <> credit", "different_accounts"),
    "already_there": ("UNIQUE constraint failed: accounts.id", "accounts_pkey"),
}


def run_table(store: Store, table: str) -> None:
    """Run a table line by line; report a wrong outcome with its line."""
    store.write(_player_of_the_table).result(PATIENCE_S)
    for line in table.splitlines():
        words = line.split()
        if words:
            found = _outcome(store, words[:-1])
            assert found == words[-1], f"{line.strip()} -- but: {found}"
            check_books(store)


def check_books(store: Store) -> None:
    """Check that money is conserved, against a sum computed here."""
    accounts, transfers, totals = store.read(_books).result(PATIENCE_S)
    folded: dict[tuple[str, str], int] = {}
    for debit, credit, currency, units in transfers:
        folded[debit, currency] = folded.get((debit, currency), 0) - units
        folded[credit, currency] = folded.get((credit, currency), 0) + units
    assert sum(folded.values()) == 0
    for account, currency, units in accounts:
        assert folded.pop((account, currency), 0) == units >= 0, account
    outside = ("house:", "cashier:", "debt:", "contributed:", "fx:")
    assert all(account.startswith(outside) for account, _ in folded)
    assert set(totals.values()) <= {0}, totals


def _books(tx: Tx) -> tuple[list[Row], list[Row], dict[str, int]]:
    return (
        tx.rows("SELECT id, currency, units FROM accounts"),
        tx.rows("SELECT debit, credit, currency, units FROM transfers"),
        ledger.total_units(tx),
    )


def _player_of_the_table(tx: Tx) -> None:
    tx.run(
        "INSERT INTO players (id, kind, currency, created_at_ms) VALUES ('7', 'guest', 'FUN', 0)"
        " ON CONFLICT DO NOTHING"
    )


def _outcome(store: Store, words: list[str]) -> str:
    verb, *columns = words
    try:
        return store.write(lambda tx: _VERBS[verb](tx, columns)).result(PATIENCE_S)
    except Refused as refusal:
        return refusal.code
    except VIOLATIONS as error:
        told = [name for name, texts in CONSTRAINTS.items() if any(t in str(error) for t in texts)]
        return told[0] if told else str(error)


def _account(tx: Tx, columns: list[str]) -> str:
    ledger.open_account(tx, columns[0], columns[1])
    return "ok"


def _grant(tx: Tx, columns: list[str]) -> str:
    player, amount, *currency = columns
    purse = Purse(_name(player), currency[0] if currency else "FUN", 0)
    ledger.grant(tx, purse, _cents(amount))
    return "ok"


def _stake(tx: Tx, columns: list[str]) -> str:
    player, round_, *bets = columns
    stakes = {bet: _cents(cents) for bet, cents in zip(bets[::2], bets[1::2], strict=True)}
    purse = Purse(_name(player), "FUN", 0, _name(round_))
    ledger.move(tx, purse, *money.holding(purse, ledger.balance_cents(tx, player), stakes))
    return "ok"


def _settle(tx: Tx, columns: list[str]) -> str:
    player, round_, bet, staked, returned = columns
    purse = Purse(_name(player), "FUN", 0, _name(round_))
    ledger.move(tx, purse, *money.settling(purse, HOUSE, bet, _cents(staked), _cents(returned)))
    return "ok"


def _transfer(tx: Tx, columns: list[str]) -> str:
    debit, credit, currency, amount = columns
    tx.run(
        "INSERT INTO transfers (at_ms, debit, credit, currency, units, reason, player_id)"
        " VALUES (0, ?, ?, ?, ?, 'grant', '7')",
        (debit, credit, currency, _units(amount)),
    )
    return "ok"


def _balance(tx: Tx, columns: list[str]) -> str:
    account, amount = columns
    row = tx.row("SELECT units FROM accounts WHERE id = ?", (account,))
    assert row is not None, account
    assert ledger.balance_cents(tx, account) == row[0] // money.UNITS_PER_CENT
    return "ok" if row[0] == _units(amount) else str(Decimal(row[0]) / 10**7)


_VERBS: dict[str, Callable[[Tx, list[str]], str]] = {
    "account": _account,
    "grant": _grant,
    "stake": _stake,
    "settle": _settle,
    "transfer": _transfer,
    "balance": _balance,
}


def _name(account: str) -> str:
    return account.partition(":")[2]


def _units(amount: str) -> int:
    units = Decimal(amount) * 10**7
    assert units == int(units), f"{amount} is finer than the ledger"
    return int(units)


def _cents(amount: str) -> int:
    cents = Decimal(amount) * 100
    assert cents == int(cents), f"{amount} is not whole cents"
    return int(cents)
