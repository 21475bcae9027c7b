"""Ultimate Texas Hold'em against RULES section 5: each sentence of it, on whole decks.

Figures are typed here once more from RULES, never read from the product's data.
"""

from __future__ import annotations

import pytest

from games.replayed import options, replayed, returned
from tapisvert.engine import Transcript, events
from tapisvert.refusal import Refused

STAKES = {"ante": 1000, "blind": 1000}
BOARD = "Kd 9s 7c 4h 2s"  # nothing on it: pairs decide
PAIR, LOW_PAIR, NOTHING = "Kh 3c", "9h 3d", "Qh Jd"


def play(
    player: str,
    house: str,
    board: str,
    *choices: str,
    stakes: dict[str, int] = STAKES,
    changes: dict[str, object] | None = None,
) -> Transcript:
    return replayed("ultimate", f"{player} {house} {board}", stakes, choices, changes)


def offered(round: Transcript) -> dict[str, int]:
    return {name: option.stake_cents for name, option in options(round).items()}


def test_uth_4_and_5_and_6_three_steps_each_offer_their_raise() -> None:
    assert offered(play(PAIR, NOTHING, BOARD)) == {"check": 0, "raise-3": 3000, "raise-4": 4000}
    assert offered(play(PAIR, NOTHING, BOARD, "check")) == {"check": 0, "raise-2": 2000}
    assert offered(play(PAIR, NOTHING, BOARD, "check", "check")) == {"raise-1": 1000, "fold": 0}


@pytest.mark.parametrize(("choices", "shown"), [((), 0), (("check",), 3), (("check", "check"), 5)])
def test_uth_3_and_5_the_board_comes_step_by_step_and_the_house_stays_face_down(
    choices: tuple[str, ...], shown: int
) -> None:
    dealt = [
        event
        for event in play(PAIR, NOTHING, BOARD, *choices).events
        if isinstance(event, events.Dealt)
    ]
    assert sum(len(event.cards) for event in dealt if event.zone == "board") == shown
    assert [event.cards for event in dealt if event.zone == "house"] == [(None, None)]


@pytest.mark.parametrize(
    ("choices", "times"),
    [
        (("raise-4",), 4),
        (("raise-3",), 3),
        (("check", "raise-2"), 2),
        (("check",) * 2 + ("raise-1",), 1),
    ],
)
def test_uth_7_and_10_one_raise_at_most_and_the_rest_is_dealt(
    choices: tuple[str, ...], times: int
) -> None:
    round = play(PAIR, LOW_PAIR, BOARD, *choices)
    assert round.settled
    assert round.stakes["play"] == times * 1000
    assert returned(round) == {"ante": 2000, "blind": 1000, "play": 2 * times * 1000}


@pytest.mark.parametrize(
    "wrong", [("raise-2",), ("fold",), ("check", "raise-4"), ("check", "fold")]
)
def test_uth_7_what_a_step_does_not_offer_is_refused(wrong: tuple[str, ...]) -> None:
    with pytest.raises(Refused, match="choice/not_offered"):
        play(PAIR, NOTHING, BOARD, *wrong)


def test_uth_6_a_fold_loses_ante_and_blind_and_shows_no_card_of_the_house() -> None:
    round = play(NOTHING, PAIR, BOARD, "check", "check", "fold")
    assert returned(round) == {"ante": 0, "blind": 0}
    assert not any(isinstance(event, events.Revealed) for event in round.events)


def test_uth_9_a_house_under_a_pair_returns_the_ante_whoever_wins() -> None:
    assert returned(play("Ah 3c", NOTHING, BOARD, "raise-4")) == {
        "ante": 1000, "blind": 1000, "play": 8000,
    }  # fmt: skip
    assert returned(play("Th 8d", "Ah Qc", BOARD, "raise-4")) == {
        "ante": 1000, "blind": 0, "play": 0,
    }  # fmt: skip


def test_uth_12_a_house_that_opens_and_is_better_takes_ante_blind_and_play() -> None:
    assert returned(play(LOW_PAIR, PAIR, BOARD, "raise-3")) == {"ante": 0, "blind": 0, "play": 0}


