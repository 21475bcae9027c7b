"""The package as the house meets it: found by its entry point, proved, drawn, and light."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import entry_points
from itertools import pairwise
from pathlib import Path

import pytest
from tapisvert.cards import parse_hand
from tapisvert.games.chart_page import Grid
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.lab import chart_store, proof_store
from tapisvert.lab.mathematics import prove, strategy
from tapisvert.words import LANGUAGES, catalogue

from rounds import SHEET, sheet_with
from three_card_poker import GAME
from three_card_poker.ranking import CATEGORIES, category, strength

SOURCE = Path(GAME.folder)
SURFACE = (  # what a game may import of the house
    *("tapisvert.cards", "tapisvert.engine", "tapisvert.games.chart_page", "tapisvert.games.game"),
    *("tapisvert.odds", "tapisvert.ranking", "tapisvert.refusal"),
)


def test_the_house_finds_the_game_by_its_entry_point_and_does_not_ship_it() -> None:
    [found] = [each for each in entry_points(group="tapisvert.games") if each.name == GAME.id]
    assert found.load() is GAME
    assert GAMES[GAME.id] is GAME
    assert GAME.id not in SHIPPED


def test_only_the_documented_surface_of_the_house_is_imported() -> None:
    for path in SOURCE.rglob("*.py"):
        written = path.read_text(encoding="utf-8")
        for module in re.findall(r"^(?:from|import) (tapisvert[\w.]*)", written, re.MULTILINE):
            assert module.startswith(SURFACE), f"{path.name} imports {module}"


def test_importing_the_game_loads_neither_numpy_nor_numba() -> None:
    asked = "import sys, three_card_poker; print({'numpy', 'numba'} & sys.modules.keys())"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


def test_the_kept_proofs_and_chart_are_what_the_mathematics_counts() -> None:
    counted = [proof_store.written(SHEET, figure) for figure in prove(SHEET)]
    kept = proof_store.find(SHEET)
    assert {(each.bet, each.strategy): each for each in kept} == {
        (each.bet, each.strategy): each for each in counted
    }
    assert (kept[0].bet, kept[0].strategy) == ("main", "optimal")
    assert chart_store.find(SHEET) == chart_store.plain(strategy(SHEET))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chart_is_drawn_as_one_sentence_where_no_hand_lies_between(language: str) -> None:
    words = catalogue(language)
    [told] = GAME.draw_chart(words, chart_store.find(SHEET))
    assert isinstance(told, str)
    assert f"{words.ranks('Q64')} " in told
    assert f"{words.ranks('Q63')} " in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_hands_that_are_played_in_part_are_drawn_in_a_grid(language: str) -> None:
    line = {
        "plays_from": "pair 22",
        "folds_to": None,
        "between": [{"hand": "high-card AKJ", "positions": 60, "played": "1/3"}],
    }
    told, grid = GAME.draw_chart(catalogue(language), line)
    assert isinstance(told, str)
    assert isinstance(grid, Grid)
    assert [len(row) for row in grid.rows] == [len(grid.heads)] == [3]
    never = sheet_with({"ante.pays": "0:1", "play.times_ante": 100, "play.pays": "0:1"})
    assert GAME.draw_chart(catalogue(language), chart_store.plain(strategy(never)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_every_game_of_the_house_says_this_one_says_too(language: str) -> None:
    templates = catalogue(language).templates
    of_each = [
        {key.removeprefix(f"{game}.") for key in templates if key.startswith(f"{game}.")}
        for game in (GAME.id, *SHIPPED)
    ]
    assert set.intersection(*of_each[1:]) - of_each[0] == set()


def test_three_16_the_hands_that_help_draws_are_in_the_order_of_the_rules() -> None:
    written = (SOURCE / "rankings.js").read_text(encoding="utf-8")
    drawn = re.findall(r"\{ is: '([\w-]+)',(?: as: '([\w-]+)',)? cards: '([^']+)' \}", written)
    hands = [(kind, parse_hand(cards.replace(" |", ""))) for kind, _, cards in drawn]
    assert [category(strength(cards)) for _, cards in hands] == [kind for kind, _ in hands]
    assert all(strength(one) > strength(other) for (_, one), (_, other) in pairwise(hands))
    assert tuple(dict.fromkeys(kind for kind, _ in reversed(hands))) == CATEGORIES
    for language in LANGUAGES:
        words = catalogue(language)
        for kind, told, _ in drawn:
            assert words.find(f"row.{kind}", GAME.id)
            assert words.find(f"ranking.{told or kind}", GAME.id)
            text = words.find(f"ranking.{told or kind}", GAME.id) or ""
            assert not re.search("five|cinq|2-3-4", text, re.IGNORECASE)  # of five-card hands


def test_the_browsers_files_keep_to_a_hundred_columns() -> None:
    for path in SOURCE.glob("*.js"):
        assert max(map(len, path.read_text(encoding="utf-8").splitlines())) <= 100, path.name
