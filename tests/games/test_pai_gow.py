"""Fortune Pai Gow Poker against RULES section 1: each sentence of it, on whole decks.

Figures are typed here once more from RULES, never read from the product's data. The house way has
tests of its own in `test_house_way.py`.
"""

from __future__ import annotations

import pytest

from games.replayed import options, replayed, returned
from tapisvert.cards import WITH_JOKER, text
from tapisvert.engine import Transcript, events
from tapisvert.refusal import Refused

# Sets Q-J low and a pair of tens high by the house way.
HOUSE = "Ts Td Qc Jh 7s 4d 2c"
PLAYER = "As Ah Kc Kd 9s 5h 3c"  # aces and kings


def play(
    player: str,
    house: str,
    *choices: str,
    stakes: dict[str, int] | None = None,
    changes: dict[str, object] | None = None,
) -> Transcript:
    staked = {"main": 1000} if stakes is None else stakes
    return replayed("pai-gow", f"{player} {house}", staked, choices, changes)


def any_house(player: str) -> str:
    """Return seven other cards, for rounds in which the house's do not matter."""
    free = [text(card) for card in reversed(WITH_JOKER[:52]) if text(card) not in player.split()]
    return " ".join(free[1::6][:7])


def why(round: Transcript, bet: str = "main") -> str:
    return round.lines[bet].why


def test_pai_4_and_5_all_21_sets_are_listed_in_the_order_dealt_with_one_suggestion() -> None:
    listed = options(play(PLAYER, HOUSE))
    assert len(listed) == 21
    assert list(listed)[:3] == ["As Ah", "As Kc", "As Kd"]
    assert [name for name, option in listed.items() if option.suggested] == ["Kc Kd"]
    kings = listed["Kc Kd"].hands
    assert (kings["low"].category, kings["low"].ranks) == ("pair", "K")
    assert (kings["high"].category, kings["high"].ranks[0]) == ("pair", "A")


@pytest.mark.parametrize(
    ("player", "low", "legal"),
    [
        (PLAYER, "As Ah", False),  # a pair of aces over a pair of kings
        (PLAYER, "Kc Kd", True),
        (PLAYER, "9s 5h", True),  # from two pair up the high hand always is the stronger
        ("Js Jh Jd Jc 9s 5h 3c", "Js Jh", True),  # equal pairs are legal
        ("As Kh Jd 9c 7s 4h 2d", "As Kh", False),  # without a pair the two highest count
        ("As Kh Jd 9c 7s 4h 2d", "Kh Jd", True),
        ("9s 9h 7d 6c 5s 4h 3d", "9s 9h", True),  # a straight beats a low pair
        ("Qs Qh Ad Kc 7s 4h 2d", "Ad Kc", True),
        ("Qs Qh Ad Kc 7s 4h 2d", "Qs Qh", False),
    ],
)
def test_pai_4_and_7_the_high_hand_must_not_be_the_weaker(
    player: str, low: str, legal: bool
) -> None:
    house = any_house(player)
    option = options(play(player, house))[low]
    assert option.why_not == (None if legal else "set/foul")
    if not legal:
        with pytest.raises(Refused, match="choice/not_legal"):
            play(player, house, low)


def test_pai_3_a_set_may_name_its_cards_in_either_order_with_one_space() -> None:
    round = play(PLAYER, HOUSE, "Kd Kc")
    assert round.answers == ("Kc Kd",)  # stored as listed
    chose = next(event for event in round.events if isinstance(event, events.Chose))
    assert chose.option == "Kc Kd"
    for wrong in ("KdKc", "Kd  Kc", "Kc", "Kc Kc", "kc kd", "Qc Kd"):
        with pytest.raises(Refused, match="choice/not_offered"):
            play(PLAYER, HOUSE, wrong)


@pytest.mark.parametrize(
    ("player", "low", "house", "result", "cents"),
    [
        (PLAYER, "Kc Kd", HOUSE, "both-win", 2000),
        ("9s 9h 8d 5c 4s Ah Kd", "Ah Kd", HOUSE, "one-each", 1000),
        ("9s 8h 6d 5c 4s 3h 2d", "8h 6d", "Ts Td Qc Jh 7s 4d 3c", "both-lose", 0),
        # Equal low hands: the copy goes to the house, the high hand is the player's.
        ("Jd Jc Qs Th 9s 5h 3d", "Qs Th", "Qc Tc 8s 8d 7s 4d 2c", "one-each", 1000),
        # Equal low hands and a weaker high hand.
        ("6d 6c Qs Th 9s 5h 3d", "Qs Th", "Qc Tc 8s 8d 7s 4d 2c", "both-lose", 0),
    ],
)
def test_pai_8_both_hands_win_both_lose_or_the_stake_comes_back(
    player: str, low: str, house: str, result: str, cents: int
) -> None:
    round = play(player, house, low)
    assert (why(round), returned(round)) == (result, {"main": cents})


