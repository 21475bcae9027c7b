"""F1: whole nights with crashes, lost replies, races and clock changes.

`make test` runs 8 nights, the second tier 40, `make soak` 1,000.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulation.night import Night
from simulation.run import nights
from simulation.state_checks import STATE_CHECKS
from simulation.world import Violation
from tiers import long

FEW, SEEDS, OPERATIONS = 8, 40, 150
SHORT = 50  # operations
RUN = Path(__file__).with_name("run.py")


@pytest.mark.parametrize(
    "seeds",
    [range(1, FEW + 1), pytest.param(range(FEW + 1, SEEDS + 1), marks=long)],
    ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}",
)
def test_F1_whatever_crashes_races_or_gets_lost_every_invariant_holds(seeds: range) -> None:
    done = list(nights(seeds, OPERATIONS, jobs=1))
    assert [(report.seed, report.violations) for report in done if report.violations] == []
    assert sum(report.crashes for report in done) > len(seeds)
    assert sum(report.operations for report in done) >= len(seeds) * OPERATIONS


def test_F1_a_seed_replays_to_the_byte_in_any_process() -> None:
    here = Night(3, SHORT).run()
    assert Night(3, SHORT).run() == here
    asked = ["--seed", "3", "--operations", str(SHORT)]
    for hash_seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, RUN, *asked],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        assert here.trace in ran.stdout
    assert Night(4, SHORT).run().trace != here.trace


def test_F1_a_violation_ends_the_night_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: a failing check ends the night and is reported, whatever the house is doing."""
    monkeypatch.setitem(STATE_CHECKS, "no-negative", lambda ledger: iter(["so"]))
    assert Night(1, OPERATIONS).run().violations == (Violation("no-negative", "so"),)
