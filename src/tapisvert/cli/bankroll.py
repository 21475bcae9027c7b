"""`tapis bankroll`: the results and the ruin of a bankroll over many rounds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import msgspec
from rich.bar import Bar
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tapisvert.cli.cashier import cents
from tapisvert.cli.folders import write_whole
from tapisvert.engine.sheet import Sheet
from tapisvert.lab.proof_store import ratio
from tapisvert.library import Bankroll
from tapisvert.words import catalogue

_BARS = 20


def computed(
    sheet: Sheet, amounts: tuple[str, str, str | None], rounds: int, strategy: str | None, pace: int
) -> Bankroll:
    """Compute with a progress bar; the amounts are bankroll, stake and goal."""
    from tapisvert.library import bankroll

    purse, stake, goal = amounts
    columns = (TextColumn("{task.description:16}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bars:
        task = bars.add_task(sheet.game, total=1.0)
        return bankroll(
            sheet,
            bankroll_cents=cents(purse),
            stake_cents=cents(stake),
            rounds=rounds,
            goal_cents=None if goal is None else cents(goal),
            strategy=strategy,
            rounds_per_hour=pace,
            progress=lambda done: bars.update(task, completed=done),
        )


def write_pictures(found: Bankroll, svg: Path | None, png: Path | None) -> None:
    """Write the plot of the law, in the forms that are asked for."""
    if svg is not None:
        write_whole(svg, found.svg().encode())
    if png is not None:
        write_whole(png, found.png())


def as_json(found: Bankroll) -> bytes:
    """Encode the figures and the ranges of the law; fractions become strings."""
    apart = ("percentile", "rounds_to_ruin")
    cells = {key: value for key, value in found.cells().items() if not key.startswith(apart)}
    ranges = [
        {"from_cents": low, "to_cents": high, "probability": chance}
        for low, high, chance in found.bars()
    ]
    said = {
        **cells,
        "percentiles_cents": dict(found.percentiles_cents),
        "rounds_to_ruin": dict(found.rounds_to_ruin),
        "law": ranges,
    }
    return msgspec.json.encode(said, enc_hook=ratio)


def shown(found: Bankroll) -> Iterator[RenderableType]:
    """Return a table of the figures, what they assume, and a plot of the law."""
    table = Table(
        title=f"{found.game}   {found.strategy}   {found.rounds:,} rounds",
        caption=f"probabilities within {found.error:.1g}; mean, N0 and loss per hour are exact",
        title_justify="left",
        caption_justify="left",
        box=SIMPLE_HEAD,
        show_header=False,
    )
    table.add_column()
    table.add_column(justify="right")
    for name, value in _lines(found):
        table.add_row(name, value)
    yield table
    yield "  Raises, doubles and splits are always played: what the purse lacks is lent."
    plot = Table(title="result", title_justify="left", box=None, show_header=False)
    for justify in ("right", "right", "left"):
        plot.add_column(justify=justify)
    bars = found.bars(_BARS)
    most = max(chance for _, _, chance in bars)
    for low, high, chance in bars:
        middle = money((low + high) / 2)
        plot.add_row(middle, f"{100 * chance:.2f} %", Bar(most, 0, chance, width=40))
    yield plot


def _lines(found: Bankroll) -> Iterator[tuple[str, str]]:
    yield "mean result", money(found.mean_cents)
    yield "standard deviation", money(found.standard_deviation_cents)
    for share, result in found.percentiles_cents.items():
        yield f"percentile {share}", money(result)
    yield f"loss per hour ({found.rounds_per_hour} rounds)", money(found.loss_per_hour_cents)
    if found.n0 is not None:
        yield "N0, rounds", f"{float(found.n0):,.0f}"
    yield f"ruin (below {money(found.opening_cents)}) within the rounds", percent(found.ruin)
    if found.goal_reached is not None:
        yield "goal within the rounds", percent(found.goal_reached)
    ever = found.ruin_ever
    yield "ruin without a limit of rounds", "not computed" if ever is None else percent(ever)
    if found.mean_rounds_to_ruin is not None:
        yield "mean rounds to ruin, if within the rounds", f"{found.mean_rounds_to_ruin:,.1f}"
    for share, taken in found.rounds_to_ruin.items():
        yield f"{share} % of them are ruined after", f"{taken:,} rounds"


def money(amount: Fraction | float) -> str:
    """Write an amount of cents.

    >>> money(Fraction(-5, 2)), money(123456)
    ('-$0.02', '$1,234.56')
    """
    return catalogue("en").money(round(amount))


def percent(chance: float) -> str:
    """Write a probability.

    >>> percent(0.25)
    '25.000000 %'
    """
    return f"{100 * chance:.6f} %"
