"""How hands are compared at Casino Stud (RULES section 2, rule sheet "classement des mains").

Every comparison is played twice, each hand once in the player's place and once in the house's, and
both hands always qualify: the better one wins as the player's and beats the player as the house's.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from games.stud import ask_stud

# Weaker hand, stronger hand. Within a category they differ at one place only, named by the id.
# Threes, full houses and fours of one rank cannot meet in one deck: their side cards never decide.
CLOSE = {
    "high card, third": ("As Kd Jh 5s 4c", "Ad Kh Qc 5d 3h"),
    "high card, fourth": ("As Kd Qh 5s 4c", "Ad Kh Qc 6d 3h"),
    "high card, last": ("As Kd Qh 6s 2c", "Ad Kh Qc 6d 3h"),
    "pair, its rank": ("9s 9d Ah Ks Qc", "Td Th 4c 3d 2h"),
    "pair, first kicker": ("9s 9d Kh Qs Jc", "9c 9h Ac 3d 2h"),
    "pair, second kicker": ("9s 9d Ah Qs Jc", "9c 9h Ac Kd 2h"),
    "pair, last kicker": ("9s 9d Ah Ks 2c", "9c 9h Ac Kd 3h"),
    "two pair, the higher": ("9s 9d 8h 8s Ac", "Tc Th 2c 2d 3h"),
    "two pair, the lower": ("9s 9d 5h 5s Ac", "9c 9h 6c 6d 2h"),
    "two pair, kicker": ("9s 9d 5h 5s 2c", "9c 9h 5c 5d 3h"),
    "three of a kind, its rank": ("9s 9d 9h As Kc", "Tc Th Ts 3d 2h"),
    "straight, five-high is the lowest": ("As 2d 3h 4s 5c", "2c 3d 4h 5s 6d"),
    "straight, its top": ("9s Td Jh Qs Kc", "Tc Jd Qh Ks Ad"),
    "flush, first": ("Ks Qs Js Ts 8s", "Ad 5d 4d 3d 2d"),
    "flush, second": ("As Qs Js Ts 8s", "Ad Kd 4d 3d 2d"),
    "flush, third": ("As Ks Js Ts 8s", "Ad Kd Qd 3d 2d"),
    "flush, fourth": ("As Ks Qs Ts 8s", "Ad Kd Qd Jd 2d"),
    "flush, last": ("As Ks Qs Js 2s", "Ad Kd Qd Jd 3d"),
    "full house, the three": ("9s 9d 9h As Ac", "Tc Th Ts 2d 2h"),
    "four of a kind, its rank": ("9s 9d 9h 9c Ac", "Tc Th Ts Td 2h"),
    "straight flush, five-high is the lowest": ("As 2s 3s 4s 5s", "2d 3d 4d 5d 6d"),
    "straight flush, its top": ("8s 9s Ts Js Qs", "9d Td Jd Qd Kd"),
}

# The weakest and the strongest hand of each category; the weakest of one meets the strongest of the
# one before. Four kings stand for four aces: the lowest straight flush needs an ace.
LADDER = (
    ("high card", "As Kd Qh Js 9c", "As Kd Qh Js 9c"),
    ("pair", "2c 2d 5h 4s 3c", "Ac Ad Kh Qs Jc"),
    ("two pair", "3c 3d 2h 2s 4c", "Ac Ad Kh Ks Qc"),
    ("three of a kind", "2c 2d 2h 4s 3c", "Ac Ad Ah Ks Qc"),
    ("straight", "Ac 5d 4h 3s 2c", "As Kd Qh Js Tc"),
    ("flush", "7h 5h 4h 3h 2h", "Ah Kh Qh Jh 9h"),
    ("full house", "2c 2d 2h 3s 3c", "Ac Ad Ah Ks Kc"),
    ("four of a kind", "2c 2d 2h 2s 3c", "Kc Kd Kh Ks Ac"),
    ("straight flush", "Ad 2d 3d 4d 5d", "9s Ts Js Qs Ks"),
    ("royal flush", "Ts Js Qs Ks As", "Ts Js Qs Ks As"),
)

# Equal hands of different suits, one for each category in which one deck allows it.
TIES = {
    "high card": ("As Kd Qh 6s 2c", "Ad Kh Qc 6d 2h"),
    "pair": ("9s 9d Ah Ks 2c", "9c 9h Ac Kd 2h"),
    "two pair": ("9s 9d 5h 5s 2c", "9c 9h 5c 5d 2h"),
    "straight": ("9s Td Jh Qs Kc", "9c Ts Jd Qh Ks"),
    "straight, five-high": ("As 2d 3h 4s 5c", "Ad 2c 3d 4h 5s"),
    "flush": ("As Ks Qs Js 2s", "Ad Kd Qd Jd 2d"),
    "straight flush": ("8s 9s Ts Js Qs", "8d 9d Td Jd Qd"),
    "straight flush, five-high": ("As 2s 3s 4s 5s", "Ad 2d 3d 4d 5d"),
    "royal flush": ("As Ks Qs Js Ts", "Ad Kd Qd Jd Td"),
}


def play_of(player: str, house: str) -> str:
    """Return what becomes of the play bet; ante and play always go the same way here."""
    answer = ask_stud(player, house, "play")
    ante, play = answer.line("ante").outcome, answer.line("play").outcome
    assert ante == play
    return play


@pytest.mark.parametrize(("weaker", "stronger"), CLOSE.values(), ids=CLOSE)
def test_stud_16_hands_are_compared_down_to_the_last_card(weaker: str, stronger: str) -> None:
    assert play_of(stronger, weaker) == "won"
    assert play_of(weaker, stronger) == "lost"


@pytest.mark.parametrize(("one", "other"), TIES.values(), ids=TIES)
def test_stud_11_and_16_suits_never_break_a_tie(one: str, other: str) -> None:
    assert play_of(one, other) == "returned"
    assert play_of(other, one) == "returned"


@pytest.mark.parametrize(
    ("lower", "higher"), [*pairwise(LADDER)], ids=[f"{row[0]} above" for row in LADDER[1:]]
)
def test_stud_16_the_weakest_of_a_kind_beats_the_strongest_of_the_kind_below(
    lower: tuple[str, str, str], higher: tuple[str, str, str]
) -> None:
    strongest, weakest = distinct(lower[2], higher[1])
    assert play_of(weakest, strongest) == "won"
    assert play_of(strongest, weakest) == "lost"


def test_stud_16_the_ace_is_low_in_a_five_high_straight_only() -> None:
    # K-A-2-3-4 is ace-king high: it qualifies as the house's and loses to a pair of twos.
    assert play_of("2s 2d 5h 4s 3c", "Kc Ac 2c 3h 4d") == "won"
    # A-2-3-4-5 loses to every other straight, and beats three aces.
    assert play_of("As 2d 3h 4s 5c", "9c Td Jh Qs Kc") == "lost"
    assert play_of("5s 4d 3h 2s Ac", "As Ad Ah Ks Qc") == "won"


def test_stud_16_a_hand_is_only_the_strongest_thing_it_is() -> None:
    # A straight flush holds a straight and a flush, and is paid once, 50:1.
    answer = ask_stud("9s 8s 7s 6s 5s", "Ac Kd 4h 3s 2d", "play")
    assert answer.line("play").returned == 2000 * 51


@pytest.mark.parametrize("turns", range(5))
def test_stud_16_the_order_of_the_cards_does_not_matter(turns: int) -> None:
    cards = ["As", "2d", "3h", "4s", "5c"]
    turned = " ".join(cards[turns:] + cards[:turns])
    assert play_of(turned, "Ac Ad Ah Ks Qc") == "won"


def distinct(one: str, other: str) -> tuple[str, str]:
    """Give the second hand other suits until no card is in both, its ranks and kind unchanged."""
    for shift in range(4):
        turn = {suit: "cdhs"[("cdhs".index(suit) + shift) % 4] for suit in "cdhs"}
        moved = [card[0] + turn[card[1]] for card in other.split()]
        if not set(moved) & set(one.split()):
            return one, " ".join(moved)
    raise AssertionError(f"{one} and {other} share cards in every suit")
