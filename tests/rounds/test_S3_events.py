"""S3: each significant act writes exactly one event, with who, before, after and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from rounds.guest_seat import PATIENCE_S, Seated, refusal_of, rows_of
from rounds.house_with_operator import (
    DAY_MS,
    HOUR_MS,
    Funded,
    Operator,
    Time,
    keeper_of,
    opened,
    played,
    recorded,
)
from stores import VIOLATIONS, both_at_length, sqlite_only
from tapisvert.operations.operator_views import NewPlayer
from tapisvert.rounds import PlayerService

pytestmark = both_at_length


@dataclass
class Scene:
    """A house with a real-money player, one finished round and one open round."""

    house: PlayerService
    time: Time
    guest: Funded
    over: str = ""
    open: str = ""
    before: dict[str, int] = field(default_factory=dict)

    @property
    def anne(self) -> Operator:
        """Return the operator."""
        return Operator(self.house)

    @property
    def player(self) -> str:
        """Return the player's id."""
        return self.guest.player_id

    def kinds(self) -> dict[str, int]:
        """Count the events of each kind."""
        rows = rows_of(self.house, "SELECT kind, COUNT(*) FROM significant_events GROUP BY kind")
        return dict(rows)


@pytest.fixture
def scene(house: PlayerService, time: Time) -> Scene:
    guest = Funded(house)
    made = Scene(house, time, guest, played(guest, "casino-stud"), opened(guest, "casino-stud"))
    made.before = made.kinds()
    time.passes(1000)
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
    scene.anne.withdraw(scene.player, scene.guest.purse()[0], "x")
    scene.anne.void(scene.over, "froze")
    scene.anne.deposit(scene.player, 5000, "wire")
    scene.before = scene.kinds()
    scene.anne.pay_debt(scene.player)


def operator_revoked(scene: Scene) -> None:
    scene.anne.create_operator("ben")
    scene.before = scene.kinds()
    scene.anne.revoke("operator:ben", "has left")


def dealing_failed(scene: Scene) -> None:
    scene.house.dealer._entropy = lambda size: b""
    for _ in range(2):
        assert refusal_of(lambda: scene.guest.seat("ultimate")).code == "dealing/unavailable"


Cause = Callable[[Scene], object]
ONCE = {"state": "settled", "held_cents": 0}
OPEN = {"state": "open", "held_cents": 1500, "balance_cents": 101_000}
VOID = {"state": "voided", "held_cents": 0, "balance_cents": 102_500}
CAUSES: dict[str, tuple[Cause, str, Any, Any, str | None]] = {
    # what causes an event of which kind, by whom, before, after, why
    "player_created": (
        lambda s: s.anne.create_player("EUR"),
        "anne",
        None,
        {"currency": "EUR"},
        None,
    ),
    "token_replaced": (
        *(lambda s: s.anne.new_token(s.player), "anne"),
        *({"sessions": 1}, {"sessions": 1}, None),
    ),
    "operator_created": (
        lambda s: s.anne.create_operator("ben"),
        "anne",
        None,
        {"name": "ben"},
        None,
    ),
    "token_revoked": (
        *(lambda s: s.anne.revoke(f"player:{s.player}", "stolen"), "anne"),
        *({"sessions": 1}, {"sessions": 0}, "stolen"),
    ),
    "operator_revoked": (operator_revoked, "anne", {"name": "ben"}, {"name": None}, "has left"),
    "deposit": (
        *(lambda s: s.anne.deposit(s.player, 5000, "wire 1"), "anne"),
        *({"cents": 101_000}, {"cents": 106_000}, "wire 1"),
    ),
    "withdrawal": (
        *(lambda s: s.anne.withdraw(s.player, 1000, ""), "anne"),
        *({"cents": 101_000}, {"cents": 100_000}, None),
    ),
    "debt_paid": (debt_paid, "anne", {"cents": 2500}, {"cents": 0}, None),
    "round_expired": (expired, "house", OPEN, VOID, None),
    "round_voided": (
        *(lambda s: s.anne.void(s.over, "froze"), "anne"),
        {**ONCE, "balance_cents": 101_000},
        {**ONCE, "balance_cents": 98_500, "given_cents": 500, "taken_cents": 3000, "debt_cents": 0},
        "froze",
    ),
    "stopped": (
        *(lambda s: s.anne.stop("all", "check"), "anne"),
        *({"scope": "all", "stopped": None}, {"scope": "all", "stopped": "check"}, "check"),
    ),
    "clock_set": (clock_set, "house", 1_700_000_001_000, 1_700_003_601_000, None),
    "dealing_failed": (dealing_failed, "house", {"dealing": "ok"}, {"dealing": "failed"}, None),
}
OF_NOBODY = {"operator_created", "operator_revoked", "stopped", "clock_set", "dealing_failed"}


