"""Compiles the kernels of coach, simulator and proofs into the cache on disk.

    python tools/kernels.py

Part of the test setup: otherwise every test worker would compile the same kernels.
"""

from __future__ import annotations

import time
from multiprocessing import get_context

from tapisvert.coach.warm import LIBRARY, SECONDS, step
from tapisvert.lab.mathematics import mathematics_of
from tapisvert.sheets import load

PROCESSES = 2


def compile_for(game: str) -> tuple[str, float]:
    """Advise, simulate and prove at a game; return its id and the seconds."""
    began = time.monotonic()
    step(LIBRARY)
    step(game)
    sheet = load(game)
    mathematics_of(sheet).compile(sheet)
    return game, time.monotonic() - began


def main() -> None:
    """Compile for every installed game, the slowest first."""
    games = [name for name in reversed(SECONDS) if name != LIBRARY]
    with get_context("spawn").Pool(PROCESSES) as pool:
        for game, seconds in pool.imap_unordered(compile_for, games, chunksize=1):
            print(f"  {game:16} {seconds:5.1f} s", flush=True)


if __name__ == "__main__":
    main()
