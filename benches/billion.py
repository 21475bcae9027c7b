"""A thousand million simulated rounds of each game: every bet's mean beside its proof.

    python benches/billion.py --write docs/performance.md
    python benches/billion.py --rounds 10000000 --games ultimate blackjack

Each game is played in a process of its own, on every core. The exit code is 1 if the mean of a bet
lies more than four standard errors from its proof. The proof of Royal Poker is taken with the pot
of the simulated player, which is always at its demonstration value.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from page import require, table, write

CHAPTER = "billion"
ROUNDS = 10**9
SEED = 25
ERRORS = 4
PLAYED = {  # a strategy that stakes every bet of the game; of Pai Gow also the best play
    "casino-stud": ("optimal",),
    "high-card-flush": ("optimal",),
    "ultimate": ("optimal",),
    "blackjack": ("each-hand-alone", "optimal"),
    "pai-gow": ("house-way", "optimal"),
}
HEADS = ("game, strategy", "bet", "simulated %", "proved %", "standard errors")
COSTS = ("game, strategy", "rounds", "seconds", "of processor", "memory")


def played(game: str, strategy: str, rounds: int) -> list[dict[str, Any]]:
    """Play rounds in this process; return the mean of each bet, its error and its proof."""
    import tapisvert
    from tapisvert.testing.kit import case_of
    from tapisvert.testing.settlement import proved_edge

    found = []
    for each in tapisvert.simulate(game, rounds, strategy=strategy, seed=SEED).bets:
        proved = proved_edge(case_of(game), strategy, each.bet)
        assert proved is not None
        found.append(
            {"bet": each.bet, "mean": each.edge, "error": each.error, "proved": float(proved)}
        )
    return found


def apart(game: str, strategy: str, rounds: int) -> tuple[list[dict[str, Any]], list[str]]:
    """Play in a process of its own; return its bets, and its seconds and memory to print."""
    command = [sys.executable, __file__, "--child", game, strategy, "--rounds", str(rounds)]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        bets: list[dict[str, Any]] = json.loads(process.stdout.read())
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
    seconds = time.perf_counter() - started
    processor = used.ru_utime + used.ru_stime
    costs = f"{seconds:,.0f} s", f"{processor:,.0f} s", f"{used.ru_maxrss / 1024:,.0f} MB"
    return bets, [f"{game}, {strategy}", f"{rounds:,}", *costs]


def main() -> int:
    """Play every game; print the tables; return 1 if a mean is too far from its proof."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--games", nargs="*", choices=list(PLAYED), help="only these games")
    parser.add_argument("--write", type=Path, help="write the chapter of this page")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        game, strategy = asked.child
        print(json.dumps(played(game, strategy, asked.rounds)))
        return 0
    if asked.write:
        require(asked.write, [CHAPTER])
    rows, costs, far = [], [], 0
    for game in asked.games or PLAYED:
        for strategy in PLAYED[game]:
            bets, cost = apart(game, strategy, asked.rounds)
            costs.append(cost)
            for each in bets:
                off = (each["mean"] - each["proved"]) / each["error"]
                far += abs(off) > ERRORS
                figures = f"{100 * each['mean']:.5f}", f"{100 * each['proved']:.5f}", f"{off:+.2f}"
                rows.append((f"{game}, {strategy}", each["bet"], *figures))
                print(*rows[-1], file=sys.stderr, flush=True)
    text = f"{table(HEADS, rows)}\n\n{table(COSTS, costs)}"
    print(text)
    if asked.write:
        write(asked.write, CHAPTER, text)
    return int(far > 0)


if __name__ == "__main__":
    sys.exit(main())
