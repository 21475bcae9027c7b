"""Blackjack Royal Poker against RULES section 4: each sentence of it, on whole decks.

Figures are typed here once more from RULES, never read from the product's data. A deck is written
as it is dealt: hand 1, hand 2, the house's up card and hole card, then the cards drawn.
"""

from __future__ import annotations

import pytest

from games import replayed
from games.replayed import POT, returned
from tapisvert.engine import Transcript, events
from tapisvert.refusal import Refused

ONE, TWO = {"hand-1": 1000}, {"hand-1": 1000, "hand-2": 2000}
ROYAL = {**TWO, "royal": 100}


def play(
    deck: str, *choices: str, stakes: dict[str, int] = ONE, changes: dict[str, object] | None = None
) -> Transcript:
    return replayed.replayed("blackjack", deck, stakes, choices, changes)


def asked(round: Transcript) -> tuple[str | None, dict[str, str | None]]:
    question = replayed.asked(round)
    return question.hand, {option.id: option.why_not for option in question.options}


def house_of(round: Transcript) -> int:
    """Return how many cards the house holds in the end."""
    dealt = [e for e in round.events if isinstance(e, events.Dealt) and e.zone == "house"]
    return sum(len(event.cards) for event in dealt)


PLAY = {"hit": None, "stand": None, "double": "double/not-10-or-11", "split": "split/not-a-pair"}
HALF = {**PLAY, "split": "split/once"}


@pytest.mark.parametrize(
    ("deck", "choices", "cents"),
    [
        ("Th 9s 7d Tc", ["stand"], 2000),  # 19 beats 17
        ("Th 7s 9d Tc", ["stand"], 0),
        ("Th 9s 9d Tc", ["stand"], 1000),  # a tie comes back
        ("Th 6s 7d Tc 5h", ["hit"], 2000),  # a hard 21 stands by itself
        ("Th 6s 7d Tc 9h", ["hit"], 0),  # 25 busts
        ("Th 2s 6d Tc 8c", ["stand"], 2000),  # the house busts with 24
        ("Ah Ks 9d Tc", [], 2500),  # blackjack, at once
    ],
)
def test_bj_8_and_9_and_14_a_hand_wins_ties_or_loses(
    deck: str, choices: list[str], cents: int
) -> None:
    assert returned(play(deck, *choices)) == {"hand-1": cents}


def test_bj_9_and_10_the_four_choices_are_always_listed_in_their_order() -> None:
    assert asked(play("Th 9s 7d Tc")) == ("hand-1", PLAY)
    assert asked(play("6h 5s 7d Tc")) == ("hand-1", {**PLAY, "double": None})
    assert asked(play("6h 4s 7d Tc"))[1]["double"] is None
    assert asked(play("Ah 9s 7d Tc"))[1] == PLAY  # A-9 is 20
    assert asked(play("Th Ks 7d Tc")) == ("hand-1", {**PLAY, "split": None})
    three = {**PLAY, "double": "double/two-cards"}
    assert asked(play("2h 3s 7d Tc 6h", "hit"))[1] == three  # 11, but of three cards
    assert asked(play("Ah 5s 7d Tc 5h", "hit")) == ("hand-1", three)  # a soft 21 is still asked


def test_bj_10_a_double_takes_one_card_and_stands() -> None:
    assert returned(play("6h 5s 7d Tc 2h", "double")) == {"hand-1": 0, "double-1": 0}
    assert returned(play("6h 5s 7d Tc Th", "double")) == {"hand-1": 2000, "double-1": 2000}


def test_bj_3_and_9_the_second_hand_is_played_after_the_first_with_its_own_stake() -> None:
    deck = "Th 6s 5h 6c 7d Tc 9h 8h"
    assert asked(play(deck, stakes=TWO))[0] == "hand-1"
    assert asked(play(deck, "hit", stakes=TWO)) == ("hand-2", {**PLAY, "double": None})
    done = play(deck, "hit", "double", stakes=TWO)
    assert returned(done) == {"hand-1": 0, "hand-2": 4000, "double-2": 4000}
    alone = play("Th 9s 7d Tc", "stand", stakes={"hand-2": 500})
    assert returned(alone) == {"hand-2": 1000}


