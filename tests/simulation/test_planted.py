"""F1: a simulator must be able to fail. These are the bugs it finds, one by one.

`make test` looks for one in eight, the second tier for all, `make soak` for all without hints.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from simulation.planted import (
    PATCHES,
    POSTGRESQL_PATCHES,
    SEEDS_MAX,
    SOURCE,
    breaks,
    hunks,
    plant,
    read_patch,
    simulate,
)
from simulation.world import INVARIANTS
from tiers import one_in


def test_F1_every_invariant_has_a_bug_that_breaks_it() -> None:
    assert len(PATCHES) >= 20
    assert {read_patch(path).invariant for path in PATCHES} == INVARIANTS


@pytest.mark.parametrize("path", [*PATCHES, *POSTGRESQL_PATCHES], ids=lambda path: path.stem)
def test_F1_a_planted_bug_applies_to_the_house_of_today(path: Path) -> None:
    for name, before, _ in hunks(read_patch(path).diff):
        assert (SOURCE.parent / name).read_text(encoding="utf-8").count(before) == 1, name


@pytest.mark.parametrize("path", one_in(8, PATCHES), ids=lambda path: path.stem)
def test_F1_a_planted_bug_is_found_by_the_invariant_it_names(tmp_path: Path, path: Path) -> None:
    planted = read_patch(path)
    copy = plant(planted, tmp_path)
    told = simulate(copy, "--seed", str(planted.seed))
    if not breaks(told, planted.invariant):  # `planted.py --write` renews the seed
        told = simulate(copy, "--seeds", str(SEEDS_MAX), "--until", planted.invariant)
    assert breaks(told, planted.invariant), told
