"""Prove the shipped sheets again and write the proofs that go with the package (`make proofs`).

python tools/proofs.py [GAME...]
"""

from __future__ import annotations

import sys
import time

from tapisvert.odds import proofs
from tapisvert.odds.proving import prove
from tapisvert.sheets import SHEETS, load


def main(games: list[str]) -> None:
    """Write a file per game; what it held before is forgotten."""
    for game in games or SHEETS:
        sheet = load(game)
        started = time.perf_counter()
        written = [proofs.written(sheet, figure) for figure in prove(sheet)]
        (proofs.SHIPPED / f"{game}.json").unlink(missing_ok=True)
        proofs.keep(proofs.SHIPPED, sheet, written)
        print(f"{game}: {len(written)} figures, {time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
