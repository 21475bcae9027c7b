"""The operator's commands. They may run while a server uses the same database."""

from __future__ import annotations

import getpass
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tapisvert.cli import options
from tapisvert.cli.help import Group, command
from tapisvert.refusal import Refused, unwrap

if TYPE_CHECKING:
    from tapisvert.operations.operator_commands import OperatorCommands
    from tapisvert.operations.operator_service import OperatorService

_scope = click.argument("scope", help="all, game:GAME, jackpot:GAME or player:ID")


def operator_name() -> str:
    """Return the name under which the journal records commands from here: the system user's."""
    return f"cli:{getpass.getuser()}"


@contextmanager
def service_at(database: str, seed_key: Path | None) -> Iterator[OperatorService]:
    """Open the operator service of a database, under the system user's name."""
    from tapisvert.cli.serve import database_of, open_house
    from tapisvert.operations.housekeeping import Housekeeping
    from tapisvert.operations.operator_service import OperatorService

    house = open_house(database_of(database), seed_key, new=False)
    try:
        yield OperatorService(house, operator_name())
        Housekeeping(house).seal()  # perhaps no server is running to do so
    finally:
        house.store.close()


def act(
    database: str,
    seed_key: Path | None,
    work: Callable[[OperatorCommands], object],
    *,
    once: tuple[str | None, object] | None = None,
) -> None:
    """Run a command in one transaction and print its result as JSON.

    `once` is an idempotency key and the request. A repeated request prints the first result again.
    Without a key a unique one is made, because the store may retry the transaction. `once` is None
    for a command that prints a secret, which must not be stored, and for figures of a jackpot.
    """
    import msgspec

    mine = f"{time.time_ns()} {os.getpid()}"
    with service_at(database, seed_key) as service:
        if once is None:
            done = msgspec.json.encode(unwrap(service.command(work).result()))
        else:
            done = unwrap(service.once(once[0] or mine, once[1], work).result())
    click.echo(msgspec.json.format(done, indent=1))


def show(database: str, seed_key: Path | None, ask: Callable[[OperatorCommands], object]) -> None:
    """Answer a question on one snapshot and print the answer as JSON."""
    import msgspec

    with service_at(database, seed_key) as service:
        found = service.query(ask).result()
    click.echo(msgspec.json.format(msgspec.json.encode(found), indent=1))


@click.group(cls=Group, no_args_is_help=True)
def player() -> None:
    """Players with real money."""


@player.command("add")
@click.argument("currency", help="Three capitals, such as CAD.")
@options.at_database
def player_add(currency: str, database: str, seed_key: Path | None) -> None:
    """Create a player with an empty account; the token is printed once.

    Example: `tapis player add CAD`
    """
    act(database, seed_key, lambda operator: operator.create_player(currency))


@player.command("token")
@options.player_id
@options.at_database
def player_token(player_id: str, database: str, seed_key: Path | None) -> None:
    """Give a player a new token; the old ones become invalid.

    Example: `tapis player token 3f2a...`
    """
    act(database, seed_key, lambda operator: operator.new_token(player_id))


@player.command("show")
@options.player_id
@options.at_database
def player_show(player_id: str, database: str, seed_key: Path | None) -> None:
    """Show a player: money, debt, open and voided rounds.

    Example: `tapis player show 3f2a...`
    """
    show(database, seed_key, lambda operator: operator.player(player_id))


@command()
@click.argument("name", help="The operator's name.")
@options.at_database
def operator(name: str, database: str, seed_key: Path | None) -> None:
    """Create an operator for the HTTP API; the token is printed once.

    Example: `tapis operator anne`
    """
    act(database, seed_key, lambda operator: operator.create_operator(name))


@command()
@click.argument("round_id", help="The round's id.")
@options.reason
@options.at_database
def void(round_id: str, reason: str, database: str, seed_key: Path | None) -> None:
    """Void a round, open or over: its plays and pays are reversed.

    Example: `tapis void 6043d92d... --reason "the display froze"`
    """
    act(
        database,
        seed_key,
        lambda operator: operator.void(round_id, reason),
        once=(None, ("void", round_id, reason)),
    )


@command()
@_scope
@options.reason
@options.at_database
def stop(scope: str, reason: str, database: str, seed_key: Path | None) -> None:
    """Stop new rounds; open ones may finish.

    Example: `tapis stop game:blackjack --reason "a figure is being checked"`
    """
    act(
        database,
        seed_key,
        lambda operator: operator.stop(scope, reason),
        once=(None, ("stop", scope, reason)),
    )


@command()
@_scope
@options.reason
@options.at_database
def resume(scope: str, reason: str, database: str, seed_key: Path | None) -> None:
    """Allow new rounds again.

    Example: `tapis resume game:blackjack --reason "checked"`
    """
    act(
        database,
        seed_key,
        lambda operator: operator.resume(scope, reason),
        once=(None, ("resume", scope, reason)),
    )


@command()
@options.at_database
def events(database: str, seed_key: Path | None) -> None:
    """List the latest significant events, newest first.

    Example: `tapis events --database sqlite:////var/lib/tapis/tapis.db`
    """
    show(database, seed_key, lambda operator: operator.events(None))


@command()
@click.argument("copy", type=options.PATH, help="The file to write.")
@click.option(
    "--with-key/--no-with-key",
    help="Copy the key too; without it open rounds cannot be continued.",
)
@options.at_database
def backup(copy: Path, with_key: bool, database: str, seed_key: Path | None) -> None:
    """Copy the database, also while a server uses it.

    Example: `tapis backup tapis-monday.db`
    """
    from tapisvert.key_file import read_key
    from tapisvert.store.backup import backup as copy_database
    from tapisvert.store.backup import must_be_new

    path = _file_of(database, f"pg_dump --format=custom --file={copy}")
    must_be_new(copy)  # an empty name is the folder, which exists
    key, key_copy = seed_key or path.with_suffix(".key"), copy.with_suffix(".key")
    if with_key:
        read_key(key)
        must_be_new(key_copy)
    copy_database(path, copy)
    click.echo(f"{copy}: {copy.stat().st_size} bytes")
    if with_key:
        _copy_private(key, key_copy)
        click.echo(f"{key_copy}: keep it apart from the copy")


@command()
@click.argument("copy", type=options.PATH, help="A file written by `tapis backup`.")
@options.database
def restore(copy: Path, database: str) -> None:
    """Restore a backup to a new database; an existing file is not overwritten.

    Run `tapis audit` on it afterwards.

    Example: `tapis restore tapis-monday.db --database sqlite:///tapis.db`
    """
    from tapisvert.store.backup import restore as make_database

    path = _file_of(database, f"pg_restore --dbname=NEW {copy}")
    make_database(copy, path)
    click.echo(f"{path}: restored; its key goes to {path.with_suffix('.key')}")


def _file_of(database: str, instead: str) -> Path:
    """Return the file of a SQLite database; for PostgreSQL, refuse with the command to use."""
    from tapisvert.cli.serve import database_of

    found = database_of(database)
    if isinstance(found, str):
        raise Refused("backup/postgresql", command=instead)
    return found


def _copy_private(file: Path, copy: Path) -> None:
    """Copy a file with owner-only permissions from its creation on."""
    handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as out:
        out.write(file.read_bytes())
        out.flush()
        os.fsync(handle)


COMMANDS = (operator, void, stop, resume, events, backup, restore)
