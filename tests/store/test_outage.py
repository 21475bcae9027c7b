"""An outage of the database logs two lines, however many commands are refused."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import pytest

from crash.server import Server
from houses import Guest, client_of, make_house
from rounds.guest_seat import Seated
from rounds.house_with_operator import Time, keeper_of
from store.spies import PATIENCE_S
from tapisvert.operations import housekeeping
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.store import Store, Tx
from tapisvert.store.outage import OutageLog
from tapisvert.store.sqlite import SqliteStore
from tapisvert.store.tails import IntegrityKey

T = TypeVar("T")
BEGINS = "the database is unavailable, commands are refused: no space left"


class Failing:
    """A store whose writes or reads fail on demand."""

    def __init__(self, store: Store) -> None:
        self.store, self.fails, self.schema = store, set[str](), store.schema
        self.groups_at_once = store.groups_at_once

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        return _failed() if "write" in self.fails else _done(self.store.write(work))

    def read(self, work: Callable[[Tx], T]) -> Future[T]:
        return _failed() if "read" in self.fails else _done(self.store.read(work))

    def protect_with(self, integrity: IntegrityKey) -> None:
        self.store.protect_with(integrity)

    def barrier(self) -> Future[bool]:
        return _failed() if "read" in self.fails else _done(self.store.barrier())

    def close(self) -> None:
        self.store.close()


def _done(future: Future[T]) -> Future[T]:
    """Wait for a future until its callbacks have run."""
    future.exception(PATIENCE_S)
    return future


def _failed() -> Future[Any]:
    failed: Future[Any] = Future()
    error = Refused("store/unavailable")
    error.__cause__ = OSError("no space left")
    failed.set_exception(error)
    return failed


@pytest.fixture
def house(tmp_path: Path) -> PlayerService:
    return make_house(tmp_path / "tapis.db")


@pytest.fixture
def failing(house: PlayerService) -> Failing:
    made = Failing(house.store)
    house.store = house._groups._store = OutageLog(made)
    return made


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[str]]]:
    def messages() -> list[str]:
        said = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return said

    with caplog.at_level(logging.WARNING, logger="tapisvert"):
        yield messages


def test_an_outage_is_logged_when_it_begins_and_when_it_ends(
    house: PlayerService, failing: Failing, told: Callable[[], list[str]]
) -> None:
    house.guest()
    assert told() == []
    for count in (1, 50):
        failing.fails = {"write"}
        for _ in range(count):
            house.guest()
        assert told() == [BEGINS]
        house.store.read(lambda tx: tx.row("SELECT 1"))
        assert told() == []  # reads have not failed: the disk is still full
        failing.fails = set()
        house.guest()
        house.guest()
        assert told() == [f"the database is available again; commands refused meanwhile: {count}"]


def test_the_beginning_is_logged_with_its_trace(
    house: PlayerService, failing: Failing, caplog: pytest.LogCaptureFixture
) -> None:
    failing.fails = {"write"}
    with caplog.at_level(logging.WARNING, logger="tapisvert"):
        house.guest()
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("tapisvert", logging.ERROR)
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], OSError)


def test_an_outage_is_over_when_reads_and_writes_work_again(
    house: PlayerService, failing: Failing, told: Callable[[], list[str]]
) -> None:
    failing.fails = {"write", "read"}
    house.guest()
    house.store.barrier()
    house.store.read(lambda tx: None)
    assert told() == [BEGINS]
    failing.fails = set()
    house.guest()
    assert told() == []
    house.store.barrier()
    assert told() == ["the database is available again; commands refused meanwhile: 3"]


def test_other_refusals_are_no_outage(
    house: PlayerService, failing: Failing, told: Callable[[], list[str]]
) -> None:
    house.more_play_money("nobody", "key")
    assert told() == []
    failing.fails = {"write"}
    house.more_play_money("nobody", "key")
    assert told() == [BEGINS]
    failing.fails = set()
    house.more_play_money("nobody", "key")  # refused, but by a database that answers
    assert told() == ["the database is available again; commands refused meanwhile: 1"]


def test_what_is_refused_while_the_server_stops_is_no_outage(
    house: PlayerService, told: Callable[[], list[str]]
) -> None:
    house.store = OutageLog(house.store)
    house.store.close()
    refused = house.guest().exception(PATIENCE_S)
    assert isinstance(refused, Refused)
    assert refused.code == "store/unavailable"
    assert told() == []


def test_commands_over_HTTP_leave_no_trace_each(
    house: PlayerService, failing: Failing, told: Callable[[], list[str]]
) -> None:
    with client_of(house) as client:
        guest = Guest(client)
        failing.fails = {"write", "read"}
        for _ in range(20):
            assert guest.get("/wallet").json()["code"] == "store/unavailable"
            assert guest.post("/seats", {"game": "ultimate"}).status_code == 503
        assert told() == [BEGINS]
        failing.fails = set()
        assert guest.post("/seats", {"game": "ultimate"}).status_code == 200
        assert guest.get("/wallet").status_code == 200
        assert told() == ["the database is available again; commands refused meanwhile: 40"]


def test_the_keepers_ticks_leave_no_trace_each(
    house: PlayerService,
    failing: Failing,
    told: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(housekeeping, "EVERY_S", 0.001)
    keeping, ticks = keeper_of(house, Time()), list[str]()
    tick = keeping.tick

    def counted() -> int:
        ticks.append("tick")
        if len(ticks) == 10:
            failing.fails = set()
        if len(ticks) == 12:
            keeping.stop()
        return tick()

    failing.fails = {"read", "write"}
    monkeypatch.setattr(keeping, "tick", counted)
    keeping.run().join(PATIENCE_S)
    assert len(ticks) == 12
    assert told() == [BEGINS, "the database is available again; commands refused meanwhile: 10"]


def test_rounds_that_cannot_be_voided_for_an_outage_are_not_logged_one_by_one(
    house: PlayerService, failing: Failing, told: Callable[[], list[str]]
) -> None:
    time = Time(house.clock())
    keeping = keeper_of(house, time)
    for _ in range(3):
        Seated(house).open()
    time.passes(10**11)
    failing.fails = {"write"}
    assert keeping.sweep() == 0
    assert told() == [BEGINS]
    failing.fails = set()
    assert keeping.sweep() == 3
    assert told() == ["the database is available again; commands refused meanwhile: 3"]


@pytest.mark.parametrize(
    ("path", "asked"), [("guests", {}), ("seats", {"game": "casino-stud"})], ids=["one", "a group"]
)
def test_a_server_whose_database_fails_says_so_once(
    tmp_path: Path, path: str, asked: dict[str, str]
) -> None:
    """End to end: a real server, and a table that another program has renamed."""
    server = Server(tmp_path)
    server.start()
    try:
        headers = {"Authorization": f"Bearer {server.guest().token}"}
        _spoil(server)
        for _ in range(5):
            answer = server.client.post(f"/api/v1/{path}", json=asked, headers=headers)
            assert answer.status_code == 503
        log = (tmp_path / "server.log").read_text()
        assert log.count("the database is unavailable") == 1
        assert log.count("Traceback") <= 2  # the error and its cause
    finally:
        server.kill()


def _spoil(server: Server) -> None:
    """Remove a table the server writes to."""
    store = SqliteStore(server.database)
    store.write(lambda tx: tx.run("ALTER TABLE players RENAME TO gone")).result(PATIENCE_S)
    store.close()
