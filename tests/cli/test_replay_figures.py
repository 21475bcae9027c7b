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
BOTH = {"ante": 1000, "blind": 1000}
NO_FLUSH = "Ac Kc Qd Jd Ts 9s 8h"

# High Card Flush ----------------------------------------------------------------------------------

FLUSHES = {
    2: "Ah 9h Kd 7d Qs 5s 2c",
    3: "Ah 9h 2h Kd 7d Qs 5s",
    4: "Ah 9h 4h 2h Kd 7d Qs",
    5: "Ah 9h 6h 4h 2h Kd 7d",
    6: "Ah 9h 7h 6h 4h 2h Kd",
    7: "Ah Jh 9h 7h 6h 4h 2h",
}


@pytest.mark.parametrize("allowed", [6, 7, 2])
def test_flush_5_a_raise_of_three_is_legal_where_the_sheet_allows_it_and_nowhere_else(
    allowed: int,
) -> None:
    sheet = {f"raise.most_times.flush-{allowed}": 3}
    for length, player in FLUSHES.items():
        assert list(options(told("high-card-flush", player))) == ["raise-1", "raise-2", "fold"]
        found = options(told("high-card-flush", player, sheet=sheet))
        assert list(found) == ["raise-1", "raise-2", "raise-3", "fold"]
        assert found["raise-3"] == (3000, None if length == allowed else "raise/too-short")
        assert (found["raise-2"][1] is None) == (length >= 5 or length == allowed)
        assert found["raise-1"][1] is None
        if length == allowed:
            end = told("high-card-flush", player, "raise-3", sheet=sheet)
            assert end.line("raise").staked == 3000
        else:
            error = refused("high-card-flush", player, "raise-3", sheet=sheet)
            assert error.code == "choice/not_legal"


@pytest.mark.parametrize("sheet", [{}, {f"raise.most_times.flush-{n}": 1 for n in (5, 6, 7)}])
def test_flush_5_a_table_without_a_raise_of_two_does_not_list_one(sheet: dict[str, int]) -> None:
    listed = list(options(told("high-card-flush", FLUSHES[6], sheet=sheet)))
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


def test_bj_13_a_house_that_stands_on_a_soft_17() -> None:
    deck = "Th 8s 6d Ac 4h"  # 18 against a soft 17, which the four makes 21
    assert told("blackjack", deck, "stand", stakes=ONE).returns() == {"hand-1": 0}
    stands = {"house.hits_soft_17": False}
    end = told("blackjack", deck, "stand", stakes=ONE, sheet=stands)
    assert (end.returns(), end.hands["house"]) == ({"hand-1": 2000}, ["6d", "Ac"])
    hard = told("blackjack", "Th 8s 7d Tc", "stand", stakes=ONE, sheet=stands)
    assert hard.returns() == told("blackjack", "Th 8s 7d Tc", "stand", stakes=ONE).returns()


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


# Pai Gow ------------------------------------------------------------------------------------------

WINS_BOTH = "As Ah Ks Kh 7d 6c 2s"
NINE_LOW = "Td Tc 9c 7c 4c 3d 2d"  # tens high, nine-seven low: the pair stays (house way, 11)


@pytest.mark.parametrize(("rank", "eligible"), [(None, False), ("9", False), ("8", True)])
def test_pai_9_with_which_card_the_house_is_not_eligible_is_the_sheets(
    rank: str | None, eligible: bool
) -> None:
    sheet = {} if rank is None else {"house.not_eligible_with": rank}
    end = told("pai-gow", f"{WINS_BOTH} {NINE_LOW}", "Ks Kh", stakes={"main": 1000}, sheet=sheet)
    assert end.hands["house-low"] == ["9c", "7c"]
    assert end.returns() == {"main": 2000 if eligible else 1000}


def test_pai_9_a_seven_that_makes_the_house_not_eligible_spares_a_nine() -> None:
    deck = f"{WINS_BOTH} Td Tc 7c 6d 4c 3d 2d"
    stakes = {"main": 1000}
    assert told("pai-gow", deck, "Ks Kh", stakes=stakes).returned == 2000
    sheet = {"house.not_eligible_with": "7"}
    assert told("pai-gow", deck, "Ks Kh", stakes=stakes, sheet=sheet).returned == 1000


RUN = "9s 8s 7s 6s 5s 4s 3s"  # a seven-card straight flush: 8000:1


def test_pai_11_the_cap_on_the_round_cuts_the_largest_line_and_says_so() -> None:
    deck, stakes = f"{RUN} {NINE_LOW}", {"main": 10_000, "fortune": 3_000}
    free = told("pai-gow", deck, "4s 3s", stakes=stakes)
    assert free.returns() == {"main": 10_000, "fortune": 3_000 * 8001}
    assert not any(each.capped for each in free.lines)
    cut = told("pai-gow", deck, "4s 3s", stakes=stakes, sheet={"caps_cents.round": 500_000})
    assert cut.returns() == {"main": 10_000, "fortune": 490_000}
    assert [each.capped for each in cut.lines] == [False, True]
    assert cut.returned == 500_000
    none = told("pai-gow", deck, "4s 3s", stakes=stakes, sheet={"caps_cents.round": 1})
    assert none.returned == 1


# Ultimate -----------------------------------------------------------------------------------------

HOLDEM = "Kh 3c 9h 3d Kd 9s 7c 4h 2s"  # kings against nines


@pytest.mark.parametrize("raises", [[4], [3], [1, 2, 3, 4], [2, 4]])
def test_uth_4_the_raises_before_the_flop_are_the_sheets(raises: list[int]) -> None:
    sheet = {"play.before_flop": raises}
    offers = {f"raise-{times}": (times * 1000, None) for times in raises}
    first = options(told("ultimate", HOLDEM, sheet=sheet))
    assert first == {"check": (0, None), **offers}
    assert list(first) == ["check", *offers]
    for times in range(1, 5):
        choice = f"raise-{times}"
        if times in raises:
            end = told("ultimate", HOLDEM, choice, stakes=BOTH, sheet=sheet)
            assert end.line("play").staked == times * 1000
        else:
            assert refused("ultimate", HOLDEM, choice, sheet=sheet).code == "choice/not_offered"


def test_uth_5_and_6_the_later_raises_are_the_sheets_too() -> None:
    sheet = {"play.after_flop": [1, 3], "play.after_river": [1, 2]}
    second = options(told("ultimate", HOLDEM, "check", sheet=sheet))
    assert list(second) == ["check", "raise-1", "raise-3"]
    third = options(told("ultimate", HOLDEM, "check", "check", sheet=sheet))
    assert list(third) == ["raise-1", "raise-2", "fold"]


@pytest.mark.parametrize(
    ("opens_with", "ante"),
    [(None, 2000), ("pair", 2000), ("high-card", 2000), ("two-pair", 1000), ("flush", 1000)],
)
def test_uth_9_what_the_house_opens_with_is_the_sheets(opens_with: str | None, ante: int) -> None:
    sheet = {} if opens_with is None else {"house.opens_with": opens_with}
    end = told("ultimate", HOLDEM, "raise-4", stakes=BOTH, sheet=sheet)
    assert end.returns() == {"ante": ante, "blind": 1000, "play": 8000}


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
]


@pytest.mark.parametrize(("game", "key", "value"), WRONG, ids=str)
def test_a_figure_that_cannot_be_played_by_is_refused_by_name(
    game: str, key: str, value: object
) -> None:
    error = refused(game, sheet={key: value})
    assert error.code == "sheet/invalid"
    assert key in error.message
