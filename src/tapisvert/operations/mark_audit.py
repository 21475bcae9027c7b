"""Checks that need the house key: the marks of small rows, and the key check value."""

from __future__ import annotations

from collections.abc import Iterator

from tapisvert.bank import jackpot
from tapisvert.bank.audit import Finding
from tapisvert.bank.pot import marked as marked_pot
from tapisvert.players.repository import MARKED, marked
from tapisvert.rounds.audit_trail import CHECK_VALUE_NAME, OPENED
from tapisvert.store import Tx
from tapisvert.store.tails import IntegrityKey

_WRONG = "was not written with the house key"


def check_marks(tx: Tx, integrity: IntegrityKey) -> Iterator[Finding]:
    """Recompute the marks of sessions, operators and pots."""
    for table, _, columns in MARKED:
        for *row, mark in tx.rows(f"SELECT {columns}, mark FROM {table} ORDER BY 1"):
            if mark != integrity.mark(marked(table, row)):
                name = row[0] if isinstance(row[0], str) else row[1]
                yield Finding(table, name, _WRONG)
                break
    marks: dict[str, bytes] = dict(tx.rows("SELECT id, mark FROM jackpots"))
    for pot in jackpot.pots(tx):
        if marks[pot.id] != integrity.mark(marked_pot(pot)):
            yield Finding("jackpots", pot.id, _WRONG)
            return


def check_facts(tx: Tx, integrity: IntegrityKey) -> Iterator[Finding]:
    """Check that `facts` holds the key check value and nothing else."""
    facts = tx.rows("SELECT name, value FROM facts ORDER BY name")
    if facts != [(CHECK_VALUE_NAME, integrity.mark(OPENED))]:
        other = [name for name, _ in facts if name != CHECK_VALUE_NAME]
        yield Finding("facts", other[0] if other else CHECK_VALUE_NAME, _WRONG)
