"""`tapis cashier`: real money in and out.

A command may move money and then fail to print its result: the disk is full, or the terminal is
closed. An idempotency key makes it safe to repeat: the same command with the same key moves money
once and prints the first result again.
"""

from __future__ import annotations

import re
from pathlib import Path

import click

from tapisvert.cli import options
from tapisvert.cli.help import Group
from tapisvert.cli.operator import act

_amount = click.argument("amount", help="An amount such as 25 or 12.50.")
_reference = click.option(
    "--reference", default="", show_default=False, help="Your own reference for this movement."
)
_key = click.option("--key", help="Idempotency key: a repeated command runs once.")


@click.group(cls=Group, no_args_is_help=True)
def cashier() -> None:
    """Real money in and out."""


def cents(amount: str) -> int:
    """Parse an amount of money; return cents."""
    found = re.fullmatch(r"([0-9]{1,9})(?:\.([0-9]{2}))?", amount.strip())
    if not found:
        raise click.BadParameter(f"{amount!r} is not an amount such as 25 or 12.50")
    return int(found[1]) * 100 + int(found[2] or 0)


@cashier.command()
@options.player_id
@_amount
@_reference
@_key
@options.at_database
def deposit(
    player_id: str,
    amount: str,
    reference: str,
    key: str | None,
    database: str,
    seed_key: Path | None,
) -> None:
    """Deposit money for a player.

    Example: `tapis cashier deposit 3f2a... 100 --reference "wire 4711" --key wire-4711`
    """
    taken = cents(amount)
    act(
        database,
        seed_key,
        lambda operator: operator.deposit(player_id, taken, reference),
        once=(key, ("deposit", player_id, taken, reference)),
    )


@cashier.command()
@options.player_id
@_amount
@_reference
@_key
@options.at_database
def withdraw(
    player_id: str,
    amount: str,
    reference: str,
    key: str | None,
    database: str,
    seed_key: Path | None,
) -> None:
    """Withdraw money for a player.

    Example: `tapis cashier withdraw 3f2a... 62.50 --key cheque-118`
    """
    paid = cents(amount)
    act(
        database,
        seed_key,
        lambda operator: operator.withdraw(player_id, paid, reference),
        once=(key, ("withdraw", player_id, paid, reference)),
    )


@cashier.command("debt")
@options.player_id
@options.at_database
def collect(player_id: str, database: str, seed_key: Path | None) -> None:
    """Collect a player's debt from the balance, up to the balance.

    Example: `tapis cashier debt 3f2a...`
    """
    act(
        database,
        seed_key,
        lambda operator: operator.pay_debt(player_id),
        once=(None, ("debt", player_id)),
    )
