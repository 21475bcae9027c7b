"""F7 at length: many parts to the unit, and many instants with two to ten winners.

python tests/soak/pot.py --parts 1000000 --trials 10000
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

from bank.feeding import POT, ROYAL, STRAIGHT_FLUSH, Serial, Till, award
from tapisvert.store import SqliteStore, Tx

_AT_ONCE = 2_000  # parts in one unit


def feed(till: Till, model: Serial, parts: int) -> None:
    """Feed the pot this often, with folds now and then, and win it: exact to the unit."""
    for start in range(0, parts, _AT_ONCE):
        times = min(_AT_ONCE, parts - start)
        till.do(partial(till.stakes, times=times))
        model.stake(times)
        till.fold()
    assert till.pot().units == model.units
    assert till.wins(ROYAL) == model.win(ROYAL)
    assert till.all_there() == model.units


def instant(till: Till, model: Serial, shares: list[Fraction]) -> None:
    """Let several win at one instant: their units wait for the writer together."""

    def win(tx: Tx, share: Fraction) -> int:
        purse = till.stakes(tx)
        return award(tx, purse, POT, "royal", share, restarts=share == ROYAL)

    futures = [till.store.write(partial(win, share=share)) for share in shares]
    assert [future.result() for future in futures] == [model.win(share) for share in shares]
    assert (till.pot().units, till.pot().triggers) == (model.units, len(model.won))


def main(parts: int, trials: int, seed: int) -> None:
    """Feed, then let them win."""
    chance = Random(seed)
    with tempfile.TemporaryDirectory(prefix="f7-") as folder:
        store = SqliteStore(Path(folder) / "tapis.db")
        till, model = Till(store), Serial()
        feed(till, model, parts)
        for _ in range(trials):
            instant(till, model, chance.choices([ROYAL, STRAIGHT_FLUSH], k=chance.randint(2, 10)))
        assert till.all_there() == model.units
        store.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--parts", type=int, default=1_000_000)
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    wanted = parser.parse_args()
    began = time.monotonic()
    main(wanted.parts, wanted.trials, wanted.seed)
    print(
        f"F7: {wanted.parts:,} parts to the unit, {wanted.trials:,} instants with 2 to 10 winners,"
        f" all as one after the other, {time.monotonic() - began:.0f} s"
    )
