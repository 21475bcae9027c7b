"""The ledger: every movement of money is a transfer between two accounts.

Accounts are named `player:<id>`, `round:<id>`, `house:<game>`, `cashier:<currency>`,
`debt:<player>`, `jackpot:<game>`, `contributed:<game>`, `fx:<currency>`. Triggers of the database
update balances, refuse one below zero, and refuse to change a transfer (store/migrations). A stake
leaves the player for the round's account when it is placed and stays there until its bet is
settled. So held money is always visible and refundable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapisvert.bank import chain
from tapisvert.bank.covered_tables import TRANSFER
from tapisvert.bank.money import (
    UNITS_PER_CENT,
    AccountBalances,
    Movement,
    Purse,
    RoundTransfer,
    Transfer,
    must_be_play_money,
    player_account,
    round_account,
)
from tapisvert.refusal import invariant
from tapisvert.store import Row, Tx

# Whole cents and remaining units are summed apart: years of units overflow 64 bits.
_SUMS = f"SUM(units / {UNITS_PER_CENT}), SUM(units % {UNITS_PER_CENT})"
_BOOKS = (
    "SELECT accounts.id, accounts.units, given.player_id, (SELECT hash FROM transfers"
    " WHERE transfers.player_id = given.player_id ORDER BY transfers.id DESC LIMIT 1)"
    " FROM given JOIN accounts ON accounts.id = given.account"
)
# Accounts without a balance row: they may be negative, and are summed from the transfers.
FOLDED = ("house:", "cashier:", "debt:", "contributed:", "fx:")


def open_account(tx: Tx, account: str, currency: str) -> None:
    """Open an empty account."""
    tx.run("INSERT INTO accounts (id, currency) VALUES (?, ?)", (account, currency))


def balance_units(tx: Tx, account: str) -> int:
    """Return the balance of an account, in units."""
    row = tx.row("SELECT units FROM accounts WHERE id = ?", (account,))
    return int(row[0]) if row else 0


def balance_cents(tx: Tx, account: str) -> int:
    """Return the balance of an account, in cents."""
    return balance_units(tx, account) // UNITS_PER_CENT


def debt_cents(tx: Tx, player_id: str) -> int:
    """Return a player's debt."""
    row = tx.row(
        "SELECT COALESCE(SUM(CASE reason WHEN 'debt' THEN units ELSE -units END), 0)"
        " FROM transfers WHERE player_id = ? AND reason IN ('debt', 'debt-paid')",
        (player_id,),
    )
    assert row is not None
    return int(row[0]) // UNITS_PER_CENT


def last_of_account(tx: Tx, debit: str) -> bytes:
    """Return the last hash in the chain of an account's transfers without a player."""
    row = tx.row(
        "SELECT hash FROM transfers WHERE player_id IS NULL AND debit = ? ORDER BY id DESC LIMIT 1",
        (debit,),
    )
    return row[0] if row and row[0] else chain.BEGINNING


def newest_number(tx: Tx) -> int:
    """Return the number of the newest transfer; 0 if there is none."""
    row = tx.row("SELECT COALESCE(MAX(id), 0) FROM transfers")
    assert row is not None
    return int(row[0])


def round_transfers(tx: Tx, round_id: str) -> list[RoundTransfer]:
    """Return the transfers of a round, oldest first."""
    rows = tx.rows(
        "SELECT debit, credit, units, bet FROM transfers WHERE round_id = ? ORDER BY id",
        (round_id,),
    )
    return [RoundTransfer(*row) for row in rows]


def open_accounts(tx: Tx, accounts: Sequence[tuple[str, str]]) -> None:
    """Open empty accounts, each in its currency."""
    if accounts:
        tx.insert("accounts", ("id", "currency"), accounts, number="id")


def load(tx: Tx, player_ids: Sequence[str], round_ids: Sequence[str]) -> AccountBalances:
    """Load the balances of players and rounds, and the players' last hashes, in one statement."""
    given = [(player_account(each), each) for each in player_ids]
    given += [(round_account(each), "") for each in round_ids]
    rows = tx.look_up(_BOOKS, {"account": "text", "player_id": "text"}, given)
    return AccountBalances(
        {account: int(units) for account, units, _, _ in rows},
        {player_id: last or chain.BEGINNING for _, _, player_id, last in rows if player_id},
    )


def move(tx: Tx, purse: Purse, *transfers: Transfer) -> None:
    """Write transfers in this order; database triggers update the balances."""
    post(tx, [(purse, transfer) for transfer in transfers])


def post(tx: Tx, movements: Sequence[Movement], loaded: Mapping[str, bytes] | None = None) -> None:
    """Write transfers of any players in this order, each linked to its hash chain.

    `loaded` has the last hash of each locked player's chain, if already read.
    """
    if not movements:
        return
    players = {purse.player_id for purse, _ in movements if purse.player_id}
    last = dict(loaded or load(tx, sorted(players), []).last)
    rows = list[Row]()
    for purse, transfer in movements:
        invariant(transfer.units > 0, "a transfer must move more than 0 units")
        content = (
            purse.at_ms,
            transfer.debit,
            transfer.credit,
            transfer.currency or purse.currency,
            transfer.units,
            transfer.reason,
            purse.player_id or None,
            purse.round_id,
            transfer.bet,
        )
        whose = purse.player_id or transfer.debit
        if whose not in last:
            last[whose] = last_of_account(tx, transfer.debit)
        last[whose] = chain.link(last[whose], content)
        rows.append((*content, last[whose]))
    written = tx.insert("transfers", (*TRANSFER, "hash"), rows)
    for number, row in zip(written, rows, strict=True):
        tx.add_to_tail("transfers", number, row[-1])


def grant(tx: Tx, purse: Purse, cents: int) -> None:
    """Grant play money to a player."""
    must_be_play_money(purse.currency)
    cashier = f"cashier:{purse.currency}"
    move(tx, purse, Transfer(cashier, player_account(purse.player_id), cents, "grant"))


def folded(account: str) -> str:
    """Return the SQL condition for an account without a balance row."""
    return " OR ".join(f"substr({account}, 1, {len(kind)}) = '{kind}'" for kind in FOLDED)


def total_units(tx: Tx) -> dict[str, int]:
    """Return the sum over all accounts per currency: zero at every commit.

    Accounts without a balance row are summed from the transfers, so this checks the stored balances
    against the transfers.
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
