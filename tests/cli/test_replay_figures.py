"""Every ambiguous rule is a sheet value, which `sheet` of `tapis replay` can change.

Each test plays one deck with the shipped value and with another (tables at the end of docs/rules).
"""

from __future__ import annotations

import json
import re

import pytest

from cli.lines import GAMES, answered, options, refused, told
from cli.typed import typed
from tapisvert.games import registry
from tapisvert.sheets import load

ONE = {"hand-1": 1000}
ANTE = {"ante": 1000}
NO_FLUSH, SIX_HEARTS = "Ac Kc Qd Jd Ts 9s 8h", "Ah 9h 7h 6h 4h 2h Kd"

# High Card Flush ----------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", [{}, {f"raise.most_times.flush-{n}": 1 for n in (5, 6, 7)}])
def test_flush_5_a_table_without_a_raise_of_two_does_not_list_one(sheet: dict[str, int]) -> None:
    listed = list(options(told("high-card-flush", SIX_HEARTS, sheet=sheet)))
    assert listed == (["raise-1", "fold"] if sheet else ["raise-1", "raise-2", "fold"])


@pytest.mark.parametrize(
    ("house", "sheet", "qualifies"),
    [
        ("9c 3c 2c Ad Kd Qs Js", {}, True),
        ("8c 7c 6c Ad Kd Qs Js", {}, False),
        ("9c 3c 2c Ad Kd Qs Js", {"house.qualifies_with": ["T"]}, False),
        ("9c 3c 2c Ad Kd Qs Js", {"house.qualifies_with": ["9", "4"]}, False),
        ("9c 4c 2c Ad Kd Qs Js", {"house.qualifies_with": ["9", "4"]}, True),
        ("8c 7c 6c Ad Kd Qs Js", {"house.qualifies_with": ["8"]}, True),
        ("9c 3c 2c Ad Kd Qs Js", {"house.qualifies_length": 4}, False),
        ("9c 4c 3c 2c Kd Qs Js", {"house.qualifies_length": 4}, True),
        (NO_FLUSH, {"house.qualifies_length": 2}, True),
    ],
)
def test_flush_8_what_the_house_qualifies_with_is_the_sheets(
    house: str, sheet: dict[str, object], qualifies: bool
) -> None:
    deck = f"Kh Jh 7h 4h 2h As Td {house}"
    end = told("high-card-flush", deck, "raise-1", stakes=ANTE, sheet=sheet)
    assert end.returns() == {"ante": 2000, "raise": 2000 if qualifies else 1000}


# Blackjack ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "on_19", "on_11"),
    [
        (None, "double/not-10-or-11", None),
        ("10-11", "double/not-10-or-11", None),
        ("any", None, None),
        ("none", "double/after-split", "double/after-split"),
    ],
)
def test_bj_12_doubling_a_half_is_the_sheets_to_allow(
    rule: str | None, on_19: str | None, on_11: str | None
) -> None:
    sheet = {} if rule is None else {"hand.double_after_split": rule}
    for card, why in (("Ah", on_19), ("3h", on_11)):
        deck = f"8h 8s 7d Tc {card}"
        answer = told("blackjack", deck, "split", stakes=ONE, sheet=sheet)
        assert options(answer)["double"] == (1000, why)
        if why is not None:
            error = refused("blackjack", deck, "split", "double", stakes=ONE, sheet=sheet)
            assert error.code == "choice/not_legal"
    # A hand that was not split is doubled on 10 and 11, whatever the sheet says of halves (bj.10).
    assert options(told("blackjack", "6h 5s 7d Tc", stakes=ONE, sheet=sheet))["double"][1] is None
    nine = options(told("blackjack", "6h 3s 7d Tc", stakes=ONE, sheet=sheet))["double"][1]
    assert nine == "double/not-10-or-11"


def test_bj_5_to_8_prices_and_prizes_are_the_sheets() -> None:
    natural = {"hand.blackjack_pays": "6:5"}
    assert told("blackjack", "Ah Ks 9d Tc", stakes=ONE, sheet=natural).returned == 2200
    even = {"hand.even_money_pays": "2:1"}
    end = told("blackjack", "Ah Ks Ad Tc", "even-money", stakes=ONE, sheet=even)
    assert end.returned == 3000
    insured = {"insurance.pays": "4:1"}
    end = told("blackjack", "Th 9s Ad Kc", "insure", stakes=ONE, sheet=insured)
    assert end.returns() == {"hand-1": 0, "insurance-1": 2500}
    prize = {"royal.prizes_cents.full-house": 123}
    assert told("blackjack", "9s 9h 9d Kc Ks 5c", sheet=prize).line("royal").returned == 123
    share = {"royal.shares.straight-flush": "1:3"}
    third = told("blackjack", "9s 8s 7s 6s Ts 5c", sheet=share)
    assert third.line("royal").returned == 666_666  # of 2,000,000, whole cents
    # The pot of a line is `jackpot_cents`, not where the sheet's own would start.
    reset = {"royal.jackpot.reset_cents": 700}
    assert told("blackjack", "Ks Qs Js Ts As 5c", sheet=reset).returned == 2_000_000