def test_bj_6_and_7_insurance_is_asked_hand_by_hand_for_half_the_stake() -> None:
    deck = "Th 9s 8h 8c Ad Kc"
    first = play(deck, stakes=TWO)
    assert asked(first) == ("hand-1", {"insure": None, "decline": None})
    assert asked(play(deck, "insure", stakes=TWO))[0] == "hand-2"
    done = play(deck, "insure", "decline", stakes=TWO)
    assert returned(done) == {"hand-1": 0, "hand-2": 0, "insurance-1": 1500}
    assert done.stakes["insurance-1"] == 500


def test_bj_7_insurance_loses_without_a_house_blackjack_and_play_goes_on() -> None:
    round = play("Th 9s Ad 7c", "insure")
    assert returned(round) == {"insurance-1": 0}
    assert asked(round) == ("hand-1", PLAY)
    assert returned(play("Th 9s Ad 7c", "insure", "stand")) == {"hand-1": 2000, "insurance-1": 0}


def test_bj_6_and_7_even_money_ends_a_blackjack_at_once_and_the_house_does_not_draw() -> None:
    deck = "Ah Ks Ad 5c"
    assert asked(play(deck)) == ("hand-1", {"even-money": None, "decline": None})
    taken = play(deck, "even-money")
    assert returned(taken) == {"hand-1": 2000}
    assert house_of(taken) == 2
    assert not any(isinstance(e, events.Said) for e in taken.events)  # nor does it look
    assert returned(play(deck, "decline")) == {"hand-1": 2500}
    assert returned(play("Ah Ks Ad Tc", "decline")) == {"hand-1": 1000}  # a push
    assert returned(play("Ah Ks Ad Tc", "even-money")) == {"hand-1": 2000}


@pytest.mark.parametrize("up", ["Kd", "Td"])
def test_bj_7_a_house_with_a_ten_up_looks_and_its_blackjack_ends_the_round(up: str) -> None:
    round = play(f"Th 9s Ah Ks {up} Ac", stakes=TWO)
    assert returned(round) == {"hand-1": 0, "hand-2": 2000}
    assert round.settled


@pytest.mark.parametrize(
    ("deck", "drawn"),
    [
        ("Th 9s 7d Tc", 2),  # 17 stands
        ("Th 9s 6d Tc Ah", 3),  # 16 draws
        ("Th 9s 6d Ac 4h", 3),  # a soft 17 draws
        ("Th 9s 7d Ac", 2),  # a soft 18 stands
    ],
)
def test_bj_13_the_house_draws_to_17_and_hits_soft_17(deck: str, drawn: int) -> None:
    assert house_of(play(deck, "stand")) == drawn


def test_bj_13_a_house_that_stands_on_soft_17_is_the_sheets_to_say() -> None:
    changed: dict[str, object] = {"house.hits_soft_17": False}
    assert house_of(play("Th 9s 6d Ac 4h", "stand", changes=changed)) == 2


def test_bj_13_the_house_only_turns_its_card_when_every_hand_is_bust_or_settled() -> None:
    round = play("Th 6s 5d Tc 9h", "hit")
    assert house_of(round) == 2
    assert any(isinstance(event, events.Revealed) for event in round.events)


def test_bj_11_and_14_a_split_plays_both_halves_one_after_the_other() -> None:
    deck = "8h 8s 7d Tc 3h Th 9c"
    first = play(deck, "split")
    assert asked(first) == ("hand-1", {**HALF, "double": None})  # 8-3: 11
    done = play(deck, "split", "double")
    assert asked(done) == ("split-1", HALF)  # 8-9
    end = play(deck, "split", "double", "stand")
    assert returned(end) == {"hand-1": 2000, "split-1": 1000, "double-1": 2000}


def test_bj_12_the_second_half_doubles_on_a_bet_of_its_own() -> None:
    end = play("8h 8s 7d Tc Th 2c Kh", "split", "stand", "double")
    assert returned(end) == {"hand-1": 2000, "split-1": 2000, "double-1b": 2000}


