"""The housekeeping thread: it ticks every few seconds until stopped, whatever errors occur."""

from __future__ import annotations

import logging
import threading
import time as clocks
from collections.abc import Callable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from rounds.guest_seat import PATIENCE_S, Seated, rows_of, write
from rounds.house_with_operator import (
    DAY_MS,
    Time,
    audited,
    keeper_of,
    opened,
    played,
    recorded,
)
from stores import both_at_length
from tapisvert.operations import housekeeping
from tapisvert.operations.housekeeping import EVERY_S, Housekeeping, monotonic_ms
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService, repository

pytestmark = both_at_length


class Counted(Housekeeping):
    """Housekeeping whose ticks are counted and run what a test says."""

    def __init__(self, house: PlayerService, do: Callable[[int], None] = lambda tick: None) -> None:
        super().__init__(house)
        self.ticks, self.third, self._do = 0, threading.Event(), do

    def tick(self) -> int:
        self.ticks += 1
        if self.ticks == 3:
            self.third.set()
        self._do(self.ticks)
        return 0


@pytest.fixture
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "EVERY_S", 0.001)


@pytest.mark.usefixtures("_hurried")
def test_the_keeper_ticks_again_and_again_in_a_thread_of_its_own_until_it_is_stopped(
    house: PlayerService,
) -> None:
    keeping = Counted(house)
    thread = keeping.run()
    # A daemon: a server that ends does not wait for its keeper.
    assert (thread.name, thread.daemon) == ("housekeeping", True)
    assert keeping.third.wait(PATIENCE_S)
    keeping.stop()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


@pytest.mark.usefixtures("_hurried")
def test_a_tick_that_fails_is_logged_and_the_next_one_comes(
    house: PlayerService, caplog: pytest.LogCaptureFixture
) -> None:
    def full_disk(tick: int) -> None:
        if tick == 1:
            raise OSError("no space left")

    keeping = Counted(house, full_disk)
    with caplog.at_level(logging.ERROR, logger="tapisvert"):
        thread = keeping.run()
        assert keeping.third.wait(PATIENCE_S)
        keeping.stop()
        thread.join(PATIENCE_S)
    (told,) = caplog.records
    assert told.getMessage() == "housekeeping: no space left"
    assert told.exc_info is not None
    assert isinstance(told.exc_info[1], OSError)


def test_a_keeper_that_is_stopped_at_once_does_nothing(house: PlayerService) -> None:
    keeping = Counted(house)
    keeping.stop()
    keeping.run().join(PATIENCE_S)
    assert keeping.ticks == 0


def test_the_rows_of_the_last_run_are_sealed_at_the_start_and_the_last_rows_at_the_end(
    house: PlayerService, time: Time
) -> None:
    keeping, joined = keeper_of(house, time), list[str]()
    keeping._stopping.set()  # no tick: what is sealed is sealed by the start
    Seated(house)
    keeping.run().join(PATIENCE_S)
    assert audited(house).unsealed == 0
    thread: Any = SimpleNamespace(join=lambda: joined.append("joined"))
    keeping._thread = thread
    Seated(house)
    keeping.stop()
    assert (joined, keeping._thread, audited(house).unsealed) == (["joined"], None, 0)


def test_the_keeper_looks_every_four_seconds_by_a_clock_in_milliseconds(
    house: PlayerService, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float | None] = []

    def wait(self: threading.Event, seconds: float | None = None) -> bool:
        waited.append(seconds)
        return True

    keeping = keeper_of(house, Time())
    monkeypatch.setattr(threading.Event, "wait", wait)
    keeping._loop()
    assert waited == [EVERY_S] == [4]
    monkeypatch.setattr(clocks, "monotonic_ns", lambda: 7_000_000_999_999)
    assert monotonic_ms() == 7_000_000


def test_a_round_that_someone_else_has_ended_meanwhile_is_left_as_it_is(
    house: PlayerService, time: Time
) -> None:
    guest, keeping = Seated(house), keeper_of(house, time)
    round_id, finished_id = opened(guest, "casino-stud"), played(guest, "pai-gow")
    time.passes(31 * DAY_MS)

    def expire(round_id: str) -> bool:
        work = keeping._expire(round_id, keeping.now_ms())
        return house.store.write(work).result(PATIENCE_S)

    assert expire(round_id)
    before = rows_of(house, "SELECT * FROM rounds"), recorded(house, "round_expired")
    assert [expire(each) for each in (round_id, finished_id, "nothing")] == [False] * 3
    assert (rows_of(house, "SELECT * FROM rounds"), recorded(house, "round_expired")) == before


def test_rounds_that_cannot_be_voided_never_take_the_place_of_those_that_can(
    house: PlayerService,
    time: Time,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(housekeeping, "_BATCH", 2)
    keeping, stuck = keeper_of(house, time), []
    for _ in range(3):  # the oldest, and more than a batch of them
        stuck.append(opened(Seated(house), "casino-stud"))
        write(house, "UPDATE rounds SET sealed_seed = ? WHERE id = ?", b"\0", stuck[-1])
        time.passes(1)
    good = [opened(Seated(house), "pai-gow") for _ in range(3)]
    time.passes(31 * DAY_MS)
    with caplog.at_level(logging.ERROR, logger="tapisvert"):
        assert keeping.sweep() == 3
    told = [record.getMessage() for record in caplog.records]
    assert sorted(told) == sorted(f"round {each} cannot be voided" for each in stuck)
    for record in caplog.records:
        assert record.exc_info is not None
        assert isinstance(record.exc_info[1], Refused)
    ended = {
        round_id for (round_id,) in rows_of(house, "SELECT id FROM rounds WHERE state = 'voided'")
    }
    assert ended == set(good)


def test_the_oldest_is_due_first(house: PlayerService, time: Time) -> None:
    keeping, ids = keeper_of(house, time), []
    for _ in range(3):
        ids.append(opened(Seated(house), "casino-stud"))
        time.passes(1)
    time.passes(31 * DAY_MS)

    def due(now_ms: int, limit: int) -> list[str]:
        return house.store.read(lambda tx: repository.due(tx, now_ms, limit)).result(PATIENCE_S)

    assert due(keeping.now_ms(), 3) == ids
    assert due(keeping.now_ms(), 1) == ids[:1]
    assert due(keeping.now_ms() - 31 * DAY_MS, 3) == []


def test_what_may_still_have_a_row_before_it_is_sealed_another_time(
    house: PlayerService, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeping, under_way = keeper_of(house, time), Future[bool]()
    under_way.set_result(False)
    Seated(house)
    with monkeypatch.context() as busy:
        busy.setattr(house.store, "barrier", lambda: under_way)
        keeping.tick()
    assert rows_of(house, "SELECT COUNT(*) FROM seals") == [(1,)]
    keeping.tick()
    assert rows_of(house, "SELECT MAX(last_transfer) FROM seals") == [(1,)]