@pytest.mark.parametrize("board", ["Ad Ks Qc Jh Ts", "Ad Kd Qd Jd Td", "Kd 9s 7c 4h 2s"])
def test_uth_8_and_11_a_tie_returns_everything(board: str) -> None:
    tie = play(
        "Ah 3c" if board == BOARD else "2h 3c",
        "Ac 3d" if board == BOARD else "2c 3d",
        board,
        "raise-4",
    )
    assert returned(tie) == {"ante": 1000, "blind": 1000, "play": 4000}


# The player's seven cards, what blind pays (None: returned) and what trips pays (None: lost).
ROWS = {
    "royal flush": ("As Ks", "Qs Js Ts 2d 3c", 500, 50),
    "straight flush": ("9s 8s", "7s 6s 5s 2d 3c", 50, 40),
    "straight flush, lowest": ("As 2s", "3s 4s 5s Kd 9c", 50, 40),
    "four of a kind": ("9s 9h", "9d 9c 5s 2d 3c", 10, 30),
    "full house": ("9s 9h", "9d 5c 5s 2d Kc", 3, 8),
    "flush": ("As 9s", "7s 4s 2s Kd 5c", 1.5, 7),
    "straight": ("9s 8h", "7d 6c 5s 2d Kc", 1, 4),
    "three of a kind": ("9s 9h", "9d 6c 4s 2d Kc", None, 3),
    "two pair": ("9s 6h", "9d 6c 4s 2d Kc", None, None),
    "pair": ("9s 8h", "9d 6c 4s 2d Kc", None, None),
}


@pytest.mark.parametrize("row", ROWS)
def test_uth_8_and_10_blind_pays_by_its_table_and_comes_back_below_a_straight(row: str) -> None:
    player, board, odds, _ = ROWS[row]
    house = "Jd 8c" if row != "royal flush" else "4d 4c"
    round = play(player, house, board, "raise-4")
    assert returned(round)["blind"] == (1000 if odds is None else int(1000 * (1 + odds)))


@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("row", ROWS)
def test_uth_13_trips_pays_on_the_final_hand_also_after_a_fold(row: str, folded: bool) -> None:
    player, board, _, odds = ROWS[row]
    choices = ("check", "check", "fold") if folded else ("raise-4",)
    round = play(player, "Jd 8c", board, *choices, stakes={**STAKES, "trips": 500})
    assert returned(round)["trips"] == (0 if odds is None else 500 * (1 + odds))


def test_uth_10_blind_pays_though_the_house_has_not_opened() -> None:
    round = play("9s 8h", "Kh Jc", "7d 6c 5s 2d Ac", "raise-4")
    assert returned(round) == {"ante": 1000, "blind": 2000, "play": 8000}


@pytest.mark.parametrize(
    ("stakes", "code"),
    [
        ({"ante": 1000}, "stake/missing"),
        ({"ante": 1000, "blind": 900}, "stake/"),
        ({"ante": 1000, "blind": 1100}, "stake/over_limit"),
        ({"blind": 1000}, "stake/"),
        ({"trips": 100}, "stake/needs_main"),
        ({"ante": 1000, "blind": 1000, "play": 1000}, "stake/unknown"),
        ({"ante": 1000, "blind": 1000, "trips": 10_100}, "stake/over_limit"),
        ({"ante": 10_100, "blind": 10_100}, "stake/over_limit"),
    ],
)
def test_uth_2_the_blind_equals_the_ante_and_limits_hold(stakes: dict[str, int], code: str) -> None:
    with pytest.raises(Refused, match=code):
        play(PAIR, NOTHING, BOARD, stakes=stakes)


def test_uth_4_and_9_raises_and_the_opening_hand_are_the_sheets() -> None:
    changed: dict[str, object] = {"play.before_flop": [2], "house.opens_with": "two-pair"}
    assert offered(play(PAIR, LOW_PAIR, BOARD, changes=changed)) == {"check": 0, "raise-2": 2000}
    round = play(PAIR, LOW_PAIR, BOARD, "raise-2", changes=changed)
    assert returned(round) == {"ante": 1000, "blind": 1000, "play": 4000}
