"""G11: with any number of sweepers, the player and an operator at once, a round ends exactly once.

Each sweeper has its own store on one file, like a separate process. The controls are sweepers that
trust stale reads. Without any other protection they must pay twice; each protection alone must
prevent it.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bank.tables import check_books
from races.at_once import at_once, outcomes, schema, state_unchecked
from rounds.guest_seat import PATIENCE_S, Seated, rows_of
from rounds.house_with_operator import (
    DAY_MS,
    Time,
    act,
    findings,
    keeper_of,
    open_tables,
    opened,
    recorded,
)
from stores import both, sqlite_only
from tapisvert.operations.void_state import load_void_state
from tapisvert.operations.voiding import VoidState
from tapisvert.refusal import Broken
from tapisvert.rounds import PlayerService
from tapisvert.store import Tx
from tapisvert.store.sqlite_file import migrations
from tiers import long

pytestmark = both

SERVERS, PLAYERS = 4, 8
often = pytest.mark.parametrize("attempts", [2, pytest.param(5, marks=long)])
WON, REFUNDED = (102_500, 0), (100_000, 0)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def servers(tmp_path: Path, time: Time) -> Iterator[list[PlayerService]]:
    made = [open_tables(tmp_path / "tapis.db", time) for _ in range(SERVERS)]
    yield made
    for house in made:
        house.store.close()


def states(house: PlayerService, ids: list[str]) -> list[str]:
    found: dict[str, str] = dict(rows_of(house, "SELECT id, state FROM rounds"))
    return [found[each] for each in ids]


@often
def test_G11_sweepers_and_players_at_once_end_each_round_exactly_once(
    servers: list[PlayerService], time: Time, attempts: int
) -> None:
    house, seen = servers[0], Counter[str]()
    for _ in range(attempts):
        guests = [Seated(servers[number % SERVERS]) for number in range(PLAYERS)]
        ids = [opened(guest, "casino-stud") for guest in guests]
        keepers = [keeper_of(each, time) for each in servers]
        time.passes(30 * DAY_MS)
        before = len(recorded(house, "round_expired"))
        commands: list[Callable[[], object]] = [keeper.tick for keeper in keepers]
        commands[2:2] = [
            partial(guest.choose, round_id, "play")
            for guest, round_id in zip(guests, ids, strict=True)
        ]
        found = at_once(commands)
        ended = states(house, ids)
        swept = sum(each for each in found if type(each) is int)
        assert ended.count("voided") == swept == len(recorded(house, "round_expired")) - before
        for guest, state in zip(guests, ended, strict=True):
            assert guest.purse() == (WON if state == "settled" else REFUNDED)
        chosen = outcomes([each for each in found if type(each) is not int])
        assert chosen == Counter(accepted=ended.count("settled")) + Counter(
            {"round/ended": ended.count("voided")}
        )
        seen.update(ended)
    print(f"ended: {dict(seen)}")
    assert findings(house) == ()
    check_books(house.store)


def test_G11_many_sweepers_void_each_round_once(servers: list[PlayerService], time: Time) -> None:
    house = servers[0]
    guests = [Seated(house) for _ in range(16)]
    for guest in guests:
        opened(guest, "blackjack")
    keepers = [keeper_of(each, time) for each in servers]
    time.passes(DAY_MS)
    found = at_once([keeper.tick for keeper in keepers] * 2)
    assert sum(each for each in found if isinstance(each, int)) == 16
    assert {guest.purse() for guest in guests} == {REFUNDED}
    assert len(recorded(house, "round_expired")) == 16
    assert findings(house) == ()  # the seals of four sweepers are one chain


@often
def test_G11_a_player_an_operator_and_a_sweeper_at_once_leave_nobody_with_a_result(
    servers: list[PlayerService], time: Time, attempts: int
) -> None:
    """In any order: in the end the round is void, and the player has the original balance."""
    house = servers[0]
    for _ in range(attempts):
        guest = Seated(servers[1])
        round_id = opened(guest, "casino-stud")
        keeper = keeper_of(servers[2], time)
        time.passes(30 * DAY_MS)

        def void(id_: str = round_id) -> object:
            return act(servers[3], lambda operator: operator.void(id_, "froze"))

        choose: Callable[[], object] = partial(guest.choose, round_id, "play")
        told = outcomes(at_once([choose, void, void, keeper.tick]))
        assert told["round/already_voided"] == 1, told
        assert guest.purse() == REFUNDED
    assert findings(house) == ()
    check_books(house.store)


# Controls -----------------------------------------------------------------------------------------


def unguarded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Create a database without constraints, and a house that does not check the state."""
    monkeypatch.setattr("tapisvert.store.schema.must_be", lambda *_: None)
    with closing(sqlite3.connect(path)) as file:
        file.executescript(schema(True))
        file.execute("PRAGMA application_id = 0x54415049")
        file.execute(f"PRAGMA user_version = {len(migrations())}")


def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make sweepers reuse their first read of a round and its money."""
    known: dict[str, VoidState | None] = {}

    def stale(tx: Tx, round_id: str, *rest: Any) -> VoidState | None:
        return known.setdefault(round_id, load_void_state(tx, round_id, *rest))

    monkeypatch.setattr("tapisvert.operations.housekeeping.load_void_state", stale)


def swept_twice(path: Path, time: Time) -> tuple[tuple[int, int], BaseException | None]:
    """Let two sweepers void the same round; return its player's balance, and the second's error."""
    house = open_tables(path, time)
    guest, keeper = Seated(house), keeper_of(house, time)
    round_id = opened(guest, "casino-stud")
    time.passes(30 * DAY_MS)
    for _ in range(2):
        work = keeper._expire(round_id, keeper.now_ms())
        met = house.store.write(work).exception(PATIENCE_S)
    purse = guest.purse()
    house.store.close()
    return purse, met


def test_G11_the_second_sweeper_finds_the_round_over(tmp_path: Path, time: Time) -> None:
    assert swept_twice(tmp_path / "tapis.db", time) == (REFUNDED, None)


@sqlite_only
@pytest.mark.parametrize("left", ["the round's state", "the database", "both"])
def test_G11_a_sweeper_that_trusts_what_it_read_is_stopped_by_either_protection(
    tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch, left: str
) -> None:
    trusting(monkeypatch)
    if left == "the round's state":
        unguarded(tmp_path / "tapis.db", monkeypatch)
    if left == "the database":
        state_unchecked(monkeypatch)
    purse, met = swept_twice(tmp_path / "tapis.db", time)
    assert purse == REFUNDED
    # The round is written before its money: with both, its state is what stops the second.
    assert isinstance(met, sqlite3.IntegrityError if left == "the database" else Broken)


@sqlite_only
def test_G11_control_without_either_a_round_is_given_back_twice(
    tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusting(monkeypatch)
    unguarded(tmp_path / "tapis.db", monkeypatch)
    state_unchecked(monkeypatch)
    purse, met = swept_twice(tmp_path / "tapis.db", time)
    assert (purse, met) == ((101_500, 0), None)
