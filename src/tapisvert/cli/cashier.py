"""`tapis cashier`: real money in and out.

Money moves when a command ends, even if what it prints cannot be read any more: a full disk, a
closed terminal. So each can be given a key of one's own; the same command under the same key moves
money once and prints again what came of it.
"""

from __future__ import annotations

import re
from typing import Annotated

import typer

from tapisvert.cli.operator import DEFAULT, Database, PlayerId, SeedKey, act

Amount = Annotated[str, typer.Argument(help="An amount such as 25 or 12.50.")]
Reference = Annotated[str, typer.Option(help="Your own reference for this movement.")]
Key = Annotated[
    str | None, typer.Option(help="A key of your own: the same under the same key happens once.")
]

cashier = typer.Typer(help="Real money in and out.", no_args_is_help=True)


def cents(amount: str) -> int:
    """Read an amount of money."""
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
    """Take money in for a player.

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
    """Pay money out to a player.

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
    """Take what a player owes from the balance, as far as it goes; again takes nothing more.

    Example: `tapis cashier debt 3f2a...`
    """
    act(
        database,
        seed_key,
        lambda operator, tx: operator.pay_debt(tx, player_id),
        once=(None, ("debt", player_id)),
    )
