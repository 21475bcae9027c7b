"""What a loss of power may leave of a log whose tail was not yet on disk: a commit, or none of it.

F6 (`tests/store/test_F6_log.py`) cuts the log of a round at every byte; here it is the log of each
kind of command, and the house must be, row by row, as before the command or as after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from crash.enumeration import copied
from crash.money_scenes import MONEY, Theatre
from crash.stage import DATABASE, PATIENCE_S, Content, content_of, open_stage, outcome
from rounds.operated import findings
from tapisvert.store.sqlite_file import connect

HEADER_BYTES, FRAME_BYTES = 32, 24 + 4096


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Theatre:
    return Theatre(tmp_path_factory.mktemp("theatre"))


def places(whole: int) -> Iterator[int]:
    """Yield where to cut: before and inside every frame, at the last byte, and not at all."""
    yield 0
    for edge in range(HEADER_BYTES, whole, FRAME_BYTES):
        yield from (edge, edge + FRAME_BYTES // 2)
    yield from (whole - 1, whole)


@pytest.mark.parametrize("name", MONEY)
def test_a_write_ahead_log_cut_at_any_place_opens_at_a_commit(
    theatre: Theatre, tmp_path: Path, name: str
) -> None:
    staged = theatre[name]
    database, log = staged.copy(tmp_path / "whole"), tmp_path / "whole" / f"{DATABASE}-wal"
    with closing(connect(database)):  # while it is open the log is not folded into the file
        house = open_stage(database, staged.scene, 1)
        outcome(staged.give, house)
        house.store.close()
        written = log.read_bytes()
    found: list[Content] = []
    for size in places(len(written)):
        cut = copied(staged.base, tmp_path / "cut")
        (cut / log.name).write_bytes(written[:size])
        house = open_stage(cut / DATABASE, staged.scene, 2)
        assert findings(house) == ()
        found.append(house.store.read(content_of).result(PATIENCE_S))
        house.store.close()
    assert found == [staged.found.commits[0]] * (len(found) - 1) + [staged.found.rows[1]]
    print(f"{name}: log of {len(written)} bytes cut at {len(found)} places")
