"""Switches in the database: the scopes in which an operator has stopped new rounds (G12).

Players' commands load the switches that affect them. Operators set them (operations/switching.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.store import Tx

ALL = "all"


def stopped(tx: Tx) -> dict[str, dict[str, str]]:
    """Return every stopped scope, with the operator and the reason."""
    rows = tx.rows("SELECT scope, reason, by FROM switches ORDER BY scope")
    return {scope: {"scope": scope, "reason": reason, "by": by} for scope, reason, by in rows}


def stopped_of(tx: Tx, scopes: Sequence[str]) -> dict[str, str]:
    """Return the stopped ones of these scopes, each with its reason."""
    rows = tx.look_up(
        "SELECT switches.scope, reason FROM given JOIN switches ON switches.scope = given.scope",
        {"scope": "text"},
        [(scope,) for scope in scopes],
    )
    return dict(rows)


def add(tx: Tx, scope: str, *, by: str, reason: str, at_ms: int) -> None:
    """Store a stopped scope, in place of its earlier row."""
    remove(tx, scope)
    tx.run(
        "INSERT INTO switches (scope, reason, by, at_ms) VALUES (?, ?, ?, ?)",
        (scope, reason, by, at_ms),
    )


def remove(tx: Tx, scope: str) -> int:
    """Remove a stopped scope; return the number removed, 1 or 0."""
    return tx.run("DELETE FROM switches WHERE scope = ?", (scope,))
