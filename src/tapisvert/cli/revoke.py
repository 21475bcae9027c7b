"""`tapis revoke`: revoke the tokens of an operator or a player."""

from __future__ import annotations

from pathlib import Path

import click

from tapisvert.cli import options
from tapisvert.cli.help import command
from tapisvert.cli.operator import act


@command()
@click.argument("scope", help="operator:NAME or player:ID")
@options.reason
@options.at_database
def revoke(scope: str, reason: str, database: str, seed_key: Path | None) -> None:
    """Revoke the tokens of an operator or a player; a player's balance stays.

    Example: `tapis revoke operator:anne --reason "has left"`
    """
    act(
        database,
        seed_key,
        lambda operator: operator.revoke(scope, reason),
        once=(None, ("revoke", scope, reason)),
    )
