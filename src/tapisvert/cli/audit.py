"""`tapis audit`: check everything stored, in the database itself or in a copy."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tapisvert.cli import options
from tapisvert.cli.help import command
from tapisvert.refusal import Refused

if TYPE_CHECKING:
    from tapisvert.operations.audit import Audit
    from tapisvert.rounds import Dealer


@command()
@click.option("--anchor", help="A seal you noted earlier.")
@click.option("--public-key", help="The house's public key, from a trusted source.")
@options.at_database
def audit(anchor: str | None, public_key: str | None, database: str, seed_key: Path | None) -> None:
    """Check everything stored: chains, balances, seals, journal, and every round by its replay.

    Nothing is written, so a copy on a read-only medium is enough. Without the key file, give the
    public key; the report then names the checks that need the key file and were skipped.

    Example: `tapis audit --public-key 9c1f... --anchor 5b0c...`
    """
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    from tapisvert.cli.serve import database_of
    from tapisvert.operations.audit import Given
    from tapisvert.operations.audit import audit as check
    from tapisvert.store.reading import open_read_only

    noted, trusted = _hex("--anchor", anchor), _hex("--public-key", public_key)
    where = database_of(database)
    terminal = Console(stderr=True)
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.completed} rounds"),
        console=terminal,
        transient=True,
        disable=not terminal.is_terminal,
    )
    with open_read_only(where) as view, bar:
        dealer = _dealer(where, seed_key, needed=trusted is None)
        task = bar.add_task("")
        given = Given(trusted, noted, view.schema, view.wanted)
        done = check(view.tx, dealer, given, lambda rounds: bar.update(task, completed=rounds))
    _tell(done)
    if done.findings:
        sys.exit(1)


def _hex(option: str, given: str | None) -> bytes | None:
    if given is not None and not re.fullmatch("[0-9a-fA-F]{64}", given):
        raise click.BadParameter("it is 64 hexadecimal digits", param_hint=option)
    return None if given is None else bytes.fromhex(given)


def _dealer(database: Path | str, seed_key: Path | None, *, needed: bool) -> Dealer | None:
    """Return a dealer with the house key; None if the key file is absent and not needed."""
    from tapisvert.key_file import read_key
    from tapisvert.rounds import Dealer

    if seed_key is None and isinstance(database, Path):
        beside = database.with_suffix(".key")
        seed_key = beside if needed or beside.exists() else None
    if seed_key is None:
        if needed:
            raise Refused("audit/key")
        return None
    return Dealer(read_key(seed_key))


def _tell(done: Audit) -> None:
    from tapisvert.rounds.schemas import iso

    for found in done.findings:
        click.echo(f"BAD {found.table} {found.row}: {found.what}".replace(" :", ":"))
    click.echo(
        f"{done.transfers} transfers ({done.unsealed} not sealed yet), {done.seals} seals,"
        f" {done.rounds} rounds replayed: {'FAILED' if done.findings else 'all in order'}"
    )
    click.echo(f"newest seal: {done.anchor}")
    click.echo(f"public key: {done.public_key}")
    click.echo(f"covered since: {iso(done.covered_since_ms)}")
    for each in done.uninstalled:
        click.echo(f"not replayed, for want of the game: {each}")
    if done.left_out:
        click.echo(f"left out, for want of the key: {'; '.join(done.left_out)}")
