"""The cell of the chart that applies to a question: its key in the advice and on the card."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from houses import Guest, Indifferent, client_of, make_house
from tapisvert.cards import STANDARD, text
from tapisvert.engine.view import AskView, OptionView
from tapisvert.games.blackjack.odds.chart import row_of
from tapisvert.games.blackjack.odds.hands import counts
from tapisvert.games.blackjack.script import split_forbidden, value
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.sheets import load
from tapisvert.web.cards import ChartView, card_of

CHARTED = ("blackjack", "ultimate")


def chart_of(game: str) -> ChartView:
    return card_of(load(game)).chart["en"]


def says(game: str, key: str) -> str:
    """Return the text of the cell with this key; the key is there once."""
    chart = chart_of(game)
    cells: dict[str, str] = {}
    for (_, *texts), keys in zip(chart.rows, chart.keys, strict=True):
        cells |= dict(zip(keys, texts, strict=True))
    assert len(cells) == sum(map(len, chart.keys))
    return cells[key]


@pytest.mark.parametrize("game", SHIPPED)
def test_the_games_with_a_chart_on_the_card_have_keys(game: str) -> None:
    assert (set(card_of(load(game)).chart) == {"en", "fr"}) == (game in CHARTED)
    if game in CHARTED:
        french, english = card_of(load(game)).chart["fr"], chart_of(game)
        assert french.keys == english.keys != ()


# The hand (two cards of each), the choices, and the key of the cell at every question.
DEALS = [
    ("blackjack", "Th 6s  9d", ["stand"], ["hard-16 9"]),
    ("blackjack", "8h 8s  Kd 9c  3c Td", ["split", "stand", "stand"],
     ["pair-8 T", "hard-11 T", "hard-18 T"]),
    ("blackjack", "Ah 6s  2d 9c  4c", ["hit", "stand"], ["soft-17 2", "soft-21 2"]),
    ("blackjack", "5h 2s  6d 9c  4c 8d", ["hit", "hit", "stand"],
     ["hard-7 6", "hard-11 6", "hard-19 6"]),
    ("blackjack", "Ah Qs  9d", [], []),  # a blackjack is paid at once
    ("blackjack", "Th 5s  Ad 9c", ["decline", "stand"], ["", "hard-15 A"]),
    ("ultimate", "Qs Qd  9c 8c  2c 3h 4h 7s 8s", ["check", "check", "fold"], ["QQ", "", ""]),
    ("ultimate", "5d Kd  9c 8c  2c 3h 4h 7s 8s", ["raise-4"], ["K5s"]),
    ("ultimate", "2d 9s  Kc 8c  2c 3h 4h 7s 8s", ["check", "raise-2"], ["92o", ""]),
    ("ultimate", "Td As  Kc 8c  2c 3h 4h 7s 8s", ["raise-3"], ["ATo"]),
    ("casino-stud", "Kh Kd 7c 4s 2d  Ac", ["play"], [""]),
]  # fmt: skip


@pytest.mark.parametrize(("game", "cards", "choices", "cells"), DEALS)
def test_the_advice_names_the_cell_of_the_hand(
    tmp_path: Path, game: str, cards: str, choices: list[str], cells: list[str]
) -> None:
    spot = "hand-1" if game == "blackjack" else "ante"
    stakes = {"ante": 1000, "blind": 1000} if game == "ultimate" else {spot: 1000}
    found = []
    with client_of(make_house(tmp_path / "tapis.db", cards), Indifferent()) as client:
        guest = Guest(client)
        round_ = guest.open(stakes, game=game).json()["round"]
        for choice in choices:
            advice = guest.get(f"/rounds/{round_['id']}/advice").json()
            found.append(advice["chart_cell"])
            round_ = guest.choose(round_["id"], choice, advice["step"]).json()["round"]
    assert found == cells


def asked(cards: tuple[int, ...], *options: str) -> AskView:
    """Return a question of Blackjack on a hand."""
    told = (OptionView(each, "", 0, True, None, False, {}, True) for each in options)
    return AskView(0, "play", "hand-1", tuple(told))


def test_the_rows_of_blackjack_are_those_of_its_mathematics() -> None:
    chance, cell = Random(3), GAMES["blackjack"].chart_cell
    longer = [tuple(chance.sample(STANDARD, chance.randrange(3, 6))) for _ in range(2000)]
    for cards in [*combinations(STANDARD, 2), *longer]:
        hands = {"hand-1": tuple(map(text, cards)), "house": ("Kd", "??")}
        hand = counts([(value(card) - 1) % 10 for card in cards])  # aces first
        pair = split_forbidden(cards) is None
        found = cell(asked(cards, "hit", "stand", *["split"] * pair), hands)
        assert found == f"{row_of(hand)} T", hands
        assert cell(asked(cards, "hit", "stand"), hands) == f"{row_of(hand, pairs=False)} T"


def test_every_starting_hand_of_ultimate_has_its_cell() -> None:
    cell, square = GAMES["ultimate"].chart_cell, chart_of("ultimate").keys
    nothing = AskView(0, "before-flop", None, ())
    found = {cell(nothing, {"player": (text(a), text(b))}) for a, b in combinations(STANDARD, 2)}
    assert found == {key for row in square for key in row}
    assert len(found) == 169


def test_a_key_belongs_to_the_cell_of_its_hand() -> None:
    assert says("blackjack", "pair-8 T") == says("blackjack", "pair-A 6") == "P"
    assert says("blackjack", "hard-16 6") == "S"
    assert says("blackjack", "hard-16 7") == "H"
    assert says("ultimate", "AA").startswith("4×")
    assert not says("ultimate", "92o").startswith(("3×", "4×"))
