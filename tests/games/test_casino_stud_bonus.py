"""The 5+1 bonus of Casino Stud and the caps on what a round returns (RULES section 2)."""

from __future__ import annotations

import pytest

from games.stud import NOT_QUALIFIED, QUALIFIED, LineSeen, ask_stud

# RULES 2: "5+1: best five of the player's five plus the house's up card". Each row twice: made by
# the player's five alone, and only with the house's up card, which is the sixth.
BONUS_ROWS = {
    "royal flush": ("As Ks Qs Js Ts", "9c", 1000),
    "royal flush with the up card": ("Ks Qs 2d Js Ts", "As", 1000),
    "straight flush": ("9s 8s 7s 6s 5s", "2c", 200),
    "straight flush with the up card": ("9s 8s 2d 6s 5s", "7s", 200),
    "straight flush, lowest, with the up card": ("As 2s Kd 4s 5s", "3s", 200),
    "four of a kind": ("7c 7d 7h 7s 2s", "9c", 100),
    "four of a kind with the up card": ("7c 7d 7h 2h 2s", "7s", 100),
    "full house": ("7c 7d 7h 8s 8d", "2c", 20),
    "full house with the up card": ("7c 7d 8h 8s 2s", "7h", 20),
    "full house of a three and the up card's pair": ("7c 7d 7h 8s 2s", "8c", 20),
    "flush": ("Qs Js 8s 5s 3s", "2c", 15),
    "flush with the up card": ("Qs Js 8s 5s 3d", "2s", 15),
    "straight": ("8s 7d 6c 5h 4c", "Kc", 10),
    "straight with the up card": ("8s 7d 2c 5h 4c", "6c", 10),
    "straight, lowest, with the up card": ("As 2d 3c Kh 5c", "4c", 10),
    "straight, highest, with the up card": ("As Kd Qc 2h Tc", "Jc", 10),
    "three of a kind": ("7c 7d 7h 9s 3d", "Kc", 7),
    "three of a kind with the up card": ("7c 7d Jh 9s 3d", "7h", 7),
}
BELOW_TABLE = {
    "two pair": ("7c 7d 8h 8s 3d", "Kc"),
    "three pairs are two pair": ("7c 7d 8h 8s 3d", "3c"),
    "pair": ("7c 7d 8h 6s 3d", "Kc"),
    "high card": ("As Qd 8h 6s 3d", "Kc"),
    "king-ace-two-three-four is no straight": ("Ks As 2d 3h 4c", "9c"),
    "four to a flush and four to a straight": ("9s 8s 7s 6s 2d", "4c"),
}


def house_showing(up: str, player: str, *, qualified: bool) -> str:
    """Return a hand of the house with this up card that qualifies, or does not."""
    taken = {up, *player.split()}
    wanted = ["A", "K", "J", "6", "4", "3"] if qualified else ["Q", "J", "9", "6", "4", "3"]
    hand = [up]
    for rank in wanted:
        if len(hand) < 5 and rank not in {card[0] for card in hand}:
            hand.append(next(rank + suit for suit in "dhcs" if rank + suit not in taken))
    return " ".join(hand)


@pytest.mark.parametrize(("player", "up", "odds"), BONUS_ROWS.values(), ids=BONUS_ROWS)
def test_stud_13_the_bonus_pays_by_the_best_five_of_six_cards(
    player: str, up: str, odds: int
) -> None:
    house = house_showing(up, player, qualified=True)
    answer = ask_stud(player, house, "play", bonus=500)
    assert answer.line("bonus") == LineSeen("bonus", 500, 500 + 500 * odds, "won")


@pytest.mark.parametrize(("player", "up"), BELOW_TABLE.values(), ids=BELOW_TABLE)
def test_stud_13_less_than_three_of_a_kind_loses_the_bonus(player: str, up: str) -> None:
    house = house_showing(up, player, qualified=True)
    for choice in ("play", "fold"):
        answer = ask_stud(player, house, choice, bonus=500)
        assert answer.line("bonus") == LineSeen("bonus", 500, 0, "lost")


@pytest.mark.parametrize(("player", "up", "odds"), BONUS_ROWS.values(), ids=BONUS_ROWS)
def test_stud_14_the_bonus_is_the_same_whether_or_not_the_house_qualifies(
    player: str, up: str, odds: int
) -> None:
    answer = ask_stud(player, house_showing(up, player, qualified=False), "play", bonus=500)
    assert answer.line("bonus").returned == 500 + 500 * odds


@pytest.mark.parametrize(
    ("player", "up", "odds"),
    [row for name, row in BONUS_ROWS.items() if name != "royal flush"],
    ids=[name for name in BONUS_ROWS if name != "royal flush"],
)
def test_stud_14_the_bonus_is_paid_after_a_fold(player: str, up: str, odds: int) -> None:
    house = house_showing(up, player, qualified=True)
    answer = ask_stud(player, house, "fold", bonus=500)
    assert answer.lines == [
        LineSeen("ante", 1000, 0, "lost"),
        LineSeen("bonus", 500, 500 + 500 * odds, "won"),
    ]
    assert (answer.staked, answer.returned) == (1500, 500 + 500 * odds)
    assert answer.hands["house"] == [up, "??", "??", "??", "??"]


def test_stud_14_a_fold_with_a_bonus_below_the_table_loses_both() -> None:
    answer = ask_stud("7c 7d 8h 6s 3d", "Kc Qd Jh 4s 2d", "fold", bonus=500)
    assert answer.lines == [LineSeen("ante", 1000, 0, "lost"), LineSeen("bonus", 500, 0, "lost")]


