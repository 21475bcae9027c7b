"""`tapis check-game`: run the conformance kit on a game."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


def check_game(
    game: Annotated[str, typer.Argument(help="The id of an installed game.")],
    rounds: Annotated[
        int, typer.Option(min=1, max=10**9, help="Random rounds of each check.")
    ] = 100_000,
    full: Annotated[
        bool, typer.Option("--full", help="Sum every position, raise every price: hours.")
    ] = False,
    project: Annotated[
        Path | None,
        typer.Option(help="The folder with the game's rules page, golden rounds and tests."),
    ] = None,
    check: Annotated[
        list[str] | None, typer.Option(help="Only this check; may be given several times.")
    ] = None,
) -> None:
    """Check that a game is complete and consistent; the exit code is 1 if a check fails.

    Example: `tapis check-game casino-stud --rounds 2000`, or for a game of your own
    `tapis check-game three-card --project examples/three-card-poker`
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from tapisvert.testing.kit import CHECKS, case_of
    from tapisvert.testing.kit import check_game as results

    for name in check or ():
        if name not in CHECKS:
            raise typer.BadParameter(f"no check {name!r}; there are {', '.join(CHECKS)}")
    if project is not None and not project.is_dir():
        raise typer.BadParameter(f"{project} is no folder", param_hint="--project")
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
        for result in results(case, check or (), partial(_begin, bars, task)):
            wrong += len(result.findings)
            typer.echo(result.line)
    if wrong:
        raise typer.Exit(1)


def _begin(bars: Progress, task: TaskID, name: str) -> None:
    """Start the progress bar of a check."""
    bars.reset(task, description=name)
