"""Values that must never change, compared with those recorded at commit 795e69f.

The hash of a sheet is an input of every shuffle, the key of a proof identifies the proved figures,
and a stored round is replayed by its edition's script for ever.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from golden.golden import FOLDER
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.lab.proof_keys import key
from tapisvert.sheets import load

RECORDED: dict[str, Any] = json.loads((FOLDER / "at_795e69f.json").read_text("utf-8"))
each_game = pytest.mark.parametrize("game", SHIPPED)


def test_every_shipped_game_was_recorded() -> None:
    assert tuple(RECORDED) == SHIPPED


@each_game
def test_the_sheet_has_the_same_hash(game: str) -> None:
    assert load(game).hash == RECORDED[game]["sheet"]


@each_game
def test_the_proofs_have_the_same_keys(game: str) -> None:
    keys = {bet: key(load(game), bet) for bet in GAMES[game].bets}
    assert keys == RECORDED[game]["proof_keys"]


@each_game
def test_every_edition_is_still_there(game: str) -> None:
    numbers = [each.number for each in GAMES[game].editions]
    assert numbers[: len(RECORDED[game]["editions"])] == RECORDED[game]["editions"]


@each_game
def test_every_golden_round_has_the_same_answers_and_events(game: str) -> None:
    """The scripts replay to today's recordings (test_golden.py)."""
    for name, (edition, digest) in RECORDED[game]["rounds"].items():
        current = edition == GAMES[game].editions[-1].number
        file = FOLDER / game / (f"{name}.json" if current else f"{name}.edition-{edition}.json")
        recorded = json.loads(file.read_text("utf-8"))
        assert recorded["edition"] == edition
        said = [[step["answers"], step["events"]] for step in recorded["steps"]]
        found = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
        assert found == digest, name