def test_stud_13_the_four_hidden_cards_of_the_house_never_count() -> None:
    # With any of them the player's pair of sevens would be three or four of a kind.
    answer = ask_stud("7c 7d 8h 6s 3d", "Kc 7h 7s Ad 2d", "play", bonus=500)
    assert answer.line("bonus").returned == 0


def test_stud_13_a_bonus_wins_where_ante_and_play_are_lost() -> None:
    answer = ask_stud("7c 7d 7h 9s 3d", "Kc Ks Kd 8h 2d", "play", bonus=500)
    assert answer.returns() == {"ante": 0, "bonus": 4000, "play": 0}


def test_lines_stand_in_the_order_staked_and_add_up_to_the_totals() -> None:
    answer = ask_stud("7c 7d 7h 8s 3d", QUALIFIED, "play", bonus=500)
    assert [line.bet for line in answer.lines] == ["ante", "bonus", "play"]
    assert [line.staked for line in answer.lines] == [1000, 500, 2000]
    assert answer.staked == sum(line.staked for line in answer.lines) == 3500
    assert answer.returned == sum(line.returned for line in answer.lines) == 2000 + 4000 + 8000


# Caps: with the shipped sheet they equal the largest wins, so overrides make them bite ------------


def test_stud_15_a_bonus_royal_at_2000_to_1_is_held_to_100_100() -> None:
    answer = ask_stud(
        "As Ks Qs Js Ts",
        QUALIFIED,
        "play",
        ante=10_000,
        bonus=10_000,
        sheet={"bonus.pays.royal-flush": "2000:1"},
    )
    assert answer.lines == [
        LineSeen("ante", 10_000, 20_000, "won"),
        LineSeen("bonus", 10_000, 10_010_000, "won", capped=True),
        LineSeen("play", 20_000, 2_020_000, "won"),
    ]
    assert answer.returned == 12_050_000


@pytest.mark.parametrize(("bet", "cap"), [("ante", 1500), ("play", 5000), ("bonus", 3999)])
def test_stud_15_each_bet_has_its_own_cap_which_counts_the_stake(bet: str, cap: int) -> None:
    round_ = ("7c 7d 7h 8s 3d", QUALIFIED, "play")
    free = ask_stud(*round_, bonus=500).returns()
    held = ask_stud(*round_, bonus=500, sheet={f"caps_cents.{bet}": cap})
    assert held.returns() == {**free, bet: cap}
    assert {line.bet: line.capped for line in held.lines if line.capped} == {bet: True}
    exact = ask_stud(*round_, bonus=500, sheet={f"caps_cents.{bet}": free[bet]})
    assert not any(line.capped for line in exact.lines)


def test_stud_15_the_rounds_cap_is_taken_from_the_largest_line() -> None:
    # Uncapped: ante 2000, bonus 4000, play 8000.
    answer = ask_stud("7c 7d 7h 8s 3d", QUALIFIED, "play", bonus=500, sheet=_round_cap(13_000))
    assert answer.returns() == {"ante": 2000, "bonus": 4000, "play": 7000}
    assert [line.capped for line in answer.lines] == [False, False, True]
    # A larger bonus makes that the largest line: ante 2000, bonus 16000, play 8000.
    answer = ask_stud("7c 7d 7h 8s 3d", QUALIFIED, "play", bonus=2000, sheet=_round_cap(25_999))
    assert answer.returns() == {"ante": 2000, "bonus": 15_999, "play": 8000}


def test_stud_15_of_equal_lines_the_one_staked_last_is_cut() -> None:
    # Not qualified: ante 1000 returns 2000, play 2000 returns 2000; play was staked last.
    answer = ask_stud("6s 6c 8h 7s 3c", NOT_QUALIFIED, "play", sheet=_round_cap(3500))
    assert answer.lines == [
        LineSeen("ante", 1000, 2000, "won"),
        LineSeen("play", 2000, 1500, "part", capped=True),
    ]
    # Three equal lines of 3200 in the order ante, bonus, play.
    sheet = _round_cap(9500)
    answer = ask_stud("7c 7d 7h 5s 3c", NOT_QUALIFIED, "play", ante=1600, bonus=400, sheet=sheet)
    assert answer.returns() == {"ante": 3200, "bonus": 3200, "play": 3100}


def test_stud_15_an_excess_larger_than_the_largest_line_goes_on_to_the_next() -> None:
    sheet = _round_cap(3000)
    answer = ask_stud("7c 7d 7h 5s 3c", NOT_QUALIFIED, "play", ante=1600, bonus=400, sheet=sheet)
    assert answer.returns() == {"ante": 3000, "bonus": 0, "play": 0}
    assert answer.returned == 3000


def test_stud_15_a_bets_own_cap_comes_before_the_rounds() -> None:
    # Uncapped: ante 2000, bonus 16000, play 8000. Its own cap leaves the bonus 5000, so that the
    # round's excess of 1000 falls on play; the round first would have cut the bonus alone.
    answer = ask_stud(
        "7c 7d 7h 8s 3d",
        QUALIFIED,
        "play",
        bonus=2000,
        sheet={"caps_cents.bonus": 5000, **_round_cap(14_000)},
    )
    assert answer.lines == [
        LineSeen("ante", 1000, 2000, "won"),
        LineSeen("bonus", 2000, 5000, "won", capped=True),
        LineSeen("play", 2000, 7000, "won", capped=True),
    ]


def test_stud_15_a_cap_also_holds_after_a_fold() -> None:
    sheet = {"caps_cents.bonus": 700}
    answer = ask_stud("7c 7d 7h 8s 3d", QUALIFIED, "fold", bonus=500, sheet=sheet)
    assert answer.line("bonus") == LineSeen("bonus", 500, 700, "won", capped=True)


def _round_cap(cents: int) -> dict[str, object]:
    return {"caps_cents.round": cents}
