"""`tapis check-game`: run the conformance kit on a game."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tapisvert.cli.help import command
from tapisvert.cli.options import PATH, Integer

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@command()
@click.argument("game", help="The id of an installed game.")
@click.option(
    "--rounds",
    type=Integer(1, 10**9),
    default=100_000,
    help="Random rounds of each check.",
)
@click.option("--full", is_flag=True, help="Sum every position and raise every price; takes hours.")
@click.option(
    "--project", type=PATH, help="The folder with the game's rules page, golden rounds and tests."
)
@click.option("--check", "checks", multiple=True, help="Only this check; repeatable.")
def check_game(
    game: str, rounds: int, full: bool, project: Path | None, checks: tuple[str, ...]
) -> None:
    """Check that a game is complete and consistent; the exit code is 1 if a check fails.

    Example: `tapis check-game casino-stud --rounds 2000`, or for a game of your own
    `tapis check-game three-card --project examples/three-card-poker`
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from tapisvert.testing.kit import CHECKS, case_of
    from tapisvert.testing.kit import check_game as results

    for name in checks:
        if name not in CHECKS:
            raise click.BadParameter(f"no check {name!r}; there are {', '.join(CHECKS)}")
    if project is not None and not project.is_dir():
        raise click.BadParameter(f"{project} is no folder", param_hint="--project")
    columns = (TextColumn("{task.description:16}"), BarColumn(), TimeElapsedColumn())
    wrong = 0
    console = Console(stderr=True)
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bars:
        task = bars.add_task("", total=1.0)
        case = case_of(
            game,
            rounds=rounds,
            full=full,
            project=project,
            tell=lambda done: bars.update(task, completed=done),
        )
        for result in results(case, checks, partial(_begin, bars, task)):
            wrong += len(result.findings)
            click.echo(result.line)
    if wrong:
        sys.exit(1)


def _begin(bars: Progress, task: TaskID, name: str) -> None:
    """Start the progress bar of a check."""
    bars.reset(task, description=name)
