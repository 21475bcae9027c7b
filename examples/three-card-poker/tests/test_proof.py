"""The mathematics: every deal counted again, single positions, public figures, and the script."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest
from tapisvert.cards import STANDARD, parse_hand, rank, suit
from tapisvert.engine import replay
from tapisvert.odds.figures import Figure
from tapisvert.odds.mathematics import Position
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.simulation import deal
from tapisvert.odds.suits import Finder, Patterns, patterns

from oracle import BONUS, KINDS, Ends, ends, kind_of, play_value, qualifies, rank_hand
from rounds import SHEET, sheet_with
from three_card_poker import GAME
from three_card_poker.odds import MATHEMATICS
from three_card_poker.odds.position_values import options
from three_card_poker.odds.proof import (
    STRATEGIES,
    Positions,
    main_bet,
    optimal,
    play_values,
    positions,
    queen_six_four,
)
from three_card_poker.odds.simulated_player import SimulatedPlayer

HANDS, HOUSE_HANDS = 22_100, 18_424
DEALS = HANDS * HOUSE_HANDS
SPECIAL = (
    *("Ah Kh Qh", "3h 2h Ah", "As Ah Ad", "2s 2h 2d", "As Kh Qd", "3s 2h Ad", "5s 3s 2s"),
    *("As Ah Kd", "2s 2h 3d", "Qs 6h 4d", "Qs 6s 4d", "Qs 6h 3d", "Qs 3h 2d", "5s 3h 2d"),
)
CHANGES: list[dict[str, object]] = [
    {},
    {"ante.pays": "3:2", "play.pays": "1:2"},
    {"play.times_ante": 3, "ante-bonus.pays.straight": "7:4"},
    {"house.qualifies_with": ["A", "2"], "pair-plus.pays.flush": "3:1"},
    {"ante.pays": "0:1", "play.pays": "0:1"},
    {"ante.pays": "0:1", "play.pays": "0:1", "play.times_ante": 100},  # a pair is folded
]
each_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


@pytest.fixture(scope="module")
def at() -> Positions:
    """Return the positions of the shipped sheet."""
    return positions(SHEET.least_to_qualify)


@pytest.fixture(scope="module")
def figures() -> dict[tuple[str, str], Figure]:
    """Return every figure of the shipped sheet."""
    return {(each.bet, each.strategy): each for each in MATHEMATICS.prove(SHEET, no_progress)}


def position_of(hand: list[int]) -> int:
    """Return the place of a hand's suit pattern."""
    found, _ = Finder(patterns(3)).find(np.array([hand], dtype=np.uint8))
    return int(found[0])


# Every deal, one by one ---------------------------------------------------------------------------


class Counted:
    """Every hand of the player against every hand of the house, without suit patterns.

    The hands are ranked by the oracle; `ends` are the oracle's four classes, summed by the rank of
    the player's hand.
    """

    def __init__(self) -> None:
        hands = list(combinations(STANDARD, 3))
        ranked = [rank_hand(hand) for hand in hands]
        self.order = sorted(set(ranked))
        places = {each: place for place, each in enumerate(self.order)}
        place = np.array([places[each] for each in ranked])
        held = np.array([sum(1 << card for card in hand) for hand in hands])
        playing = np.array([qualifies(each) for each in self.order])[place]
        self.ends = np.zeros((len(self.order), 4), dtype=np.int64)
        for mine, mask in zip(place, held, strict=True):
            free = held & mask == 0
            theirs = place[free & playing]
            idle = int(np.count_nonzero(free)) - len(theirs)
            split = [int(np.count_nonzero(each)) for each in (theirs < mine, theirs == mine)]
            self.ends[mine] += idle, *split, len(theirs) - sum(split)

    def counts(self, plays_from: tuple[int, ...]) -> dict[str, int]:
        """Return how every deal ends for a player who folds below a hand."""
        found: dict[str, int] = {"folded": 0}
        for rank_of, each in zip(self.order, self.ends.tolist(), strict=True):
            if rank_of < plays_from:
                found["folded"] += sum(each)
                continue
            kind = KINDS[rank_of[0]]
            suffix = f"-{kind}" if kind in BONUS else ""
            for end, deals in zip(("not-qualified", "won", "tie", "lost"), each, strict=True):
                found[end + suffix] = found.get(end + suffix, 0) + deals
        return found


@pytest.fixture(scope="module")
def counted() -> Counted:
    """Count all 407,170,400 deals."""
    return Counted()


