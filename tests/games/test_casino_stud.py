"""Casino Stud against RULES section 2 and the rule sheet: ante, play and the decision.

Figures are typed here once more from RULES, never read from the product's data. The 5+1 bonus is
in `test_casino_stud_bonus.py`, the ranking in `test_casino_stud_ranking.py`.
"""

from __future__ import annotations

import msgspec
import pytest

from games.stud import (
    NOT_QUALIFIED,
    QUALIFIED,
    Answer,
    LineSeen,
    OptionSeen,
    ask_stud,
    read_answer,
    refusal_of,
    run_tapis,
    stud_request,
)

# RULES 2: "Qualified and beaten: ante 1:1, play by table". The house always qualifies here.
PLAY_ROWS = {
    "royal flush": ("As Ks Qs Js Ts", QUALIFIED, 100),
    "straight flush": ("9s 8s 7s 6s 5s", QUALIFIED, 50),
    "straight flush, lowest": ("As 2s 3s 4s 5s", "9c Ad Kh 4c 2d", 50),
    "four of a kind": ("7c 7d 7h 7s 2s", QUALIFIED, 20),
    "full house": ("7c 7d 7h 8s 8d", QUALIFIED, 7),
    "flush": ("Qs Js 8s 5s 3s", QUALIFIED, 5),
    "straight": ("8s 7d 6c 5h 4c", QUALIFIED, 4),
    "straight, lowest": ("5s Ac 3c 4h 2c", QUALIFIED, 4),
    "three of a kind": ("7c 7d 7h 8s 3d", QUALIFIED, 3),
    "two pair": ("7c 7d 8h 8s 3d", QUALIFIED, 2),
    "pair": ("7c 7d 8h 6s 3d", QUALIFIED, 1),
    "anything else": ("As Kd 9h 5s 3c", QUALIFIED, 1),
}

# A-K high is the least hand that qualifies; what lies just above and just below it.
QUALIFYING = {
    "the lowest ace-king": "Ac Kd 4h 3s 2d",
    "ace-king, king face up": "Kd Ac 4h 3s 2d",
    "the highest ace-king": "Ac Kd Qh Js 9d",
    "the lowest pair": "2c 2d 5h 4s 3d",
    "the lowest straight": "Ac 5d 4h 3s 2d",
}
NOT_QUALIFYING = {
    "the highest ace-queen": "Ac Qd Jh Ts 9d",
    "the highest king-queen": "Kc Qd Jh Ts 8d",
    "the lowest hand of all": "7c 5d 4h 3s 2d",
    "ace-king-two-three-four without its king": "Ac 9d 4h 3s 2d",
}


@pytest.mark.parametrize(("player", "house", "odds"), PLAY_ROWS.values(), ids=PLAY_ROWS)
def test_stud_10_a_beaten_house_pays_ante_even_and_play_by_table(
    player: str, house: str, odds: int
) -> None:
    answer = ask_stud(player, house, "play")
    assert answer.lines == [
        LineSeen("ante", 1000, 2000, "won"),
        LineSeen("play", 2000, 2000 + 2000 * odds, "won"),
    ]
    assert (answer.staked, answer.returned) == (3000, 4000 + 2000 * odds)


@pytest.mark.parametrize("house", QUALIFYING.values(), ids=QUALIFYING)
def test_stud_8_the_house_qualifies_with_ace_king_or_better(house: str) -> None:
    # A pair of queens either wins 1:1 on play or loses it; play is never just given back.
    assert ask_stud("Qs Qc 8h 7s 6d", house, "play").line("play").outcome in {"won", "lost"}


@pytest.mark.parametrize("house", NOT_QUALIFYING.values(), ids=NOT_QUALIFYING)
def test_stud_8_and_9_below_ace_king_the_house_does_not_qualify(house: str) -> None:
    answer = ask_stud("6s 6c 8h 7s 3c", house, "play")
    assert answer.lines == [
        LineSeen("ante", 1000, 2000, "won"),
        LineSeen("play", 2000, 2000, "returned"),
    ]
    assert (answer.staked, answer.returned) == (3000, 4000)


def test_stud_8_ace_king_exactly_qualifies_and_ace_queen_does_not() -> None:
    better = "As Ks Qh 9s 8c"
    assert ask_stud(better, "Ac Kd Qs 9h 7d", "play").line("play").outcome == "won"
    assert ask_stud(better, "Ac Jd Qs 9h 7d", "play").line("play").outcome == "returned"


