"""Two servers on one PostgreSQL database: the same races, each caller at another of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from crash.server import Server
from houses import Guest
from postgres import server as postgresql
from races.at_once import at_once
from races.test_over_http import asking, codes, requests
from rounds.operated import findings
from stores import POSTGRESQL
from tapisvert.cli.serving import open_house

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Two processes, one key; when they are gone the books must be in order."""
    folder, url = tmp_path_factory.mktemp("two"), postgresql().fresh()
    made = [Server(folder, url) for _ in range(2)]
    at_once([each.start for each in made])
    yield made
    for each in made:
        each.kill()
        each.client.close()
    house = open_house(url, made[0].key)
    assert findings(house) == ()
    house.store.close()


@pytest.fixture
def tabs(servers: list[Server]) -> list[Guest]:
    """One guest, with a tab at each server."""
    first = servers[0].guest()
    second = servers[1].guest()
    second.token = first.token
    return [first, second]


def test_F4_a_key_sent_to_both_at_once_has_one_effect_and_one_reply(tabs: list[Guest]) -> None:
    for number in range(5):
        asked = asking(tabs[0].seat(), 100)
        opened = requests(
            [partial(each.post, "/rounds", asked, f"open {number}") for each in tabs] * 10
        )
        assert codes(opened) == {(201, ""): 20}
        assert len({each.content for each in opened}) == 1
        folded = requests(
            [partial(each.choose, asked["round_id"], "fold", key=f"f {number}") for each in tabs]
            * 10
        )
        assert codes(folded) == {(200, ""): 20}
        assert len({each.content for each in folded}) == 1
        assert tabs[1].balance() == (100_000 - 100 * (number + 1), 0)


def test_G3_a_decision_at_each_server_at_once_is_taken_once(tabs: list[Guest]) -> None:
    for number in range(5):
        round_id = tabs[0].open({"ante": 500}).json()["round"]["id"]
        before = tabs[1].balance()[0]
        found = requests(
            [
                partial(tabs[0].choose, round_id, "play", key=f"play {number}"),
                partial(tabs[1].choose, round_id, "fold", key=f"fold {number}"),
            ]
        )
        assert codes(found) == {(200, ""): 1, (409, "round/stale_step"): 1}
        ended = tabs[0].get(f"/rounds/{round_id}").json()["round"]
        added = ended["staked_cents"] - 500
        assert tabs[1].balance() == (before - added + ended["returned_cents"], 0)


def test_G3_a_seat_asked_for_at_both_at_once_is_one_seat(tabs: list[Guest]) -> None:
    found = requests([partial(each.post, "/seats", {"game": "blackjack"}) for each in tabs] * 8)
    assert codes(found) == {(200, ""): 16}
    assert len({each.content for each in found}) == 1


def test_G10_a_round_opened_at_one_is_finished_at_the_other(tabs: list[Guest]) -> None:
    opened = tabs[0].open({"ante": 500}).json()["round"]
    shown = tabs[1].get(f"/rounds/{opened['id']}").json()["round"]
    assert shown == opened
    ended = tabs[1].choose(opened["id"], "play", key="there").json()["round"]
    assert ended["state"] == "settled"
    assert ended["hands"]["player"] == opened["hands"]["player"]
