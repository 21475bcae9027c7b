"""S3: everything an auditor asks about is exactly one event, with who, before, after and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rounds.operated import (
    DAY_MS,
    HOUR_MS,
    Funded,
    Time,
    act,
    keeper_of,
    open_tables,
    opened,
    played,
    recorded,
)
from rounds.seated import PATIENCE_S, Seated, refusal_of, rows_of
from stores import VIOLATIONS, both, sqlite_only
from tapisvert.rounds import House
from tapisvert.rounds.office import Office

pytestmark = both


@dataclass
class Scene:
    """A house with a player of real money, one round over and one open."""

    house: House
    time: Time
    guest: Funded
    over: str = ""
    open: str = ""
    before: dict[str, int] = field(default_factory=dict)

    def kinds(self) -> dict[str, int]:
        """Count the events of each kind."""
        rows = rows_of(self.house, "SELECT kind, COUNT(*) FROM significant_events GROUP BY kind")
        return dict(rows)

    def broke(self) -> None:
        """Take out everything, so that a void leaves a debt."""
        balance = self.guest.purse()[0]
        act(self.house, lambda office, tx: office.withdraw(tx, self.guest.player_id, balance, "x"))


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    time = Time()
    house = open_tables(tmp_path / "tapis.db", time)
    guest = Funded(house)
    made = Scene(house, time, guest, played(guest, "casino-stud"), opened(guest, "casino-stud"))
    made.before = made.kinds()
    return made


def expired(scene: Scene) -> None:
    keeper = keeper_of(scene.house, scene.time)
    scene.time.passes(30 * DAY_MS)
    keeper.tick()
    keeper.tick()


def clock_set(scene: Scene) -> None:
    keeper = keeper_of(scene.house, scene.time)
    scene.time.is_set(HOUR_MS)
    keeper.tick()
    keeper.tick()


def debt_paid(scene: Scene) -> None:
    scene.broke()
    player = scene.guest.player_id
    act(scene.house, lambda office, tx: office.void(tx, scene.over, "froze"))
    act(scene.house, lambda office, tx: office.deposit(tx, player, 5000, "wire"))
    scene.before = scene.kinds()
    act(scene.house, lambda office, tx: office.pay_debt(tx, player))


def dealing_failed(scene: Scene) -> None:
    scene.house.dealer._entropy = lambda size: b""
    for _ in range(2):
        assert refusal_of(lambda: scene.guest.seat("ultimate")).code == "dealing/unavailable"


Cause = Callable[[Scene], object]
STOP = "all"
CAUSES: dict[str, tuple[Cause, str, Any, Any, str | None]] = {
    # kind: what causes it, by whom, before, after, why
    "player_created": (
        lambda s: act(s.house, lambda office, tx: office.create_player(tx, "EUR")),
        "anne",
        None,
        {"currency": "EUR"},
        None,
    ),
    "token_replaced": (
        lambda s: act(s.house, lambda office, tx: office.new_token(tx, s.guest.player_id)),
        "anne",
        {"sessions": 1},
        {"sessions": 1},
        None,
    ),
    "operator_created": (
        lambda s: act(s.house, lambda office, tx: office.create_operator(tx, "ben")),
        "anne",
        None,
        {"name": "ben"},
        None,
    ),
    "deposit": (
        lambda s: act(s.house, lambda o, tx: o.deposit(tx, s.guest.player_id, 5000, "wire 1")),
        "anne",
        {"cents": 101_000},
        {"cents": 106_000},
        "wire 1",
    ),
    "withdrawal": (
        lambda s: act(s.house, lambda o, tx: o.withdraw(tx, s.guest.player_id, 1000, "wire 2")),
        "anne",
        {"cents": 101_000},
        {"cents": 100_000},
        "wire 2",
    ),
    "debt_paid": (debt_paid, "anne", {"cents": 2500}, {"cents": 0}, None),
    "round_expired": (
        expired,
        "house",
        {"state": "open", "held_cents": 1500, "balance_cents": 101_000},
        {"state": "voided", "held_cents": 0, "balance_cents": 102_500},
        None,
    ),
    "round_voided": (
        lambda s: act(s.house, lambda office, tx: office.void(tx, s.open, "froze")),
        "anne",
        {"state": "open", "held_cents": 1500, "balance_cents": 101_000},
        {
            "state": "voided",
            "held_cents": 0,
            "balance_cents": 102_500,
            "given_cents": 0,
            "taken_cents": 0,
            "debt_cents": 0,
        },
        "froze",
    ),
    "stopped": (
        lambda s: act(s.house, lambda office, tx: office.stop(tx, STOP, "check")),
        "anne",
        {"scope": STOP, "stopped": None},
        {"scope": STOP, "stopped": "check"},
        "check",
    ),
    "clock_set": (clock_set, "house", 1_700_000_000_000, 1_700_003_600_000, None),
    "dealing_failed": (dealing_failed, "house", {"dealing": "ok"}, {"dealing": "failed"}, None),
}


@pytest.mark.parametrize("kind", CAUSES)
def test_S3_each_cause_is_exactly_one_event_and_no_other(scene: Scene, kind: str) -> None:
    cause, by, before, after, why = CAUSES[kind]
    cause(scene)
    assert scene.kinds() == {**scene.before, kind: scene.before.get(kind, 0) + 1}
    event = recorded(scene.house, kind)[-1]
    assert (event["by"], event["before"], event["after"], event["reason"]) == (
        by,
        before,
        after,
        why,
    )
    scene.house.store.close()


def test_S3_a_command_that_is_refused_is_no_event(scene: Scene) -> None:
    house, player = scene.house, scene.guest.player_id
    for work in (
        lambda: act(house, lambda office, tx: office.create_player(tx, "FUN")),
        lambda: act(house, lambda office, tx: office.withdraw(tx, player, 10**9, "")),
        lambda: act(house, lambda office, tx: office.deposit(tx, player, 0, "")),
        lambda: act(house, lambda office, tx: office.void(tx, "nothing", "why")),
        lambda: act(house, lambda office, tx: office.stop(tx, "nothing", "why")),
        lambda: act(house, lambda office, tx: office.new_token(tx, "nobody")),
        lambda: act(house, lambda office, tx: office.create_operator(tx, "a b")),
    ):
        refusal_of(work)
    assert scene.kinds() == scene.before
    house.store.close()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE significant_events SET data = '{}'",
        "DELETE FROM significant_events WHERE id = 1",
        "DELETE FROM significant_events",
        "UPDATE seals SET at_ms = 0",
        "DELETE FROM seals",
    ],
)
def test_S3_the_database_never_changes_an_event_or_a_seal(scene: Scene, sql: str) -> None:
    keeper_of(scene.house, scene.time).tick()
    before = rows_of(scene.house, "SELECT * FROM significant_events")
    error = scene.house.store.write(lambda tx: tx.run(sql)).exception(PATIENCE_S)
    assert isinstance(error, VIOLATIONS)
    assert rows_of(scene.house, "SELECT * FROM significant_events") == before
    scene.house.store.close()


@sqlite_only
def test_S3_the_database_never_replaces_an_event(scene: Scene) -> None:
    before = rows_of(scene.house, "SELECT * FROM significant_events")
    sql = (
        "INSERT OR REPLACE INTO significant_events SELECT id, 0, kind, player_id, round_id, data,"
        " hash FROM significant_events"
    )
    error = scene.house.store.write(lambda tx: tx.run(sql)).exception(PATIENCE_S)
    assert isinstance(error, VIOLATIONS)
    assert rows_of(scene.house, "SELECT * FROM significant_events") == before
    scene.house.store.close()


def test_S3_the_office_lists_events_newest_first_in_pages(scene: Scene) -> None:
    for number in range(60):
        act(scene.house, partial(Office.stop, scope="all", reason=f"{number}"))
    first = act(scene.house, lambda office, tx: office.events(tx, None))
    second = act(scene.house, lambda office, tx: office.events(tx, first[-1].id))
    assert [event.data["reason"] for event in first] == [f"{n}" for n in range(59, 9, -1)]
    assert [event.data["reason"] for event in second[:10]] == [f"{n}" for n in range(9, -1, -1)]
    assert second[-1].kind == "player_created"
    assert Seated(scene.house).purse() == (100_000, 0)  # a guest who comes in is no such event
    scene.house.store.close()
