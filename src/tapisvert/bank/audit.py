"""The ledger checked from its first row to its last: chains, balances, sums, seals.

Every check yields what it finds wrong, the first bad row of its kind and no more; an audit that
yields nothing has found everything in order.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from tapisvert.bank import chain, ledger, seals
from tapisvert.bank.seals import Seal
from tapisvert.store import Tx

_PLAYER, _DEBIT = map(chain.TRANSFER.index, ("player_id", "debit"))
_BROKEN = "its hash does not follow from the one before"


class Bare(Struct, frozen=True):
    """How far the rows of before there were hashes go."""

    transfers: int
    events: int
    rounds: int


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
    heads: dict[str, bytes] = {}
    last_bare = bare(tx).transfers
    for row in chain.rows(tx, "transfers", chain.TRANSFER):
        number, *content, found = row
        player = content[_PLAYER] or content[_DEBIT]  # the house's own: by the account
        if found is None and number <= last_bare:
            continue
        expected = chain.link(heads.get(player, chain.BEGINNING), content)
        if found != expected:
            yield Finding("transfers", str(number), _BROKEN)
            return
        heads[player] = expected


def check_balances(tx: Tx) -> Iterator[Finding]:
    """Fold the transfers and compare with every kept balance, in its currency."""
    for sql in (_UNFOLDED, _UNKEPT, _UNOWNED):
        row = tx.row(sql)
        if row is not None:
            account, currency, kept, moved = row
            yield Finding(
                "accounts", account, f"keeps {kept} units of {currency}; its transfers say {moved}"
            )
            return


# What reached and left every account, by currency. Cents and the rest of them are summed apart:
# years of turnover in units are more than 64 bits count.
_FOLD = """WITH folded AS (SELECT account, currency,
    SUM(units / 100000) * 100000 + SUM(units % 100000) AS units FROM (
    SELECT credit AS account, currency, units FROM transfers
    UNION ALL SELECT debit, currency, -units FROM transfers
) AS moved GROUP BY account, currency)"""
_UNFOLDED = f"""{_FOLD} SELECT id, accounts.currency, accounts.units, COALESCE(folded.units, 0)
    FROM accounts LEFT JOIN folded ON account = id AND folded.currency = accounts.currency
    WHERE accounts.units <> COALESCE(folded.units, 0) ORDER BY id LIMIT 1"""
_UNKEPT = f"""{_FOLD} SELECT account, folded.currency, 'no', folded.units
    FROM folded LEFT JOIN accounts ON account = id AND folded.currency = accounts.currency
    WHERE id IS NULL AND NOT ({ledger.folded("account")}) ORDER BY account LIMIT 1"""
_UNOWNED = """SELECT 'player:' || players.id, players.currency, 'no', 0
    FROM players LEFT JOIN accounts
    ON accounts.id = 'player:' || players.id AND accounts.currency = players.currency
    WHERE accounts.id IS NULL ORDER BY players.id LIMIT 1"""


def check_events(tx: Tx) -> Iterator[Finding]:
    """Follow the chain of the significant events."""
    head, last_bare = chain.BEGINNING, bare(tx).events
    for number, *content, found in chain.rows(tx, "significant_events", chain.EVENT):
        if found is None and number <= last_bare:
            continue
        head = chain.link(head, content)
        if found != head:
            yield Finding("significant_events", str(number), _BROKEN)
            return


def check_seals(tx: Tx, anchor: bytes | None = None) -> Iterator[Finding]:
    """Make every seal again; with an anchor, a hash noted earlier must be among them."""
    before = seals.NONE
    anchored = anchor in (None, seals.NONE.hash)
    for row in tx.rows(f"{seals.SELECT} ORDER BY id"):
        found = Seal(*row)
        if seals.digest(tx, before, found) != found.hash:
            covered = (
                f"transfers {before.last_transfer + 1} to {found.last_transfer} or"
                f" events {before.last_event + 1} to {found.last_event}"
            )
            yield Finding("seals", str(found.id), f"{covered} are not what it sealed")
            return
        anchored = anchored or found.hash == anchor
        before = found
    if not anchored:
        yield Finding("seals", (anchor or b"").hex(), "no seal has this hash: the end was cut off")


def bare(tx: Tx) -> Bare:
    """Return how far the rows without hashes go; a new database has none."""
    row = tx.row("SELECT transfers, events, rounds FROM bare")
    return Bare(*row) if row else Bare(0, 0, 0)


def unsealed(tx: Tx) -> int:
    """Return how many transfers no seal covers yet."""
    row = tx.row(
        "SELECT COUNT(*) FROM transfers WHERE id > ?", (seals.last_seal(tx).last_transfer,)
    )
    return int(row[0]) if row else 0
