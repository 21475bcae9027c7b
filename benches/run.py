"""Run the benchmarks of five chapters; with --write, put each into its chapter of the page.

    python benches/run.py [--write docs/performance.md]

Ratios compare figures of this run; absolute figures are valid for this machine only.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import advice
import commands
import page
import proving
import ranking
import start

CHAPTERS: dict[str, Callable[[], list[tuple[str, str]]]] = {
    "ranking": ranking.run,
    "commands": commands.run,
    "start": start.run,
    "proofs": proving.run,
    "advice": advice.run,
}


def main() -> None:
    """Measure, print and write one chapter after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="the page whose chapters are replaced")
    asked = parser.parse_args()
    if asked.write:
        page.require(asked.write, CHAPTERS)
    for name, run in CHAPTERS.items():
        print(f"\n{name}", flush=True)
        rows = run()
        for what, figure in rows:
            print(f"  {what:<52} {figure:>28}", flush=True)
        if asked.write:
            page.write(asked.write, name, page.table(("what", "figure"), rows))


if __name__ == "__main__":
    main()
