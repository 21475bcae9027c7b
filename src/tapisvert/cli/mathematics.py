"""The commands of the mathematics: prove, strategy, advise, warm, simulate, bankroll."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tapisvert.cli import options
from tapisvert.cli.cluster import Where, on_cluster
from tapisvert.cli.help import command
from tapisvert.cli.options import PATH, Integer


@command()
@click.argument("games", nargs=-1, help="Games; all if none is named.")
@click.option("--sheet", type=PATH, help="Prove this sheet (TOML) instead of the shipped one.")
@options.change
@click.option("--json", is_flag=True, help="Print JSON with every fraction.")
@click.option(
    "--keep",
    type=PATH,
    help="Folder for the proofs; a server reads `proofs` beside its database.",
)
@click.option(
    "--report", type=PATH, help="Write a par sheet per game and language into this folder."
)
@click.option(
    "--strategy", metavar="FILE", help="Prove this strategy: a TOML file, or a shipped name."
)
@on_cluster
def prove(
    games: tuple[str, ...],
    sheet: Path | None,
    changes: tuple[str, ...],
    json: bool,
    keep: Path | None,
    report: Path | None,
    strategy: str | None,
    cluster: str | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
) -> None:
    """Prove every return by counting all deals: exact fractions, from the games' sheets.

    Example: `tapis prove casino-stud --set play.pays.flush=6:1`, or
    `tapis prove casino-stud --strategy three-rules`
    """
    import msgspec
    from rich.console import Console

    from tapisvert.cli.folders import must_be_writable
    from tapisvert.cli.prove import proved, reported, sheets_asked, table

    must_be_writable(keep, report)
    asked = sheets_asked(games, sheet, changes)
    if strategy is not None:
        from tapisvert.cli.strategy_file import print_strategy

        others = (keep, report, cluster, tls_ca, tls_cert, tls_key)
        alone = all(each is None for each in others)
        print_strategy(asked, strategy, json=json, alone=alone, as_given=bool(sheet or changes))
        return
    where = Where(cluster, tls_ca, tls_cert, tls_key)
    found = proved(asked, Console(stderr=True), keep, where)
    if report is not None:
        found = reported(asked, found, report)
    if json:
        sys.stdout.buffer.write(msgspec.json.encode(list(found)) + b"\n")
        return
    console = Console()
    for each, figures in zip(asked, found, strict=True):
        console.print(table(each, figures))


@command()
@options.game
@click.option("--sheet", type=PATH, help="Use this sheet (TOML) instead of the shipped one.")
@options.change
@click.option("--json", is_flag=True, help="Print JSON with every value.")
@click.option(
    "--keep",
    type=PATH,
    help="Folder for the chart; a server reads `proofs` beside its database.",
)
@click.option(
    "--rules",
    type=int,
    metavar="K",
    help="Search for the best strategies of at most K rules instead.",
)
def strategy(
    game: str,
    sheet: Path | None,
    changes: tuple[str, ...],
    json: bool,
    keep: Path | None,
    rules: int | None,
) -> None:
    """Show the best play of a game, as a chart in the form that suits the game.

    Example: `tapis strategy blackjack --set hand.double_after_split=none`, or
    `tapis strategy casino-stud --rules 2`
    """
    from rich.console import Console

    from tapisvert.cli.folders import must_be_writable, writing_to
    from tapisvert.cli.prove import sheets_asked
    from tapisvert.cli.strategy import as_json, drawn, shown
    from tapisvert.lab import chart_store

    must_be_writable(keep)
    (asked,) = sheets_asked([game], sheet, changes)
    if rules is not None:
        from tapisvert.cli.short_strategies import print_short

        print_short(asked, rules, json=json, alone=keep is None)
        return
    chart = drawn(asked, Console(stderr=True))
    if keep is not None:
        with writing_to(keep):
            chart_store.keep(keep, asked, chart)
    if json:
        sys.stdout.buffer.write(as_json(asked, chart) + b"\n")
        return
    console = Console()
    for part in shown(asked, chart):
        console.print(part)


@command()
def advise() -> None:
    """Print the exact value of every option of positions: JSON lines in, JSON lines out.

    Example: `echo '{"game":"casino-stud","player":["As","Kd","Qh","5c","3d"],"house":["Ac"]}' |
    tapis advise`
    """
    from tapisvert.cli.advise import answer_line
    from tapisvert.cli.json_lines import talk
    from tapisvert.extras import need

    need("prove")
    talk(answer_line)


@command()
def warm() -> None:
    """Compile and load what the coach needs, so that its first answer is fast.

    Example: `tapis warm`
    """
    from tapisvert.coach.warm import warm as warm_up

    warm_up(lambda game, seconds: click.echo(f"{game:16} {seconds:6.1f} s"))


@command()
@options.game
@click.option("--rounds", type=Integer(1, 10**10), default=1_000_000, help="How many rounds.")
@click.option("--strategy", default="optimal", help="How to play; `tapis prove` lists them.")
@click.option("--seed", type=Integer(0, 2**63 - 1), default=1, help="Seed of the random cards.")
@click.option(
    "--out",
    type=PATH,
    metavar="FILE",
    help="Save the result to FILE.json or FILE.parquet, also after Ctrl-C; the same command"
    " then resumes from the file.",
)
@options.json
@on_cluster
def simulate(
    game: str,
    rounds: int,
    strategy: str,
    seed: int,
    out: Path | None,
    json: bool,
    cluster: str | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
) -> None:
    """Simulate rounds at random; the same seed gives the same rounds on any machine.

    Example: `tapis simulate casino-stud --rounds 1000000000 --seed 7 --out stud.parquet`
    """
    import msgspec
    from rich.console import Console

    from tapisvert.cli.simulate import shown, simulated
    from tapisvert.library.simulation_file import entry

    where = Where(cluster, tls_ca, tls_cert, tls_key)
    found = simulated(game, rounds, strategy, seed, Console(stderr=True), out, where)
    if json:
        sys.stdout.buffer.write(msgspec.json.encode(list(map(entry, found))) + b"\n")
        return
    console = Console()
    for table in shown(found):
        console.print(table)


@command()
@options.game
@click.option("--bankroll", required=True, help="The purse at the start, such as 200 or 99.50.")
@click.option("--stake", required=True, help="The first stake of every round.")
@click.option("--rounds", type=int, required=True, help="How many rounds, at most a million.")
@click.option("--goal", help="Stop when the purse has this much.")
@click.option("--strategy", help="How to play; `tapis prove` lists them. Default: the best.")
@click.option("--pace", default=40, help="Rounds per hour, for the loss per hour.")
@options.change
@click.option("--svg", type=PATH, metavar="FILE", help="Write a plot of the result as SVG.")
@click.option("--png", type=PATH, metavar="FILE", help="Write the same plot as PNG.")
@options.json
def bankroll(
    game: str,
    bankroll: str,
    stake: str,
    rounds: int,
    goal: str | None,
    strategy: str | None,
    pace: int,
    changes: tuple[str, ...],
    svg: Path | None,
    png: Path | None,
    json: bool,
) -> None:
    """Compute the results and the risk of ruin of a bankroll over many rounds.

    Example: `tapis bankroll casino-stud --bankroll 500 --stake 5 --rounds 1000 --goal 1000`
    """
    from rich.console import Console

    from tapisvert.cli.bankroll import as_json, computed, shown, write_pictures
    from tapisvert.cli.folders import must_be_writable
    from tapisvert.cli.prove import sheets_asked

    must_be_writable(*(path.parent for path in (svg, png) if path is not None))
    (sheet,) = sheets_asked([game], None, changes)
    found = computed(sheet, (bankroll, stake, goal), rounds, strategy, pace)
    write_pictures(found, svg, png)
    if json:
        sys.stdout.buffer.write(as_json(found) + b"\n")
        return
    console = Console()
    for each in shown(found):
        console.print(each)


COMMANDS = (prove, strategy, advise, warm, simulate, bankroll)
