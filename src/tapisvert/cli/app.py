"""The `tapis` command. Each command imports what it needs when it runs, so that help is instant."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tapisvert import __version__
from tapisvert.refusal import Refused

app = typer.Typer(
    name="tapis",
    help="Tapis Vert: casino table games to play, to prove and to operate.",
    no_args_is_help=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line; a refusal is a sentence and exit code 2, never a traceback."""
    from tapisvert.words import catalogue, explain

    try:
        app()
    except Refused as refusal:
        print(f"tapis: {explain(catalogue('en'), refusal)} [{refusal.code}]", file=sys.stderr)
        sys.exit(2)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Tapis Vert: casino table games to play, to prove and to operate."""
    if version:
        typer.echo(__version__)
        raise typer.Exit


@app.command()
def replay(
    keys: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="List the sheet's keys and values instead."),
    ] = None,
) -> None:
    """Play rounds from given decks: JSON lines in, JSON lines out.

    Example: `tapis replay < rounds.jsonl`, where a line is
    `{"game":"casino-stud","deck":["As",...],"stakes":{"ante":1000},"choices":["play"]}`.
    """
    from tapisvert.cli.replay import answer_lines, sheet_keys

    if keys is not None:
        for line in sheet_keys(keys):
            typer.echo(line)
        return
    for answer in answer_lines(sys.stdin.buffer):
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()
