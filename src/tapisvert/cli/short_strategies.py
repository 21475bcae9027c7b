"""`tapis strategy GAME --rules K`: the best strategies of few rules, as cards to learn."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tapisvert.cli.strategy_file import percent
from tapisvert.engine.sheet import Sheet
from tapisvert.library import ShortStrategies, short_strategies
from tapisvert.library.strategies import SHORT_MAX
from tapisvert.refusal import Refused


def print_short(asked: Sheet, rules: int, *, json: bool, alone: bool) -> None:
    """Search, and print a card for each length."""
    if not alone:
        raise Refused("prove/contradiction", reason="--rules and --keep exclude each other")
    if not 1 <= rules <= SHORT_MAX:
        reason = f"--rules must be a whole number from 1 to {SHORT_MAX}, and {rules} is not"
        raise Refused("request/malformed", reason=reason)
    found = searched(asked, rules, Console(stderr=True))
    if json:
        sys.stdout.buffer.write(msgspec.json.encode(found.record) + b"\n")
        return
    console = Console()
    for line in cards(found):
        console.print(line, highlight=False, markup=False)


def searched(asked: Sheet, rules: int, console: Console) -> ShortStrategies:
    """Search, with a progress bar."""
    columns = (TextColumn("{task.description:16}"), BarColumn(), TimeElapsedColumn())
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bars:
        task = bars.add_task(asked.game, total=1.0)
        return short_strategies(
            asked, rules, progress=lambda done: bars.update(task, completed=done)
        )


def cards(found: ShortStrategies) -> Iterator[str]:
    """Yield the lines of all cards, and how they were found."""
    for each in found.found:
        many = "one rule" if each.most == 1 else f"{each.most} rules"
        edge = percent(-each.edge, 4)
        yield f"At most {many}: costs {percent(each.cost, 4)} %, house edge {edge} %"
        yield from (f"  {line}" for line in each.card)
        yield f"  ({each.record.method})"
        yield ""
    record = found.record
    yield (
        f"{record.candidates:,} conditions for each rule, {record.seconds:.0f} s."
        " The last rule has no condition and is not counted."
    )
