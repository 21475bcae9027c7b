"""F1 on PostgreSQL: the same nights, in which a unit may also lose its connection.

`make test` runs 2 nights, the second tier 20, `make soak` 100.

tests/races covers real concurrency; here every order comes from the seed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from simulation.night import Night
from simulation.planted import POSTGRESQL_PATCHES, breaks, plant, read_patch, simulate
from simulation.run import nights
from stores import POSTGRESQL
from tiers import long, one_in

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)

OPERATIONS = 150


@pytest.mark.parametrize("seeds", [1, pytest.param(20, marks=long)])
def test_F1_whatever_crashes_or_loses_its_connection_every_invariant_holds(seeds: int) -> None:
    done = list(nights(range(1, seeds + 1), OPERATIONS, jobs=1, engine=POSTGRESQL))
    assert [(report.seed, report.violations) for report in done if report.violations] == []
    assert sum(report.crashes for report in done) > seeds


def test_F1_a_seed_replays_to_the_byte() -> None:
    first = Night(3, OPERATIONS // 3, POSTGRESQL).run()
    assert Night(3, OPERATIONS // 3, POSTGRESQL).run() == first


@pytest.mark.parametrize("path", one_in(2, POSTGRESQL_PATCHES), ids=lambda path: path.stem)
def test_F1_a_bug_planted_in_its_store_is_found(tmp_path: Path, path: Path) -> None:
    planted = read_patch(path)
    copy = plant(planted, tmp_path)
    told = simulate(copy, "--database", POSTGRESQL, "--seed", str(planted.seed))
    assert breaks(told, planted.invariant), told
