"""Prove the shipped sheets again and write the proofs and charts of the package (`make proofs`).

    python tools/proofs.py [--check] [GAME...]

With `--check` nothing is written: a proof or a chart that has come out otherwise is told, and the
exit code is 1.
"""

from __future__ import annotations

import sys
import time
from math import isclose
from typing import Any

from tapisvert.odds import charts, proofs
from tapisvert.odds.proving import prove, strategy
from tapisvert.sheets import SHEETS, load


def main(games: list[str], *, check: bool) -> int:
    """Write two files per game, what they held before forgotten; or compare with them."""
    changed = 0
    for game in games or SHEETS:
        sheet = load(game)
        started = time.perf_counter()
        written = [proofs.written(sheet, figure) for figure in prove(sheet)]
        chart = strategy(sheet)
        same = {
            f"{len(written)} figures": sorted(written, key=_order)
            == sorted(proofs.find(sheet), key=_order),
            "chart": _alike(charts.plain(chart), charts.find(sheet)),
        }
        changed += not all(same.values())
        if not check:
            (proofs.SHIPPED / f"{game}.json").unlink(missing_ok=True)
            proofs.keep(proofs.SHIPPED, sheet, written)
            (charts.SHIPPED / f"{game}-chart.json").unlink(missing_ok=True)
            charts.keep(charts.SHIPPED, sheet, chart)
        told = (
            f"{each} {'as shipped' if kept else 'NOT as shipped'}" for each, kept in same.items()
        )
        print(f"{game}: {', '.join(told)}, {time.perf_counter() - started:.1f} s", flush=True)
    return int(check and changed > 0)


def _alike(one: Any, other: Any) -> bool:
    """Compare charts; the last digits of a double may differ from machine to machine."""
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=0, abs_tol=1e-12)
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    return bool(one == other)


def _order(proof: proofs.Proof) -> tuple[str, str]:
    return proof.bet, proof.strategy


if __name__ == "__main__":
    named = [word for word in sys.argv[1:] if word != "--check"]
    sys.exit(main(named, check="--check" in sys.argv))
