"""`tapis cashier`: real money in and out.

A command may move money and then fail to print its result: the disk is full, or the terminal is
closed. An idempotency key makes it safe to repeat: the same command with the same key moves money
once and prints the first result again.
"""

from __future__ import annotations

import re
from typing import Annotated

import typer

from tapisvert.cli.operator import DEFAULT, Database, PlayerId, SeedKey, act

Amount = Annotated[str, typer.Argument(help="An amount such as 25 or 12.50.")]
Reference = Annotated[str, typer.Option(help="Your own reference for this movement.")]
Key = Annotated[str | None, typer.Option(help="Idempotency key: a repeated command runs once.")]

cashier = typer.Typer(help="Real money in and out.", no_args_is_help=True)


def cents(amount: str) -> int:
    """Parse an amount of money; return cents."""
    found = re.fullmatch(r"([0-9]{1,9})(?:\.([0-9]{2}))?", amount.strip())
    if not found:
        raise typer.BadParameter(f"{amount!r} is not an amount such as 25 or 12.50")
    return int(found[1]) * 100 + int(found[2] or 0)


@cashier.command()
def deposit(
    player_id: PlayerId,
    amount: Amount,
    reference: Reference = "",
    key: Key = None,
    database: Database = DEFAULT,
    seed_key: SeedKey = None,
) -> None:
    """Deposit money for a player.

    Example: `tapis cashier deposit 3f2a... 100 --reference "wire 4711" --key wire-4711`
    """
    taken = cents(amount)
    act(
        database,
        seed_key,
        lambda operator, tx: operator.deposit(tx, player_id, taken, reference),
        once=(key, ("deposit", player_id, taken, reference)),
    )


@cashier.command()
def withdraw(
    player_id: PlayerId,
    amount: Amount,
    reference: Reference = "",
    key: Key = None,
    database: Database = DEFAULT,
    seed_key: SeedKey = None,
) -> None:
    """Withdraw money for a player.

    Example: `tapis cashier withdraw 3f2a... 62.50 --key cheque-118`
    """
    paid = cents(amount)
    act(
        database,
        seed_key,
        lambda operator, tx: operator.withdraw(tx, player_id, paid, reference),
        once=(key, ("withdraw", player_id, paid, reference)),
    )


@cashier.command("debt")
def collect(player_id: PlayerId, database: Database = DEFAULT, seed_key: SeedKey = None) -> None:
    """Collect a player's debt from the balance, up to the balance.

    Example: `tapis cashier debt 3f2a...`
    """
    act(
        database,
        seed_key,
        lambda operator, tx: operator.pay_debt(tx, player_id),
        once=(None, ("debt", player_id)),
    )
