"""Every command that moves money on a disk that is full, read-only, or fails to sync.

The process keeps running: the command is refused with `store/unavailable` and nothing of it is
stored. When the disk works again, the same command under the same key succeeds, once.

- Full: the kernel's limit on the size of files, at every place of the write-ahead log.
- Read-only: the writer's connection may only query, so SQLite refuses the write with the error a
  read-only file gives. (File modes do not bind root; `kernel.py` has the kernel's own refusal.)
- Failed sync: SQLite's error at COMMIT, once instead of it, and once although it was done.
- Loss of power: the log of a command cut anywhere, as its tail was not yet on the disk. (F6,
  `tests/store/test_F6_log.py`, cuts the log of a round at every byte.)

`make test` runs every command on one or two of these, the second tier on all.
"""

from __future__ import annotations

import itertools
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest

from crash import kernel
from crash.money_scenes import MONEY, NO_MONEY, Staged, Theatre
from crash.reference import all_scenes
from crash.stage import (
    DATABASE,
    PATIENCE_S,
    Content,
    Repeat,
    content_of,
    draw_again,
    open_stage,
    outcome,
)
from not_run import not_run
from rounds.house_with_operator import findings
from store.spies import Spy
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.store.sqlite_file import connect
from tiers import long, one_in

NOBODY = 65_534
LOG_HEADER_BYTES, FRAME_BYTES = 32, 24 + 4096


def commands(turn: int) -> pytest.MarkDecorator:
    """Give a test every command; in the first tier one in three, different ones for each test."""
    return pytest.mark.parametrize("name", one_in(3, [*MONEY[turn:], *MONEY[:turn]]))


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Theatre:
    return Theatre(tmp_path_factory.mktemp("theatre"))


def rows_in(house: PlayerService) -> Content:
    """Return all rows as a query sees them; an audit of them must find nothing."""
    assert findings(house) == ()
    return house.store.read(content_of).result(PATIENCE_S)


def no_sync() -> sqlite3.OperationalError:
    """Return SQLite's error for a failed sync."""
    return sqlite3.OperationalError("disk I/O error")


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def places() -> Iterator[int]:
    """Yield sizes of the log: none, its header, then every half of a page."""
    yield from (0, 1, LOG_HEADER_BYTES)
    for half in itertools.count(1):
        yield LOG_HEADER_BYTES + half * FRAME_BYTES // 2


def check_done(staged: Staged, house: PlayerService, reply: bytes) -> None:
    """Check that the command has its outcome without faults, and a repeat changes nothing."""
    assert reply == staged.found.replies[1]
    assert rows_in(house) == staged.found.rows[1]
    if staged.scene.repeat is not Repeat.ANOTHER:
        again = outcome(staged.give, house)
        assert rows_in(house) == staged.found.rows[1]
        assert again == reply or staged.scene.repeat is Repeat.NOTHING
    house.store.close()


def check_refused(staged: Staged, house: PlayerService, reply: bytes) -> None:
    """Check that the command was refused and nothing of it is stored."""
    assert reply == staged.refusal
    assert rows_in(house) == staged.found.commits[0]


@commands(0)
def test_a_disk_full_at_any_place_refuses_the_command_and_takes_it_when_there_is_room(
    theatre: Theatre, tmp_path: Path, name: str
) -> None:
    staged = theatre[name]
    house = open_stage(staged.copy(tmp_path), staged.scene, 1)
    rows_in(house)  # a reader stays, as in a server: the log is not folded away
    refused = []
    for size in places():
        with full_disk(size):
            reply = outcome(staged.give, house)
        if reply != staged.refusal:
            break
        check_refused(staged, house, reply)
        draw_again(house)
        refused.append(size)
    check_done(staged, house, reply)
    print(f"{name}: refused at {len(refused)} places")
    assert len(refused) > 4  # there was not even room for a page