@pytest.mark.parametrize("kind", CAUSES)
def test_S3_each_cause_is_exactly_one_event_and_no_other(scene: Scene, kind: str) -> None:
    cause, by, before, after, why = CAUSES[kind]
    done = cause(scene)
    assert scene.kinds() == {**scene.before, kind: scene.before.get(kind, 0) + 1}
    event = recorded(scene.house, kind)[-1]
    told = {"by": by, "before": before, "after": after, "reason": why}
    assert {name: event[name] for name in told} == told
    assert event["at_ms"] == scene.time.wall.now_ms
    of_round = {"round_expired": scene.open, "round_voided": scene.over}
    assert event["round_id"] == of_round.get(kind)
    whose = done.player_id if isinstance(done, NewPlayer) else scene.player
    assert event["player_id"] == (None if kind in OF_NOBODY else whose)


def test_S3_a_voided_open_round_is_one_event_too(scene: Scene) -> None:
    scene.anne.void(scene.open, "froze")
    (event,) = recorded(scene.house, "round_voided")
    nothing = {"given_cents": 0, "taken_cents": 0, "debt_cents": 0}
    assert (event["before"], event["after"]) == (OPEN, {**VOID, **nothing})


def test_S3_a_command_that_is_refused_is_no_event(scene: Scene) -> None:
    anne = scene.anne
    for work in (
        lambda: anne.create_player("FUN"),
        lambda: anne.withdraw(scene.player, 10**9, ""),
        lambda: anne.deposit(scene.player, 0, ""),
        lambda: anne.void("nothing", "why"),
        lambda: anne.stop("nothing", "why"),
        lambda: anne.new_token("nobody"),
        lambda: anne.create_operator("a b"),
        lambda: anne.revoke("operator:nobody", "why"),
        lambda: anne.revoke(f"player:{scene.player}", " "),
    ):
        refusal_of(work)
    assert scene.kinds() == scene.before


def refused_by_the_database(house: PlayerService, sql: str) -> None:
    before = rows_of(house, "SELECT * FROM significant_events")
    error = house.store.write(lambda tx: tx.run(sql)).exception(PATIENCE_S)
    assert isinstance(error, VIOLATIONS), sql
    assert rows_of(house, "SELECT * FROM significant_events") == before


def test_S3_the_database_never_changes_an_event_or_a_seal(scene: Scene) -> None:
    keeper_of(scene.house, scene.time).tick()
    for sql in (
        "UPDATE significant_events SET data = '{}'",
        "DELETE FROM significant_events WHERE id = 1",
        "DELETE FROM significant_events",
        "UPDATE seals SET at_ms = 0",
        "DELETE FROM seals",
    ):
        refused_by_the_database(scene.house, sql)


@sqlite_only
def test_S3_the_database_never_replaces_an_event(scene: Scene) -> None:
    refused_by_the_database(
        scene.house,
        "INSERT OR REPLACE INTO significant_events SELECT id, 0, kind, player_id, round_id, data,"
        " hash FROM significant_events",
    )


def test_S3_the_office_lists_events_newest_first_in_pages(scene: Scene) -> None:
    for number in range(60):
        scene.anne.stop("all", f"{number}")
    first = scene.anne.events(None)
    second = scene.anne.events(first[-1].id)
    assert [event.data["reason"] for event in first] == [f"{n}" for n in range(59, 9, -1)]
    assert [event.data["reason"] for event in second[:10]] == [f"{n}" for n in range(9, -1, -1)]
    assert second[-1].kind == "player_created"
    assert Seated(scene.house).purse() == (100_000, 0)  # a guest who comes in is no such event
