"""`tapis prove GAME --strategy FILE`: the exact figures of a strategy written as rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tapisvert.engine.sheet import Sheet
from tapisvert.library import StrategyProof, prove_strategy
from tapisvert.odds.figures import write_return
from tapisvert.refusal import Refused
from tapisvert.strategies.strategy_file import Published


def print_strategy(
    asked: Sequence[Sheet], strategy: str, *, json: bool, alone: bool, as_given: bool
) -> None:
    """Prove a strategy on one sheet; its own figures apply unless the sheet is given."""
    if len(asked) != 1:
        raise Refused("prove/contradiction", reason="--strategy needs one game: name it")
    if not alone:
        reason = "--strategy takes no --keep, --report, --cluster or TLS files"
        raise Refused("prove/contradiction", reason=reason)
    found = proved(asked[0] if as_given else asked[0].game, strategy, Console(stderr=True))
    if json:
        sys.stdout.buffer.write(msgspec.json.encode(found.record) + b"\n")
        return
    console = Console(markup=False)  # titles and names of a file may contain brackets
    for each in shown(found):
        console.print(each)


def proved(asked: Sheet | str, strategy: str, console: Console) -> StrategyProof:
    """Prove a strategy, with a progress bar."""
    name = TextColumn("{task.description:16}", markup=False)
    columns = (name, BarColumn(), TimeElapsedColumn())
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bars:
        task = bars.add_task(strategy[-16:], total=1.0)
        return prove_strategy(
            asked, strategy, progress=lambda done: bars.update(task, completed=done)
        )


def shown(found: StrategyProof) -> Iterator[RenderableType]:
    """Yield the figures, the rules with their costs, and the mistakes of the costliest rule."""
    record = found.record
    figures = _table(
        f"{record.game}   {record.title.get('en', record.name)}   sheet {record.sheet_hash[:12]}",
        ("house edge %", "element of risk %", "house edge, best play %", "cost %"),
        [
            [
                percent(-found.edge, 6),
                percent(-found.element_of_risk, 6),
                percent(-Fraction(record.best_edge), 6),
                percent(found.cost, 6),
            ]
        ],
    )
    yield figures
    rules = [
        [
            f"{rule.record.number}. {rule.record.says}",
            rule.record.choose,
            f"{rule.record.deals:,}",
            percent(rule.cost, 6),
        ]
        for rule in found.rules
    ]
    yield _table("Rules", ("when", "choose", "deals", "cost %"), rules, first=2)
    worst = found.costliest
    if worst is not None:
        places = [
            [
                str(cells["position"]),
                str(cells["best"]),
                percent(Fraction(each.record.loss), 3),
                f"{each.record.deals:,}",
                percent(Fraction(each.record.cost), 9),
            ]
            for each in worst.mistakes
            for cells in (each.cells(),)
        ]
        title = f"Costliest: {worst.record.question}, rule {worst.record.number}. It errs most with"
        heads = ("position", "better", "loss there %", "deals", "cost %")
        yield _table(title, heads, places, first=2)
    if record.source is not None:
        yield f"Read at {record.source.address} on {record.source.read}."
        if record.source.note:
            yield record.source.note
    if record.published is not None:
        yield from _published(record.published)


def _published(printed: Published) -> Iterator[str]:
    """Yield what the source prints."""
    told = {
        "house edge %": printed.edge,
        "element of risk %": printed.element_of_risk,
        "loss over all deals": f"{printed.loss:,}" if printed.loss is not None else "",
    }
    yield "Published: " + ", ".join(f"{what} {it}" for what, it in told.items() if it)
    if printed.note:
        yield printed.note


def percent(value: Fraction, digits: int) -> str:
    """Write a fraction in percent."""
    return write_return(100 * value, digits)


def _table(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], first: int = 1
) -> Table:
    """Return a table whose first columns are texts."""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for place, head in enumerate(heads):
        table.add_column(head, justify="left" if place < first else "right")
    for row in rows:
        table.add_row(*row)
    return table