@pytest.mark.parametrize(
    ("least", "house", "qualified"),
    [
        (["A", "Q"], "Ac Qd 4h 3s 2d", True),
        (["A", "Q"], "Ac Jd Th 9s 8d", False),
        (["A"], "Ac 6d 4h 3s 2d", True),
        (["A", "K", "5"], "Ac Kd 4h 3s 2d", False),
        (["A", "K", "4", "3", "2"], "Ac Kd 4h 3s 2d", True),
    ],
    ids=str,
)
def test_stud_8_the_least_hand_that_qualifies_is_a_figure_of_the_sheet(
    least: list[str], house: str, qualified: bool
) -> None:
    answer = ask_stud("7s 7c 8h Ts 3c", house, "play", sheet={"house.qualifies_with": least})
    assert answer.line("play").outcome == ("won" if qualified else "returned")


def test_stud_9_not_qualified_wins_the_ante_even_where_the_house_holds_the_better_hand() -> None:
    answer = ask_stud("7s 5c 4h 3s 2c", "Ac Qd Jh 9s 8d", "play")
    assert answer.returns() == {"ante": 2000, "play": 2000}


def test_stud_9_not_qualified_gives_play_back_even_with_a_royal_flush() -> None:
    answer = ask_stud("As Ks Qs Js Ts", NOT_QUALIFIED, "play")
    assert answer.returns() == {"ante": 2000, "play": 2000}


def test_stud_11_a_tie_with_a_qualified_house_gives_ante_and_play_back() -> None:
    answer = ask_stud("As Kc 9h 5s 3c", "Ad Kh 9c 5d 3h", "play")
    assert answer.lines == [
        LineSeen("ante", 1000, 1000, "returned"),
        LineSeen("play", 2000, 2000, "returned"),
    ]


def test_stud_9_before_11_equal_hands_without_ace_king_still_win_the_ante() -> None:
    answer = ask_stud("As Qc 9h 5s 3c", "Ad Qh 9c 5d 3h", "play")
    assert answer.returns() == {"ante": 2000, "play": 2000}


def test_stud_12_a_better_qualified_house_takes_ante_and_play() -> None:
    answer = ask_stud("Qs Qc 8h 7s 6d", "Kc Kd 8c 7d 6h", "play")
    assert answer.lines == [LineSeen("ante", 1000, 0, "lost"), LineSeen("play", 2000, 0, "lost")]
    assert (answer.staked, answer.returned) == (3000, 0)


def test_stud_6_a_fold_loses_the_ante_and_stakes_nothing_more() -> None:
    answer = ask_stud("As Ac 8h 7s 6d", QUALIFIED.replace("Ad", "3d"), "fold")
    assert answer.status == "settled"
    assert answer.lines == [LineSeen("ante", 1000, 0, "lost")]
    assert (answer.staked, answer.returned) == (1000, 0)


def test_stud_3_and_4_the_player_is_dealt_first_and_sees_one_card_of_the_house() -> None:
    answer = ask_stud("As Ac 8h 7s 6d", "9c 3d Kh 4s 2d")
    assert answer.status == "waiting"
    assert answer.lines == []
    assert (answer.staked, answer.returned) == (1000, 0)
    assert answer.hands == {
        "player": ["As", "Ac", "8h", "7s", "6d"],
        "house": ["9c", "??", "??", "??", "??"],
    }


@pytest.mark.parametrize("ante", [100, 700, 10_000])
def test_stud_5_play_costs_twice_the_ante_and_fold_nothing(ante: int) -> None:
    ask = ask_stud("As Ac 8h 7s 6d", "9c 3d Kh 4s 2d", ante=ante).ask
    assert ask is not None
    assert (ask.step, ask.hand) == (0, None)
    assert ask.options == [
        OptionSeen("play", 2 * ante, True, None, False),
        OptionSeen("fold", 0, True, None, False),
    ]
    assert ask_stud("As Ac 8h 7s 6d", "9c 3d Kh 4s 2d", "play", ante=ante).staked == 3 * ante


