"""The same races through a real server: G1 and G3 as a browser or a program would run them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from crash.server import Server, serving
from races.at_once import CROWD, at_once


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("races")) as running:
        yield running


def requests(commands: Iterable[Callable[[], Any]]) -> list[Any]:
    """Send requests at once; each must be answered, whatever the answer."""
    found = at_once(commands)
    for each in found:
        if isinstance(each, Exception):
            raise each
    return found


def codes(answers: Sequence[Any]) -> Counter[tuple[int, str]]:
    """Count answers by status and code."""
    return Counter((each.status_code, each.json().get("code", "")) for each in answers)


def asking(seat: dict[str, Any], ante: int) -> dict[str, Any]:
    asked = {name: seat[name] for name in ("round_id", "commitment")}
    return {**asked, "stakes": {"ante": ante}, "client_seed": "mine"}


def test_G1_of_64_requests_at_once_on_a_balance_for_one_stake_one_is_taken(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as server:
        guest = server.guest()
        server.kill()
        server.leave(100)
        server.restart(guest)
        asked = asking(guest.seat(), 100)
        found = requests(partial(guest.post, "/rounds", asked, f"k{n}") for n in range(CROWD))
        assert codes(found) == {(201, ""): 1, (409, "round/already_open"): CROWD - 1}
        refused = [each.json() for each in found if each.status_code == 409]
        assert {each["round_id"] for each in refused} == {asked["round_id"]}
        assert guest.balance() == (0, 100)
        moved = guest.get("/wallet/transfers").json()["transfers"]
        assert [each["reason"] for each in moved] == ["stake", "grant", "grant"]


def test_G3_a_double_click_gets_the_same_bytes_and_has_one_effect(server: Server) -> None:
    guest = server.guest()
    round_id = guest.open({"ante": 500}).json()["round"]["id"]
    found = requests([partial(guest.choose, round_id, "play", key="click")] * 32)
    assert codes(found) == {(200, ""): 32}
    assert len({each.content for each in found}) == 1
    ended = found[0].json()["round"]
    assert ended["staked_cents"] == 1_500
    assert guest.balance() == (100_000 - 1_500 + ended["returned_cents"], 0)


def test_G3_of_two_tabs_one_decides_and_the_other_is_told_the_step_is_past(
    server: Server,
) -> None:
    guest = server.guest()
    for _ in range(5):
        round_id = guest.open({"ante": 500}).json()["round"]["id"]
        before = guest.balance()[0]
        found = requests(
            partial(guest.choose, round_id, "play", key=f"{round_id} {n}") for n in "ab"
        )
        assert codes(found) == {(200, ""): 1, (409, "round/stale_step"): 1}
        returned = guest.get(f"/rounds/{round_id}").json()["round"]["returned_cents"]
        assert guest.balance() == (before - 1_000 + returned, 0)


def test_G3_play_and_fold_at_once_apply_one_of_them(server: Server) -> None:
    guest = server.guest()
    for _ in range(5):
        round_id = guest.open({"ante": 500}).json()["round"]["id"]
        before = guest.balance()[0]
        found = requests(
            partial(guest.choose, round_id, choice, key=f"{round_id} {choice}")
            for choice in ("play", "fold")
        )
        assert codes(found) == {(200, ""): 1, (409, "round/stale_step"): 1}
        ended = guest.get(f"/rounds/{round_id}").json()["round"]
        added = ended["staked_cents"] - 500
        assert added in (0, 1_000)
        assert guest.balance() == (before - added + ended["returned_cents"], 0)
        refused = next(each.json() for each in found if each.status_code == 409)
        assert (refused["round_id"], "hands" in refused) == (round_id, False)


def test_G3_seats_asked_for_at_once_are_one_seat(server: Server) -> None:
    guest = server.guest()
    found = requests([partial(guest.post, "/seats", {"game": "casino-stud"})] * 32)
    assert codes(found) == {(200, ""): 32}
    assert len({each.content for each in found}) == 1


def test_a_client_that_hangs_up_does_not_undo_its_command(server: Server) -> None:
    """The command goes on without its caller; the retry gets the stored reply."""
    guest = server.guest()
    seat = guest.seat()
    lines = [
        "POST /api/v1/rounds HTTP/1.1",
        f"Host: {server.client.base_url.netloc.decode()}",
        f"Authorization: Bearer {guest.token}",
        "Idempotency-Key: hung-up",
        "Content-Type: application/json",
    ]
    asked = asking(seat, 500)
    server.send_and_hang_up(lines, asked)
    opened = guest.post("/rounds", asked, "hung-up")
    assert opened.status_code == 201
    assert guest.post("/rounds", asked, "hung-up").content == opened.content
    assert guest.balance() == (99_500, 500)
