"""Simulated players: their kernels decide and pay as the plain players of commit 795e69f do."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from odds.plain_blackjack import PlainBlackjack
from odds.plain_pai_gow import PlainPaiGow
from odds.plain_players import PlainFlush, PlainStud
from odds.plain_ultimate import PlainUltimate
from tapisvert.engine.sheet_file import with_changes
from tapisvert.lab.mathematics import simulated_player
from tapisvert.odds.simulation import BLOCK, CodedPlayer, SimulatedPlayer, deal, play_block
from tapisvert.sheets import load
from tiers import few_or_many, long

Plain = Callable[[Any, str], Any]
SEED = 25
MANY = int(os.environ.get("TAPIS_ROUNDS", "200000"))  # `make rounds` plays a million
PLAYERS: list[tuple[str, str, Plain, dict[str, object]]] = [
    ("casino-stud", "optimal", PlainStud, {}),
    ("casino-stud", "as-the-house", PlainStud, {"house.qualifies_with": ["A", "Q"]}),
    ("casino-stud", "optimal", PlainStud, {"play.pays.flush": "13:2", "play.times_ante": 1}),
    ("high-card-flush", "optimal", PlainFlush, {}),
    ("high-card-flush", "raise-from-T-8-6", PlainFlush, {}),
    ("high-card-flush", "optimal", PlainFlush, {"raise.most_times.flush-6": 3, "ante.pays": "3:2"}),
    ("ultimate", "wait-for-the-river", PlainUltimate, {}),
    ("ultimate", "optimal", PlainUltimate, {}),
    ("ultimate", "never-fold", PlainUltimate, {}),
    ("ultimate", "always-raise-first", PlainUltimate, {}),
    (
        "ultimate",
        "optimal",
        PlainUltimate,
        {"play.after_river": [1, 2], "play.after_flop": [2, 3], "house.opens_with": "two-pair"},
    ),
    ("blackjack", "like-the-house", PlainBlackjack, {}),
    ("blackjack", "optimal", PlainBlackjack, {}),
    ("blackjack", "each-hand-alone", PlainBlackjack, {}),
    ("blackjack", "chart", PlainBlackjack, {"house.hits_soft_17": False}),
    (
        "blackjack",
        "each-hand-alone",
        PlainBlackjack,
        {
            "insurance.pays": "3:1",
            "hand.even_money_pays": "3:2",
            "hand.double_after_split": "any",
        },
    ),
    ("pai-gow", "house-way", PlainPaiGow, {}),
    ("pai-gow", "best-low", PlainPaiGow, {"house_way.two_pairs_stay_to": "9"}),
    ("pai-gow", "optimal", PlainPaiGow, {}),
]
FIRST = {0, 3, 16}  # in the first tier: players that take no more than seconds to count
CASES = [
    pytest.param(case, id=f"{game}-{strategy}", marks=[] if case in FIRST else long)
    for case, (game, strategy, _, _) in enumerate(PLAYERS)
]


@cache
def both(case: int) -> tuple[SimulatedPlayer, Any]:
    """Return the player of a case and its plain twin."""
    game, strategy, plain, changes = PLAYERS[case]
    sheet = with_changes(load(game), changes)
    return simulated_player(sheet, strategy), plain(sheet, strategy)


@pytest.mark.parametrize("rounds", few_or_many(BLOCK, MANY))
@pytest.mark.parametrize("case", CASES)
def test_every_round_is_decided_and_paid_as_before(case: int, rounds: int) -> None:
    player, twin = both(case)
    assert isinstance(player, CodedPlayer)
    for first in range(0, rounds, BLOCK):
        decks = deal(SEED, first, min(BLOCK, rounds - first), player.cards, player.deck)
        found, expected = player.play(decks), twin.play(decks)
        assert (found.net * twin.unit == expected.net * player.unit).all()
        assert (found.staked * twin.unit == expected.staked * player.unit).all()
        assert (found.lines == expected.lines).all()


@pytest.mark.parametrize("rounds", few_or_many(BLOCK + 100, MANY // 2))
@pytest.mark.parametrize("case", CASES)
def test_the_tally_by_codes_is_that_of_the_rounds(case: int, rounds: int) -> None:
    """Of Blackjack this includes rounds that need more cards than are dealt at first."""
    player, twin = both(case)
    assert play_block(player, SEED, 7, rounds) == play_block(twin, SEED, 7, rounds)