def test_stud_5_play_shows_the_house_and_stud_6_a_fold_keeps_its_four_cards_hidden() -> None:
    player, house = "As Ac 8h 7s 6d", "9c 3d Kh 4s 2d"
    assert ask_stud(player, house, "play").hands["house"] == house.split()
    assert ask_stud(player, house, "fold").hands["house"] == ["9c", "??", "??", "??", "??"]
    assert ask_stud(player, house, "fold", bonus=100).hands["house"] == ["9c", *["??"] * 4]


@pytest.mark.parametrize("suit", "cdhs")
def test_stud_7_a_royal_flush_of_ones_own_may_not_be_folded(suit: str) -> None:
    player = " ".join(f"{rank}{suit}" for rank in "TAQKJ")
    other = "d" if suit == "c" else "c"
    house = f"9{other} 7{other} 4{other} 3{suit} 2{suit}"
    ask = ask_stud(player, house).ask
    assert ask is not None
    assert ask.options == [
        OptionSeen("play", 2000, True, None, False),
        OptionSeen("fold", 0, False, "fold/royal", False),
    ]
    assert refusal_of(stud_request(player, house, ["fold"])).code == "choice/not_legal"
    assert ask_stud(player, house, "play").status == "settled"


@pytest.mark.parametrize(
    "player",
    ["Ks Qs Js Ts 9s", "As Ks Qs Js Td", "As Ad Ah Ac Ks", "As Ks Qs Js 9s"],
    ids=["king-high straight flush", "ace-high straight", "four aces", "ace-high flush"],
)
def test_stud_7_any_other_hand_may_be_folded(player: str) -> None:
    assert ask_stud(player, "9c 8d 4h 3s 2d", "fold").returns() == {"ante": 0}


def test_stud_7_a_royal_flush_made_with_the_up_card_may_be_folded() -> None:
    player, house = "Ks Qs Js Ts 2d", "As 9c 4h 3s 2c"
    ask = ask_stud(player, house).ask
    assert ask is not None
    assert [option.legal for option in ask.options] == [True, True]
    assert ask_stud(player, house, "fold").returns() == {"ante": 0}
    # It counts for 5+1 only: against a house that qualifies, these five are king high.
    assert ask_stud(player, "As Kc 4h 3s 2c", "play").returns() == {"ante": 0, "play": 0}


def test_stud_2_smallest_and_largest_stakes_are_taken_and_nothing_beyond() -> None:
    player, house = "As Ac 8h 7s 6d", "9c 3d Kh 4s 2d"
    for cents in (100, 10_000):
        assert ask_stud(player, house, ante=cents, bonus=cents).staked == 2 * cents
    for cents, code in ((99, "stake/under_limit"), (10_001, "stake/over_limit")):
        for stakes in ({"ante": cents}, {"ante": 1000, "bonus": cents}):
            request = {**stud_request(player, house, []), "stakes": stakes}
            assert refusal_of(request).code == code


def test_stud_15_the_largest_win_of_each_bet_is_its_cap_so_nothing_is_cut() -> None:
    answer = ask_stud("As Ks Qs Js Ts", QUALIFIED, "play", ante=10_000, bonus=10_000)
    assert answer.lines == [
        LineSeen("ante", 10_000, 20_000, "won"),
        LineSeen("bonus", 10_000, 10_010_000, "won"),
        LineSeen("play", 20_000, 2_020_000, "won"),
    ]
    assert answer.returned == 12_050_000


def test_rounds_through_the_real_command_are_the_same_rounds() -> None:
    rounds = [(player, house, ["play"]) for player, house, _ in PLAY_ROWS.values()]
    rounds += [("6s 6c 8h 7s 3c", house, ["play"]) for house in NOT_QUALIFYING.values()]
    rounds += [("As Kc 9h 5s 3c", "Ad Kh 9c 5d 3h", choices) for choices in ([], ["fold"])]
    requests = [stud_request(*each, bonus=500) for each in rounds]
    ran = run_tapis("replay", lines=b"\n".join(map(msgspec.json.encode, requests)))
    assert (ran.returncode, ran.stderr) == (0, b"")
    answers = [read_answer(line) for line in ran.stdout.splitlines()]
    assert answers == [ask_stud(mine, theirs, *said, bonus=500) for mine, theirs, said in rounds]
    odds = [odds for _, _, odds in PLAY_ROWS.values()]
    paid = [_odds_of_play(answer) for answer in answers[: len(odds)]]
    assert paid == odds


def _odds_of_play(answer: Answer) -> int:
    line = answer.line("play")
    return (line.returned - line.staked) // line.staked
