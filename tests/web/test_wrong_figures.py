"""Own rules with a figure that cannot be: refused with the house's figure as an example."""

from __future__ import annotations

import pytest

from houses import Guest
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import keys
from tapisvert.games.registry import SHIPPED
from tapisvert.refusal import Refused
from tapisvert.rounds.own_rules import RulesRequest, chosen, stays
from tapisvert.sheets import load

WRONG: tuple[object, ...] = (
    None,
    -1,
    10**12,
    1.5,
    "x",
    "1:0",
    "999999999:1",
    [],
    ["A", 1],
    ["ZZ"],
    {},
    {"a": 1},
)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"play.pays.five-aces": "6:1"}, "“play.pays.five-aces” is not a figure of this game."),
        ({"void_after_s": 60}, "void_after_s: this figure stays that of the house."),
        ({"ante.pays": "6/1"}, "“ante.pays” cannot have this value; the house’s is 1:1."),
        (
            {"house.qualifies_with": "ZZ"},
            "“house.qualifies_with” cannot have this value; the house’s is ",
        ),
        (
            {"house.qualifies_with": ["A", 1]},
            "“house.qualifies_with[1]” cannot have this value; the house’s is ",
        ),
        ({"play.times_ante": -1}, "“play.times_ante” cannot have this value; the house’s is 2."),
    ],
)
def test_a_refusal_names_the_figure_and_shows_the_houses(
    guest: Guest, changes: dict[str, object], sentence: str
) -> None:
    """It has no words of the validator: they are English, and about its types."""
    problem = guest.post("/games/casino-stud/rules", {"changes": changes}).json()
    assert problem["detail"].startswith(sentence)
    assert len(problem["detail"]) < len(sentence) + 20


def refused(house: Sheet, key: str, value: object) -> Refused | None:
    try:
        chosen(house, RulesRequest(changes={key: value}))
    except Refused as refusal:
        return refusal
    return None


@pytest.mark.parametrize("game", SHIPPED)
def test_every_figure_of_a_game_refuses_what_it_cannot_be(game: str) -> None:
    house = load(game)
    for key, _ in keys(house):
        if stays(game, key):
            continue
        found = [each for wrong in WRONG if (each := refused(house, key, wrong))]
        assert len(found) >= len(WRONG) - 3, key
        assert {each.code for each in found} == {"rules/invalid"}
        assert all(each.details["here"] for each in found)
