"""The coach over HTTP: only for the player's own open round, from visible cards only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from litestar.testing import TestClient

from coach.present import Present
from houses import Guest, client_of, counting_entropy, make_house
from rounds.house_with_operator import TABLES, open_tables
from tapisvert.coach.advice import advise
from tapisvert.coach.warm import CoachState
from tapisvert.engine.sheet_file import with_changes
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.sheets import load
from tapisvert.web import create_app
from tapisvert.web.advice import Coach
from web.scene import code_of


class Absent(Present):
    """A coach that is still starting."""

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        raise Refused("coach/warming", retry_after_s=2)

    async def state(self, game: str | None = None) -> CoachState:
        """Report that it is warming up."""
        self.asked.append({"game": game})
        return CoachState("warming", 1, 3, 20)


@contextmanager
def seated(house: PlayerService, coach: Coach) -> Iterator[Guest]:
    with client_of(house, coach) as client:
        yield Guest(client)


POSITIONS: dict[str, dict[str, Any]] = {
    "casino-stud": {"player": ["Kh", "Kd", "7c", "4s", "2d"], "house": ["Ac"]},
    "high-card-flush": {"player": ["Ts", "3s", "2s", "Kh", "Qh", "Jd", "8d"]},
    "ultimate": {"player": ["Qs", "Qd"], "board": []},
    "pai-gow": {"player": ["9s", "8s", "7s", "6s", "5s", "Ah", "Kd"]},
    "blackjack": {
        "hand": ["Th", "9s"],
        "up": "Ad",
        "seen": [],
        "other_half": [],
        "other_doubled": False,
        "can_split": False,
    },
}


@pytest.mark.parametrize("game", POSITIONS)
def test_every_legal_option_is_valued_from_what_the_player_sees(tmp_path: Path, game: str) -> None:
    coach = Present()
    with seated(open_tables(tmp_path / "tapis.db"), coach) as guest:
        round_ = guest.open(TABLES[game].stakes, game=game).json()["round"]
        found = guest.get(f"/rounds/{round_['id']}/advice").json()
    position = {"game": game, **POSITIONS[game]}
    assert coach.asked == [position]
    legal = [option["id"] for option in round_["ask"]["options"] if option["legal"]]
    worth = advise(position)
    assert found["options"] == {option: worth.options[option] for option in legal}
    assert (found["round_id"], found["step"], found["unit_cents"]) == (round_["id"], 0, 1000)
    assert found["options"][found["best"]] == max(found["options"].values())
    assert found["house_way"] == worth.house_way
    assert (game == "pai-gow") == (worth.house_way is not None)


def test_the_halves_of_a_split_know_each_other_and_the_other_hand_is_seen(tmp_path: Path) -> None:
    # Two hands: eights, and 19. The house shows a nine. The first half doubles on 11.
    cards = "8h 8s Kh 9c 9d 7c 3c Td 5c 2h"
    coach, house = Present(), make_house(tmp_path / "tapis.db", cards)
    said = []
    with seated(house, coach) as guest:
        stakes = {"hand-1": 1000, "hand-2": 600}
        round_ = guest.open(stakes, game="blackjack").json()["round"]
        for step, choice in enumerate(("split", "double", "hit", "stand")):
            said.append(guest.get(f"/rounds/{round_['id']}/advice").json())
            round_ = guest.choose(round_["id"], choice, step).json()["round"]
        last = guest.get(f"/rounds/{round_['id']}/advice").json()
    other = {"seen": ["Kh", "9c"], "up": "9d", "other_doubled": False, "can_split": False}
    lone = {"game": "blackjack", **other}
    assert coach.asked == [
        {**lone, "hand": ["8h", "8s"], "other_half": [], "can_split": True},
        {**lone, "hand": ["8h", "3c"], "other_half": ["8s"]},
        {**lone, "hand": ["8s", "5c"], "other_half": ["8h", "3c", "Td"], "other_doubled": True},
        {**lone, "hand": ["8s", "5c", "2h"], "other_half": ["8h", "3c", "Td"]}
        | {"other_doubled": True},
        {**lone, "hand": ["Kh", "9c"], "other_half": []}
        | {"seen": ["8h", "3c", "Td", "8s", "5c", "2h"]},
    ]
    assert [each["unit_cents"] for each in (*said, last)] == [1000, 1000, 1000, 1000, 600]
    assert said[0]["best"] == "split"


def test_a_changed_sheet_goes_with_the_question(tmp_path: Path) -> None:
    def dearer(game: str) -> Any:
        changes = {"ante.pays": "2:1"} if game == "casino-stud" else {}
        return with_changes(load(game), changes)

    coach, house = Present(), make_house(tmp_path / "tapis.db", TABLES["casino-stud"].cards)
    house.sheet_of = dearer
    with seated(house, coach) as guest:
        round_ = guest.open({"ante": 1000}).json()["round"]
        guest.get(f"/rounds/{round_['id']}/advice")
    assert coach.asked[0]["sheet"]["ante.pays"] == "2:1"


def test_only_a_round_of_ones_own_that_waits_is_advised(tmp_path: Path) -> None:
    coach = Present()
    with seated(open_tables(tmp_path / "tapis.db"), coach) as guest:
        other = Guest(guest.client)
        round_id = guest.open({"ante": 1000}).json()["round"]["id"]
        assert code_of(other.get(f"/rounds/{round_id}/advice")) == (404, "round/unknown")
        guest.choose(round_id, "fold")
        assert code_of(guest.get(f"/rounds/{round_id}/advice")) == (409, "round/ended")
    assert coach.asked == []


def test_a_coach_who_is_not_there_is_no_trouble_to_the_round(tmp_path: Path) -> None:
    with seated(open_tables(tmp_path / "tapis.db"), Absent()) as guest:
        round_id = guest.open({"ante": 1000}).json()["round"]["id"]
        answer = guest.get(f"/rounds/{round_id}/advice")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert (answer.json()["code"], answer.json()["retryable"]) == ("coach/warming", True)
        assert guest.choose(round_id, "play").json()["round"]["state"] == "settled"


def test_every_question_of_a_night_of_blackjack_is_a_position_that_can_be(tmp_path: Path) -> None:
    coach, chance = Present(), Random(17)
    house = make_house(tmp_path / "tapis.db", entropy=counting_entropy())
    halves = 0
    with seated(house, coach) as guest:
        for _ in range(20):
            stakes = {"hand-1": 100, "hand-2": 100}
            round_ = guest.open(stakes, game="blackjack").json()["round"]
            while round_["state"] == "open":
                answer = guest.get(f"/rounds/{round_['id']}/advice")
                assert answer.status_code == 200, answer.text
                halves += len(coach.asked[-1]["other_half"]) > 0
                ask = round_["ask"]
                legal = [option["id"] for option in ask["options"] if option["legal"]]
                chosen = "split" if "split" in legal else chance.choice(legal)
                round_ = guest.choose(round_["id"], chosen, ask["step"]).json()["round"]
    assert halves > 5


def test_how_far_the_coach_is_is_always_told(tmp_path: Path) -> None:
    absent = Absent()
    with seated(open_tables(tmp_path / "tapis.db"), absent) as guest:
        answers = [guest.client.get(f"/api/v1/coach{rest}") for rest in ("", "?game=pai-gow")]
        assert [each.status_code for each in answers] == [200, 200]
        said = {"state": "warming", "done": 1, "of": 3, "seconds_left": 20}
        said |= {"code": None, "detail": None}
        assert [each.json() for each in answers] == [said, said]
        assert absent.asked == [{"game": None}, {"game": "pai-gow"}]
        assert code_of(guest.get("/coach?game=poker")) == (404, "request/unknown_game")


def test_a_house_without_a_coach_says_that_he_is_absent(tmp_path: Path) -> None:
    house = open_tables(tmp_path / "tapis.db")
    with TestClient(create_app(house), base_url="http://127.0.0.1") as client:
        found = client.get("/api/v1/coach")
    known = {"done": 0, "of": 0, "seconds_left": None}
    assert found.json() == {"state": "absent", **known, "code": None, "detail": None}
