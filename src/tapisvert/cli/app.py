"""The `tapis` command. Each command imports what it needs when it runs, so that help is instant."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import click

from tapisvert import __version__
from tapisvert.cli import mathematics, operator, options
from tapisvert.cli.audit import audit
from tapisvert.cli.cashier import cashier
from tapisvert.cli.check_game import check_game
from tapisvert.cli.cluster import cluster
from tapisvert.cli.help import Group
from tapisvert.cli.jackpot import jackpot
from tapisvert.cli.keys import key
from tapisvert.cli.options import PATH, Integer
from tapisvert.cli.revoke import revoke
from tapisvert.cli.sweep import sweep
from tapisvert.refusal import Refused

_LANGUAGE = click.Choice(["fr", "en"])
_file = click.argument("file", type=PATH, help="The proof of a round: round.json")


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


@click.group(
    "tapis",
    cls=Group,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(__version__, message="%(version)s", help="Print the version.")
@click.pass_context
def app(context: click.Context) -> None:
    """Tapis Vert: casino table games to play, to prove and to operate.

    Example: `tapis play`, or just `tapis`.
    """
    if context.invoked_subcommand is None:
        context.invoke(play)


@app.command()
@click.option("--port", default=8000, help="Port to listen on; a free one if it is taken.")
@click.option("--data", type=PATH, help="Folder of the database and its key.")
@click.option("--browser/--no-browser", default=True, help="Open the lobby in a browser.")
@options.more_games
def play(port: int, data: Path | None, browser: bool, games: tuple[str, ...]) -> None:
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
    served = Served(folder / "tapis.db", "127.0.0.1", chosen, games=games)
    run_server(served, announce=announce, browse=url if browser else None)


@app.command()
@options.database
@click.option("--workers", type=Integer(1), default=1, help="Server processes; SQLite takes 1.")
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option("--port", default=8000, help="Port to listen on.")
@click.option("--allow-host", multiple=True, help="Public host name of this server; repeatable.")
@click.option(
    "--behind-tls/--no-behind-tls",
    help="A proxy serves this over HTTPS: cookies are Secure.",
)
@click.option(
    "--proxy",
    multiple=True,
    help="Address of a trusted proxy, which sends the client's address.",
)
@click.option(
    "--seed-key", type=PATH, help="Key file for sealed seeds; beside the database if not set."
)
@click.option("--json-log/--no-json-log", help="Log as JSON lines, with one line per request.")
@options.more_games
def serve(
    database: str,
    workers: int,
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    behind_tls: bool,
    proxy: tuple[str, ...],
    seed_key: Path | None,
    json_log: bool,
    games: tuple[str, ...],
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
        hosts=tuple(map(host_name, allow_host)),
        behind_tls=behind_tls,
        proxies=proxy,
        json_log=json_log,
        games=games,
    )
    must_be_free(host, port)
    announce = f"Tapis Vert serves {named(served.database)} at http://{host}:{port}/"
    run_server(served, announce=announce, workers=workers)


@app.command()
@_file
@click.option("--language", type=_LANGUAGE, default="en", help="Language of the report.")
@click.option("--commitment", help="The commitment shown before the stake.")
def verify(file: Path, language: str, commitment: str | None) -> None:
    """Check a finished round: its commitment, its deck and its settlement.

    Example: `tapis verify round.json --commitment $COMMITMENT --language fr`
    """
    from tapisvert.cli.verify import report

    if commitment is not None and not re.fullmatch(r"\s*[0-9a-fA-F]{64}\s*", commitment):
        raise click.BadParameter("a commitment is 64 hexadecimal digits", param_hint="--commitment")
    lines, true = report(file, language, commitment)
    for line in lines:
        click.echo(line)
    if not true:
        sys.exit(1)


@app.command()
@_file
@click.option("--out", type=PATH, help="File to write; default certificate-ROUND.html.")
@click.option("--language", type=_LANGUAGE, default="en", help="The language of the page.")
@click.option(
    "--values/--no-values", default=True, help="Include the exact value of every decision."
)
def certify(file: Path, out: Path | None, language: str, values: bool) -> None:
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
            click.echo(line)
        sys.exit(1)
    if values and not installed("prove"):
        why = "this needs the extra [prove]: pip install 'tapisvert[prove]'"
        click.echo(f"The decisions are not valued; {why}.", err=True)
    proof = read_proof(file.read_bytes(), str(file))
    target = out or file_name(proof)
    target.write_text(certified(proof, language, valued=values), encoding="utf-8")
    click.echo(target)


@app.command()
@click.option("--keys", metavar="GAME", help="List the sheet's keys and values instead.")
def replay(keys: str | None) -> None:
    """Play rounds from given decks: JSON lines in, JSON lines out.

    Example: `tapis replay < rounds.jsonl`, where a line is
    `{"game":"casino-stud","deck":["As",...],"stakes":{"ante":1000},"choices":["play"]}`.
    """
    from tapisvert.cli.json_lines import talk
    from tapisvert.cli.replay import answer_line, sheet_keys

    if keys is not None:
        for line in sheet_keys(keys):
            click.echo(line)
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
    operator.player,
    cashier,
    jackpot,
    key,
):
    app.add_command(_command)
