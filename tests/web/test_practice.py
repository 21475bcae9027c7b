"""Practice over HTTP: mistakes come back, answers count once, and nothing else changes."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from coach.present import MadeUp, Present
from houses import Clock, Guest, client_of, counting_entropy, make_house
from rounds.guest_seat import rows_of
from stores import both_at_length
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.learning import practice_repository
from tapisvert.rounds import PlayerService
from tiers import long
from web.scene import code_of

pytestmark = both_at_length

STUD, MINUTE_MS, DAY_MS = "casino-stud", 60_000, 86_400_000
UNTOUCHED = (
    *("accounts", "transfers", "rounds", "commands", "significant_events", "sheets", "seals"),
    *("players", "sessions", "own_rules", "reversals", "switches"),
)


class Values(dict[str, float]):
    """Values of options by their names alone; folding Casino Stud is always wrong."""

    def __missing__(self, option: str) -> float:
        if option in ("fold", "play"):
            return {"fold": -1.0, "play": -0.8}[option]
        return zlib.crc32(option.encode()) % 1000 / 1000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(engine: str, tmp_path: Path, clock: Clock) -> PlayerService:
    return make_house(tmp_path / "tapis.db", entropy=counting_entropy(), clock=clock)


@pytest.fixture
def guest(house: PlayerService) -> Iterator[Guest]:
    with client_of(house, MadeUp(Values), Random(1)) as client:
        yield Guest(client)


def asked(guest: Guest, game: str = STUD, theme: str | None = None) -> dict[str, Any]:
    given = guest.post(f"/practice/{game}/questions", {"theme": theme})
    assert given.status_code == 200, given.text
    found: dict[str, Any] = given.json()
    return found


def said(guest: Guest, question: dict[str, Any], choice: str, **more: Any) -> Any:
    body = {"question": question["id"], "choice": choice, **more}
    return guest.post(f"/practice/{question['game']}/answers", body)


def outcome(guest: Guest, choice: str, theme: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = said(guest, asked(guest, theme=theme), choice).json()["outcome"]
    return found


def test_a_question_waits_for_its_answer_and_does_not_show_the_values(guest: Guest) -> None:
    first = asked(guest)
    assert asked(guest) == first
    assert not {"advice", "options"} & first.keys()
    assert first["theme"] in GAMES[STUD].themes.ids
    other = asked(guest, theme="pair")
    assert (other["theme"], other["id"] != first["id"]) == ("pair", True)
    assert said(guest, first, "play").json()["code"] == "practice/stale"


def test_an_answer_counts_once(guest: Guest) -> None:
    question = asked(guest)
    first = said(guest, question, "fold")
    assert first.status_code == 200, first.text
    told = first.json()
    assert told["advice"]["options"] == {"play": -0.8, "fold": -1.0}
    assert (told["advice"]["best"], told["outcome"]["grade"]) == ("play", "again")
    assert told["outcome"]["cost"] == pytest.approx(0.2)
    assert said(guest, question, "fold").content == first.content
    assert said(guest, question, "play").json()["code"] == "practice/answered"
    (theme,) = [each for each in progress(guest)["themes"] if each["answers"]]
    assert (theme["theme"], theme["answers"], theme["right"]) == (question["theme"], 1, 0)
    assert code_of(said(guest, asked(guest), "hit")) == (422, "choice/not_offered")


@pytest.mark.parametrize("game", SHIPPED)
def test_the_position_of_an_answer_opens_to_the_same_values(
    house: PlayerService, game: str
) -> None:
    """The page of positions shows the options of the question with the values of the reply."""
    with client_of(house, Present(), Random(1)) as client:
        guest = Guest(client)
        for theme in GAMES[game].themes.ids[:2]:
            question = asked(guest, game, theme)
            legal = [each["id"] for each in question["ask"]["options"] if each["legal"]]
            advice = said(guest, question, legal[-1]).json()["advice"]
            page, _, query = advice["position"].partition("?")
            assert page == f"/position/{game}"
            opened = guest.get(f"/positions/{game}?{query}").json()["advice"]
            assert opened["options"].items() >= advice["options"].items()
            given = said(guest, question, legal[-1]).json()["advice"]  # a repeated answer
            assert given == advice


def progress(guest: Guest, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = guest.get(f"/practice/{STUD}{query}").json()
    return found


def test_a_mistake_comes_back_near_within_minutes_and_as_the_same_cards_later(
    guest: Guest, clock: Clock
) -> None:
    missed = asked(guest, theme="ace-king")
    said(guest, missed, "fold")
    assert not asked(guest, theme="ace-king")["repeated"]  # it is not due yet
    outcome(guest, "play", "ace-king")
    clock.now_ms += MINUTE_MS
    near = asked(guest, theme="ace-king")
    assert (near["repeated"], near["theme"]) == (True, "ace-king")
    assert near["hands"] != missed["hands"]
    for wait in (10 * MINUTE_MS, DAY_MS):
        assert outcome(guest, "play", "ace-king")["again_at"] is not None
        clock.now_ms += wait
    again = asked(guest, theme="ace-king")
    assert again["repeated"]
    if again["hands"] != missed["hands"]:  # still learning: another answer, another day
        outcome(guest, "play", "ace-king")
        clock.now_ms += 2 * DAY_MS
        again = asked(guest, theme="ace-king")
    assert (again["hands"], again["events"]) == (missed["hands"], missed["events"])


def test_a_mistake_of_a_round_is_asked_and_is_nobody_elses(guest: Guest) -> None:
    round_id = guest.open({"ante": 1000}).json()["round"]["id"]
    guest.choose(round_id, "fold")
    question = asked(guest)
    assert question["repeated"]
    assert question["because"] == {"round_id": round_id, "cost": pytest.approx(0.2)}
    assert question["mine"]["mistakes"] == 1
    stranger = Guest(guest.client)
    other = asked(stranger)
    assert (other["repeated"], other["because"], other["mine"]["rounds"]) == (False, None, 0)
    assert said(stranger, question, "play").json()["code"] == "practice/stale"
    assert sum(each["cards"] for each in progress(stranger)["themes"]) == 0
    assert sum(each["cards"] for each in progress(guest)["themes"]) == 1


def test_nothing_but_practice_is_written(house: PlayerService, guest: Guest) -> None:
    round_id = guest.open({"ante": 1000}).json()["round"]["id"]
    guest.choose(round_id, "fold")
    before = [rows_of(house, f"SELECT * FROM {table}") for table in UNTOUCHED]
    for choice in ("fold", "play", "fold"):
        outcome(guest, choice)
    assert [rows_of(house, f"SELECT * FROM {table}") for table in UNTOUCHED] == before
    for table in ("cards", "questions", "answers", "streaks"):  # the comparison can see a change
        assert rows_of(house, f"SELECT * FROM practice_{table}")


def test_the_same_chance_and_clock_give_the_same_questions(tmp_path: Path) -> None:
    found = []
    for name in ("one.db", "two.db"):
        house = make_house(tmp_path / name, entropy=counting_entropy(), clock=Clock())
        with client_of(house, MadeUp(Values), Random(3)) as client:
            guest = Guest(client)
            found.append([said(guest, asked(guest), "fold").content for _ in range(4)])
    assert found[0] == found[1]


@pytest.mark.parametrize("game", [*SHIPPED[1:], pytest.param(SHIPPED[0], marks=long)])
def test_a_position_of_every_theme_is_found(guest: Guest, game: str) -> None:
    themes = GAMES[game].themes.ids
    assert [asked(guest, game, theme)["theme"] for theme in themes] == list(themes)


def test_a_theme_of_another_game_is_refused(guest: Guest) -> None:
    refused = guest.post(f"/practice/{STUD}/questions", {"theme": "soft-totals"})
    assert code_of(refused) == (422, "practice/unknown_theme")
    assert guest.get("/practice/roulette").json()["code"] == "request/unknown_game"


def test_days_in_a_row_end_at_the_players_midnight(guest: Guest, clock: Clock) -> None:
    clock.now_ms = 100 * DAY_MS + 23 * 3_600_000
    for hours in (0, 2):  # 23:00 and 1:00 in London: in Montreal the same evening
        clock.now_ms += hours * 3_600_000
        question = asked(guest)
        said(guest, question, "play", utc_offset_min=-300)
    assert progress(guest, "?utc_offset_min=-300")["days"] == 1
    clock.now_ms += DAY_MS
    said(guest, asked(guest), "play", utc_offset_min=-300)
    told = progress(guest, "?utc_offset_min=-300")
    assert (told["days"], told["run"]) == (2, 3)
    clock.now_ms += 2 * DAY_MS
    assert progress(guest, "?utc_offset_min=-300")["days"] == 0


def test_what_is_kept_of_a_player_is_bounded(
    house: PlayerService, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice_repository, "CARDS_MAX", 2)
    monkeypatch.setattr(practice_repository, "ANSWERS_MAX", 3)
    for _ in range(5):
        outcome(guest, "fold")
    assert len(rows_of(house, "SELECT * FROM practice_cards")) == 2
    assert len(rows_of(house, "SELECT * FROM practice_answers")) == 3
    assert len(rows_of(house, "SELECT * FROM practice_questions")) == 1
