"""`tapis revoke`: revoke the tokens of an operator or a player."""

from __future__ import annotations

from typing import Annotated

import typer

from tapisvert.cli.operator import DEFAULT, Database, Reason, SeedKey, act


def revoke(
    scope: Annotated[str, typer.Argument(help="operator:NAME or player:ID")],
    reason: Reason,
    database: Database = DEFAULT,
    seed_key: SeedKey = None,
) -> None:
    """Revoke the tokens of an operator or a player; a player's balance stays.

    Example: `tapis revoke operator:anne --reason "has left"`
    """
    act(
        database,
        seed_key,
        lambda operator, tx: operator.revoke(tx, scope, reason),
        once=(None, ("revoke", scope, reason)),
    )