# Ultimate -----------------------------------------------------------------------------------------

HOLDEM = "Kh 3c 9h 3d Kd 9s 7c 4h 2s"  # kings against nines


def test_uth_5_and_6_the_later_raises_are_the_sheets_too() -> None:
    sheet = {"play.after_flop": [1, 3], "play.after_river": [1, 2]}
    second = options(told("ultimate", HOLDEM, "check", sheet=sheet))
    assert list(second) == ["check", "raise-1", "raise-3"]
    third = options(told("ultimate", HOLDEM, "check", "check", sheet=sheet))
    assert list(third) == ["raise-1", "raise-2", "fold"]


# All of them --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_keys_lists_every_figure_and_each_may_be_given_again_as_it_is(game: str) -> None:
    ran = typed("replay", "--keys", game)
    assert (ran.returncode, ran.stderr) == (0, "")
    listed = dict(each.split(" = ", 1) for each in ran.stdout.splitlines())
    everything = {key: json.loads(value) for key, value in listed.items()}
    same = answered(game)
    for key, value in everything.items():
        assert answered(game, sheet={key: value}) == same, key
        assert refused(game, sheet={f"{key}x": value}).code == "sheet/unknown_key"
        assert refused(game, sheet={key: {"a": 1}}).code == "sheet/invalid", key
    assert answered(game, sheet=everything) == same
    assert len(listed) > 20
    assert listed["void_after_s"] == str(load(game).void_after_s)
    written = re.findall(
        r"^([a-z_-]+) = ", (registry.GAMES[game].folder / "sheet.toml").read_text(), re.MULTILINE
    )
    assert {key.rpartition(".")[2] for key in listed} >= {*written} - {"game"}


WRONG: list[tuple[str, str, object]] = [
    ("high-card-flush", "raise.most_times.flush-6", 0),
    ("high-card-flush", "raise.most_times.flush-6", 4),
    ("high-card-flush", "house.qualifies_length", 1),
    ("high-card-flush", "house.qualifies_with", ["9", "T"]),
    ("blackjack", "hand.double_after_split", "11"),
    ("blackjack", "house.hits_soft_17", "no"),
    ("blackjack", "hand.blackjack_pays", "1:3"),
    ("blackjack", "royal.shares.royal-flush", "2:1"),
    ("blackjack", "royal.shares.straight-flush", "0:1"),
    ("pai-gow", "house.not_eligible_with", "nine"),
    ("pai-gow", "caps_cents.round", 0),
    ("ultimate", "play.before_flop", []),
    ("ultimate", "play.before_flop", [4, 3]),
    ("ultimate", "play.before_flop", [5]),
    ("ultimate", "house.opens_with", "ace"),
    ("casino-stud", "step_cents", 0),
    ("casino-stud", "step_cents", 101),
    ("casino-stud", "step_cents", -100),
    ("casino-stud", "step_cents", 100.0),
    ("casino-stud", "step_cents", "100"),
    ("casino-stud", "step_cents", None),
    ("casino-stud", "step_cents", True),
    ("casino-stud", "step_cents", 10**40),
    ("casino-stud", "step_cents", {"cents": 100}),
    ("casino-stud", "spots.ante.min_cents", 10_100),
    ("casino-stud", "spots.ante.max_cents", 50),
    ("casino-stud", "house.qualifies_with", []),
    ("casino-stud", "house.qualifies_with", ["K", "A"]),
    ("casino-stud", "house.qualifies_with", ["ace"]),
    ("casino-stud", "play.times_ante", 0),
    ("casino-stud", "play.pays.flush", "five"),
    ("casino-stud", "play.pays.flush", "5:0"),
    ("casino-stud", "play.pays.flush", "-5:1"),
    ("casino-stud", "play.pays.flush", "5/1"),
    ("casino-stud", "play.pays.flush", "1:3"),
    ("casino-stud", "play.pays.flush", 5.0),
    ("casino-stud", "play.pays.flush", None),
    ("casino-stud", "caps_cents.round", 0),
    ("casino-stud", "published.main", 97.45),
    ("casino-stud", "void_after_s", 0),
]


@pytest.mark.parametrize(("game", "key", "value"), WRONG, ids=str)
def test_a_figure_that_cannot_be_played_by_is_refused_by_name(
    game: str, key: str, value: object
) -> None:
    error = refused(game, sheet={key: value})
    assert error.code == "sheet/invalid"
    # Limits that contradict each other may be told by either, a list by its item.
    assert key in error.message or key.rpartition(".")[0] in error.message
