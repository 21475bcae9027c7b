"""The ledger: every movement of money is a transfer between two accounts.

Accounts are named `player:<id>`, `round:<id>`, `house:<game>`, `cashier:<currency>`,
`debt:<player>`, `jackpot:<game>`, `contributed:<game>`, `fx:<currency>`. The database keeps
balances, refuses one below zero, and never lets a transfer change (store/migrations). A stake
leaves the player for the round's account when it is placed and is held there until its bet is
settled, so what is held is always visible and always refundable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tapisvert.bank import chain
from tapisvert.bank.covered import TRANSFER
from tapisvert.refusal import Refused, sure
from tapisvert.store import Tx

UNITS_PER_CENT = 100_000
_INSERT = f"INSERT INTO transfers ({', '.join(TRANSFER)}, hash) VALUES "
_ROW = f"({', '.join('?' for _ in TRANSFER)}, ?)"
# Cents and the rest of them apart: years of turnover in units are more than 64 bits count.
_SUMS = f"SUM(units / {UNITS_PER_CENT}), SUM(units % {UNITS_PER_CENT})"
# Accounts that keep no balance row, may be negative, and are folded from the transfers.
FOLDED = ("house:", "cashier:", "debt:", "contributed:", "fx:")
PLAY_MONEY = "FUN"
_CURRENCY = re.compile("[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Transfer:
    """One movement of money."""

    debit: str
    credit: str
    cents: int
    reason: str  # grant, deposit, withdrawal, stake, return, win, loss, reversal, debt, debt-paid;
    # and of a pot: contribution, fold, award, award-back, reset
    bet: str | None = None
    more_units: int = 0  # beyond the cents: only pots and the house's side count them
    currency: str = ""  # where it is not the purse's: of a pot

    @property
    def units(self) -> int:
        """Return what is moved, as the ledger counts."""
        return self.cents * UNITS_PER_CENT + self.more_units


def in_units(
    debit: str, credit: str, units: int, reason: str, bet: str | None = None, currency: str = ""
) -> Transfer:
    """Return a transfer of so many units."""
    cents, more = divmod(units, UNITS_PER_CENT)
    return Transfer(debit, credit, cents, reason, bet, more, currency)


@dataclass(frozen=True, slots=True)
class Purse:
    """Whose money moves, in what currency, when, and for which round."""

    player_id: str  # "" where the house moves its own
    currency: str
    at_ms: int
    round_id: str | None = None


def player_account(player_id: str) -> str:
    """Name a player's account."""
    return f"player:{player_id}"


def round_account(round_id: str) -> str:
    """Name the account that holds a round's stakes."""
    return f"round:{round_id}"


def debt_account(player_id: str) -> str:
    """Name the account of what a player owes."""
    return f"debt:{player_id}"


def open_account(tx: Tx, account: str, currency: str) -> None:
    """Open an empty account."""
    tx.run("INSERT INTO accounts (id, currency) VALUES (?, ?)", (account, currency))


def balance_units(tx: Tx, account: str) -> int:
    """Return what an account holds, to the unit."""
    row = tx.row("SELECT units FROM accounts WHERE id = ?", (account,))
    return int(row[0]) if row else 0


def balances_units(tx: Tx, one: str, other: str) -> tuple[int, int]:
    """Return what two accounts that were opened hold, to the unit, asked at once."""
    rows = tx.rows("SELECT id, units FROM accounts WHERE id IN (?, ?)", (one, other))
    found = {account: int(units) for account, units in rows}
    return found[one], found[other]


def balance_cents(tx: Tx, account: str) -> int:
    """Return what an account holds."""
    return balance_units(tx, account) // UNITS_PER_CENT


def move(tx: Tx, purse: Purse, *transfers: Transfer) -> None:
    """Move money, in this order; the database moves the balances with it."""
    player_id, last = purse.player_id or None, dict[str, bytes]()
    rows, hashes = list[object](), list[bytes]()
    for transfer in transfers:
        sure(transfer.units > 0, "a transfer moves something")
        content = (
            purse.at_ms,
            transfer.debit,
            transfer.credit,
            transfer.currency or purse.currency,
            transfer.units,
            transfer.reason,
            player_id,
            purse.round_id,
            transfer.bet,
        )
        whose = player_id or transfer.debit
        before = last.get(whose) or chain.last_transfer(tx, player_id, transfer.debit)
        last[whose] = chain.link(before, content)
        rows += (*content, last[whose])
        hashes.append(last[whose])
    if transfers:
        many = len(transfers)
        written = tx.numbers(_INSERT + ", ".join([_ROW] * many), rows, rows=many)
        for number, found in zip(written, hashes, strict=True):
            tx.cover("transfers", number, found)


def holding(purse: Purse, balance: int, stakes: dict[str, int]) -> list[Transfer]:
    """Return how stakes go from the player, who has `balance`, to the round, or refuse them all."""
    assert purse.round_id is not None
    mine, held = player_account(purse.player_id), round_account(purse.round_id)
    needed = sum(stakes.values())
    if needed > balance:
        raise Refused("wallet/insufficient_funds", needed_cents=needed, balance_cents=balance)
    return [Transfer(mine, held, cents, "stake", bet) for bet, cents in stakes.items()]


def settling(purse: Purse, house: str, bet: str, staked: int, returned: int) -> list[Transfer]:
    """Return how a held bet is closed: what comes back, and the difference lost or won."""
    assert purse.round_id is not None
    mine, held = player_account(purse.player_id), round_account(purse.round_id)
    back = min(staked, returned)
    moved = (
        Transfer(held, mine, back, "return", bet),
        Transfer(held, house, staked - back, "loss", bet),
        Transfer(house, mine, returned - back, "win", bet),
    )
    return [transfer for transfer in moved if transfer.cents]


def grant(tx: Tx, purse: Purse, cents: int) -> None:
    """Give a player play money."""
    must_be_play_money(purse.currency)
    cashier = f"cashier:{purse.currency}"
    move(tx, purse, Transfer(cashier, player_account(purse.player_id), cents, "grant"))


def must_be_real(currency: str) -> None:
    """Refuse what is no currency, or play money."""
    if not _CURRENCY.fullmatch(currency) or currency == PLAY_MONEY:
        raise Refused("player/currency", currency=currency[:8])


def must_be_play_money(currency: str) -> None:
    """Refuse to give money away."""
    if currency != PLAY_MONEY:
        raise Refused("wallet/play_money_only")


def folded(account: str) -> str:
    """Return the SQL for whether an account is one that keeps no balance row."""
    return " OR ".join(f"substr({account}, 1, {len(kind)}) = '{kind}'" for kind in FOLDED)


def total_units(tx: Tx) -> dict[str, int]:
    """Return the sum over all accounts per currency: zero at every commit.

    Accounts without a balance row are folded from the transfers, so this is a check of the kept
    balances against the movements.
    """
    sums: dict[str, int] = {}
    for currency, cents, rest in tx.rows(
        f"SELECT currency, {_SUMS} FROM accounts GROUP BY currency"
    ):
        sums[currency] = int(cents) * UNITS_PER_CENT + int(rest)
    for sign, side in ((1, "credit"), (-1, "debit")):
        for currency, cents, rest in tx.rows(
            f"SELECT currency, {_SUMS} FROM transfers WHERE {folded(side)} GROUP BY currency"
        ):
            units = int(cents) * UNITS_PER_CENT + int(rest)
            sums[currency] = sums.get(currency, 0) + sign * units
    return sums