def test_pai_9_a_house_with_exactly_nine_high_low_is_not_eligible() -> None:
    nine_high = "Ks 9c 8d 6h 5s 3d 2c"  # king high; nine-eight low
    for player, low in (("As Ah Kc Kd 9s 5h 3c", "Kc Kd"), ("8s 7h 6d 5c 4s 3h Td", "Td 8s")):
        round = play(player, nine_high, low)
        assert (why(round), returned(round)) == ("house-not-eligible", {"main": 1000})
    ten_high = "Ks Tc 8d 6h 5s 3d 2c"
    assert why(play("As Ah Kc Kd 9s 5h 3c", ten_high, "Kc Kd")) == "both-win"
    pair_low = "Ks Kd 9c 9d 5s 3d 2c"  # nines low, but a pair
    assert why(play("As Ah Qc Qd Js 5h 3c", pair_low, "Qc Qd")) == "both-win"
    changed: dict[str, object] = {"house.not_eligible_with": "T"}
    assert why(play("As Ah Kc Kd 9s 5h 3c", ten_high, "Kc Kd", changes=changed)) == (
        "house-not-eligible"
    )


def test_pai_3_the_houses_cards_are_hidden_until_the_player_has_set() -> None:
    waiting = play(PLAYER, HOUSE)
    house = [e.cards for e in waiting.events if isinstance(e, events.Dealt) and e.zone == "house"]
    assert house == [(None,) * 7]
    zones = {e.to for e in play(PLAYER, HOUSE, "Kc Kd").events if isinstance(e, events.Moved)}
    assert zones == {"player-low", "player-high", "house-low", "house-high"}


@pytest.mark.parametrize(
    ("player", "low", "stands"),
    [
        ("Kh 9h 7h 2h Jk 5c 4d", "5c 4d", "Ah"),  # the highest missing card of the flush
        ("Ah Kh 7h 2h Jk 5c 4d", "5c 4d", "Qh"),
        ("8h 7c 6d 5s Jk Kc Qd", "Kc Qd", "9"),  # a straight: the rank alone
        ("2h 3c 4d 5s Jk Kc Qd", "Kc Qd", "A"),  # A-2-3-4-5, the second highest straight
        ("9h 8h 7h 6h Jk Kc Qd", "Kc Qd", "Th"),
        ("Kh Kc 7d 2s Jk 5c 4d", "5c 4d", "A"),  # otherwise an ace
        ("As Ah Ac Ad Jk Kc Qd", "Kc Qd", "A"),  # a fifth one
    ],
)
def test_pai_6_the_joker_says_what_it_stands_for(player: str, low: str, stands: str) -> None:
    assert options(play(player, any_house(player)))[low].hands["high"].joker == stands


def test_pai_6_in_the_low_hand_the_joker_is_an_ace() -> None:
    player = "Kh Kc 7d 2s Jk 5c 4d"
    hands = options(play(player, any_house(player)))["7d Jk"].hands
    assert (hands["low"].ranks, hands["low"].joker) == ("A7", "A")
    assert hands["high"].joker is None


# RULES: "the highest-PAYING row counts".
FORTUNE = {
    "9s 8s 7s 6s 5s 4s 3s": 8000,
    "As 2s 3s 4s 5s 6s 7s": 8000,
    "As Ks Qs Js Ts Kh Qh": 2000,
    "As Ks Jk Js Ts Kh Qh": 2000,
    "9s 8s Jk 6s 5s 4s 3s": 1000,
    "As Ah Ad Ac Jk 5h 3c": 400,
    "As Ks Qs Js Ts 5h 3c": 150,
    "As Ks Qs Js Ts Jk Qh": 150,  # the king-queen must be natural
    "9s 8s 7s 6s 5s Kh 3c": 50,
    "9s 9h 9d 9c 5s Kh 3c": 25,
    "9s 9h 9d Kc Ks 4h 3c": 5,
    "As 9s 7s 4s 2s Kh 3c": 4,
    "9s 9h 9d Kc 5s 4h 2c": 3,
    "9s 8h 7d 6c 5s Kh 2c": 2,
    "9s 9h 8d 7c 6s 5h 9d": 3,  # three of a kind pays more than the straight
    "Ks Kh 8d 7c 5s 4h 2c": None,
}


@pytest.mark.parametrize(("player", "odds"), FORTUNE.items())
def test_pai_10_the_fortune_bonus_pays_by_the_seven_cards(player: str, odds: int | None) -> None:
    house = any_house(player)
    stakes = {"main": 1000, "fortune": 500}
    waiting = play(player, house, stakes=stakes)
    suggested = next(name for name, option in options(waiting).items() if option.suggested)
    round = play(player, house, suggested, stakes=stakes)
    assert returned(round)["fortune"] == (0 if odds is None else 500 * (odds + 1))


def test_pai_11_the_round_is_capped_at_the_largest_win_and_a_lower_cap_bites() -> None:
    player, house = "9s 8s 7s 6s 5s 4s 3s", "Td Tc 8c 6c 4c 3d 2d"
    stakes = {"main": 10_000, "fortune": 3_000}
    round = play(player, house, "9s 8s", stakes=stakes)
    assert sum(returned(round).values()) <= 24_023_000
    cut = play(player, house, "9s 8s", stakes=stakes, changes={"caps_cents.round": 1_000_000})
    assert sum(returned(cut).values()) == 1_000_000
    assert cut.lines["fortune"].capped


@pytest.mark.parametrize(
    ("stakes", "code"),
    [
        ({}, "stake/missing"),
        ({"fortune": 100}, "stake/needs_main"),
        ({"main": 10_100}, "stake/over_limit"),
        ({"main": 100, "fortune": 3_100}, "stake/over_limit"),
    ],
)
def test_pai_2_stakes_keep_their_limits(stakes: dict[str, int], code: str) -> None:
    with pytest.raises(Refused, match=code):
        play(PLAYER, HOUSE, stakes=stakes)