@commands(1)
def test_a_file_that_is_read_only_refuses_the_command_and_takes_it_when_it_is_not(
    theatre: Theatre, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged = theatre[name]
    spy = Spy(monkeypatch, "PRAGMA query_only = ON")
    house = open_stage(staged.copy(tmp_path), staged.scene, 1)
    for _ in range(2):
        check_refused(staged, house, outcome(staged.give, house))
        draw_again(house)
    assert [wire.closed for wire in spy.wires] == [True, True]
    Spy(monkeypatch)  # from here on the file can be written
    check_done(staged, house, outcome(staged.give, house))


@commands(2)
def test_a_commit_whose_sync_fails_refuses_the_command_and_its_connection_is_never_used_again(
    theatre: Theatre, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged, spy = theatre[name], Spy(monkeypatch)
    house = open_stage(staged.copy(tmp_path), staged.scene, 1)
    for number in (1, 2):
        spy.before["COMMIT"] = [no_sync()]
        check_refused(staged, house, outcome(staged.give, house))
        draw_again(house)
        assert [wire.closed for wire in spy.wires] == [True] * number
    check_done(staged, house, outcome(staged.give, house))
    assert len(spy.wires) == 3


@commands(0)
def test_a_commit_that_was_done_although_its_sync_failed_is_not_acknowledged_and_not_done_twice(
    theatre: Theatre, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged, spy = theatre[name], Spy(monkeypatch)
    house = open_stage(staged.copy(tmp_path), staged.scene, 1)
    # A command that claims a share of the pot has a commit before it, in which nothing was written.
    spy.after["COMMIT"] = [*[None] * (len(staged.found.commits) - 2), no_sync()]
    assert outcome(staged.give, house) == staged.refusal
    assert spy.wires[0].closed
    assert rows_in(house) == staged.found.rows[1]
    again = outcome(staged.give, house)
    if staged.scene.repeat is Repeat.SAME:  # its key now returns the outcome
        check_done(staged, house, again)
    elif staged.scene.repeat is Repeat.NOTHING:
        assert rows_in(house) == staged.found.rows[1]
    house.store.close()


def cuts(whole: int) -> Iterator[int]:
    """Yield the cuts of a log: before and inside every frame, at the last byte, none."""
    yield 0
    for edge in range(LOG_HEADER_BYTES, whole, FRAME_BYTES):
        yield from (edge, edge + FRAME_BYTES // 2)
    yield from (whole - 1, whole)


@commands(1)
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
    for size in cuts(len(written)):
        cut = staged.copy(tmp_path / "cut")
        cut.with_name(log.name).write_bytes(written[:size])
        house = open_stage(cut, staged.scene, 2)
        found.append(rows_in(house))
        house.store.close()
    assert found == [staged.found.commits[0]] * (len(found) - 1) + [staged.found.rows[1]]
    print(f"{name}: log of {len(written)} bytes cut at {len(found)} places")


@pytest.mark.parametrize("one_in", [pytest.param(1, marks=long)])
def test_the_kernels_own_refusals_are_told_as_such_and_nothing_is_lost_or_doubled(
    tmp_path: Path, one_in: int
) -> None:
    """No space left, a read-only file system, a failed fsync; then `kill -9` and a restart.

    A log whose fsync failed is still in the file, and a start after a crash may read it. The
    refused command is then found committed as a whole, and its key gives that one effect.
    """
    ran = subprocess.run(
        [sys.executable, "-m", "crash.kernel", "--folder", tmp_path, "--one-in", str(one_in)],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        timeout=10 * PATIENCE_S,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    trials = msgspec.json.decode(ran.stdout, type=list[kernel.Trial] | None)
    if trials is None:
        not_run("disks that the kernel refuses", "no seccomp filters here")
    assert [trial for trial in trials if trial.complaints] == []
    assert len(trials) == len(MONEY) * len(kernel.FAULTS) / one_in
    kept = [trial for trial in trials if trial.kept]
    assert {trial.fault for trial in kept} <= {"failed fsync"}
    print(f"{len(trials)} commands refused by the kernel; {len(kept)} found done after a crash")


def test_a_house_does_not_start_on_a_file_it_may_only_read(theatre: Theatre) -> None:
    staged, user = theatre["office: deposit"], os.geteuid()
    with tempfile.TemporaryDirectory(prefix="f2-") as name:  # which anyone may look into
        folder = Path(name)
        database = staged.copy(folder)
        before = database.read_bytes()
        database.chmod(0o444)
        folder.chmod(0o555)
        if user == 0:
            os.seteuid(NOBODY)  # nothing is read-only to root
        try:
            with pytest.raises(Refused) as refused:
                open_stage(database, staged.scene, 1)
        finally:
            os.seteuid(user)
            folder.chmod(0o755)
            database.chmod(0o644)
        assert refused.value.code == "store/unreadable"
        assert database.read_bytes() == before
        house = open_stage(database, staged.scene, 1)
        check_done(staged, house, outcome(staged.give, house))


def test_every_command_that_moves_money_is_given_to_a_failing_disk() -> None:
    scenes = all_scenes()
    given = {scene.command for scene in scenes if scene.name in MONEY}
    assert given | NO_MONEY == {scene.command for scene in scenes}
    assert not given & NO_MONEY