@pytest.mark.parametrize(("rule", "allowed"), [("10-11", False), ("any", True), ("none", False)])
def test_bj_12_doubling_after_a_split_follows_the_sheet(rule: str, allowed: bool) -> None:
    changed: dict[str, object] = {"hand.double_after_split": rule}
    nine = asked(play("8h 8s 7d Tc Ah", "split", changes=changed))[1]["double"]
    eleven = asked(play("8h 8s 7d Tc 3h", "split", changes=changed))[1]["double"]
    assert (nine is None, eleven is None) == (allowed, rule != "none")


def test_bj_11_a_hand_is_split_once_and_cards_of_equal_value_will_do() -> None:
    assert asked(play("Kh Ts 7d 9c"))[1]["split"] is None
    assert asked(play("8h 8s 7d Tc 8c", "split"))[1]["split"] == "split/once"
    with pytest.raises(Refused, match="choice/not_legal"):
        play("8h 8s 7d Tc 8c", "split", "split")


def test_bj_4_and_11_split_aces_take_one_card_each_and_21_is_no_blackjack() -> None:
    round = play("Ah As 7d Tc Kh 5c", "split")
    assert returned(round) == {"hand-1": 2000, "split-1": 0}  # 21 pays 1:1; 16 loses to 17


def test_bj_11_a_split_ace_with_a_ten_counts_as_a_hard_21_and_with_another_card_as_soft() -> None:
    named = {
        event.zone: (event.hand.category, event.hand.total)
        for event in play("Ah As 7d Tc Kh 5c", "split").events
        if isinstance(event, events.Named)
    }
    assert (named["hand-1"], named["split-1"]) == (("hard", 21), ("soft", 16))


def test_bj_4_and_9_an_ace_on_a_split_ten_is_a_soft_21_that_is_asked_and_pays_one_to_one() -> None:
    deck = "Kh Ts 7d Tc Ah 9c"
    assert asked(play(deck, "split")) == ("hand-1", HALF)
    assert returned(play(deck, "split", "stand", "stand")) == {"hand-1": 2000, "split-1": 2000}


PRIZES = {
    "Ks Qs Js Ts As": POT,
    "As 2s 3s 4s 5s": POT // 10,
    "9s 9h 9d 9c 2s": 50_000,
    "9s 9h 9d Kc Ks": 10_000,
    "As 9s 7s 4s 2s": 5_000,
    "Ts 9h 8d 7c 6s": 2_500,
    "As 2h 3d 4c 5s": 2_500,
    "9s 9h 9d Kc 5s": 500,
    "9s 9h 8d 8c 5s": 0,
}


@pytest.mark.parametrize(("five", "prize"), PRIZES.items())
def test_bj_5_royal_poker_is_settled_at_the_deal_by_the_first_five_cards(
    five: str, prize: int
) -> None:
    hole = "3h" if "3h" not in five else "4h"
    round = play(f"{five} {hole}", stakes=ROYAL)
    assert returned(round)["royal"] == prize
    claims = [e for e in round.events if isinstance(e, events.Claimed)]
    assert [claim.cents for claim in claims] == ([prize] if prize > 50_000 else [])


@pytest.mark.parametrize(
    ("stakes", "code"),
    [
        ({"royal": 100}, "stake/"),
        ({"hand-1": 1000, "royal": 100}, "stake/needs_main"),
        ({"hand-2": 1000, "royal": 100}, "stake/needs_main"),
        ({"hand-1": 1000, "hand-2": 50}, "stake/under_limit"),
        ({"hand-1": 1000, "insurance-1": 500}, "stake/unknown"),
        ({**TWO, "royal": 200}, "stake/over_limit"),
        ({"hand-1": 10_100}, "stake/over_limit"),
        ({}, "stake/missing"),
    ],
)
def test_bj_2_royal_poker_needs_both_hands_and_limits_hold(
    stakes: dict[str, int], code: str
) -> None:
    with pytest.raises(Refused, match=code):
        play("Th 9s 8h 8c 7d Tc", stakes=stakes)
