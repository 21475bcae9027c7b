"""G12: an operator stops new rounds, for all, at one game, of one player; an open round goes on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from rounds.operated import (
    TABLES,
    Funded,
    Time,
    act,
    findings,
    finished,
    open_tables,
    opened,
    played,
    recorded,
)
from rounds.seated import Seated, refusal_of
from stores import both
from tapisvert.refusal import Refused
from tapisvert.rounds import House

pytestmark = both

WHY = "a figure is being checked"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = open_tables(tmp_path / "tapis.db")
    yield made
    assert findings(made) == ()
    made.store.close()


def stop(house: House, scope: str, reason: str = WHY) -> dict[str, dict[str, str]]:
    return act(house, lambda office, tx: office.stop(tx, scope, reason))


def resume(house: House, scope: str, reason: str = "checked") -> dict[str, dict[str, str]]:
    return act(house, lambda office, tx: office.resume(tx, scope, reason), by="ben")


def scope_for(kind: str, guest: Seated, game: str) -> str:
    return {"all": "all", "game": f"game:{game}", "player": f"player:{guest.player_id}"}[kind]


def opening(guest: Seated, game: str) -> Refused:
    return refusal_of(lambda: opened(guest, game))


@pytest.mark.parametrize("kind", ["all", "game", "player"])
@pytest.mark.parametrize("game", TABLES)
def test_G12_an_open_round_may_finish_raises_included_and_the_next_start_is_refused(
    house: House, kind: str, game: str
) -> None:
    guest = Funded(house)
    round_id = opened(guest, game)
    stop(house, scope_for(kind, guest, game))
    finished(guest, game, round_id)
    assert guest.purse() == (100_000 + TABLES[game].net_cents, 0)
    refusal = opening(guest, game)
    assert (refusal.code, refusal.details) == ("play/stopped", {"scope": kind, "reason": WHY})
    assert guest.purse() == (100_000 + TABLES[game].net_cents, 0)
    resume(house, scope_for(kind, guest, game))
    played(guest, game)


def test_G12_a_game_that_is_stopped_stops_no_other(house: House) -> None:
    guest = Seated(house)
    stop(house, "game:blackjack")
    assert opening(guest, "blackjack").code == "play/stopped"
    for game in set(TABLES) - {"blackjack"}:
        played(guest, game)


def test_G12_a_player_who_is_stopped_stops_no_other(house: House) -> None:
    guest, other = Funded(house), Seated(house)
    stop(house, f"player:{guest.player_id}")
    for game in TABLES:
        assert opening(guest, game).code == "play/stopped"
        played(other, game)
    view = act(house, lambda office, tx: office.player(tx, guest.player_id))
    assert view.stopped == WHY


def test_G12_the_widest_stop_is_told_and_each_is_lifted_by_itself(house: House) -> None:
    guest = Funded(house)
    scopes = [scope_for(kind, guest, "blackjack") for kind in ("all", "game", "player")]
    for scope in reversed(scopes):
        stop(house, scope, f"because of {scope}")
    for scope in scopes:
        refusal = opening(guest, "blackjack")
        assert refusal.details["reason"] == f"because of {scope}"
        resume(house, scope)
    played(guest, "blackjack")


def test_G12_a_stop_outlasts_a_restart(tmp_path: Path) -> None:
    path, time = tmp_path / "other.db", Time()
    guest = Seated(open_tables(path, time))
    stop(guest.house, "all")
    guest.house.store.close()
    guest.house = open_tables(path, time)
    assert opening(guest, "casino-stud").code == "play/stopped"
    guest.house.store.close()


def test_G12_a_refused_start_leaves_the_seat_for_later(house: House) -> None:
    guest = Seated(house)
    seat, asked = guest.seat(), guest.asking()
    stop(house, "all")
    assert refusal_of(lambda: guest.open(asked, "first")).code == "play/stopped"
    assert guest.seat() == seat
    resume(house, "all")
    # The refusal is kept under its key, as any other; a new key opens the same seat.
    assert refusal_of(lambda: guest.open(asked, "first")).code == "play/stopped"
    guest.open(asked, "second")


def test_G12_S3_each_stop_and_each_resumption_is_one_event(house: House) -> None:
    guest = Funded(house)
    scope = f"player:{guest.player_id}"
    stop(house, scope, "first")
    stop(house, scope, "second")
    resume(house, scope)
    resume(house, scope)  # there is nothing left to resume, and nothing to record
    told = [*recorded(house, "stopped"), *recorded(house, "resumed")]
    assert [
        (each["by"], each["before"]["stopped"], each["after"]["stopped"], each["reason"])
        for each in told
    ] == [
        ("anne", None, "first", "first"),
        ("anne", "first", "second", "second"),
        ("ben", "second", None, "checked"),
    ]
    assert {each["player_id"] for each in told} == {guest.player_id}
    assert {each["after"]["scope"] for each in told} == {scope}


def test_G12_what_is_stopped_is_listed_with_who_and_why(house: House) -> None:
    assert stop(house, "all") == {"all": {"scope": "all", "reason": WHY, "by": "anne"}}
    both = stop(house, "game:ultimate", " two ")
    assert both["game:ultimate"] == {"scope": "game:ultimate", "reason": "two", "by": "anne"}
    assert list(resume(house, "all")) == ["game:ultimate"]


@pytest.mark.parametrize(
    "scope", ["", "ALL", "all ", "game:", "game:roulette", "game:Blackjack", "player:nobody", "x:y"]
)
def test_G12_a_scope_that_does_not_exist_is_refused(house: House, scope: str) -> None:
    for command in (stop, resume):
        refusal = refusal_of(partial(command, house, scope))
        assert (refusal.code, refusal.details) == ("switch/unknown", {"scope": scope})
    assert recorded(house, "stopped") == []


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_G12_a_switch_without_a_reason_is_refused(house: House, reason: str) -> None:
    guest = Seated(house)
    assert refusal_of(lambda: stop(house, "all", reason)).code == "operator/reason"
    played(guest, "casino-stud")
    stop(house, "all")
    assert refusal_of(lambda: resume(house, "all", reason)).code == "operator/reason"
    assert opening(guest, "casino-stud").code == "play/stopped"