@pytest.mark.parametrize(
    ("strategy", "plays_from"),
    [
        ("optimal", (0, 10, 4, 2)),
        ("queen-six-four", (0, 10, 4, 2)),
        ("as-the-house", (0, 10)),
        ("always-play", (0,)),
    ],
)
def test_every_deal_ends_as_a_count_one_by_one_says(
    figures: dict[tuple[str, str], Figure],
    counted: Counted,
    strategy: str,
    plays_from: tuple[int, ...],
) -> None:
    expected = counted.counts(plays_from)
    assert sum(expected.values()) == DEALS
    assert figures["main", strategy].counts == expected


def test_three_12_each_way_a_round_ends_has_its_net_result(
    figures: dict[tuple[str, str], Figure],
) -> None:
    nets = {each.name: each.net for each in figures["main", "optimal"].outcomes}
    plain = {"folded": -1, "not-qualified": 1, "won": 2, "tie": 0, "lost": -2}
    with_bonus = {
        f"{end}-{kind}": net + pays
        for end, net in plain.items()
        for kind, pays in BONUS.items()
        if end != "folded"
    }
    assert nets == plain | with_bonus
    staked = {each.name: each.staked for each in figures["main", "optimal"].outcomes}
    assert staked == {name: 1 if name == "folded" else 2 for name in nets}


def test_between_hands_that_both_qualify_neither_side_is_favoured(at: Positions) -> None:
    both = (at.strengths >= SHEET.least_to_qualify) * at.weights
    assert (both * at.beaten).sum() == (both * at.better).sum() > 0


def test_three_7_the_house_fails_to_qualify_as_often_as_combinatorics_says(
    figures: dict[tuple[str, str], Figure],
) -> None:
    # Three of the ten ranks from two to jack, but none of the eight runs, and not all of one suit.
    idle = (120 - 8) * (4**3 - 4)
    counts = figures["main", "always-play"].counts
    assert sum(n for end, n in counts.items() if end.startswith("not-q")) == idle * HOUSE_HANDS


def test_three_7_the_least_hand_that_qualifies_does_qualify() -> None:
    sheet = sheet_with({"house.qualifies_with": ["Q", "T", "9"]})
    at = positions(sheet.least_to_qualify)
    weaker = [hand for hand in combinations(STANDARD, 3) if rank_hand(hand) < (0, 10, 8, 7)]
    mine = parse_hand("As Kh 2d")
    free = [hand for hand in weaker if not set(hand) & set(mine)]
    assert int(at.unqualified[position_of(mine)]) == len(free)


def test_three_13_pair_plus_has_the_textbook_counts(
    figures: dict[tuple[str, str], Figure],
) -> None:
    figure = figures["pair-plus", "none"]
    assert figure.counts == {
        "straight-flush": 48,
        "three-of-a-kind": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "high-card": 16_440,
    }
    paid = 48 * 40 + 52 * 30 + 720 * 6 + 1_096 * 4 + 3_744 - 16_440
    assert figure.edge == Fraction(paid, HANDS)


# Figures that others have published ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "strategy", "per_ante", "risk"),
    [
        ("main", "queen-six-four", "3.3730", "2.01"),
        ("main", "always-play", "7.65", None),
        ("main", "as-the-house", "3.45", None),
        ("pair-plus", "none", "2.32", "2.32"),
    ],
)
def test_our_figure_is_the_published_one_to_its_last_digit(
    figures: dict[tuple[str, str], Figure], bet: str, strategy: str, per_ante: str, risk: str | None
) -> None:
    figure = figures[bet, strategy]

    def shown(value: Fraction, public: str) -> str:
        return f"{-100 * float(value):.{len(public.partition('.')[2])}f}"

    assert shown(figure.edge, per_ante) == per_ante
    assert risk is None or shown(figure.edge / figure.staked, risk) == risk


def test_another_table_of_pair_plus_has_its_published_edge() -> None:
    figure = MATHEMATICS.prove(sheet_with({"pair-plus.pays.flush": "3:1"}), no_progress)[1]
    assert f"{-100 * float(figure.edge):.2f}" == "7.28"


# Strategies ---------------------------------------------------------------------------------------


def test_the_best_play_is_queen_six_four(at: Positions) -> None:
    assert (optimal(SHEET, at) == queen_six_four(SHEET, at)).all()
    chart = MATHEMATICS.chart(SHEET, no_progress)
    assert (chart.plays_from, chart.folds_to, chart.between) == (
        "high-card Q64",
        "high-card Q63",
        [],
    )


@each_strategy
@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_no_strategy_beats_the_best_play(strategy: str, changes: dict[str, object]) -> None:
    sheet = sheet_with(changes)
    at = positions(sheet.least_to_qualify)
    assert main_bet(sheet, at, "optimal").edge >= main_bet(sheet, at, strategy).edge


