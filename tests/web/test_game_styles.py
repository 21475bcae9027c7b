"""A game's CSS rules are in its own folder and apply to its own table only."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tapisvert.games.registry import GAMES
from tapisvert.web import assets
from web.test_client_source import GAME_FILE_LINES_MAX

GENERAL = (assets.FOLDER / assets.STYLE).read_text(encoding="utf-8")


def styled() -> list[str]:
    """Return the games with CSS rules."""
    return [game.id for game in GAMES.values() if (game.folder / assets.STYLE_OF_A_GAME).is_file()]


def rules_of(game: str) -> str:
    return (GAMES[game].folder / assets.STYLE_OF_A_GAME).read_text(encoding="utf-8")


def bare(source: str) -> str:
    """Return a style sheet with a space in place of every comment."""
    return re.sub(r"/\*.*?\*/", " ", source, flags=re.DOTALL)


def selectors(source: str) -> Iterator[str]:
    """Yield the top-level selectors of a style sheet."""
    depth = 0
    for head, sign in re.findall(r"([^{};]*)([{};])", bare(source)):
        if sign == "{" and not head.strip().startswith("@"):
            if depth == 0:
                # Commas inside of parentheses separate no selectors.
                yield from re.split(r",(?![^(]*\))", head.strip())
            depth += 1
        elif sign == "}":
            depth = max(0, depth - 1)


def of_another(game: str, source: str) -> list[str]:
    """Return the selectors without the game's own class."""
    own = re.compile(rf"(?:\.table|\.replay)?\.{re.escape(game)}(?![\w-])")
    return [each for each in selectors(source) if not own.match(each.strip())]


def games_named(source: str) -> set[str]:
    """Return the games whose class a style sheet uses."""
    return {game for game in GAMES if re.search(rf"\.{re.escape(game)}(?![\w-])", source)}


def test_the_general_rules_name_no_game() -> None:
    assert games_named(GENERAL) == set()
    assert games_named(".table.pai-gow > .felt { } .flush .ring { } .ultimately { }") == {"pai-gow"}


@pytest.mark.parametrize("game", styled())
def test_a_game_has_rules_for_its_own_table_only(game: str) -> None:
    source = rules_of(game)
    # Every rule is looked at: what is left are at-rules and rules nested in others.
    assert len(list(selectors(source))) == source.count("}") - source.count("@") - source.count("&")
    assert of_another(game, source) == []
    assert len(source.splitlines()) <= GAME_FILE_LINES_MAX
    planted = f".{game} .zone, .zone {{ }} @media print {{ .{game}-x {{ & .hand {{ }} }} }}"
    assert of_another(game, planted) == [" .zone", f".{game}-x"]


def test_the_rules_of_all_games_are_served_before_what_small_felts_change() -> None:
    served = assets.assets()[assets.STYLE].plain.decode()
    before, _, after = GENERAL.partition(assets.GAMES_PLACE.decode())
    assert "@container felt (max-width" in after
    assert "@container felt (max-width" not in before
    rules = "".join(rules_of(game) for game in styled())
    assert len(styled()) == 5
    assert served.split() == bare(before + rules + after).split()
    assert "/*" not in served


def test_a_game_may_do_without_rules_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "STYLE_OF_A_GAME", "another.css")
    served = assets._style(assets.FOLDER / assets.STYLE).decode()
    assert served.split() == bare(GENERAL).split()
