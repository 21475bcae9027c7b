"""`tapis key`: show the house's public key, or replace the key."""

from __future__ import annotations

from pathlib import Path

import click

from tapisvert.cli import options
from tapisvert.cli.help import Group


@click.group(cls=Group, no_args_is_help=True)
def key() -> None:
    """The house's key."""


@key.command("show")
@click.option("--seed-key", type=options.PATH, default="tapis.key", help="The key file.")
def show(seed_key: Path) -> None:
    """Print the public key; with it anyone can audit a copy of the database.

    Example: `tapis key show --seed-key /etc/tapis/tapis.key`
    """
    from tapisvert.key_file import read_key

    click.echo(read_key(seed_key).public_key.hex())


@key.command("replace")
@click.argument("new_key", type=options.PATH, help="Path of the new key file.")
@options.at_database
def replace(new_key: Path, database: str, seed_key: Path | None) -> None:
    """Replace the house's key by a new one; every server must be stopped.

    All data protected by the old key is protected again with the new one. Both keys sign the
    change, so an auditor who trusts the old public key can trust the new one.

    Example: `tapis key replace tapis-2.key`
    """
    from tapisvert.cli.operator import operator_name, service_at
    from tapisvert.cli.serve import database_of, open_house
    from tapisvert.key_file import make_key
    from tapisvert.operations.key_rotation import replace_key
    from tapisvert.store.backup import must_be_new

    must_be_new(new_key)
    with service_at(database, seed_key) as service:
        sealer = make_key(new_key)
        replace_key(service.house, sealer, by=operator_name())
    house = open_house(database_of(database), new_key, new=False)
    house.store.close()
    click.echo(f"{new_key}: the database opens with this key only, from now on")
    click.echo(f"public key: {sealer.public_key.hex()}")
