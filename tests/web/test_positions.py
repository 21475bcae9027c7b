"""Positions over HTTP: an address gives what `tapis advise` says, and a bad one says what is wrong.

The positions are questions of random rounds, by random rules.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from httpx import Response
from litestar.testing import TestClient

from coach.present import Present
from games.stud import TAPIS
from houses import client_of, make_house
from random_positions import positions
from tapisvert.coach.advice import advise
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.learning.position_address import LENGTH_MAX, read_address, write_address
from tapisvert.learning.position_picture import PIPS
from tapisvert.rounds import PlayerService
from tapisvert.sheets import load, variants_of
from tapisvert.web.rate_limit import TokenBucket
from tapisvert.words import LANGUAGES, catalogue
from tiers import few_or_many, long
from web.scene import everything
from web.test_client_source import MODULES

STUD = "casino-stud?player=AsKdQh5c3d&house=Ac"
# Figures of no variant, for which the chart of Ultimate is not needed.
MANY = int(os.environ.get("TAPIS_POSITIONS", "200"))  # `make rounds` asks a thousand
OWN: dict[str, dict[str, object]] = {
    "casino-stud": {"play.pays.flush": "7:2", "house.qualifies_with": ["A", "Q"]},
    "high-card-flush": {"raise.pays": "3:2"},
    "pai-gow": {"fortune.pays.straight-flush-7": "4000:1"},
    "blackjack": {"hand.blackjack_pays": "7:5", "house.hits_soft_17": False},
    "ultimate": {"trips.pays.flush": "6:1"},
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> PlayerService:
    return make_house(tmp_path_factory.mktemp("house") / "tapis.db")


@pytest.fixture(scope="module")
def client(house: PlayerService) -> Iterator[TestClient[Any]]:
    with client_of(house, Present()) as made:
        made.app.state.positions = TokenBucket(10**9, 10**9)
        yield made


def sheets(game: str) -> list[Sheet]:
    """Return the house's sheet twice, the variants, and one of other figures."""
    house = load(game)
    return [house, house, *variants_of(house).values(), with_changes(house, OWN[game])]


def asked(client: TestClient[Any], path: str, language: str = "en") -> Response:
    """Ask for the position of an address, without a session."""
    client.cookies.clear()
    api = path.replace("/position/", "/api/v1/positions/")
    return client.get(api, headers={"Accept-Language": language})


def addresses(game: str, count: int) -> dict[str, dict[str, Any]]:
    """Return so many different addresses of a game, with the position that each was made of."""
    chance, house = Random(f"{game} {count}"), load(game)
    rounds = {sheet.hash: positions(sheet, chance) for sheet in sheets(game)}
    found: dict[str, dict[str, Any]] = {}
    while len(found) < count:
        sheet = chance.choice(sheets(game))
        position = next(rounds[sheet.hash])
        found[write_address(house, sheet, position)] = listed(position)
    return found


@pytest.mark.parametrize("count", few_or_many(10, MANY))
@pytest.mark.parametrize("game", SHIPPED)
def test_an_address_gives_what_advise_says(client: TestClient[Any], game: str, count: int) -> None:
    asked_at = time.monotonic()
    for path, position in addresses(game, count).items():
        answer = asked(client, path)
        assert answer.status_code == 200, (path, answer.text)
        found, worth = answer.json()["advice"], advise(position)
        assert found["options"] == worth.options, path
        assert (found["best"], found["insurance"]) == (worth.best, worth.insurance), path
        assert found["house_way"] == worth.house_way
    print(f"{game}: {count} addresses, no difference, {time.monotonic() - asked_at:.0f} s")


@long
def test_an_address_gives_what_the_command_writes(client: TestClient[Any]) -> None:
    """Twenty positions of every game go through one real `tapis advise`, a line each."""
    count = 20
    every = {path: each for game in SHIPPED for path, each in addresses(game, count).items()}
    lines = "".join(f"{json.dumps(position)}\n" for position in every.values())
    ran = subprocess.run([TAPIS, "advise"], input=lines, capture_output=True, text=True, check=True)
    written = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(written) == len(every) == count * len(SHIPPED)
    for path, told in zip(every, written, strict=True):
        found = asked(client, path).json()["advice"]
        assert found["options"] == told["options"], path
        for name in ("best", "insurance", "house_way"):
            assert found[name] == told.get(name), path


