"""High Card Flush against RULES section 3: each sentence of it, on whole decks.

Figures are typed here once more from RULES, never read from the product's data.
"""

from __future__ import annotations

import pytest

from games.replayed import options, replayed, returned
from tapisvert.engine import Transcript, events
from tapisvert.refusal import Refused

STAKES = {"ante": 1000, "flush": 500, "straight-flush": 300}
# Two clubs at most: a house that does not qualify, and one that does with nine high.
NO_FLUSH = "Ac Kc Qd Jd Ts 9s 8h"
NINE_HIGH = "9c 3c 2c Ad Kd Qs Js"
EIGHT_HIGH = "8c 3c 2c Ad Kd Qs Js"


def play(
    player: str,
    house: str,
    *choices: str,
    stakes: dict[str, int] | None = None,
    changes: dict[str, int] | None = None,
) -> Transcript:
    staked = stakes or {"ante": 1000}
    return replayed("high-card-flush", f"{player} {house}", staked, choices, changes)


def why_not(round: Transcript) -> dict[str, str | None]:
    return {name: option.why_not for name, option in options(round).items()}


@pytest.mark.parametrize(
    ("player", "longest", "most"),
    [
        ("Ah 9h Kd 7d Qs 5s 2c", 2, 1),
        ("Ah 9h 2h Kd 7d Qs 5s", 3, 1),
        ("Ah 9h 4h 2h Kd 7d Qs", 4, 1),
        ("Ah 9h 6h 4h 2h Kd 7d", 5, 2),
        ("Ah 9h 7h 6h 4h 2h Kd", 6, 2),
        ("Ah Jh 9h 7h 6h 4h 2h", 7, 2),
    ],
)
def test_flush_5_the_raise_is_limited_by_the_length_of_the_flush(
    player: str, longest: int, most: int
) -> None:
    round = play(player, NO_FLUSH)
    short = None if most == 2 else "raise/too-short"
    assert why_not(round) == {"raise-1": None, "raise-2": short, "fold": None}
    named = next(event for event in round.events if isinstance(event, events.Named))
    assert named.hand.category == f"flush-{longest}"
    if most == 1:
        with pytest.raises(Refused, match="choice/not_legal"):
            play(player, NO_FLUSH, "raise-2")


@pytest.mark.parametrize(
    ("player", "legal"), [("Ah 9h 7h 6h 4h 2h Kd", True), ("Ah 9h 6h 4h 2h Kd 7d", False)]
)
def test_flush_5_a_raise_of_three_is_offered_where_the_sheet_allows_it(
    player: str, legal: bool
) -> None:
    allowed = {f"raise.most_times.flush-{n}": 3 for n in (6, 7)}
    found = why_not(play(player, NO_FLUSH, changes=allowed))
    assert list(found) == ["raise-1", "raise-2", "raise-3", "fold"]
    assert found["raise-3"] == (None if legal else "raise/too-short")
    with pytest.raises(Refused, match="choice/not_offered"):
        play(player, NO_FLUSH, "raise-3")


def test_flush_7_only_the_hand_that_cannot_lose_cannot_be_folded() -> None:
    best = play("Ah Kh Qh Jh Th 9h 8h", NINE_HIGH)
    assert why_not(best)["fold"] == "fold/cannot-lose"
    assert why_not(play("Ah Kh Qh Jh Th 9h 7h", NINE_HIGH))["fold"] is None


def test_flush_4_and_6_a_fold_loses_the_ante_and_shows_no_card_of_the_house() -> None:
    round = play("Ah 9h 4h 2h Kd 7d Qs", NO_FLUSH, "fold")
    assert returned(round) == {"ante": 0}
    assert not any(isinstance(event, events.Revealed) for event in round.events)
    dealt = [event for event in round.events if isinstance(event, events.Dealt)]
    assert dealt[1].cards == (None,) * 7


