"""The commands of the mathematics: prove, strategy, advise, warm, simulate, bankroll."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tapisvert.cli.cluster import Address, TlsCa, TlsCert, TlsKey, Where


def prove(
    games: Annotated[list[str] | None, typer.Argument(help="Games; all if none is named.")] = None,
    sheet: Annotated[
        Path | None, typer.Option(help="Prove this sheet (TOML) instead of the shipped one.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a figure of the sheet."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON with every fraction.")] = False,
    keep: Annotated[
        Path | None,
        typer.Option(help="Store the proofs here; a server reads `proofs` beside its database."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a par sheet per game and language into this folder.")
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Prove this strategy: a TOML file, or a shipped name."),
    ] = None,
    cluster: Address = None,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
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
    asked = sheets_asked(games or [], sheet, set_ or [])
    if strategy is not None:
        from tapisvert.cli.strategy_file import print_strategy

        options = (keep, report, cluster, tls_ca, tls_cert, tls_key)
        alone = all(each is None for each in options)
        print_strategy(asked, strategy, json=json, alone=alone, as_given=bool(sheet or set_))
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


def strategy(
    game: Annotated[str, typer.Argument(help="Which game.")],
    sheet: Annotated[
        Path | None, typer.Option(help="Use this sheet (TOML) instead of the shipped one.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a figure of the sheet."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON with every value.")] = False,
    keep: Annotated[
        Path | None,
        typer.Option(help="Store the chart here; a server reads `proofs` beside its database."),
    ] = None,
    rules: Annotated[
        int | None,
        typer.Option(metavar="K", help="Search the best strategies of at most K rules instead."),
    ] = None,
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
    (asked,) = sheets_asked([game], sheet, set_ or [])
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


def warm() -> None:
    """Compile and load what the coach needs, so that its first answer is fast.

    Example: `tapis warm`
    """
    from tapisvert.coach.warm import warm as warm_up

    warm_up(lambda game, seconds: typer.echo(f"{game:16} {seconds:6.1f} s"))


def simulate(
    game: Annotated[str, typer.Argument(help="Which game.")],
    rounds: Annotated[int, typer.Option(min=1, max=10**10, help="How many rounds.")] = 1_000_000,
    strategy: Annotated[str, typer.Option(help="How to play; `tapis prove` lists them.")] = (
        "optimal"
    ),
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the random cards.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the result to FILE.json or FILE.parquet, also after Ctrl-C; the same command"
            " then resumes from the file.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    cluster: Address = None,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
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


def bankroll(
    game: Annotated[str, typer.Argument(help="Which game.")],
    bankroll: Annotated[str, typer.Option(help="The purse at the start, such as 200 or 99.50.")],
    stake: Annotated[str, typer.Option(help="The first stake of every round.")],
    rounds: Annotated[int, typer.Option(help="How many rounds, at most a million.")],
    goal: Annotated[str | None, typer.Option(help="Stop when the purse has this much.")] = None,
    strategy: Annotated[
        str | None, typer.Option(help="How to play; `tapis prove` lists them. Default: the best.")
    ] = None,
    pace: Annotated[int, typer.Option(help="Rounds per hour, for the loss per hour.")] = 40,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a figure of the sheet."),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a plot of the result as SVG.")
    ] = None,
    png: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the same plot as PNG.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compute what many rounds do to a purse: results, ruin, goal, from the counted outcomes.

    Example: `tapis bankroll casino-stud --bankroll 500 --stake 5 --rounds 1000 --goal 1000`
    """
    from rich.console import Console

    from tapisvert.cli.bankroll import as_json, computed, shown, write_pictures
    from tapisvert.cli.folders import must_be_writable
    from tapisvert.cli.prove import sheets_asked

    must_be_writable(*(path.parent for path in (svg, png) if path is not None))
    (sheet,) = sheets_asked([game], None, set_ or [])
    found = computed(sheet, (bankroll, stake, goal), rounds, strategy, pace)
    write_pictures(found, svg, png)
    if json:
        sys.stdout.buffer.write(as_json(found) + b"\n")
        return
    console = Console()
    for each in shown(found):
        console.print(each)


COMMANDS = (prove, strategy, advise, warm, simulate, bankroll)
