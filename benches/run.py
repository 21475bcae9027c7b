"""Every benchmark in one run, printed and, with --write FILE, kept as a page.

    python benches/run.py [--write docs/performance.md]

Budgets are DESIGN's. Ratios are taken within this run; the figures themselves belong to the
machine they were made on.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable
from pathlib import Path

import advice
import commands
import proving
import ranking
import start

Rows = list[tuple[str, str]]

CHAPTERS: tuple[tuple[str, str, Callable[[], Rows]], ...] = (
    ("Ranking, seven cards", "budget: 100 million hands/s on one core", ranking.run),
    (
        "One command through HTTP on SQLite",
        "floor: 20 % of the empty route and 35 % of bare commits; aim: twice that",
        commands.run,
    ),
    ("From `tapis play` to a served page", "budget: 2 s warm", start.run),
    (
        "`tapis prove`, every deal counted",
        "budgets below; all but Pai Gow's best setting within 120 s, at most 4 GiB",
        proving.run,
    ),
    (
        "Advice in a live position",
        "budget: p95 100 ms, Pai Gow 300 ms, warm",
        advice.run,
    ),
)


NOTES = """
## What misses its floor, and what was tried

Where the time of a command goes today, and how it compares with 795e69f, is in performance-load.md:
deciding is half of the writer's time, SQLite's own statements a fifth, and no function stands out.
Python runs the writer and the event loop under one lock, so their times add up.

Tried without effect: running commands in the event loop and only the commit in a thread; a shorter
switch interval; no savepoints; a larger page cache and fewer checkpoints; pinning the server to a
core; collecting garbage less often. Helped: keeping the decks of open rounds in memory, hashing a
sheet once, one replay per command instead of three, no index that is not read, undo pages in
memory. Beside a disk whose fsync takes 4 ms (270 bare commits a second, measured while the disk was
busy) the same server did 800 commands a second, three times the bare commits: there the group
commit is what counts.

What would help most is a second process for the writer, so that both halves run at once. On one
machine it is not worth a second thing that can die; several servers on PostgreSQL are the way up.

Eight askers at once who all split a pair in a position nobody has asked about take about 25 ms of
processor each, together more than 100 ms on two cores. Answers of Blackjack are kept by the values
of the cards, and a question uses its room again, since touching 15 MB of new memory took as long as
the counting. What is left is the second half, played after each of the 813 (tens) to 4,812 (twos)
hands the first can become.
"""


def page(chapters: list[tuple[str, str, Rows]]) -> str:
    """Return the measured figures as a page."""
    lines = [
        "# Performance",
        "",
        "Written by `make bench`; the browser's figures are in [performance-web.md]"
        "(performance-web.md), what a long past costs in [performance-growth.md]"
        "(performance-growth.md), what a server takes in [performance-load.md]"
        "(performance-load.md). Ratios compare figures of the same run on the same machine;",
        "the figures themselves are only as good as that machine was quiet.",
        "",
        f"Machine: {os.cpu_count()} cores, {platform.system()} {platform.machine()},"
        f" Python {platform.python_version()}.",
    ]
    for title, budget, rows in chapters:
        lines += ["", f"## {title}", "", f"({budget})", "", "| what | figure |", "|---|---|"]
        lines += [f"| {name} | {figure} |" for name, figure in rows]
    return "\n".join(lines) + "\n" + NOTES


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    measured: list[tuple[str, str, Rows]] = []
    for title, budget, run in CHAPTERS:
        print(f"\n{title} ({budget})", flush=True)
        rows = run()
        measured.append((title, budget, rows))
        for name, figure in rows:
            print(f"  {name:<52} {figure:>28}", flush=True)
    if asked.write:
        asked.write.write_text(page(measured), encoding="utf-8")


if __name__ == "__main__":
    main()
