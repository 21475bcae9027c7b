"""Prove the shipped sheets again and write the proofs that go with the package (`make proofs`).

    python tools/proofs.py [--check] [GAME...]

With `--check` nothing is written: a proof that has come out otherwise is told, and the exit code
is 1.
"""

from __future__ import annotations

import sys
import time

from tapisvert.odds import charts, proofs
from tapisvert.odds.proving import prove, strategy
from tapisvert.sheets import SHEETS, load


def main(games: list[str], *, check: bool) -> int:
    """Write a file per game, what it held before forgotten; or compare with it."""
    changed = 0
    for game in games or SHEETS:
        sheet = load(game)
        started = time.perf_counter()
        written = [proofs.written(sheet, figure) for figure in prove(sheet)]
        same = sorted(written, key=_order) == sorted(proofs.find(sheet), key=_order)
        changed += not same
        if not check:
            (proofs.SHIPPED / f"{game}.json").unlink(missing_ok=True)
            proofs.keep(proofs.SHIPPED, sheet, written)
            (charts.SHIPPED / f"{game}-chart.json").unlink(missing_ok=True)
            charts.keep(charts.SHIPPED, sheet, strategy(sheet))
        told = "as shipped" if same else "NOT as shipped"
        seconds = time.perf_counter() - started
        print(f"{game}: {len(written)} figures, {told}, {seconds:.1f} s", flush=True)
    return int(check and changed > 0)


def _order(proof: proofs.Proof) -> tuple[str, str]:
    return proof.bet, proof.strategy


if __name__ == "__main__":
    named = [word for word in sys.argv[1:] if word != "--check"]
    sys.exit(main(named, check="--check" in sys.argv))
