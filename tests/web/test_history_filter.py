"""The list of rounds, of one game and within some days."""

from __future__ import annotations

from typing import Any

import pytest

from houses import Clock, Guest
from rounds.guest_seat import rows_of
from web.scene import Seating, code_of

DAY_MS = 86_400_000
FIRST = "2023-11-14T22:13:20Z"  # the clock of the houses


@pytest.fixture
def played(seating: Seating) -> tuple[Any, Guest, list[str]]:
    """Play a round of casino stud on each of three days, and one of ultimate on the last."""
    clock = Clock()
    house, guest = seating(clock=clock)
    ids = []
    for _ in range(3):
        ids.append(guest.open({"ante": 1000}).json()["round"]["id"])
        guest.choose(ids[-1], "play")
        clock.now_ms += DAY_MS
    ids.append(guest.open({"ante": 1000, "blind": 1000}, game="ultimate").json()["round"]["id"])
    return house, guest, ids


def listed(guest: Guest, **asked: str) -> list[str]:
    rounds = guest.get("/rounds?" + "&".join(f"{k}={v}" for k, v in asked.items())).json()["rounds"]
    return [each["id"] for each in rounds]


def test_rounds_are_listed_by_game_and_by_the_time_of_their_deal(played: Any) -> None:
    _, guest, (one, two, three, ultimate) = played
    assert listed(guest) == [ultimate, three, two, one]
    assert listed(guest, game="ultimate") == [ultimate]
    assert listed(guest, game="blackjack") == []
    second = "2023-11-15T22:13:20Z"
    assert listed(guest, **{"from": second}) == [ultimate, three, two]  # that moment is within
    assert listed(guest, to=second) == [one]  # and here it is not
    assert listed(guest, **{"from": second, "to": "2023-11-16T00:00:00-05:00"}) == [two]
    assert listed(guest, game="casino-stud", **{"from": second}) == [three, two]
    assert listed(guest, status="open", game="casino-stud") == []
    last = guest.get("/rounds").json()
    assert last["next"] is None


def test_the_pages_of_a_filtered_list_follow_each_other(played: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("tapisvert.history.player_history.PAGE", 2)
    _, guest, (one, two, three, _) = played
    page = guest.get("/rounds?game=casino-stud").json()
    assert [each["id"] for each in page["rounds"]] == [three, two]
    assert listed(guest, game="casino-stud", before=str(page["next"])) == [one]


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ("game=baccarat", 404, "request/unknown_game"),
        ("from=yesterday", 400, "request/malformed"),
        ("from=2023-11-14T22:13:20", 400, "request/malformed"),  # where?
        ("to=2023-11-31T00:00:00Z", 400, "request/malformed"),
        ("to=", 400, "request/malformed"),
    ],
)
def test_what_is_no_game_and_no_time_is_refused(
    played: Any, asked: str, status: int, code: str
) -> None:
    assert code_of(played[1].get(f"/rounds?{asked}")) == (status, code)


def test_the_database_finds_them_by_an_index(played: Any) -> None:
    """The player's rounds are read in their order: neither all rounds nor a sort."""
    plan = rows_of(
        played[0],
        "EXPLAIN QUERY PLAN SELECT id FROM rounds WHERE player_id = 'x' AND seq < 9"
        " AND opened_at_ms IS NOT NULL AND game = 'ultimate' AND opened_at_ms >= 5"
        " ORDER BY seq DESC LIMIT 50",
    )
    told = " ".join(str(row) for row in plan)
    assert "rounds_of_player" in told
    assert "TEMP B-TREE" not in told
