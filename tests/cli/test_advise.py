"""`tapis advise`: its input and output lines."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from games.stud import TAPIS
from tapisvert.cli.advise import answer_line
from tapisvert.cli.json_lines import answer_lines

STUD = {"game": "casino-stud", "player": ["As", "Kd", "Qh", "5c", "3d"], "house": ["Ac"]}
BLACKJACK = {"game": "blackjack", "hand": ["8s", "8d"], "up": "9d"}


def answered(position: object) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(answer_line(msgspec.json.encode(position)))
    return found


def refused(position: object) -> tuple[str, str]:
    error = answered(position)["error"]
    return error["code"], error["message"]


def test_options_have_values_and_one_is_best() -> None:
    assert answered(STUD) == {
        "options": {"play": pytest.approx(-0.7219903790176794, abs=1e-12), "fold": -1.0},
        "best": "play",
    }


def test_a_sheet_may_be_changed() -> None:
    changed = answered({**STUD, "sheet": {"ante.pays": "2:1"}})
    assert changed["options"]["play"] > answered(STUD)["options"]["play"]


def test_blackjack_values_a_split_only_where_it_is_offered() -> None:
    assert set(answered(BLACKJACK)["options"]) == {"stand", "hit"}
    found = answered({**BLACKJACK, "can_split": True})
    assert set(found["options"]) == {"stand", "hit", "split"}
    assert found["best"] == "split"


def test_insurance_has_a_best_of_its_own() -> None:
    found = answered({**BLACKJACK, "up": "Ad", "can_split": True})
    assert (found["best"], found["insurance"]) == ("split", "decline")
    even = answered({**BLACKJACK, "hand": ["As", "Kd"], "up": "Ad"})
    assert (even["best"], set(even["options"])) == ("decline", {"even-money", "decline"})
    assert "insurance" not in even


def test_a_hand_that_is_asked_nothing_has_no_options() -> None:
    assert answered({**BLACKJACK, "hand": ["8s", "8d", "5d"]}) == {"options": {}, "best": None}


@pytest.mark.parametrize(
    ("position", "code"),
    [
        ([], "request/malformed"),
        ({}, "request/malformed"),
        ({"game": 3}, "request/malformed"),
        ({"game": "baccarat"}, "request/unknown_game"),
        ({**STUD, "deck": []}, "request/malformed"),
        ({"game": "casino-stud", "player": STUD["player"]}, "request/malformed"),
        ({**STUD, "house": "Ac"}, "request/malformed"),
        ({**STUD, "house": ["Xx"]}, "request/malformed"),
        ({**STUD, "house": [3]}, "request/malformed"),
        ({**STUD, "sheet": []}, "request/malformed"),
        ({**STUD, "sheet": {"moon": 1}}, "sheet/unknown_key"),
        ({**STUD, "house": ["As"]}, "advice/impossible"),
        ({**STUD, "house": ["Jk"]}, "advice/impossible"),
        ({**STUD, "house": []}, "advice/impossible"),
        ({**STUD, "player": ["As"]}, "advice/impossible"),
        ({**BLACKJACK, "hand": ["8s"]}, "advice/impossible"),
        ({**BLACKJACK, "up": None}, "request/malformed"),
        ({**BLACKJACK, "can_split": 1}, "request/malformed"),
        ({**BLACKJACK, "other_half": ["9c"]}, "advice/impossible"),
        ({"game": "ultimate", "player": ["As", "Ks"], "board": ["2c"]}, "advice/impossible"),
        ({"game": "ultimate", "player": ["As", "Ks"], "sheet": {"trips.pays.flush": "6:1"}}, None),
        (
            {"game": "ultimate", "player": ["As", "Ks"], "sheet": {"play.before_flop": [4]}},
            "advice/not_proved",
        ),
    ],
)
def test_what_cannot_be_answered_says_why(position: object, code: str | None) -> None:
    if code is None:  # the chart depends on the main bet only
        assert answered(position)["best"] == "raise-4"
    else:
        assert refused(position)[0] == code


FLUSH = {"game": "high-card-flush", "player": ["As", "Ks", "5s", "4d", "3d", "2c", "9h"]}
PAI_GOW = {"game": "pai-gow", "player": ["As", "Ad", "Kh", "Kc", "7d", "4c", "Jk"]}
ULTIMATE = {"game": "ultimate", "player": ["As", "Ks"], "board": ["2c", "3c", "4d"]}


def impossible() -> Iterator[dict[str, Any]]:
    """Yield positions that cannot occur."""
    for good, name in ((STUD, "player"), (FLUSH, "player"), (PAI_GOW, "player")):
        cards = good[name]
        assert isinstance(cards, list)
        yield {**good, name: cards[:-1]}
        yield {**good, name: [*cards, "6h"]}
        yield {**good, name: []}
        yield {**good, name: [*cards[:-1], cards[0]]}
    for good in (STUD, FLUSH, ULTIMATE):
        yield {**good, "player": ["Jk", *good["player"][1:]]}
    yield {**PAI_GOW, "player": ["Jk", "Jk", *PAI_GOW["player"][2:]]}
    for house in ([], ["As"], ["Jk"], ["2c", "3c"]):
        yield {**STUD, "house": house}
    for player in ([], ["As"], ["As", "As"], ["As", "Ks", "Qs"], ["As", "2c"]):
        yield {**ULTIMATE, "player": player}
    board = ["2c", "3c", "4d", "5d", "6h", "7h"]
    for length in (1, 2, 4, 6):
        yield {**ULTIMATE, "board": board[:length]}
    for wrong in (["2c", "3c", "2c"], ["2c", "3c", "Jk"], ["2c", "3c", "As"]):
        yield {**ULTIMATE, "board": wrong}
    blackjack: list[dict[str, Any]] = [
        {"hand": []},
        {"hand": ["8s"]},
        {"hand": ["8s", "8s"]},
        {"hand": ["8s", "Jk"]},
        {"hand": ["8s", "9d"]},  # the up card
        {"hand": ["Ts", "Th", "Tc", "3c"]},
        {"hand": [rank + suit for rank in "A23" for suit in "cdhs"]},  # twelve, more than 21
        {"up": "Jk"},
        {"seen": ["8s"]},
        {"seen": ["2c", "2c"]},
        {"seen": ["Jk"]},
        {"seen": [rank + suit for rank in "23456789TJQK" for suit in "ch"] + ["Td"] * 30},
        {"other_half": ["9c"]},
        {"other_half": ["8s"]},
        {"other_half": ["Td", "2c"]},
        {"other_half": ["8c", "Td", "Th", "5c"]},
        {"other_doubled": True},
        {"other_half": ["8c", "3c"], "other_doubled": True},
    ]
    for changes in blackjack:
        yield {**BLACKJACK, **changes}


def test_what_cannot_lie_on_a_table_is_refused_and_the_stream_goes_on() -> None:
    good = msgspec.json.encode(STUD)
    wrong = list(impossible())
    lines = [line for each in wrong for line in (msgspec.json.encode(each), good)]
    answers = list(answer_lines(lines, answer_line))
    for position, refusal, after in zip(wrong, answers[::2], answers[1::2], strict=True):
        assert b'"advice/impossible"' in refusal, position
        assert b'"best":"play"' in after


def test_a_bad_line_does_not_end_the_stream() -> None:
    good = msgspec.json.encode(STUD)
    first, second, third = answer_lines([b"{\n", b"  \n", good, b"\xff\n"], answer_line)
    assert b"request/malformed" in first
    assert b'"best":"play"' in second
    assert b"request/malformed" in third


def test_the_command_answers_line_by_line() -> None:
    line = msgspec.json.encode(STUD).decode()
    done = subprocess.run(
        [TAPIS, "advise"], input=f"{line}\n{line}\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.count('"best":"play"') == 2
