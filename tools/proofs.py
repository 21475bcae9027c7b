"""Proves the shipped sheets again; writes proofs, charts and bankroll tables (`make proofs`).

    python tools/proofs.py [--check] [GAME...]

Without a GAME it proves the offered games. Any installed game can be named, even one without
proofs, words or browser files. With `--check` nothing is written: differing proofs, charts and
tables are printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from math import isclose
from typing import Any

from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES, SHIPPED, admit
from tapisvert.lab import bankroll_store, chart_store, proof_store
from tapisvert.lab.bankroll_table import bankroll_tables
from tapisvert.lab.mathematics import prove, strategy
from tapisvert.lab.proof_store import StoredProof
from tapisvert.refusal import Refused
from tapisvert.sheets import load, variants_of
from tapisvert.words import catalogue, explain


def prove_again(games: Sequence[str], *, check: bool) -> int:
    """Rewrite the three files of each game; with `check`, compare with them instead."""
    changed = 0
    for game in games:
        sheet = load(game)
        started = time.perf_counter()
        written = [proof_store.written(sheet, figure) for figure in prove(sheet)]
        others = _of_variants(sheet, written)
        chart = strategy(sheet)
        tables = bankroll_tables(written)
        same = {
            f"{len(written)} figures": sorted(written, key=_order)
            == sorted(proof_store.find(sheet), key=_order),
            f"{len(others)} of variants": all(each in _kept(sheet) for each in others),
            "chart": _alike(chart_store.plain(chart), chart_store.find(sheet)),
            "bankrolls": _alike(
                chart_store.plain(tables), chart_store.plain(bankroll_store.find(sheet)), 1e-8
            ),  # more than the errors of both, which the tables state
        }
        changed += not all(same.values())
        if not check:
            folder = GAMES[game].folder
            (folder / proof_store.SHIPPED).unlink(missing_ok=True)
            proof_store.write(folder / proof_store.SHIPPED, [*written, *others])
            (folder / chart_store.SHIPPED).unlink(missing_ok=True)
            chart_store.write(folder / chart_store.SHIPPED, sheet, chart)
            (folder / bankroll_store.SHIPPED).unlink(missing_ok=True)
            bankroll_store.write(folder / bankroll_store.SHIPPED, sheet, tables)
        otherwise = "NOT as shipped" if check else "written anew"
        told = (f"{each} {'as shipped' if kept else otherwise}" for each, kept in same.items())
        print(f"{game}: {', '.join(told)}, {time.perf_counter() - started:.1f} s", flush=True)
    return int(check and changed > 0)


def _of_variants(sheet: Sheet, known: Sequence[StoredProof]) -> list[StoredProof]:
    """Prove the bets of a game's variants whose figures differ from its own sheet's."""
    keys = {proof.key for proof in known}
    counted = (
        proof_store.written(variant, figure)
        for variant in variants_of(sheet).values()
        for figure in prove(variant)
    )
    return [proof for proof in counted if proof.key not in keys]


def _kept(sheet: Sheet) -> list[StoredProof]:
    return [proof for each in variants_of(sheet).values() for proof in proof_store.find(each)]


def _alike(one: Any, other: Any, error: float = 1e-12) -> bool:
    """Compare charts and tables; the last digits of a double may differ between machines."""
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=0, abs_tol=error)
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(_alike(one[key], other[key], error) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(
            _alike(mine, its, error) for mine, its in zip(one, other, strict=True)
        )
    return bool(one == other)


def _order(proof: proof_store.StoredProof) -> tuple[str, str]:
    return proof.bet, proof.strategy


def main(arguments: Sequence[str]) -> int:
    """Prove the named games; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"one of {', '.join(GAMES)}")
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    asked = parser.parse_args(arguments)
    for game in asked.games:
        try:
            admit(game)
        except Refused as refusal:
            parser.error(explain(catalogue("en"), refusal))
    return prove_again(asked.games or SHIPPED, check=asked.check)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