@pytest.mark.parametrize("house", [NO_FLUSH, EIGHT_HIGH])
def test_flush_8_and_9_a_house_under_a_three_card_flush_nine_high_does_not_qualify(
    house: str,
) -> None:
    round = play("Ah 9h 4h 2h Kh 7s Td", house, "raise-2")
    assert returned(round) == {"ante": 2000, "raise": 2000}


def test_flush_10_and_11_a_house_that_qualifies_by_a_hair_is_held_against_the_player() -> None:
    assert returned(play("Th 8h 7h As 6s Td 5d", NINE_HIGH, "raise-1")) == {
        "ante": 2000,
        "raise": 2000,
    }
    assert returned(play("9h 3h 2h Ts 8s Qd Jd", "9c 3c 2c Ad Kd 7s 6s", "raise-1")) == {
        "ante": 1000,
        "raise": 1000,
    }
    assert returned(play("8h 7h 6h As Ks 5d 4d", "9c 3c 2c Ad Td Qs Js", "raise-1")) == {
        "ante": 0,
        "raise": 0,
    }


def test_flush_3_length_goes_before_rank_and_the_better_of_two_suits_counts() -> None:
    longer = play("5h 4h 3h 2h Kd 7d Qs", "Ac Kc Qc Jd Td 9s 8s", "raise-1")
    assert returned(longer)["raise"] == 2000
    two_suits = play("9h 8h 7h Ks 3s 2s 5d", "Kc 4c 2c Ad 6d Jh Td", "raise-1")
    assert returned(two_suits)["raise"] == 0  # K-3-2 loses to K-4-2


FLUSH_RUSH = {7: 300, 6: 75, 5: 5, 4: 2, 3: None}
FLUSHES = {
    7: "Ah Jh 9h 7h 6h 4h 2h",
    6: "Ah 9h 7h 6h 4h 2h Kd",
    5: "Ah 9h 6h 4h 2h Kd 7d",
    4: "Ah 9h 4h 2h Kd 7d Qs",
    3: "Ah 9h 2h Kd 7d Qs 5s",
}
RUNS = {
    (7, 8000): "8h 7h 6h 5h 4h 3h 2h",
    (6, 1000): "7h 6h 5h 4h 3h 2h Kd",
    (5, 100): "Ah 2h 3h 4h 5h Kd 7d",
    (4, 60): "Ah Kh Qh Jh 9h 2d 7d",
    (3, 7): "9h 8h 7h 2h Kd 4d Qs",
    (2, None): "9h 8h 6h 2h Kd 4d Qs",
}


@pytest.mark.parametrize("choice", ["raise-1", "fold"])
@pytest.mark.parametrize("length", FLUSHES)
def test_flush_12_and_14_flush_rush_pays_by_the_longest_flush_also_after_a_fold(
    length: int, choice: str
) -> None:
    round = play(FLUSHES[length], NO_FLUSH, choice, stakes=STAKES)
    odds = FLUSH_RUSH[length]
    assert returned(round)["flush"] == (0 if odds is None else 500 * (odds + 1))


@pytest.mark.parametrize("choice", ["raise-1", "fold"])
@pytest.mark.parametrize(("run", "player"), RUNS.items())
def test_flush_13_and_14_super_flush_rush_pays_by_the_longest_run(
    run: tuple[int, int | None], player: str, choice: str
) -> None:
    round = play(player, "Ac Kc Qc Jd Td 9s 8s", choice, stakes=STAKES)
    assert returned(round)["straight-flush"] == (0 if run[1] is None else 300 * (run[1] + 1))


@pytest.mark.parametrize("side", ["flush", "straight-flush"])
def test_flush_2_a_side_bet_needs_an_ante_and_keeps_its_limits(side: str) -> None:
    for stakes, code in (
        ({side: 100}, "stake/needs_main"),
        ({"ante": 100, "raise": 100}, "stake/unknown"),
        ({"ante": 100, side: 10_100}, "stake/over_limit"),
        ({"ante": 100, side: 0}, "stake/under_limit"),
    ):
        with pytest.raises(Refused, match=code):
            play(FLUSHES[4], NO_FLUSH, stakes=stakes)
