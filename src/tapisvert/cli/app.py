"""The `tapis` command. Each command imports what it needs when it runs, so that help is instant."""

from __future__ import annotations

import io
import re
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tapisvert import __version__
from tapisvert.cli import mathematics, operator
from tapisvert.cli.audit import audit
from tapisvert.cli.cashier import cashier
from tapisvert.cli.check_game import check_game
from tapisvert.cli.cluster import cluster
from tapisvert.cli.jackpot import jackpot
from tapisvert.cli.keys import key
from tapisvert.cli.revoke import revoke
from tapisvert.cli.sweep import sweep
from tapisvert.refusal import Refused

app = typer.Typer(
    name="tapis",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


MoreGames = Annotated[
    list[str] | None,
    typer.Option(metavar="ID", help="Offer this installed game too; may be given again."),
]


class Language(StrEnum):
    """The languages of the words."""

    fr = "fr"
    en = "en"


def main() -> None:
    """Run the command line; a refusal prints a sentence and exits with code 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal encoding may lack the check mark
    try:
        app()
    except Refused as refusal:
        complain(refusal)
        sys.exit(2)
    except OSError as error:  # disk full, or pipe closed
        sys.stdout = None
        print(f"tapis: {error.strerror}", file=sys.stderr)
        sys.exit(2)


def complain(refusal: Refused) -> None:
    """Print a refusal to standard error: its sentence and its code."""
    from tapisvert.words import catalogue, explain

    print(f"tapis: {explain(catalogue('en'), refusal)} [{refusal.code}]", file=sys.stderr)


def tell_refused_games() -> None:
    """Print which installed games are left out, and why."""
    from tapisvert.games.registry import REFUSED

    for refusal in REFUSED.values():
        complain(refusal)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Tapis Vert: casino table games to play, to prove and to operate.

    Example: `tapis play`, or just `tapis`.
    """
    if version:
        typer.echo(__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        play()


@app.command()
def play(
    port: Annotated[int, typer.Option(help="Port; any free one if it is taken.")] = 8000,
    data: Annotated[Path | None, typer.Option(help="Folder of the database and its key.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the lobby in a browser.")] = True,
    game: MoreGames = None,
) -> None:
    """Start a server on this machine for play money, and open it in a browser.

    Example: `tapis play --port 8123 --no-browser`
    """
    tell_refused_games()
    from platformdirs import user_data_path

    from tapisvert.cli.folders import data_folder
    from tapisvert.cli.serve import Served, free_port, run_server

    folder = data_folder(data or user_data_path("tapisvert"))
    chosen = free_port(port)
    url = f"http://localhost:{chosen}/"
    announce = f"Tapis Vert is at {url}  (Ctrl-C stops it; {folder} keeps your rounds)"
    served = Served(folder / "tapis.db", "127.0.0.1", chosen, games=tuple(game or ()))
    run_server(served, announce=announce, browse=url if browser else None)


@app.command()
def serve(
    database: operator.Database = operator.DEFAULT,
    workers: Annotated[int, typer.Option(min=1, help="Server processes; SQLite takes 1.")] = 1,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="Public host name of this server; repeatable.")
    ] = None,
    behind_tls: Annotated[
        bool, typer.Option(help="A proxy serves this over HTTPS: cookies are Secure.")
    ] = False,
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="Address of a trusted proxy, which sends the client's address."),
    ] = None,
    seed_key: Annotated[
        Path | None, typer.Option(help="Key file for sealed seeds; beside the database if not set.")
    ] = None,
    json_log: Annotated[
        bool, typer.Option(help="Log as JSON lines, with one line per request.")
    ] = False,
    game: MoreGames = None,
) -> None:
    """Serve the tables over the network.

    Example: `tapis serve --database sqlite:////var/lib/tapis/tapis.db --allow-host play.example`
    """
    tell_refused_games()
    from tapisvert.cli.serve import (
        Served,
        database_of,
        host_name,
        must_be_free,
        named,
        run_server,
    )

    served = Served(
        database_of(database, workers),
        host,
        port,
        seed_key,
        hosts=tuple(host_name(name) for name in allow_host or []),
        behind_tls=behind_tls,
        proxies=tuple(proxy or ()),
        json_log=json_log,
        games=tuple(game or ()),
    )
    must_be_free(host, port)
    announce = f"Tapis Vert serves {named(served.database)} at http://{host}:{port}/"
    run_server(served, announce=announce, workers=workers)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="The proof of a round: round.json")],
    language: Annotated[Language, typer.Option(help="Language of the report.")] = (Language.en),
    commitment: Annotated[
        str | None, typer.Option(help="The commitment shown before the stake.")
    ] = None,
) -> None:
    """Check a finished round: its commitment, its deck and its settlement.

    Example: `tapis verify round.json --commitment $COMMITMENT --language fr`
    """
    from tapisvert.cli.verify import report

    if commitment is not None and not re.fullmatch(r"\s*[0-9a-fA-F]{64}\s*", commitment):
        raise typer.BadParameter("a commitment is 64 hexadecimal digits", param_hint="--commitment")
    lines, true = report(file, language, commitment)
    for line in lines:
        typer.echo(line)
    if not true:
        raise typer.Exit(1)


@app.command()
def certify(
    file: Annotated[Path, typer.Argument(help="The proof of a round: round.json")],
    out: Annotated[
        Path | None, typer.Option(help="File to write; default certificate-ROUND.html.")
    ] = None,
    language: Annotated[Language, typer.Option(help="The language of the page.")] = Language.en,
    values: Annotated[bool, typer.Option(help="Include the exact value of every decision.")] = True,
) -> None:
    """Write the certificate of a finished round: one page that checks itself offline.

    Example: `tapis certify round.json --out certificate.html --language fr`
    """
    from tapisvert.cli.certify import certified, file_name
    from tapisvert.cli.verify import report
    from tapisvert.extras import installed
    from tapisvert.history.round_proof import read_proof

    lines, true = report(file, language, None)
    if not true:  # a false proof gets no certificate
        for line in lines:
            typer.echo(line)
        raise typer.Exit(1)
    if values and not installed("prove"):
        why = "this needs the extra [prove]: pip install 'tapisvert[prove]'"
        typer.echo(f"The decisions are not valued; {why}.", err=True)
    proof = read_proof(file.read_bytes(), str(file))
    target = out or file_name(proof)
    target.write_text(certified(proof, language, valued=values), encoding="utf-8")
    typer.echo(target)


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
    from tapisvert.cli.json_lines import talk
    from tapisvert.cli.replay import answer_line, sheet_keys

    if keys is not None:
        for line in sheet_keys(keys):
            typer.echo(line)
        return
    talk(answer_line)


for _command in (
    *mathematics.COMMANDS,
    sweep,
    cluster,
    *operator.COMMANDS,
    audit,
    revoke,
    check_game,
):
    app.command()(_command)
GROUPS = {"player": operator.player, "cashier": cashier, "jackpot": jackpot, "key": key}
for _name, _group in GROUPS.items():
    app.add_typer(_group, name=_name)
