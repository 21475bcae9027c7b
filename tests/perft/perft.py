"""Rank all hands and compare the counts with the `.perft` files beside this one.

    PYTHONPATH=tests python -m perft.perft [--max-hands N]

The name is chess's "performance test": walk the whole tree, count, and compare with exact figures
known beforehand. The exit code is 1 if any count differs. `test_perft.py` runs the same entries.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from math import comb
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from perft.orders import ORDERS

STANDARD_PERFT = Path(__file__).with_name("standard.perft")
GAMES_PERFT = Path(__file__).with_name("games.perft")
DECK_SIZE = 52
CHUNK_HANDS = 1 << 16  # 448 KiB of seven-card hands: small enough to stay in a core's cache


class Entry(NamedTuple):
    """One `id` of a perft file: a hand size and the counts expected of it."""

    id: str
    cards: int
    expected: dict[str, int]


def read_entries(written: str) -> list[Entry]:
    """Read the text of a perft file.

    >>> read_entries("id tiny  # a comment" + chr(10) + "cards 5  total 12  flush 3")
    [Entry(id='tiny', cards=5, expected={'total': 12, 'flush': 3})]
    """
    words = [word for line in written.splitlines() for word in line.partition("#")[0].split()]
    found: list[tuple[str, dict[str, int]]] = []
    for name, value in zip(words[::2], words[1::2], strict=True):
        if name == "id":
            found.append((value, {}))
        else:
            counts = found[-1][1]
            # A name given twice would hide one of its two counts.
            if name in counts:
                raise ValueError(f"{found[-1][0]}: {name} is given twice")
            counts[name] = int(value)
    return [Entry(id, counts.pop("cards"), counts) for id, counts in found]


def _fill_hands(next_hand: NDArray[np.uint8], deck_size: int, rows: NDArray[np.uint8]) -> int:
    """Write hands in ascending order from `next_hand` on, and return how many were written.

    `next_hand` is moved past them, so that the following call goes on from there.
    """
    size = next_hand.shape[0]
    for row in range(rows.shape[0]):
        if next_hand[0] > deck_size - size:
            return row
        for place in range(size):
            rows[row, place] = next_hand[place]
        place = size - 1
        while place > 0 and next_hand[place] == deck_size - size + place:
            place -= 1
        next_hand[place] += 1
        for later in range(place + 1, size):
            next_hand[later] = next_hand[later - 1] + 1
    return len(rows)


# Called, not applied as a decorator: the plain function stays at hand and fully typed. Not cached:
# Numba's cache remembers the module's name, which is not the same as a script and under pytest.
_fill_hands_fast: Callable[[NDArray[np.uint8], int, NDArray[np.uint8]], int]
_fill_hands_fast = numba.njit(nogil=True)(_fill_hands)


def hands_in_chunks(
    size: int, deck_size: int = DECK_SIZE, chunk_hands: int = CHUNK_HANDS
) -> Iterator[NDArray[np.uint8]]:
    """Yield every hand of `size` cards once, in the order of `itertools.combinations`.

    A chunk is valid until the next one is asked for: they share one buffer.
    """
    next_hand = np.arange(size, dtype=np.uint8)
    rows = np.empty((chunk_hands, size), dtype=np.uint8)
    while filled := _fill_hands_fast(next_hand, deck_size, rows):
        yield rows[:filled]


def count_hands(id: str, advance: Callable[[int], None] = lambda _: None) -> dict[str, int]:
    """Classify every hand of an entry; return the number in each class, and in all."""
    cards, deck_size, names, classify = ORDERS[id]
    by_class = np.zeros(len(names), dtype=np.int64)
    for hands in hands_in_chunks(cards, deck_size):
        by_class += np.bincount(classify(hands), minlength=len(names))
        advance(len(hands))
    counted = dict(zip(names, by_class.tolist(), strict=True))
    return {"total": sum(counted.values()), **counted}


def differences(expected: dict[str, int], counted: dict[str, int]) -> list[str]:
    """Return the names whose counts differ; a name on one side only differs."""
    names = {**counted, **expected}
    return [name for name in names if expected.get(name) != counted.get(name)]


def run_entry(entry: Entry, console: Console) -> bool:
    """Count one entry with a progress bar, print it, and return whether every count agrees."""
    # Compiling and filling tables is not counting: done before the clock starts.
    order = ORDERS[entry.id]
    order.classify(next(hands_in_chunks(order.cards, order.deck_size, chunk_hands=1)))
    columns = (TextColumn(entry.id), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task(entry.id, total=comb(order.deck_size, order.cards))
        start_s = time.perf_counter()
        counted = count_hands(entry.id, lambda hands: progress.advance(task, hands))
        taken_s = time.perf_counter() - start_s
    console.print(_report(entry, counted))
    rate = counted["total"] / taken_s / 1e6
    console.print(f"{taken_s:.2f} s, {rate:.1f} million hands/s (dealt, ranked and counted)\n")
    return not differences(entry.expected, counted)


def _report(entry: Entry, counted: dict[str, int]) -> Table:
    wrong = differences(entry.expected, counted)
    table = Table("category", title=entry.id, title_justify="left")
    for heading in ("counted", "expected"):
        table.add_column(heading, justify="right")
    table.add_column("")
    # The strongest first, as a rule card lists them; the total last.
    for name in reversed({**counted, **entry.expected}):
        cells = (
            f"{counts[name]:,}" if name in counts else "-" for counts in (counted, entry.expected)
        )
        table.add_row(name, *cells, "[red]DIFFERS[/red]" if name in wrong else "ok")
    return table


def main(arguments: list[str]) -> int:
    """Run every entry of the files within the budget; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--max-hands", type=int, default=sys.maxsize, help="leave out entries with more hands"
    )
    budget: int = parser.parse_args(arguments).max_hands
    console = Console()
    agreed = True
    files = (STANDARD_PERFT, GAMES_PERFT)
    written = "".join(file.read_text(encoding="utf-8") for file in files)
    for entry in read_entries(written):
        if comb(ORDERS[entry.id].deck_size, entry.cards) > budget:
            console.print(f"{entry.id}: left out, over {budget:,} hands\n")
        else:
            agreed &= run_entry(entry, console)
    console.print("every count agrees" if agreed else "[red]some counts differ[/red]")
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
