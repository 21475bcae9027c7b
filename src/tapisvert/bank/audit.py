"""The ledger checked from its first row to its last: chains, balances, sums, seals.

Every check yields what it finds wrong, the first bad row of its kind and no more; an audit that
yields nothing has found everything in order.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from tapisvert.bank import chain, ledger, seals
from tapisvert.bank.seals import Seal
from tapisvert.store import Row, Tx

_PAGE = 10_000
_BROKEN = "its hash does not follow from the one before"


class Finding(Struct, frozen=True):
    """Something that is not as it was written: in which table, at which row, what."""

    table: str
    row: str
    what: str


def check_ledger(tx: Tx) -> Iterator[Finding]:
    """Check transfers, balances and sums."""
    yield from check_transfers(tx)
    yield from check_balances(tx)
    for currency, units in ledger.total_units(tx).items():
        if units:
            yield Finding("transfers", currency, f"the accounts do not sum to zero but to {units}")


def check_transfers(tx: Tx) -> Iterator[Finding]:
    """Follow the chain of every player. Rows from before there were chains come first, bare."""
    heads: dict[str | None, bytes] = {}
    for row in _all(tx, "transfers", chain.TRANSFER):
        number, *content, found = row
        player = content[chain.TRANSFER.index("player_id")]
        if found is None and not heads:
            continue
        expected = chain.link(heads.get(player, chain.BEGINNING), content)
        if found != expected:
            yield Finding("transfers", str(number), _BROKEN)
            return
        heads[player] = expected


def check_balances(tx: Tx) -> Iterator[Finding]:
    """Fold the transfers and compare with every kept balance."""
    row = tx.row(
        "SELECT accounts.id, accounts.units, COALESCE(folded.units, 0) FROM accounts LEFT JOIN"
        " (SELECT account, SUM(units) AS units FROM ("
        "   SELECT credit AS account, units FROM transfers"
        "   UNION ALL SELECT debit, -units FROM transfers) GROUP BY account) AS folded"
        " ON folded.account = accounts.id"
        " WHERE accounts.units <> COALESCE(folded.units, 0) ORDER BY accounts.id LIMIT 1"
    )
    if row is not None:
        yield Finding("accounts", row[0], f"holds {row[1]} units; its transfers come to {row[2]}")


def check_events(tx: Tx) -> Iterator[Finding]:
    """Follow the chain of the significant events."""
    head = chain.BEGINNING
    for number, *content, found in _all(tx, "significant_events", chain.EVENT):
        if found is None and head == chain.BEGINNING:
            continue  # from before there were chains
        head = chain.link(head, content)
        if found != head:
            yield Finding("significant_events", str(number), _BROKEN)
            return


def check_seals(tx: Tx, anchor: bytes | None = None) -> Iterator[Finding]:
    """Make every seal again; with an anchor, a hash noted earlier must be among them."""
    before = seals.NONE
    anchored = anchor is None
    for number, *written in tx.rows(
        "SELECT id, last_transfer, last_event, hash FROM seals ORDER BY id"
    ):
        found = Seal(*written)
        made = seals.digest(tx, before, found.last_transfer, found.last_event)
        if made != found.hash:
            yield Finding("seals", str(number), "the rows it covers are not those it sealed")
            return
        anchored = anchored or found.hash == anchor
        before = found
    if not anchored:
        yield Finding("seals", (anchor or b"").hex(), "no seal has this hash: the end was cut off")


def unsealed(tx: Tx) -> int:
    """Return how many transfers no seal covers yet."""
    row = tx.row(
        "SELECT COUNT(*) FROM transfers WHERE id > ?", (seals.last_seal(tx).last_transfer,)
    )
    return int(row[0]) if row else 0


def _all(tx: Tx, table: str, columns: tuple[str, ...]) -> Iterator[Row]:
    names, last = ", ".join(("id", *columns, "hash")), 0
    while page := tx.rows(
        f"SELECT {names} FROM {table} WHERE id > ? ORDER BY id LIMIT {_PAGE}", (last,)
    ):
        yield from page
        last = page[-1][0]
