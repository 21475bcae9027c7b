"""The client contains no rules: no figure, bet or hand of any sheet is in its source."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from browser.tables import GAMES
from tapisvert.engine.sheet_file import keys
from tapisvert.ranking.standard import CATEGORIES
from tapisvert.sheets import load
from tapisvert.web.assets import of_game
from web.test_client_source import MODULES, game_of

DRAWINGS = ("js/cards.js", "js/courts.js")  # "straight" is a way to wear the hair
A_DAY_S = 86_400  # which is so long at every table
_COMMENTS = re.compile(r"/\*.*?\*/|(?<!:)//.*?$", re.MULTILINE | re.DOTALL)
_CHIPS = re.compile(r"^(?:const VALUES|export const colour) = .*?\[[\d_, ]+\].*$", re.MULTILINE)


def of_the_sheet(source: str, game: str, bets: Iterable[str]) -> set[str]:
    """Return the sheet values in a program: odds, returns, amounts, delays, bets and hands."""
    code = _COMMENTS.sub("", _CHIPS.sub("", source))  # chips have values of their own
    figures = [value for _, value in keys(load(game))]
    numbers = {value for value in figures if isinstance(value, int) and value > 100} - {A_DAY_S}
    names = {value for value in figures if isinstance(value, str)} | {*CATEGORIES, *bets}
    quoted = set(re.findall(r"['\"`]([\w.:-]+)['\"`]", code)) & names
    written = set(re.findall(r"(?<![\w.#])\d[\d_]*", code))
    return {number for number in written if int(number.replace("_", "")) in numbers} | quoted


@pytest.mark.parametrize("game", GAMES)
def test_no_figure_bet_or_hand_of_the_sheet_is_in_the_program(game: str) -> None:
    bets = {*load(game).layout, "play", "raise"}
    for name, source in MODULES.items():
        if not name.endswith("/layout.js") and name not in DRAWINGS:
            found = of_the_sheet(source, game, bets)
            # `published.main` is the return of any game. Rankings name the hands of which they
            # have examples, which tests/words/test_rankings.py holds against the ranking.
            drawn = name == "js/rankings/standard.js" or game_of(name)
            named = {*CATEGORIES, "blackjack"} if drawn else {"main"}
            assert found <= named, name
    # How a table lies names its bets, and the kinds of hands in an order that test_result.py holds
    # against the ranking; nothing else of its sheet.
    layout = MODULES[of_game(game, "layout.js")]
    assert of_the_sheet(layout, game, bets) <= bets | {*CATEGORIES}


def test_a_figure_in_the_program_would_be_noticed() -> None:
    planted = "if (bet === 'ante' && odds === '100:1') most = 20_000; t('royal-flush'); '97.45'"
    found = {"ante", "100:1", "20_000", "royal-flush", "97.45"}
    assert of_the_sheet(planted, "casino-stud", ["ante"]) == found
