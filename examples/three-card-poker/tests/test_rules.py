"""The rules, clause by clause. Figures are typed here once more, never read from the sheet."""

from __future__ import annotations

import pytest
from tapisvert.cards import STANDARD
from tapisvert.engine import replay
from tapisvert.engine.events import Asked
from tapisvert.refusal import Refused

from rounds import NOT_QUALIFIED, QUALIFIED, SHEET, play, returned, seen, sheet_with
from three_card_poker import GAME

HANDS = {  # a hand of each kind, what the bonus pays on it, what Pair Plus pays
    "straight flush": ("Js Ts 9s", 5, 40),
    "lowest straight flush": ("3s 2s As", 5, 40),
    "three of a kind": ("7s 7d 7c", 4, 30),
    "straight": ("9s 8c 7d", 1, 6),
    "lowest straight": ("3s 2c Ad", 1, 6),
    "flush": ("Js 7s 4s", 0, 4),
    "pair": ("7s 7d 4c", 0, 1),
    "high card": ("As 7d 4c", 0, None),
}
each_hand = pytest.mark.parametrize(("player", "bonus", "plus"), HANDS.values(), ids=HANDS)
QUALIFYING = ("Qc 3d 2h", "Kc 3d 2h", "Ac Td 2h", "2c 2d 3h", "8c 5c 2c", "Ac 3d 2h", "4c 4d 4h")
NOT_QUALIFYING = ("Jc Td 8h", "Tc 9d 7h", "5c 3d 2h")


def test_three_1_the_deck_is_the_52_cards_each_once() -> None:
    script, own = GAME.editions[-1].script, list(STANDARD)
    for deck in (own[1:], [*own, 52], [own[1], *own[1:]], []):
        with pytest.raises(Refused, match="deck/invalid"):
            replay(script, SHEET, deck, {"ante": 1000}, [])


@pytest.mark.parametrize(
    ("stakes", "code"),
    [
        ({}, "stake/missing"),
        ({"pair-plus": 500}, "stake/needs_main"),
        ({"ante": 50}, "stake/under_limit"),
        ({"ante": 10_100}, "stake/over_limit"),
        ({"ante": 150}, "stake/off_step"),
        ({"ante": 100, "pair-plus": 50}, "stake/under_limit"),
        ({"ante": 100, "pair-plus": 10_100}, "stake/over_limit"),
        ({"ante": 100, "play": 100}, "stake/unknown"),
        ({"ante": 100, "ante-bonus": 100}, "stake/unknown"),
    ],
    ids=str,
)
def test_three_2_stakes_that_are_not_allowed_are_refused(stakes: dict[str, int], code: str) -> None:
    with pytest.raises(Refused, match=code):
        play("As 7d 4c", QUALIFIED, stakes=stakes)


@pytest.mark.parametrize("stakes", [{"ante": 100}, {"ante": 10_000, "pair-plus": 10_000}], ids=str)
def test_three_2_the_limits_themselves_are_allowed(stakes: dict[str, int]) -> None:
    assert play("As 7d 4c", QUALIFIED, stakes=stakes).waiting is not None


def test_three_3_and_4_the_player_is_dealt_first_and_sees_no_card_of_the_house() -> None:
    view = seen(play("As 7d 4c", QUALIFIED))
    assert view.hands == {"player": ("As", "7d", "4c"), "house": ("??", "??", "??")}
    assert (view.status, view.staked_cents, view.lines) == ("waiting", 1000, ())


@pytest.mark.parametrize("ante", [100, 700, 10_000])
def test_three_5_play_costs_another_ante_and_shows_the_house(ante: int) -> None:
    waiting = play("As 7d 4c", QUALIFIED, stakes={"ante": ante}).waiting
    assert isinstance(waiting, Asked)
    assert [(each.id, each.bet, each.stake_cents) for each in waiting.options] == [
        ("play", "play", ante),
        ("fold", "", 0),
    ]
    played = play("As 7d 4c", QUALIFIED, "play", stakes={"ante": ante})
    assert played.stakes == {"ante": ante, "play": ante}
    assert seen(played).hands["house"] == ("Qc", "8d", "3h")


@each_hand
def test_three_6_and_14_a_fold_loses_ante_and_pair_plus_and_shows_nothing(
    player: str, bonus: int, plus: int | None
) -> None:
    played = play(player, "Qc 8d 3h", "fold", pair_plus=500)
    assert returned(played) == {"ante": 0, "pair-plus": 0}
    assert seen(played).hands["house"] == ("??", "??", "??")
    assert returned(play(player, "Qc 8d 3h", "fold")) == {"ante": 0}


@pytest.mark.parametrize("house", QUALIFYING)
def test_three_7_the_house_qualifies_with_queen_high_or_better(house: str) -> None:
    # A better hand of the player wins on play, a worse one loses it: it is never given back.
    assert returned(play("Js Ts 9s", house, "play"))["play"] == 2000


@pytest.mark.parametrize("house", NOT_QUALIFYING)
def test_three_7_and_8_below_queen_high_the_ante_wins_and_play_is_given_back(house: str) -> None:
    assert returned(play("As 7d 4c", house, "play")) == {"ante": 2000, "play": 1000}


@pytest.mark.parametrize(
    ("least", "house", "qualified"),
    [
        (["K"], "Qc Jd 9h", False),
        (["K"], "Kc 3d 2h", True),
        (["Q", "T"], "Qc 9d 8h", False),
        (["Q", "T"], "Qc Td 2h", True),
        (["Q", "T", "9"], "Qc Td 8h", False),
        (["A", "K", "Q"], "2c 2d 3h", True),
    ],
    ids=str,
)
def test_three_7_the_least_hand_that_qualifies_is_a_figure_of_the_sheet(
    least: list[str], house: str, qualified: bool
) -> None:
    played = play("7s 7c 7h", house, "play", changes={"house.qualifies_with": least})
    assert returned(played)["play"] == (2000 if qualified else 1000)


