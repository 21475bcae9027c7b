"""The review of a finished round: what each choice cost, by the exact values."""

from __future__ import annotations

from pathlib import Path

import pytest

from coach.present import Present
from houses import Guest, client_of
from rounds.house_with_operator import TABLES, open_tables
from tapisvert.coach.advice import advise
from tiers import long
from web.scene import code_of


def test_a_fold_costs_what_playing_was_worth_more(tmp_path: Path) -> None:
    with client_of(open_tables(tmp_path / "tapis.db"), Present()) as client:
        guest = Guest(client)
        opened = guest.open({"ante": 1000}).json()["round"]
        assert code_of(guest.get(f"/rounds/{opened['id']}/review")) == (409, "round/not_ended")
        hands = opened["hands"]
        guest.choose(opened["id"], "fold")
        found = guest.get(f"/rounds/{opened['id']}/review").json()
        position = {"game": "casino-stud", "player": hands["player"], "house": hands["house"][:1]}
        worth = advise(position).options
        assert worth["play"] > worth["fold"]
        assert found == {
            "round_id": opened["id"],
            "game": "casino-stud",
            "choices": [
                {
                    "step": 0,
                    "hand": None,
                    "choice": "fold",
                    "best": "play",
                    "unit_cents": 1000,
                    "cost": worth["play"] - worth["fold"],
                }
            ],
            "unvalued": 0,
        }
        stranger = Guest(client).get(f"/rounds/{opened['id']}/review")
        assert stranger.json()["code"] == "round/unknown"


@long
@pytest.mark.parametrize("game", TABLES)
def test_every_choice_of_every_game_is_judged(tmp_path: Path, game: str) -> None:
    with client_of(open_tables(tmp_path / "tapis.db"), Present()) as client:
        guest = Guest(client)
        round_id = guest.open(TABLES[game].stakes, game=game).json()["round"]["id"]
        for step, choice in enumerate(TABLES[game].choices):
            guest.choose(round_id, choice, step)
        found = guest.get(f"/rounds/{round_id}/review").json()
        assert [each["choice"] for each in found["choices"]] == list(TABLES[game].choices)
        for step, each in enumerate(found["choices"]):
            before = "&".join(f"choice={choice}" for choice in TABLES[game].choices[:step])
            told = guest.get(f"/rounds/{round_id}/what-if/advice?{before}").json()
            most = max(told["options"].values())
            assert each["cost"] == most - told["options"][each["choice"]]
            assert told["options"][each["best"]] == most
