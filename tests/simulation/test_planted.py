"""F1: a simulator must be able to fail. These are the bugs it finds, one by one.

`make test` looks for one in eight, the second tier for all, `make soak` for all without hints.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
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
from tapisvert.store.sqlite_file import migrations
from tiers import one_in


def test_F1_every_invariant_has_a_bug_that_breaks_it() -> None:
    assert len(PATCHES) >= 20
    assert {read_patch(path).invariant for path in PATCHES} == INVARIANTS


@pytest.mark.parametrize("path", [*PATCHES, *POSTGRESQL_PATCHES], ids=lambda path: path.stem)
def test_F1_a_planted_bug_applies_to_the_house_of_today(path: Path) -> None:
    for name, before, _ in hunks(read_patch(path).diff):
        assert (SOURCE.parent / name).read_text(encoding="utf-8").count(before) == 1, name


def schema(changed: dict[str, str]) -> list[object]:
    """Return the schema that SQLite's migrations leave, with the text of some changed."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for path in migrations():
            text = changed.get(path.name) or path.read_text(encoding="utf-8")
            connection.executescript(text)
        return connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()


def test_F1_a_bug_planted_in_the_schema_is_in_force() -> None:
    """A later migration may replace what a patch changes; the bug would no longer be planted."""
    (tables,) = {path.parent for path in migrations()}
    of_today, planted = schema({}), 0
    for path in PATCHES:
        changed: dict[str, str] = {}
        for name, before, after in hunks(read_patch(path).diff):
            file = SOURCE.parent / name
            if file.parent == tables:
                text = changed.get(file.name) or file.read_text(encoding="utf-8")
                changed[file.name] = text.replace(before, after)
        if changed:
            planted += 1
            assert schema(changed) != of_today, path.stem
    assert planted >= 5


@pytest.mark.parametrize("path", one_in(8, PATCHES), ids=lambda path: path.stem)
def test_F1_a_planted_bug_is_found_by_the_invariant_it_names(tmp_path: Path, path: Path) -> None:
    planted = read_patch(path)
    copy = plant(planted, tmp_path)
    told = simulate(copy, "--seed", str(planted.seed))
    if not breaks(told, planted.invariant):  # `planted.py --write` renews the seed
        told = simulate(copy, "--seeds", str(SEEDS_MAX), "--until", planted.invariant)
    assert breaks(told, planted.invariant), told
