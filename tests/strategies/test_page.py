"""docs/strategies.md has the words and figures of today.

Games that take minutes to count are checked by `make soak` (tests/soak/strategies.py).
"""

from __future__ import annotations

import tomllib

import pytest

import strategies_page
from tapisvert.games.registry import SHIPPED
from tapisvert.strategies.strategy_file import check, shipped, typed
from tiers import long

PAGE = strategies_page.PAGE.read_text(encoding="utf-8")
GAMES = [game for game in SHIPPED if shipped(game)]
QUICK = ("casino-stud", "high-card-flush")


def test_every_word_of_every_vocabulary_is_on_the_page() -> None:
    assert strategies_page.replaced(PAGE, "words", strategies_page.words()) == PAGE
    for game in GAMES:
        vocabulary = strategies_page.vocabulary_of(game)
        assert vocabulary is not None
        for question in vocabulary.questions.values():
            for name in question.words:
                assert f"| `{name}` |" in PAGE


@long
@pytest.mark.parametrize("game", QUICK)
def test_the_figures_of_the_page_are_those_counted_today(game: str) -> None:
    assert strategies_page.replaced(PAGE, game, strategies_page.published(game)) == PAGE


@long
def test_a_changed_figure_is_noticed() -> None:
    changed = PAGE.replace("| 5.2245 |", "| 5.2246 |")
    assert changed != PAGE
    assert strategies_page.written(changed, ["casino-stud"]) == PAGE


def test_the_cards_of_the_page_are_those_that_ship() -> None:
    assert strategies_page.replaced(PAGE, "short", strategies_page.short()) == PAGE


def test_the_example_of_the_page_is_a_strategy() -> None:
    example = PAGE.partition("```toml\n")[2].partition("```")[0]
    file = typed(tomllib.loads(example), "example")
    vocabulary = strategies_page.vocabulary_of(file.game)
    assert vocabulary is not None
    check(file, vocabulary)
