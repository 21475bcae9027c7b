"""What is called the best play is the best one that is proved, in every game."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

import tapisvert
from tapisvert.lab import proof_store
from tapisvert.library.proving import best_first, proof_of
from tapisvert.sheets import load

GAMES = [game.id for game in tapisvert.games()]


@pytest.mark.parametrize("game", GAMES)
def test_main_is_the_proved_play_that_loses_least(game: str) -> None:
    proof = tapisvert.prove(game)
    edges = {each.strategy: each.edge for each in proof.bets if each.bet == "main"}
    assert proof.main.edge == max(edges.values())
    assert proof.main.strategy == "optimal"
    assert proof.main == proof.bets[0] == proof.bet("main")
    assert proof.par()[0].cost_of_play == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_bankroll_without_a_named_strategy_is_that_of_the_best_play(game: str) -> None:
    found = tapisvert.bankroll(game, bankroll_cents=10_000, stake_cents=500, rounds=20)
    assert found.strategy == "optimal"
    assert found.mean_cents == 20 * 500 * tapisvert.prove(game).main.edge


@pytest.mark.parametrize("game", GAMES)
def test_bankroll_tables_begin_with_the_best_play(game: str) -> None:
    assert tapisvert.prove(game).bankrolls()[0].strategy == "optimal"


def test_the_best_play_of_each_bet_comes_first_whatever_its_name() -> None:
    sheet = load("pai-gow")
    kept = proof_store.find(sheet)
    order = [(each.bet, each.strategy) for each in best_first(kept)]
    assert order == [
        ("main", "optimal"), ("fortune", "none"), ("main", "house-way"), ("main", "best-high"),
        ("main", "best-low"),
    ]  # fmt: skip
    better = [
        msgspec.structs.replace(each, edge="1/9") if each.strategy == "best-low" else each
        for each in kept
    ]
    assert proof_of(sheet, better).main.edge == Fraction(1, 9)


def test_of_equal_plays_the_first_is_the_best() -> None:
    proof = tapisvert.prove("blackjack")
    assert proof.bet("main", "each-hand-alone").edge == proof.main.edge
    assert proof.main.strategy == "optimal"
