"""The contract of `tapis replay` for all games: questions, hands, pot, errors.

Written from docs/replay.md and docs/rules. `Answer` refuses extra and missing keys, so every test
here checks the structure of the answer too. `test_replay_figures` tests changes of the sheet.
"""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from cli.lines import GAMES, answered, options, refused, told, whole
from games.stud import ACE_KING, TWO_PAIR, Answer

Listed = dict[str, tuple[int, str | None]]
FREE = (0, None)
SEVEN, HOUSE = "9s 9h Jk 5d 3c 8d 2s", "Ac Kd Jh 7c 6s 4h 3d"
HEARTS, NO_FLUSH = "Ah 9h 6h 4h 2h Kd 7d", "Ac Kc Qd Jd Ts 9s 8h"
HOLDEM = "Kh 3c 9h 3d Kd 9s 7c 4h 2s"


def asked(answer: Answer) -> tuple[int, str | None]:
    """Return step and hand of the open question."""
    assert answer.status == "waiting"
    assert answer.ask is not None
    return answer.ask.step, answer.ask.hand


# Questions and hands ------------------------------------------------------------------------------


def test_pai_gow_lists_21_sets_of_two_cards_in_the_order_dealt_and_suggests_one() -> None:
    answer = told("pai-gow", f"{SEVEN} {HOUSE}")
    assert asked(answer) == (0, None)
    assert list(options(answer)) == [" ".join(pair) for pair in combinations(SEVEN.split(), 2)]
    assert {cents for cents, _ in options(answer).values()} == {0}
    fouls = {name for name, (_, why) in options(answer).items() if why}
    # Nines, or a nine and the ace the joker is, leave less than that behind (pai.4, pai.6).
    assert {"9s 9h", "9s Jk", "9h Jk"} <= fouls
    assert {options(answer)[name][1] for name in fouls} == {"set/foul"}
    assert answer.ask is not None
    suggested = [option for option in answer.ask.options if option.suggested]
    assert [(option.id, option.legal) for option in suggested] == [("Jk 8d", True)]
    assert answer.hands == {"player": SEVEN.split(), "house": ["??"] * 7}
    assert (answer.status, answer.lines, answer.staked, answer.returned) == ("waiting", [], 1600, 0)


def test_pai_gow_once_set_shows_four_hands_in_zones_of_their_own() -> None:
    end = told("pai-gow", f"{SEVEN} {HOUSE}", "5d 8d")
    assert (end.status, end.ask) == ("settled", None)
    assert end.hands["player-low"] == ["5d", "8d"]
    assert end.hands["player-high"] == ["9s", "9h", "Jk", "3c", "2s"]
    assert set(end.hands) == {"player-low", "player-high", "house-low", "house-high"}
    assert sorted(end.hands["house-low"] + end.hands["house-high"]) == sorted(HOUSE.split())
    assert [each.bet for each in end.lines] == ["main", "fortune"]


@pytest.mark.parametrize(
    "choice",
    ["5d", "5d  8d", "5d,8d", " 5d 8d", "5d 8d ", "5d 8d 2s", "5d 5d", "5D 8D", "As Ks", "", " "],
)
def test_pai_gow_takes_nothing_but_two_of_its_own_cards(choice: str) -> None:
    assert refused("pai-gow", f"{SEVEN} {HOUSE}", choice).code == "choice/not_offered"


def test_blackjack_names_the_hand_it_asks_and_counts_the_steps_over_both() -> None:
    deck, choices = "8h 8s Th 9s Ad 5c 3h Tc 2d", list[str]()
    may, once = (1000, None), (1000, "split/once")
    expected: list[tuple[str, str, Listed]] = [
        ("insure", "hand-1", {"insure": (500, None), "decline": FREE}),
        ("decline", "hand-2", {"insure": (300, None), "decline": FREE}),
        ("split", "hand-1", {"double": (1000, "double/not-10-or-11"), "split": may}),
        ("double", "hand-1", {"double": may, "split": once}),
        ("stand", "split-1", {"double": may, "split": once}),
        (
            "stand",
            "hand-2",
            {"double": (600, "double/not-10-or-11"), "split": (600, "split/not-a-pair")},
        ),
    ]
    for step, (choice, hand, listed) in enumerate(expected):
        answer = told("blackjack", deck, *choices)
        assert asked(answer) == (step, hand)
        free: Listed = {} if "insure" in listed else {"hit": FREE, "stand": FREE}
        assert list(options(answer).items()) == list({**free, **listed}.items())
        assert answer.hands["house"] == ["Ad", "??"]
        choices.append(choice)
    end = told("blackjack", deck, *choices)
    assert end.status == "settled"
    assert set(end.hands) == {"hand-1", "split-1", "hand-2", "house"}
    assert (end.hands["hand-1"], end.hands["split-1"]) == (["8h", "3h", "Tc"], ["8s", "2d"])
    assert end.hands["house"][:2] == ["Ad", "5c"]
    bets = ["hand-1", "hand-2", "royal", "insurance-1", "split-1", "double-1"]
    assert [each.bet for each in end.lines] == bets


