"""The checks that need the house key: marks of small rows, and the key check value."""

from __future__ import annotations

from collections.abc import Iterator

from tapisvert.bank import jackpot
from tapisvert.bank.audit import Finding
from tapisvert.bank.pot import marked as marked_pot
from tapisvert.players.guests import marked
from tapisvert.rounds.books import MARKED, OPENED, WORD_NAME
from tapisvert.store import Tx
from tapisvert.store.cover import Cover

_WRONG = "was not written by the house"


def check_marks(tx: Tx, cover: Cover) -> Iterator[Finding]:
    """Make every mark again."""
    for table, _, columns in MARKED:
        for *row, mark in tx.rows(f"SELECT {columns}, mark FROM {table} ORDER BY 1"):
            if mark != cover.mark(marked(table, row)):
                name = row[0] if isinstance(row[0], str) else row[1]
                yield Finding(table, name, _WRONG)
                break
    marks: dict[str, bytes] = dict(tx.rows("SELECT id, mark FROM jackpots"))
    for pot in jackpot.pots(tx):
        if marks[pot.id] != cover.mark(marked_pot(pot)):
            yield Finding("jackpots", pot.id, _WRONG)
            return


def check_facts(tx: Tx, cover: Cover) -> Iterator[Finding]:
    """The one fact is the word by which the house knows its key."""
    facts = tx.rows("SELECT name, value FROM facts ORDER BY name")
    if facts != [(WORD_NAME, cover.mark(OPENED))]:
        other = [name for name, _ in facts if name != WORD_NAME]
        yield Finding("facts", other[0] if other else WORD_NAME, _WRONG)