def listed(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position with lists, as JSON has it."""
    return {key: list(each) if isinstance(each, tuple) else each for key, each in position.items()}


@pytest.mark.parametrize("game", SHIPPED)
def test_an_address_is_read_as_it_was_written(game: str) -> None:
    chance, house = Random(game), load(game)
    for sheet in sheets(game):
        rounds = positions(sheet, chance)
        for _ in range(10):
            position = next(rounds)
            path = urlsplit(write_address(house, sheet, position))
            found = read_address(house, parse_qsl(path.query))
            assert found.sheet == sheet
            again = found.position()
            usual = dict.fromkeys(GAMES[game].position.flags, False)
            blank: dict[str, list[str]] = {name: [] for name in GAMES[game].position.optional}
            assert {**usual, **blank, **again} == {**usual, **blank, **listed(position)}


def test_an_address_is_short_and_readable() -> None:
    house = load("blackjack")
    pair = {"hand": ["8s", "8d"], "up": "9d", "can_split": True}
    assert write_address(house, house, pair) == "/position/blackjack?hand=8s8d&up=9d"
    never = {**pair, "can_split": False}
    short_pays = with_changes(house, {"hand.blackjack_pays": "6:5"})
    assert write_address(house, short_pays, never) == (
        "/position/blackjack?hand=8s8d&up=9d&can_split=no&rules=six-to-five"
    )
    own = with_changes(house, {"hand.blackjack_pays": "7:5", "void_after_s": 7200})
    assert write_address(house, own, pair).endswith("&up=9d&set=hand.blackjack_pays=7:5")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("casino-stud?player=AsKdQh5c3d", "position/count"),
        ("casino-stud?player=AsKdQh5c&house=Ac", "position/count"),
        ("casino-stud?player=AsKdQh5c3d2d&house=Ac", "position/count"),
        ("ultimate?player=AsKd&board=2c", "position/count"),
        ("casino-stud?player=AsKdQh5c3d&house=As", "position/twice"),
        ("casino-stud?player=AsAsQh5c3d&house=Ac", "position/twice"),
        ("casino-stud?player=AsKdQh5c1d&house=Ac", "position/card"),
        ("casino-stud?player=AsKdQh5c3&house=Ac", "position/card"),
        ("casino-stud?player=askdqh5c3d&house=Ac", "position/card"),
        ("casino-stud?player=AsKdQh5cJk&house=Ac", "position/card"),
        (f"{STUD}&dealer=2c", "position/unknown_name"),
        (f"{STUD}&can_split=yes", "position/unknown_name"),
        (f"{STUD}&house=Kc", "position/unreadable"),
        (f"{STUD}&rules=flush-6&rules=flush-6", "position/unreadable"),
        (f"{STUD}&rules=flush-6&set=play.pays.flush=6:1", "position/unreadable"),
        (f"{STUD}&set=play.pays.flush", "position/unreadable"),
        (f"{STUD}&set=a=1&set=a=1", "position/unreadable"),
        (f"{STUD}&rules=a%00", "position/unreadable"),
        ("casino-stud?player=As%00Kd", "position/unreadable"),
        ("casino-stud?player=%ff%fe", "position/unreadable"),
        ("blackjack?hand=8s8d&up=9d&can_split=maybe", "position/unreadable"),
        ("blackjack?hand=TsTdTc5h&up=9d", "position/impossible"),
        ("blackjack?hand=8s5d&up=9d&other_half=9s2d", "position/impossible"),
        (f"{STUD}&rules=roulette", "rules/unknown"),
        (f"{STUD}&set=spots.ante.max_cents=5", "rules/of_the_house"),
        (f"{STUD}&set=caps_cents.round=5", "rules/of_the_house"),
        (f"{STUD}&set=play.pays.flush=NaN", "rules/invalid"),
        (f"{STUD}&set=play.pays.flush=[[[[", "rules/invalid"),
        (f"{STUD}&set=play.pays.nothing=2:1", "rules/unknown_figure"),
        ("ultimate?player=AsKd&set=blind.pays.flush=7:2", "advice/not_proved"),
        ("roulette?player=As", "request/unknown_game"),
        (f"{STUD}&rules={'x' * LENGTH_MAX}", "position/too_long"),
        (f"casino-stud?{'&'.join(['a=1'] * 300)}", "position/unreadable"),
    ],
)
def test_a_bad_address_is_refused_in_one_sentence_of_either_language(
    client: TestClient[Any], house: PlayerService, path: str, code: str
) -> None:
    before, told = everything(house), set()
    for language in LANGUAGES:
        problem = asked(client, f"/position/{path}", language).json()
        assert problem["code"] == code, problem
        assert problem["status"] in (404, 409, 422)
        assert "\0" not in problem["detail"]
        assert len(problem["detail"]) < 400
        assert "\n" not in problem["detail"]
        told.add(problem["detail"])
    assert len(told) == len(LANGUAGES)
    assert everything(house) == before


def test_a_position_reads_no_player_and_sets_no_cookie(
    client: TestClient[Any], house: PlayerService, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(house)
    monkeypatch.setattr(house, "query", None)  # the way to every table
    for path in (f"/position/{STUD}", "/position/ultimate"):
        answer = asked(client, path)
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers
    monkeypatch.undo()
    assert everything(house) == before


def test_an_address_without_cards_lists_the_places(client: TestClient[Any]) -> None:
    found = asked(client, "/position/ultimate").json()
    assert found["fields"] == [
        {"name": "player", "counts": [2]},
        {"name": "board", "counts": [0, 3, 5]},
    ]
    assert (found["advice"], found["rules"], len(found["deck"])) == (None, None, 52)
    assert len(asked(client, "/position/pai-gow").json()["deck"]) == 53
    blackjack = asked(client, "/position/blackjack").json()
    assert [each["name"] for each in blackjack["fields"]] == ["hand", "up", "seen", "other_half"]


def test_the_flags_that_mean_something_are_named(client: TestClient[Any]) -> None:
    def flags(query: str) -> Any:
        return asked(client, f"/position/blackjack?{query}").json()["flags"]

    assert flags("hand=8s8d&up=9d") == {"can_split": True}
    assert flags("hand=TsKd&up=9d&can_split=no") == {"can_split": False}
    assert flags("hand=8s7d&up=9d") == {}
    assert flags("hand=8s3d&up=9d&other_half=8d3c2h") == {"other_doubled": False}


def test_what_follows_an_option_is_said_where_it_is_asked_for(client: TestClient[Any]) -> None:
    path = "/position/blackjack?hand=8s8d&up=9d"
    assert asked(client, path).json()["advice"]["next"] == {}
    found = asked(client, f"{path}&next=yes").json()["advice"]["next"]
    assert set(found) == {"hit", "split"}
    stood = {"best": "stand", "cards": ["2", "3", "4", "5", "A"], "boards": 0}
    over = {"best": None, "cards": ["6", "7", "8", "9", "T"], "boards": 0}
    assert found["hit"] == [stood, over]


def test_one_address_asks_for_so_many_values_and_no_more(tmp_path: Path) -> None:
    with client_of(make_house(tmp_path / "tapis.db"), Present()) as client:
        client.app.state.positions = TokenBucket(2, 60, lambda: 0.0)  # a first advice is slow
        codes = [asked(client, f"/position/{STUD}").status_code for _ in range(3)]
        assert codes == [200, 200, 429]
        assert asked(client, "/position/casino-stud").status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_shows_cards_options_and_values(client: TestClient[Any], language: str) -> None:
    client.cookies.clear()
    path = f"/position/{STUD.replace('?', '/picture.svg?')}&rules=flush-6"
    answer = client.get(path, headers={"Accept-Language": language})
    assert answer.headers["content-type"] == "image/svg+xml"
    words, drawn = catalogue(language), answer.text
    assert drawn.count("<path") == 6
    for option in ("play", "fold"):
        assert words.write(f"option.{option}", {}, "casino-stud") in drawn
    assert words.signed_figure("-0.7220") in drawn
    assert words.write("variant.flush-6", {}, "casino-stud") in drawn
    assert "style=" not in drawn
    assert "<script" not in drawn


def test_the_picture_of_no_position_is_refused(client: TestClient[Any]) -> None:
    answer = client.get("/position/casino-stud/picture.svg")
    assert answer.json()["code"] == "position/count"


def test_the_pips_of_the_picture_are_those_of_the_page() -> None:
    plain = "".join(MODULES["js/cards.js"].split())
    assert [suit for suit, drawn in PIPS.items() if "".join(drawn.split()) not in plain] == []
