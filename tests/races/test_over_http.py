"""The same races through real servers: G1, G3 and F4 over HTTP.

Every test has one guest with two tabs: both at one server on SQLite, or one at each of two servers
on one PostgreSQL database.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from crash.server import Server
from houses import Guest
from postgres import server as postgresql
from races.at_once import CROWD, at_once
from rounds.house_with_operator import findings
from stores import both_at_length, on_postgresql, sqlite_only
from tapisvert.cli.serve import open_house

pytestmark = both_at_length

STUD = "casino-stud"


@pytest.fixture(scope="module")
def servers(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Start one process, or two with one key; audit the database after they stop."""
    folder = tmp_path_factory.mktemp("races")
    url = postgresql().fresh() if on_postgresql() else None
    made = [Server(folder, url) for _ in range(2 if url else 1)]
    assert at_once([each.start for each in made]) == [None] * len(made)
    yield made
    for each in made:
        each.kill()
        each.client.close()
    house = open_house(url or made[0].database, made[0].key)
    assert findings(house) == ()
    house.store.close()


@pytest.fixture
def tabs(servers: list[Server]) -> list[Guest]:
    """Return one guest, with a tab at the first server and one at the last."""
    first, second = servers[0].guest(), servers[-1].guest()
    second.token = first.token
    return [first, second]


def requests(commands: Iterable[Callable[[], Any]]) -> list[Any]:
    """Send requests at once; each must be answered."""
    found = at_once(commands)
    for each in found:
        if isinstance(each, Exception):
            raise each
    return found


def codes(answers: Sequence[Any]) -> Counter[tuple[int, str]]:
    return Counter((each.status_code, each.json().get("code", "")) for each in answers)


def asking(seat: dict[str, Any], ante: int) -> dict[str, Any]:
    asked = {name: seat[name] for name in ("round_id", "commitment")}
    return {**asked, "stakes": {"ante": ante}, "client_seed": "mine"}


def check_alike(answers: Sequence[Any], status: int) -> None:
    """Check that every copy of a command gets the same bytes."""
    assert codes(answers) == {(status, ""): len(answers)}
    assert len({each.content for each in answers}) == 1


@sqlite_only
def test_G1_of_64_requests_at_once_on_a_balance_for_one_stake_one_is_taken(
    servers: list[Server],
) -> None:
    (server,) = servers
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


def test_F4_a_key_sent_to_both_tabs_at_once_has_one_effect_and_one_reply(tabs: list[Guest]) -> None:
    for number in range(5):
        asked = asking(tabs[0].seat(), 100)
        key, before = f"open {number}", tabs[1].balance()[0]
        check_alike(
            requests([partial(each.post, "/rounds", asked, key) for each in tabs] * 10), 201
        )
        fold = [partial(each.choose, asked["round_id"], "fold", key=f"f {number}") for each in tabs]
        check_alike(requests(fold * 10), 200)
        assert tabs[1].balance() == (before - 100, 0)


def test_G3_a_double_click_gets_the_same_bytes_and_has_one_effect(tabs: list[Guest]) -> None:
    round_id = tabs[0].open({"ante": 500}).json()["round"]["id"]
    found = requests([partial(tabs[0].choose, round_id, "play", key="click")] * 32)
    check_alike(found, 200)
    ended = found[0].json()["round"]
    assert ended["staked_cents"] == 1_500
    assert tabs[1].balance() == (100_000 - 1_500 + ended["returned_cents"], 0)


@pytest.mark.parametrize("choices", [("play", "play"), ("play", "fold")], ids="-".join)
def test_G3_of_two_tabs_one_decides_and_the_other_is_told_the_step_is_past(
    tabs: list[Guest], choices: tuple[str, str]
) -> None:
    for _ in range(5):
        round_id = tabs[0].open({"ante": 500}).json()["round"]["id"]
        before = tabs[1].balance()[0]
        found = requests(
            partial(tab.choose, round_id, choice, key=f"{round_id} {number}")
            for number, (tab, choice) in enumerate(zip(tabs, choices, strict=True))
        )
        assert codes(found) == {(200, ""): 1, (409, "round/stale_step"): 1}
        ended = tabs[0].get(f"/rounds/{round_id}").json()["round"]
        added = ended["staked_cents"] - 500
        assert added in ({0, 1_000} if "fold" in choices else {1_000})
        assert tabs[1].balance() == (before - added + ended["returned_cents"], 0)
        refused = next(each.json() for each in found if each.status_code == 409)
        assert (refused["round_id"], "hands" in refused) == (round_id, False)


def test_G3_seats_asked_for_at_once_are_one_seat(tabs: list[Guest]) -> None:
    asked = [partial(each.post, "/seats", {"game": STUD}) for each in tabs]
    check_alike(requests(asked * 16), 200)


def test_G10_a_round_opened_in_one_tab_is_finished_in_the_other(tabs: list[Guest]) -> None:
    opened = tabs[0].open({"ante": 500}).json()["round"]
    shown = tabs[1].get(f"/rounds/{opened['id']}").json()["round"]
    assert shown == opened
    ended = tabs[1].choose(opened["id"], "play", key="there").json()["round"]
    assert ended["state"] == "settled"
    assert ended["hands"]["player"] == opened["hands"]["player"]


def test_a_client_that_hangs_up_does_not_undo_its_command(
    servers: list[Server], tabs: list[Guest]
) -> None:
    """The command completes without its caller; the retry gets the stored reply."""
    guest, asked = tabs[0], asking(tabs[0].seat(), 500)
    lines = [
        "POST /api/v1/rounds HTTP/1.1",
        f"Host: {servers[0].client.base_url.netloc.decode()}",
        f"Authorization: Bearer {guest.token}",
        "Idempotency-Key: hung-up",
        "Content-Type: application/json",
    ]
    servers[0].send_and_hang_up(lines, asked)
    opened = guest.post("/rounds", asked, "hung-up")
    assert opened.status_code == 201
    assert guest.post("/rounds", asked, "hung-up").content == opened.content
    assert guest.balance() == (99_500, 500)