def test_three_14_a_hand_that_pair_plus_pays_is_always_worth_playing(at: Positions) -> None:
    for strategy in STRATEGIES.values():
        assert strategy(SHEET, at)[at.rows > 0].all()


@pytest.mark.parametrize("row", BONUS)
def test_one_more_unit_on_a_row_of_the_bonus_moves_the_edge_by_its_frequency(row: str) -> None:
    more = sheet_with({f"ante-bonus.pays.{row}": f"{BONUS[row] + 1}:1"})
    at = positions(SHEET.least_to_qualify)
    moved = main_bet(more, at, "optimal").edge - main_bet(SHEET, at, "optimal").edge
    of_row = sum(kind_of(hand) == row for hand in combinations(STANDARD, 3))
    assert moved == Fraction(of_row, HANDS)


# Single positions ---------------------------------------------------------------------------------


def test_positions_have_the_ends_found_one_by_one(at: Positions) -> None:
    chance = Random(3)
    hands = [parse_hand(hand) for hand in SPECIAL] + [chance.sample(STANDARD, 3) for _ in range(8)]
    for hand in hands:
        row = position_of(hand)
        found = ends(hand)
        assert Ends(*(int(kind[row]) for kind in at[2:])) == found
        values = options(SHEET, hand)
        assert values == {"play": float(play_value(hand, found)), "fold": -1.0}


def test_the_values_of_every_position_sum_to_the_proof(
    figures: dict[tuple[str, str], Figure],
) -> None:
    total = 0.0
    for suits, weight in zip(*patterns(3), strict=True):
        hand = [4 * n + s for s in range(4) for n in range(13) if int(suits[s]) >> n & 1]
        total += int(weight) * max(options(SHEET, hand).values())
    assert total / HANDS == pytest.approx(float(figures["main", "optimal"].edge), abs=1e-12)


@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_the_values_of_playing_sum_to_the_edge_of_who_never_folds(
    changes: dict[str, object],
) -> None:
    sheet = sheet_with(changes)
    at = positions(sheet.least_to_qualify)
    value, unit = play_values(sheet, at)
    mean = Fraction(int((value * at.weights).sum()), unit * DEALS)
    assert mean == main_bet(sheet, at, "always-play").edge


@pytest.mark.parametrize(("hand", "best"), [("Qs 6h 4d", "play"), ("Qs 6h 3d", "fold")])
def test_advice_names_the_better_choice(hand: str, best: str) -> None:
    advice = MATHEMATICS.advise(SHEET, Position({"player": parse_hand(hand)}, {}, lambda: None))
    assert (advice.best, set(advice.options)) == (best, {"play", "fold"})


# Script and kernel --------------------------------------------------------------------------------


@each_strategy
@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_the_script_settles_every_bet_as_the_simulated_player_does(
    strategy: str, changes: dict[str, object]
) -> None:
    uncapped = {f"caps_cents.{cap}": 10**9 for cap in SHEET.caps_cents}
    sheet = sheet_with({**changes, **uncapped})
    player = SimulatedPlayer(sheet, strategy, no_progress)
    decks = deal(11, 0, 400, player.cards, player.deck)
    played = player.play(decks)
    rows = zip(decks.tolist(), *(column.tolist() for column in played), strict=True)
    for top, net, staked, line in rows:
        deck = [*top, *(card for card in STANDARD if card not in top)]
        stakes = {"ante": 1000, "pair-plus": 1000}
        end = replay(GAME.editions[-1].script, sheet, deck, stakes, player.said(top, line))
        lines = end.lines
        paid = {bet: each.returned_cents - each.staked_cents for bet, each in lines.items()}
        main = paid["ante"] + paid.get("play", 0)
        assert [main * player.unit, paid["pair-plus"] * player.unit] == [1000 * n for n in net]
        put = sum(end.stakes.values()) - 1000
        assert [put * player.unit, 1000 * player.unit] == [1000 * n for n in staked]


def test_a_hand_is_found_under_every_name_of_its_suits(at: Positions) -> None:
    hand = parse_hand("Qs 6h 4h")
    held = np.zeros((1, 4), dtype=np.int16)
    for card in hand:
        held[0, suit(card)] |= 1 << rank(card)
    alone = positions(SHEET.least_to_qualify, hands=Patterns(held, np.ones(1, dtype=np.int64)))
    row = position_of(hand)
    assert [int(kind[0]) for kind in alone[2:]] == [int(kind[row]) for kind in at[2:]]
