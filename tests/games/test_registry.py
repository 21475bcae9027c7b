"""Discovery of games, and the refusal of a package with a broken one."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import Distribution, EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from game_tables import browser_files
from tapisvert.engine.sheet import Sheet
from tapisvert.games import registry
from tapisvert.games.game import Bet, Edition, Game
from tapisvert.games.registry import GAMES, GROUP, SHIPPED, find
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.words import catalogue, explain

STUD = GAMES["casino-stud"]


class Plugin(Distribution):
    """A package that counts as installed: its metadata only."""

    def __init__(self, entry_points: str) -> None:
        self._texts = {"METADATA": "Name: a-plugin\nVersion: 1", "entry_points.txt": entry_points}

    def read_text(self, filename: str) -> str | None:
        return self._texts.get(filename)

    def locate_file(self, path: Any) -> Any:
        return Path(path)


def points(**games: str) -> list[EntryPoint]:
    """Return the entry points of a package with games at these values."""
    lines = "\n".join(f"{name.replace('_', '-')} = {value}" for name, value in games.items())
    return list(Plugin(f"[{GROUP}]\n{lines}\n").entry_points)


@pytest.fixture
def copied(tmp_path: Path) -> Game:
    """Return Casino Stud, complete, as the game of another package."""
    folder = tmp_path / "stud_copy"
    shutil.copytree(STUD.folder, folder)
    browser_files(folder)
    return replace(STUD, folder=folder)


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], str]:
    """Return the refusal of a package's game."""

    def said(game: object, name: str = "casino_stud") -> str:
        module = ModuleType("a_plugin")
        module.__dict__["GAME"] = game
        monkeypatch.setitem(sys.modules, "a_plugin", module)
        found, wrong = find(points(**{name: "a_plugin:GAME"}))
        assert found == {}
        (refusal,) = wrong.values()
        told = explain(catalogue("en"), refusal)
        assert refusal.code == "game/incomplete"
        assert f"a-plugin ({name.replace('_', '-')})" in told
        return told

    return said


def test_the_five_games_of_the_house_are_found_like_any_other() -> None:
    assert tuple(GAMES)[:5] == SHIPPED == registry.OFFERED
    assert all(GAMES[game].id == game for game in GAMES)


def test_a_complete_game_of_a_package_is_found(
    copied: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("a_plugin")
    module.__dict__["GAME"] = copied
    monkeypatch.setitem(sys.modules, "a_plugin", module)
    assert find(points(casino_stud="a_plugin:GAME")) == ({"casino-stud": copied}, {})


def without(copied: Game, file: str) -> Game:
    (copied.folder / file).unlink()
    return copied


def with_text(copied: Game, file: str, old: str, new: str) -> Game:
    path = copied.folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return copied


WRONG: dict[str, tuple[Callable[[Game], object], str]] = {
    "no game": (lambda game: {"id": game.id}, "leads to a dict, not to a Game"),
    "another id": (lambda game: replace(game, id="stud"), "the game 'stud'"),
    "no edition": (lambda game: replace(game, editions=()), "numbered 1, 2, 3"),
    "a gap in its editions": (
        lambda game: replace(game, editions=(Edition(2, *_first(game)),)),
        "numbered 1, 2, 3",
    ),
    "no layout": (lambda game: without(game, "layout.js"), "layout.js is missing"),
    "no words": (lambda game: without(game, "words/fr.toml"), "words/fr.toml is missing"),
    "no mathematics": (lambda game: replace(game, odds="tapisvert.nowhere"), "tapisvert.nowhere"),
    "a word too few": (
        lambda game: with_text(game, "words/fr.toml", "title = ", "titre = "),
        "words/fr.toml lacks title",
    ),
    "words that are no TOML": (
        lambda game: with_text(game, "words/en.toml", "title = ", "title "),
        "words/en.toml cannot be read",
    ),
    "a wrong figure": (
        lambda game: with_text(game, "sheet.toml", 'flush = "5:1"', 'flush = "five"'),
        "its sheet does not load: play.pays.flush",
    ),
    "proofs of another sheet": (
        lambda game: with_text(game, "sheet.toml", 'flush = "5:1"', 'flush = "7:1"'),
        "no proof of main for its sheet",
    ),
    "proofs that are no JSON": (
        lambda game: with_text(game, "proofs.json", "{", "["),
        "proofs.json cannot be read",
    ),
    "a bet nobody proved": (
        lambda game: replace(game, bets={**game.bets, "tips": Bet(("bonus", "ante"))}),
        "no proof of tips",
    ),
}


def _first(game: Game) -> tuple[Any, type[Sheet]]:
    return game.editions[0].script, game.editions[0].sheet_type


@pytest.mark.parametrize("name", WRONG)
def test_what_is_missing_is_named(
    name: str, copied: Game, refused: Callable[[object], str]
) -> None:
    spoil, said = WRONG[name]
    assert said in refused(spoil(copied))


def test_an_id_that_is_taken_stays_with_the_first(copied: Game) -> None:
    ours = [point for point in entry_points(group=GROUP) if point.name == "casino-stud"]
    found, wrong = find([*points(casino_stud="a_plugin:GAME"), *ours])
    assert found == {"casino-stud": STUD}
    assert "the id is taken" in str(wrong["a-plugin (casino-stud)"])


@pytest.mark.parametrize("value", ["nowhere.at.all:GAME", "tapisvert:NOTHING", "tapisvert.cards"])
def test_an_entry_point_that_fails_harms_no_other_game(value: str) -> None:
    ours = entry_points(group=GROUP)
    found, wrong = find([*points(whist=value), *ours])
    assert set(SHIPPED) <= set(found)
    assert "whist" not in found
    assert [*wrong] == ["a-plugin (whist)"]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1\n\nprint(y)\n", "NameError(\"name 'y' is not defined\") in {name}.py, line 3"),
        ("x = 1\nx = [\n", "SyntaxError: '[' was never closed ({name}.py, line 2)"),
        ("import nowhere_at_all\n", "{name}.py, line 1"),
    ],
)
def test_an_error_in_the_code_of_a_game_has_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, told: str
) -> None:
    name = f"a_game_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    _, wrong = find(points(whist=f"{name}:GAME"))
    assert told.format(name=name) in str(wrong["a-plugin (whist)"].details["reason"])


def test_asking_for_a_refused_game_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    _, wrong = find(points(whist="nowhere:GAME"))
    monkeypatch.setattr(registry, "REFUSED", wrong)
    with pytest.raises(Refused, match="game/incomplete"):
        load("whist")


@pytest.mark.parametrize("game", ["nope", "", "Casino-Stud", None, 7])
def test_a_game_that_is_not_there_is_refused(game: Any) -> None:
    with pytest.raises(Refused, match="request/unknown_game"):
        load(game)
