"""The installable web app: manifest, icons, service worker, offline pages."""

from __future__ import annotations

import json
import re
import shutil
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from houses import client_of, make_house
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import GAMES
from tapisvert.sheets import load
from tapisvert.web.assets import assets, base
from tapisvert.web.pwa import offline_files
from tapisvert.words import LANGUAGES

PNG = b"\x89PNG\r\n\x1a\n"


def manifest(client: TestClient[Any], language: str = "fr") -> dict[str, Any]:
    answer = client.get("/manifest.webmanifest", headers={"Accept-Language": language})
    assert answer.headers["content-type"].startswith("application/manifest+json")
    found: dict[str, Any] = answer.json()
    return found


def kept(client: TestClient[Any]) -> tuple[str, list[str]]:
    """Return the name of the worker's cache, and its URLs."""
    script = client.get("/worker.js").text
    name, files = re.search(r"NAME = '(\w+)', FILES = (\[.*?\]);", script).groups()  # type: ignore[union-attr]
    return name, json.loads(files)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_has_all_a_browser_asks_for(client: TestClient[Any], language: str) -> None:
    found = manifest(client, language)
    assert found["name"] == found["short_name"] == "Tapis Vert"
    assert (found["start_url"], found["scope"], found["display"]) == ("/", "/", "standalone")
    assert found["lang"] == language
    assert (
        found["description"] != manifest(client, "fr" if language == "en" else "en")["description"]
    )
    for colour in ("theme_color", "background_color"):
        assert re.fullmatch("#[0-9a-f]{6}", found[colour])
    page = client.get("/").text
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    assert f'<meta name="theme-color" content="{found["theme_color"]}">' in page
    assert "manifest-src 'self'" in client.get("/").headers["content-security-policy"]


def test_every_icon_loads_and_is_as_large_as_it_says(client: TestClient[Any]) -> None:
    icons = manifest(client)["icons"]
    for icon in icons:
        answer = client.get(icon["src"])
        assert answer.status_code == 200
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            assert answer.content.startswith(PNG)
            size = struct.unpack(">II", answer.content[16:24])
            assert "x".join(map(str, size)) == icon["sizes"]
    told = {(icon["sizes"], icon["purpose"]) for icon in icons}
    assert told >= {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


def test_the_worker_keeps_what_is_there_and_nothing_of_a_player(client: TestClient[Any]) -> None:
    answer = client.get("/worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-store"  # so that a new one is noticed
    _, files = kept(client)
    assert len(files) == len(set(files)) > 20
    assert {client.get(path).status_code for path in files} == {200}
    assert [
        path for path in files if not path.startswith(("/static/", "/offline", "/verifier"))
    ] == []
    names = {path.rpartition("/")[2] for path in files}
    assert names >= {"app.js", "help.js", "fair.js", "deal.js", "app.css", "ui.woff2", "verifier"}
    assert not names & {"table.js", "lobby.js", "history.js", "coach.js"}  # which need the house


def test_of_a_game_the_worker_keeps_what_help_draws_and_only_of_those_offered() -> None:
    files = offline_files(("casino-stud", "pai-gow"))
    own = [name for name in files if name.startswith("games/")]
    assert own == ["games/casino-stud/rankings.js", "games/pai-gow/rankings.js"]
    assert "js/rankings/standard.js" in files  # which Casino Stud's imports
    assert "js/rankings/standard.js" not in offline_files(("pai-gow",))


def test_of_a_games_folder_only_what_a_browser_needs_is_served(client: TestClient[Any]) -> None:
    for game in GAMES:
        for name in ("layout.js", "rankings.js"):
            answer = client.get(f"{base()}/games/{game}/{name}")
            assert answer.content == assets()[f"games/{game}/{name}"].plain
            assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
        hidden = ("settle.js", "sheet.toml", "script.py", "proofs.json", "words/fr.toml")
        served = {client.get(f"{base()}/games/{game}/{name}").status_code for name in hidden}
        assert served == {404}


def test_a_changed_file_of_a_game_changes_the_address_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAMES["casino-stud"]
    before, folder = base(), shutil.copytree(game.folder, tmp_path / "casino_stud")
    with (folder / "rankings.js").open("a") as file:
        file.write("export const changed = true;\n")
    monkeypatch.setitem(GAMES, game.id, replace(game, folder=folder))
    caches = (assets, base)
    for each in caches:
        each.cache_clear()
    try:
        assert base() != before
    finally:
        monkeypatch.undo()
        for each in caches:
            each.cache_clear()
    assert base() == before


def test_a_changed_figure_makes_another_worker(tmp_path: Path) -> None:
    def other(game: str) -> Sheet:
        return with_changes(load(game), {"void_after_s": 3_600})

    names = []
    figures: tuple[Callable[[str], Sheet], ...] = (load, load, other)
    for place, sheet_of in enumerate(figures):
        with client_of(make_house(tmp_path / f"{place}.db", sheet_of=sheet_of)) as client:
            names.append(kept(client)[0])
    assert names[0] == names[1] != names[2]


def test_the_kept_page_says_everything_in_both_languages_and_knows_nobody(
    client: TestClient[Any],
) -> None:
    client.post("/api/v1/guests", json={})
    page = client.get("/offline").text
    boot = json.loads(re.search(r'id="boot">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    assert (boot["wallet"], boot["open"], boot["unseen"]) == (None, [], [])
    assert set(boot["offline"]) == set(LANGUAGES)
    assert set(boot["offline"]["fr"]) == set(boot["offline"]["en"])
    for game in boot["games"]:
        assert game["sheet"] == client.get(f"/api/v1/games/{game['id']}").json()["sheet"]
        assert f"{game['id']}.help.1" in boot["offline"]["fr"]


def test_the_verifier_that_is_opened_is_the_one_that_is_saved_under_a_policy_by_hashes(
    client: TestClient[Any],
) -> None:
    opened, saved = client.get("/verifier"), client.get("/verifier.html")
    assert opened.text == saved.text
    assert "content-disposition" not in opened.headers
    policy = opened.headers.get_list("content-security-policy")
    assert len(policy) == 1
    assert policy[0].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy[0]
    assert client.get("/").headers.get_list("content-security-policy") != policy


def test_of_other_tables_a_page_carries_what_the_lobby_says(client: TestClient[Any]) -> None:
    page = client.get("/table/casino-stud").text
    boot = json.loads(re.search(r'id="boot">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    sheets = {game["id"]: game["sheet"] for game in boot["games"]}
    whole = client.get("/api/v1/games/casino-stud").json()["sheet"]
    assert sheets.pop("casino-stud") == whole
    assert all("spots" not in sheet for sheet in sheets.values())
    assert boot["offline"] == {}