@pytest.mark.parametrize(
    "least", [[], ["Q", "K"], ["Q", "Q"], ["A", "K", "Q", "J"], ["1"]], ids=str
)
def test_three_7_ranks_that_no_hand_begins_with_are_refused(least: str) -> None:
    with pytest.raises(Refused, match=r"house\.qualifies_with"):
        sheet_with({"house.qualifies_with": list(least)})


def test_three_8_not_qualified_wins_the_ante_even_where_the_house_is_better_or_equal() -> None:
    expected = {"ante": 2000, "play": 1000}
    assert returned(play("9s 7d 4c", NOT_QUALIFIED, "play")) == expected
    assert returned(play("Js 8c 3d", NOT_QUALIFIED, "play")) == expected


@pytest.mark.parametrize("player", ["Ks 7d 4c", "Qs 8c 4d", "7s 7d 4c", "Js 7s 4s"])
def test_three_9_a_beaten_house_pays_ante_and_play_even(player: str) -> None:
    assert returned(play(player, QUALIFIED, "play")) == {"ante": 2000, "play": 2000}


@pytest.mark.parametrize(
    ("player", "house"),
    [("Ks 7d 4c", "Kd 7h 4s"), ("7s 7d 4c", "7h 7c 4s"), ("Js 7s 4s", "Jd 7d 4d")],
)
def test_three_10_equal_hands_give_ante_and_play_back(player: str, house: str) -> None:
    assert returned(play(player, house, "play")) == {"ante": 1000, "play": 1000}


@pytest.mark.parametrize(
    ("player", "house"),
    [("Qs 7d 4c", QUALIFIED), ("7s 7d 4c", "7h 7c 5s"), ("Js 7s 4s", "Ac 2d 3h")],
)
def test_three_11_a_better_house_takes_ante_and_play(player: str, house: str) -> None:
    assert returned(play(player, house, "play")) == {"ante": 0, "play": 0}


@each_hand
def test_three_12_a_winning_ante_is_paid_with_the_bonus(
    player: str, bonus: int, plus: int | None
) -> None:
    expected = 2000 + 1000 * bonus
    assert returned(play(player, QUALIFIED, "play")) == {"ante": expected, "play": 2000}
    assert returned(play(player, NOT_QUALIFIED, "play")) == {"ante": expected, "play": 1000}


@pytest.mark.parametrize(
    ("player", "same", "better", "bonus"),
    [
        ("Js Ts 9s", "Jd Td 9d", "Qd Jd Td", 5),
        ("7s 7d 7c", "", "8s 8d 8c", 4),
        ("9s 8c 7d", "9d 8d 7c", "Td 9d 8s", 1),
        ("3s 2c Ad", "3d 2d Ac", "4d 3d 2h", 1),
    ],
)
def test_three_12_the_bonus_is_paid_on_a_tie_and_on_a_loss(
    player: str, same: str, better: str, bonus: int
) -> None:
    if same:
        tied = returned(play(player, same, "play"))
        assert tied == {"ante": 1000 + 1000 * bonus, "play": 1000}
    lost = play(player, better, "play")
    assert returned(lost) == {"ante": 1000 * bonus, "play": 0}
    assert lost.lines["ante"].outcome == ("returned" if bonus == 1 else "won")


def test_three_12_the_bonus_is_paid_in_whole_cents() -> None:
    with pytest.raises(Refused, match=r"ante-bonus\.pays\.straight"):
        sheet_with({"ante-bonus.pays.straight": "1:3"})
    changes = {"ante-bonus.pays.straight": "3:2"}
    assert returned(play("9s 8c 7d", "Td 9d 8s", "play", changes=changes))["ante"] == 1500


@each_hand
@pytest.mark.parametrize("house", [QUALIFIED, NOT_QUALIFIED, "Ah Kh Qh"])
def test_three_13_pair_plus_pays_on_the_players_cards_alone(
    player: str, bonus: int, plus: int | None, house: str
) -> None:
    expected = 0 if plus is None else 500 + 500 * plus
    assert returned(play(player, house, "play", pair_plus=500))["pair-plus"] == expected


def test_three_15_the_shipped_ceilings_are_the_largest_wins_there_are() -> None:
    stakes = {"ante": 10_000, "pair-plus": 10_000}
    best = play("As Ks Qs", QUALIFIED, "play", stakes=stakes)
    assert returned(best) == {"ante": 70_000, "play": 20_000, "pair-plus": 410_000}
    assert not any(line.capped for line in best.lines.values())
    for cap, cents in {**returned(best), "round": 500_000}.items():
        lower = {f"caps_cents.{cap}": cents - 1}
        cut = play("As Ks Qs", QUALIFIED, "play", stakes=stakes, changes=lower)
        capped = [bet for bet, line in cut.lines.items() if line.capped]
        assert capped == ["pair-plus" if cap == "round" else cap]


@pytest.mark.parametrize("pair_plus", [None, 500])
def test_three_17_a_round_left_open_is_void_and_every_stake_comes_back(
    pair_plus: int | None,
) -> None:
    assert SHEET.void_after_s == 30 * 24 * 3600
    void = play("As 7d 4c", QUALIFIED, pair_plus=pair_plus, void="expired")
    assert void.settled
    assert returned(void) == void.stakes
