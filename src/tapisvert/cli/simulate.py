"""`tapis simulate`: plays random rounds with the simulation kernels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.bar import Bar
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from tapisvert.cli.cluster import HERE, Where, connected
from tapisvert.extras import need

if TYPE_CHECKING:
    from tapisvert.odds.simulation import Summary

_ROWS_MAX = 18
_Z95 = 1.959964  # 97.5th percentile of the normal distribution: a 95 % interval


class Rate(ProgressColumn):
    """Rounds per second."""

    def render(self, task: Task) -> Text:
        """Return the rate, or nothing before the first rounds."""
        return Text(f"{task.speed:,.0f}/s" if task.speed and task.total != 1 else "")


def simulated(
    game: str,
    rounds: int,
    strategy: str,
    seed: int,
    console: Console,
    out: Path | None = None,
    where: Where = HERE,
) -> list[Summary]:
    """Play rounds, with a progress bar; return a summary of each bet."""
    need("prove")  # before a bar is drawn
    from tapisvert.library import simulate

    columns = (TextColumn("{task.description:24}"), BarColumn(), Rate(), TimeRemainingColumn())
    hidden = not console.is_terminal
    bars = Progress(*columns, console=console, transient=True, disable=hidden)
    with connected(where) as cluster, bars:
        first = bars.add_task("the strategy", total=1.0)
        second = bars.add_task(f"{rounds:,} rounds", total=rounds)
        try:
            found = simulate(
                game,
                rounds,
                strategy=strategy,
                seed=seed,
                out=out,
                cluster=cluster,
                prepared=lambda done: bars.update(first, completed=done),
                progress=lambda done: bars.update(second, completed=done * rounds),
            )
        except KeyboardInterrupt:
            if out is not None and out.exists():
                print("Stopped; run the same command to resume.", file=sys.stderr)
            raise
        return [each.record for each in found.bets]


def shown(found: list[Summary]) -> Iterator[Table]:
    """Return a table of means with intervals, then a histogram of each bet."""
    means = Table(box=SIMPLE_HEAD, caption_justify="left")
    means.caption = "net and staked per first stake, return per money staked; 95 % intervals"
    means.add_column("bet")
    for heading in ("rounds", "net %", "+-", "staked", "return %", "+-"):
        means.add_column(heading, justify="right")
    for each in found:
        within = _Z95 * each.error
        means.add_row(
            each.bet,
            f"{each.rounds:,}",
            f"{100 * each.edge:.3f}",
            f"{100 * within:.3f}",
            f"{each.staked:.4f}",
            f"{100 * each.returned:.3f}",
            f"{100 * within / each.staked:.3f}",
        )
    yield means
    yield paths(found)
    for each in found:
        yield histogram(each)


def paths(found: list[Summary]) -> Table:
    """Return a table of the longest runs and the largest fall of each bet."""
    table = Table(box=SIMPLE_HEAD, caption_justify="left")
    table.caption = "a push neither ends nor extends a run; drawdown in first stakes"
    table.add_column("bet")
    for heading in ("longest won", "longest lost", "drawdown"):
        table.add_column(heading, justify="right")
    for each in found:
        runs = f"{each.longest_won:,}", f"{each.longest_lost:,}"
        table.add_row(each.bet, *runs, f"{each.drawdown:,.1f}")
    return table


def histogram(found: Summary) -> Table:
    """Return a histogram of net results; rare ones are grouped."""
    table = Table(title=found.bet, title_justify="left", box=None, show_header=False)
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_column()
    common = dict(sorted(found.nets.items(), key=lambda each: -each[1])[:_ROWS_MAX])
    most = max(common.values())
    for net, count in sorted(common.items()):
        share = f"{100 * count / found.rounds:.3f} %"
        table.add_row(f"{net:+g}", share, Bar(most, 0, count, width=40))
    rare = found.rounds - sum(common.values())
    if rare:
        table.add_row("other", f"{100 * rare / found.rounds:.3f} %", Bar(most, 0, rare, width=40))
    return table
