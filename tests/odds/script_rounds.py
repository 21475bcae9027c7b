"""Script = kernel: rounds dealt at random, played by the real script and by the kernels (R8).

    python tests/odds/script_rounds.py --rounds 1000000

Every round is settled twice, line by line, with equal results. The script's mean result must lie
within four standard errors of the proof. At the end, a wrong price is planted in each game; both
checks must detect it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.lab.mathematics import simulated_player
from tapisvert.odds.simulation import SimulatedPlayer
from tapisvert.sheets import load
from tapisvert.testing import settlement
from tapisvert.testing.kit import case_of
from tapisvert.testing.settlement import ERRORS, Mean, Paid, pieces

PLAYED = (  # and what part of the rounds: setting 21 ways takes a script its time
    ("casino-stud", "optimal", 1),
    ("high-card-flush", "optimal", 1),
    ("ultimate", "optimal", 1),
    ("blackjack", "optimal", 1),
    ("blackjack", "each-hand-alone", 1),
    ("pai-gow", "house-way", 1),
    ("pai-gow", "optimal", 10),
)
# One price of each game, wrong by a slip of the pen.
WRONG: dict[str, dict[str, Any]] = {
    "casino-stud": {"play.pays.pair": "2:1"},
    "high-card-flush": {"raise.pays": "6:5"},
    "ultimate": {"blind.pays.straight": "10:1"},
    "blackjack": {"hand.blackjack_pays": "1:2"},
    "pai-gow": {"main.pays": "9:10"},
}
PLANTED_ROUNDS = 50_000


def play(sheet: Sheet, player: SimulatedPlayer, first: int, end: int) -> Paid:
    """Play some rounds of a long deal by the script and by the simulated player."""
    return settlement.play(case_of(sheet.game), sheet, player, first, end)


def means(
    sheet: Sheet, player: SimulatedPlayer, strategy: str, rounds: int, parts: Sequence[Paid]
) -> list[Mean]:
    """Compare the mean of each bet with its proof."""
    return settlement.means(case_of(sheet.game), player, strategy, rounds, parts)


_now: tuple[Sheet, SimulatedPlayer]  # what the processes play: they are forked when it is there


def _play_now(piece: tuple[int, int]) -> Paid:
    return play(*_now, *piece)


def on_every_core(sheet: Sheet, player: SimulatedPlayer, rounds: int) -> list[Paid]:
    """Play rounds in as many processes as there are cores, and show how far they are."""
    global _now
    _now = sheet, player
    parts, began = [], time.monotonic()
    with ProcessPoolExecutor(os.cpu_count(), get_context("fork")) as cores:
        for part in cores.map(_play_now, pieces(rounds)):
            parts.append(part)
            done = min(len(parts) * 2_048, rounds)
            text = f"\r{sheet.game}: {done:,} of {rounds:,}, {time.monotonic() - began:.0f} s "
            print(text, end="", file=sys.stderr, flush=True)
    return parts


def main(rounds: int) -> int:
    """Play every game; return 1 on an unexpected difference, or a missing expected one."""
    wrong = 0
    print("| game | strategy | rounds | paid otherwise | bet | mean % | proved % | off by s.e. |")
    print("|---|---|--:|--:|---|--:|--:|--:|")
    planted = set()
    for game, strategy, part_of in PLAYED:
        sheet = load(game)
        player = simulated_player(sheet, strategy)
        runs = [(sheet, rounds // part_of, strategy)]
        if game not in planted:
            planted.add(game)
            runs.append((with_changes(sheet, WRONG[game]), PLANTED_ROUNDS, "PLANTED"))
        for played, count, name in runs:
            parts = on_every_core(played, player, count)
            otherwise = sum(len(part.otherwise) for part in parts)
            found = means(played, player, strategy, count, parts)
            for each in found:
                print(
                    f"\r| {game} | {name} | {count:,} | {otherwise:,} | {each.bet} "
                    f"| {100 * each.mean:.4f} | {100 * each.proved:.4f} | {each.off:+.2f} |",
                    flush=True,
                )
            caught = (otherwise > 0, any(abs(each.off) > ERRORS for each in found))
            wrong += caught != ((name == "PLANTED",) * 2)
    return int(bool(wrong))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=1_000_000)
    sys.exit(main(parser.parse_args().rounds))
