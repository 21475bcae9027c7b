"""Refusals of the drill: unknown game, no coach, no proof, no randomness."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from litestar.testing import TestClient

from coach.present import Present
from houses import Guest, client_of, make_house
from rounds.guest_seat import rows_of
from rounds.test_statistics import finish
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.sheets import load
from tapisvert.web import create_app
from web.scene import code_of
from web.test_drill import drilled


def test_a_game_we_do_not_have_is_refused(guest: Guest) -> None:
    assert code_of(guest.get("/drill/roulette")) == (404, "request/unknown_game")


def test_without_a_coach_there_is_no_drill(house: PlayerService) -> None:
    with TestClient(create_app(house), base_url="http://127.0.0.1") as client:
        refused = Guest(client).get("/drill/casino-stud")
    assert code_of(refused) == (503, "coach/unavailable")


def test_a_coach_on_his_way_is_waited_for_and_forgets_nothing(
    guest: Guest, coach: Present, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(2)
    finish(guest, guest.open({"ante": 1000}).json(), chance)

    async def late(position: dict[str, Any]) -> dict[str, Any]:
        raise Refused("coach/warming", retry_after_s=2)

    with monkeypatch.context() as patched:
        patched.setattr(coach, "ask", late)
        assert code_of(guest.get("/drill/casino-stud")) == (503, "coach/warming")
    assert drilled(guest, "casino-stud")["mine"]["looked_at"] == 1


class Stubborn(Random):
    """A random source that always chooses the same place."""

    place = 0

    def choice(self, seq: Any) -> Any:
        return seq[self.place]


def test_figures_nobody_has_proved_are_not_practised(house: PlayerService) -> None:
    """Before the flop the coach needs a stored chart of the sheet; after it he computes."""
    changed = with_changes(load("ultimate"), {"blind.pays.flush": "2:1"})

    def sheet_of(game: str) -> Sheet:
        return changed if game == "ultimate" else load(game)

    house.sheet_of = sheet_of
    chance = Stubborn()
    with client_of(house, Present(), chance) as client:
        guest = Guest(client)
        assert drilled(guest, "ultimate")["ask"]["key"] != "before-flop"  # checks all the way
        chance.place = -1  # raises at once: no other question comes
        refused = guest.get("/drill/ultimate")
    assert code_of(refused) == (409, "advice/not_proved")


def test_R10_a_source_that_fails_is_told_and_no_dealing_for_money_is_stopped_by_a_question(
    tmp_path: Path,
) -> None:
    house = make_house(tmp_path / "tapis.db")
    with client_of(house, Present()) as client:
        guest = Guest(client)
        house.dealer._entropy = lambda size: bytes(size)
        assert code_of(guest.get("/drill/casino-stud")) == (503, "dealing/unavailable")
        assert house.dealer.working
        assert (
            rows_of(house, "SELECT * FROM significant_events WHERE kind = 'dealing_failed'") == []
        )
        guest.seat()  # the next deal for money finds out, and leaves its record
        assert not house.dealer.working
        assert len(rows_of(house, "SELECT * FROM significant_events")) == 1
        assert guest.get("/drill/casino-stud").json()["code"] == "dealing/unavailable"
