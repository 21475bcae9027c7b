"""G4: rules and figures are public without a session, and rounds are played by them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from litestar.testing import TestClient

from houses import PLAYER_WINS, ROYAL, Guest
from tapisvert.engine.sheet import content
from tapisvert.engine.sheet_file import with_changes
from tapisvert.sheets import load
from tapisvert.words import catalogue
from web.scene import DEAR, STUD, Seating

SHEET = load(STUD)


def test_G4_the_games_and_their_figures_need_no_session(client: TestClient[Any]) -> None:
    games = client.get("/api/v1/games")
    assert games.status_code == 200
    ids = [game["id"] for game in games.json()["games"]]
    assert ids == ["pai-gow", STUD, "high-card-flush", "blackjack", "ultimate"]
    stud = games.json()["games"][1]
    assert stud == client.get(f"/api/v1/games/{STUD}").json()
    assert set(stud) >= {"id", "edition", "sheet_hash", "sheet", "spots", "void_after_s"}
    assert stud["sheet"] == json.loads(SHEET.body)
    assert (stud["id"], stud["sheet_hash"]) == (STUD, SHEET.hash)
    assert stud["void_after_s"] == SHEET.void_after_s
    assert stud["sheet"]["caps_cents"]["round"] == 12_050_000


def test_G4_a_spot_says_exactly_what_it_takes(client: TestClient[Any]) -> None:
    spots = client.get(f"/api/v1/games/{STUD}").json()["spots"]
    common = {"min": 100, "max": 10_000, "step": 100, "fixed": False, "equals": None}
    assert spots == [
        {"id": "ante", **common, "requires": [], "main": True},
        {"id": "bonus", **common, "requires": ["ante"], "main": False},
    ]


def test_G4_the_limits_shown_are_the_limits_kept(seating: Seating) -> None:
    changes = {"step_cents": 200, "spots.ante.min_cents": 300, "spots.ante.max_cents": 999}
    sheet = with_changes(SHEET, changes)
    _, guest = seating(PLAYER_WINS, sheet_of=lambda _: sheet)
    ante, _ = guest.get(f"/games/{STUD}").json()["spots"]
    assert (ante["min"], ante["max"], ante["step"]) == (400, 800, 200)
    for cents in range(0, 1300, 50):
        taken = cents in range(ante["min"], ante["max"] + 1, ante["step"])
        opened = guest.open({"ante": cents})
        assert (opened.status_code == 201) is taken, cents
        if taken:
            guest.choose(opened.json()["round"]["id"], "fold")


@pytest.mark.parametrize("language", ["fr", "en"])
def test_G4_the_words_of_both_languages_need_no_session(
    client: TestClient[Any], language: str
) -> None:
    words = client.get(f"/api/v1/words/{language}")
    assert words.status_code == 200
    assert words.json() == dict(catalogue(language).templates)


@pytest.mark.parametrize(
    ("first", "changes", "key", "bet", "returned"),
    [
        # Kings against ace-king: play pays the row of a pair.
        (PLAYER_WINS, {}, "play.pays.pair", "play", 2000 * 2),
        (PLAYER_WINS, {"play.pays.pair": "7:2"}, "play.pays.pair", "play", 2000 + 7000),
        (PLAYER_WINS, {"play.pays.flush": "9:1"}, "play.pays.flush", "play", 2000 * 2),
        # A royal flush takes the bonus in full, on a table that lets it.
        (ROYAL, {}, "bonus.pays.royal-flush", "bonus", 100 * 1001),
        (ROYAL, {"bonus.pays.royal-flush": "77:1"}, "bonus.pays.royal-flush", "bonus", 100 * 78),
    ],
)
def test_G4_a_payout_that_is_changed_changes_what_is_shown_and_what_is_paid(
    seating: Seating, first: str, changes: dict[str, str], key: str, bet: str, returned: int
) -> None:
    sheet = with_changes(SHEET, changes)
    _, guest = seating(first, sheet_of=lambda _: sheet)
    shown = guest.get(f"/games/{STUD}").json()
    table, _, row = key.split(".")
    default = content(SHEET)[table]["pays"][row]
    assert shown["sheet"][table]["pays"][row] == changes.get(key, default)
    assert (shown["sheet_hash"] == SHEET.hash) is (not changes)
    opened = guest.open({"ante": 1000, "bonus": 100}).json()["round"]
    assert opened["sheet_hash"] == shown["sheet_hash"]
    lines = guest.choose(opened["id"], "play").json()["round"]["lines"]
    assert {line["bet"]: line["returned_cents"] for line in lines}[bet] == returned


def test_G4_the_most_that_can_be_won_is_shown_and_kept(seating: Seating) -> None:
    sheet = with_changes(DEAR, {"caps_cents.play": 3000})
    _, guest = seating(PLAYER_WINS, sheet_of=lambda _: sheet)
    assert guest.get(f"/games/{STUD}").json()["sheet"]["caps_cents"]["play"] == 3000
    opened = guest.open({"ante": 1000}).json()["round"]
    lines = guest.choose(opened["id"], "play").json()["round"]["lines"]
    play = next(line for line in lines if line["bet"] == "play")
    assert (play["returned_cents"], play["capped"]) == (3000, True)


def test_G4_rules_and_words_do_not_depend_on_who_asks(client: TestClient[Any]) -> None:
    guest = Guest(client)
    for path in ("/games", f"/games/{STUD}", "/words/fr", "/words/en"):
        assert guest.get(path).content == client.get(f"/api/v1{path}").content
