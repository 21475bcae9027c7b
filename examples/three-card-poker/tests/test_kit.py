"""The game passes the conformance kit of the house, each check as a test."""

from __future__ import annotations

from pathlib import Path

from tapisvert.testing.kit import CHECKS
from tapisvert.testing.plugin import check_game

from three_card_poker import GAME

PROJECT = Path(__file__).parents[1]
NOT_HERE = ("every-value",)  # summed with --full

test_the_game_passes = check_game(
    GAME.id,
    rounds=2_000,
    project=PROJECT,
    checks=[name for name in CHECKS if name not in NOT_HERE],
)
test_every_position_comes_to_its_proof = check_game(
    GAME.id, rounds=100, full=True, project=PROJECT, checks=NOT_HERE
)