def test_blackjack_with_one_hand_still_names_it_and_may_end_at_the_deal() -> None:
    alone = told("blackjack", "Th 9s 7d Tc", stakes={"hand-2": 500})
    assert asked(alone) == (0, "hand-2")
    assert alone.hands == {"hand-2": ["Th", "9s"], "house": ["7d", "??"]}
    over = told("blackjack", "Ah Ks 9d Tc", stakes={"hand-1": 500})
    assert (over.status, over.ask, over.returned) == ("settled", None, 1250)
    assert over.hands["house"] == ["9d", "Tc"]
    even = told("blackjack", "Ah Ks Ad Tc", stakes={"hand-1": 500})
    assert options(even) == {"even-money": FREE, "decline": FREE}


# How many cards the player sees, from the top of the deck, once these choices are made.
SEEN: list[tuple[str, list[str], int]] = [
    ("pai-gow", [], 7),
    ("high-card-flush", [], 7),
    ("high-card-flush", ["fold"], 7),
    ("blackjack", [], 5),
    ("ultimate", [], 2),
    ("casino-stud", [], 6),
    ("casino-stud", ["fold"], 6),
    ("casino-stud", ["play"], 10),
]


@pytest.mark.parametrize(("game", "choices", "seen"), SEEN, ids=str)
def test_an_answer_depends_on_nothing_the_player_may_not_see(
    game: str, choices: list[str], seen: int
) -> None:
    chance, compared = Random(game), 0
    for _ in range(60):
        deck = chance.sample(whole(game), len(whole(game)))
        other = [*deck[:seen], *chance.sample(deck[seen:], len(deck) - seen)]
        one, two = (answered(game, "", *choices, deck=each) for each in (deck, other))
        # A hole card may end Blackjack at once.
        if choices or (b'"waiting"' in one and b'"waiting"' in two):
            assert one == two
            compared += 1
    assert compared >= (40 if game == "blackjack" else 60)


# The pot ------------------------------------------------------------------------------------------

ROYAL, STRAIGHT = "Ks Qs Js Ts As 5c", "9s 8s 7s 6s Ts 5c"


@pytest.mark.parametrize(
    ("pot", "royal", "straight"),
    [
        (None, 2_000_000, 200_000),  # left out
        (2_000_000, 2_000_000, 200_000),
        (2_345_678, 2_345_678, 234_567),  # a tenth, in whole cents, never more
        (1_999_999, 1_999_999, 199_999),
        (100, 100, 10),
        (9, 9, 0),
        (0, 0, 0),
        (10**13, 10**13, 10**12),
    ],
)
def test_a_royal_flush_takes_the_pot_and_a_straight_flush_a_tenth_of_it(
    pot: int | None, royal: int, straight: int
) -> None:
    given = {} if pot is None else {"jackpot_cents": pot}
    for deck, cents in ((ROYAL, royal), (STRAIGHT, straight)):
        answer = told("blackjack", deck, **given)
        assert (answer.status, answer.staked, answer.returned) == ("waiting", 1700, cents)
        outcome = "won" if cents > 100 else "returned" if cents == 100 else "part"
        settled = answer.line("royal")
        assert settled.outcome == (outcome if cents else "lost")
        assert (settled.staked, settled.returned) == (100, cents)


def test_the_pot_changes_nothing_but_the_claim_on_it() -> None:
    for deck in ("9s 9h 9d 9c 2s 5c", "9s 9h 8d 8c 5s 3c"):
        assert told("blackjack", deck, jackpot_cents=7) == told("blackjack", deck)
    for game in {*GAMES} - {"blackjack"}:
        assert told(game, "", jackpot_cents=7) == told(game, "")
    without = {"hand-1": 1000, "hand-2": 600}
    assert told("blackjack", ROYAL, stakes=without).lines == []


@pytest.mark.parametrize("pot", [-1, 10**13 + 1, 2_000_000.0, "2000000", True, None])
def test_a_pot_out_of_its_range_is_malformed(pot: object) -> None:
    assert refused("blackjack", ROYAL, jackpot_cents=pot).code == "request/malformed"


# Errors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_deck_is_the_games_own_53_cards_at_pai_gow_and_52_elsewhere(game: str) -> None:
    own = whole(game)
    assert len(own) == (53 if game == "pai-gow" else 52)
    other = [card for card in own if card != "Jk"] if game == "pai-gow" else [*own, "Jk"]
    for deck in (other, own[1:], [own[1], *own[1:]], [*own[:-1], own[0]], [], own * 2):
        assert refused(game, deck=deck).code == "deck/invalid"


@pytest.mark.parametrize("game", GAMES)
def test_choices_after_the_end_or_off_the_list_refuse_the_line(game: str) -> None:
    deck, *way = {
        "pai-gow": (f"{SEVEN} {HOUSE}", "5d 8d"),
        "high-card-flush": (f"{HEARTS} {NO_FLUSH}", "fold"),
        "blackjack": ("Th 9s Tc 8s 7d Kc", "stand", "stand"),
        "ultimate": (HOLDEM, "raise-3"),
        "casino-stud": (f"{TWO_PAIR} {ACE_KING}", "play"),
    }[game]
    assert told(game, deck, *way).status == "settled"
    assert refused(game, deck, *way, way[0]).code == "choice/too_many"
    for wrong in ("call", "Stand", "", "raise-9"):
        assert refused(game, deck, *way[:-1], wrong).code == "choice/not_offered"
