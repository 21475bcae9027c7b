"""Audit of the ledger: chains, hashes, balances and sums, from the first row to the last.

Each check stops at the first bad row of its kind. bank/seal_audit.py checks seals and tails.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from tapisvert.bank import chain, covered_tables, ledger
from tapisvert.bank.covered_tables import EVENTS, TRANSFERS, CoveredTable
from tapisvert.bank.seals import Reach
from tapisvert.store import Tx

_PLAYER, _DEBIT = map(covered_tables.TRANSFER.index, ("player_id", "debit"))
_BROKEN = "its hash does not follow from the one before"


class Finding(Struct, frozen=True):
    """A wrong stored value: its table, its row, and the error."""

    table: str
    row: str
    what: str


def check_ledger(tx: Tx, older: Reach) -> Iterator[Finding]:
    """Check transfers, balances and sums.

    Rows up to `older` may have no hash: the first signed seal covers them.
    """
    yield from check_transfers(tx, older)
    yield from check_balances(tx)
    for currency, units in ledger.total_units(tx).items():
        if units:
            yield Finding("transfers", currency, f"the accounts do not sum to zero but to {units}")


def check_transfers(tx: Tx, older: Reach) -> Iterator[Finding]:
    """Verify the hash chain of every player, and of transfers without a player."""
    heads: dict[str, bytes] = {}
    for number, *content, found in covered_tables.rows(tx, TRANSFERS, (*TRANSFERS.content, "hash")):
        player = content[_PLAYER] or content[_DEBIT]  # or a house account
        if found is None and number <= older[TRANSFERS.name]:
            continue
        expected = chain.link(heads.get(player, chain.BEGINNING), content)
        if found != expected:
            yield Finding("transfers", str(number), _BROKEN)
            return
        heads[player] = expected


def check_balances(tx: Tx) -> Iterator[Finding]:
    """Sum the transfers and compare with every stored balance, in its currency."""
    for sql in (_DIFFERENT, _MISSING, _NEVER_OPENED):
        row = tx.row(sql)
        if row is not None:
            account, currency, stored, moved = row
            has = f"stores {stored} units of" if stored is not None else "has no balance in"
            yield Finding("accounts", account, f"{has} {currency}; its transfers sum to {moved}")
            return
    row = tx.row(_WITHOUT_OWNER)
    if row is not None:
        yield Finding("accounts", row[0], "belongs to no player, round or pot")


# Credits and debits of every account, by currency. Whole cents and the remaining units are summed
# apart: a sum of years of turnover in units overflows 64 bits.
_FOLD = """WITH folded AS (SELECT account, currency,
    SUM(units / 100000) * 100000 + SUM(units % 100000) AS units FROM (
    SELECT credit AS account, currency, units FROM transfers
    UNION ALL SELECT debit, currency, -units FROM transfers
) AS moved GROUP BY account, currency)"""
_DIFFERENT = f"""{_FOLD} SELECT id, accounts.currency, accounts.units, COALESCE(folded.units, 0)
    FROM accounts LEFT JOIN folded ON account = id AND folded.currency = accounts.currency
    WHERE accounts.units <> COALESCE(folded.units, 0) ORDER BY id LIMIT 1"""
_MISSING = f"""{_FOLD} SELECT account, folded.currency, NULL, folded.units
    FROM folded LEFT JOIN accounts ON account = id AND folded.currency = accounts.currency
    WHERE id IS NULL AND NOT ({ledger.folded("account")}) ORDER BY account LIMIT 1"""
_NEVER_OPENED = """SELECT 'player:' || players.id, players.currency, NULL, 0
    FROM players LEFT JOIN accounts
    ON accounts.id = 'player:' || players.id AND accounts.currency = players.currency
    WHERE accounts.id IS NULL ORDER BY players.id LIMIT 1"""
# A round has no account until it is opened. The name after the colon is looked up in an index; a
# joined 'round:' || rounds.id would scan all rounds for each account.
_WITHOUT_OWNER = """SELECT accounts.id FROM accounts
    LEFT JOIN players ON SUBSTR(accounts.id, 1, 7) = 'player:'
        AND players.id = SUBSTR(accounts.id, 8) AND accounts.currency = players.currency
    LEFT JOIN rounds ON SUBSTR(accounts.id, 1, 6) = 'round:'
        AND rounds.id = SUBSTR(accounts.id, 7) AND rounds.opened_at_ms IS NOT NULL
    LEFT JOIN players AS owners ON owners.id = rounds.player_id
        AND accounts.currency = owners.currency
    LEFT JOIN jackpots ON SUBSTR(accounts.id, 1, 8) = 'jackpot:'
        AND jackpots.id = SUBSTR(accounts.id, 9) AND accounts.currency = jackpots.currency
    WHERE players.id IS NULL AND owners.id IS NULL AND jackpots.id IS NULL
    ORDER BY accounts.id LIMIT 1"""


def check_events(tx: Tx, older: Reach) -> Iterator[Finding]:
    """Verify the hash chain of the significant events."""
    head = chain.BEGINNING
    for number, *content, found in covered_tables.rows(tx, EVENTS, (*EVENTS.content, "hash")):
        if found is None and number <= older[EVENTS.name]:
            continue
        head = chain.link(head, content)
        if found != head:
            yield Finding("significant_events", str(number), _BROKEN)
            return


def check_commands(tx: Tx, older: Reach) -> Iterator[Finding]:
    """Compare every stored reply with its hash."""
    for table in (covered_tables.COMMANDS, covered_tables.OPERATOR_COMMANDS):
        yield from _check_hashes(tx, table, older)


def _check_hashes(tx: Tx, table: CoveredTable, older: Reach) -> Iterator[Finding]:
    for number, *content, found in covered_tables.rows(tx, table, (*table.content, "hash")):
        if found is None and number <= older[table.name]:
            continue
        if found != covered_tables.digest(content):
            yield Finding(table.name, str(number), "does not match its hash")
            return
