"""The order of a player's commands: a later one of the same session is never decided before."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest

from rounds.guest_seat import PATIENCE_S, Seated
from rounds.guests_in_one_group import Give, Tables
from rounds.house_with_operator import Operator
from tapisvert.refusal import unwrap
from tapisvert.rounds import groups
from tapisvert.rounds.draft import Writes
from tapisvert.rounds.load import LaterGroup, Loaded, PreparedCommand, SharedState, load
from tapisvert.rounds.save import save
from tapisvert.rounds.schemas import OpenRequest, SeatRequest
from tapisvert.store import Store, Tx

T = TypeVar("T")


class NewestFirst:
    """A store that runs the newest unit first, as several connections may do.

    A unit runs when the test asks for it.
    """

    groups_at_once = 1

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[tuple[Callable[[Tx], Any], Future[Any]]] = []

    def write(self, work: Callable[[Tx], T]) -> Future[T]:
        """Keep a unit."""
        future: Future[T] = Future()
        self._waiting.append((work, future))
        return future

    @property
    def left(self) -> int:
        """Return the number of units that wait."""
        return len(self._waiting)

    def run_one(self) -> None:
        """Run the newest unit."""
        work, future = self._waiting.pop()
        try:
            done = self._store.write(work).result(PATIENCE_S)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(done)

    def run(self) -> None:
        """Run units until none is left, always the newest."""
        while self._waiting:
            self.run_one()


class Queue:
    """The commands of a house, on such a store."""

    def __init__(self, path: Path) -> None:
        self.tables = Tables(path)
        house = self.tables.house
        Operator(house).open_jackpot("blackjack", "CAD")
        self.store = NewestFirst(self.tables.store)
        store = cast("Store", self.store)
        self._submit = groups.Groups(store, house.shared, house.dealer, house.clock).submit

    def given(self, give: Give) -> Future[Any]:
        """Put a command into this queue instead of the house's."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.tables.house._groups, "submit", self._submit)
            return give()


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[Queue]:
    made = Queue(tmp_path / "tapis.db")
    yield made
    made.tables.right()
    made.tables.store.close()


def locked_elsewhere_thrice(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = itertools.count(1)

    def patient(
        tx: Tx, group: Sequence[PreparedCommand], shared: SharedState, *, wait: bool
    ) -> list[Loaded]:
        if not wait and next(tries) <= 3:
            return [LaterGroup(elsewhere=True) for _ in group]
        return load(tx, group, shared, wait=wait)

    monkeypatch.setattr(groups, "load", patient)


def first_group_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = itertools.count(1)

    def failing(tx: Tx, group: Sequence[Writes]) -> None:
        save(tx, group)
        if next(tries) == 1:
            raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(groups, "save", failing)


def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command be: a claim leaves its group by itself."""


def an_open_and_a_seat(tables: Tables, kind: str) -> tuple[Seated, OpenRequest, Give, Give]:
    """Return two commands of a player that depend on their order: the seat is staked, or new."""
    guest, give_open = tables.ready(kind)
    assert isinstance(give_open, partial)
    asked: OpenRequest = give_open.args[2]
    game = "blackjack" if kind == "claim" else "casino-stud"
    return guest, asked, give_open, partial(tables.house.seat, guest.token, SeatRequest(game))


@pytest.mark.parametrize(
    ("kind", "leaves"),
    [
        ("claim", nothing),
        ("claim", locked_elsewhere_thrice),  # alone, and again alone with the pot
        ("claim", first_group_undone),
        ("open", locked_elsewhere_thrice),
        ("open", first_group_undone),
    ],
)
def test_a_command_waits_until_an_earlier_one_that_left_its_group_is_done(
    queue: Queue,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    leaves: Callable[[pytest.MonkeyPatch], None],
) -> None:
    _, asked, give_open, give_seat = an_open_and_a_seat(queue.tables, kind)
    _, give_other = queue.tables.ready("open")
    leaves(monkeypatch)
    opened, other, seat = [queue.given(give) for give in (give_open, give_other, give_seat)]
    queue.store.run()
    assert isinstance(opened.result(0), bytes)
    assert isinstance(other.result(0), bytes)
    assert unwrap(seat.result(0)).round_id != asked.round_id  # the seat that follows the round


def test_others_go_on_while_a_command_runs_alone(queue: Queue) -> None:
    _, asked, give_open, give_seat = an_open_and_a_seat(queue.tables, "claim")
    opened = queue.given(give_open)
    queue.store.run_one()  # its group, which it leaves
    seat = queue.given(give_seat)
    others = [queue.given(queue.tables.ready("open")[1]) for _ in range(2)]
    while not all(other.done() for other in others):
        queue.store.run_one()
    assert not opened.done()
    assert not seat.done()
    queue.store.run()
    assert isinstance(opened.result(0), bytes)
    assert unwrap(seat.result(0)).round_id != asked.round_id


def test_nothing_is_begun_for_a_command_that_has_to_wait(queue: Queue) -> None:
    """Control: no empty group runs while the only queued command waits for an earlier one."""
    _, _, give_open, give_seat = an_open_and_a_seat(queue.tables, "claim")
    queue.given(give_open)
    queue.store.run_one()
    queue.given(give_seat)
    assert queue.store.left == 1  # the claim alone
    queue.store.run_one()
    assert queue.store.left == 1  # then the seat
    queue.store.run()
