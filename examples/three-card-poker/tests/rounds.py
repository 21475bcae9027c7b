"""Rounds for tests: whole decks from the cards that matter, played through the engine."""

from __future__ import annotations

from collections.abc import Mapping

from tapisvert.cards import STANDARD, parse_hand
from tapisvert.engine import Transcript, View, replay, view
from tapisvert.engine.sheet_file import load_file, with_changes

from three_card_poker import GAME
from three_card_poker.sheet import ThreeCardPoker

QUALIFIED = "Qc 8d 3h"
NOT_QUALIFIED = "Jc 8d 3h"


def sheet_with(changes: Mapping[str, object] | None = None) -> ThreeCardPoker:
    """Return the shipped sheet, with some figures changed."""
    sheet = with_changes(load_file(GAME.folder / "sheet.toml", ThreeCardPoker), changes or {})
    assert isinstance(sheet, ThreeCardPoker)
    return sheet


SHEET = sheet_with()


def play(
    player: str,
    house: str,
    *choices: str,
    stakes: Mapping[str, int] | None = None,
    pair_plus: int | None = None,
    changes: Mapping[str, object] | None = None,
    void: str | None = None,
) -> Transcript:
    """Play a round; the ante is 10.00 unless stakes are given."""
    top = parse_hand(f"{player} {house}")
    deck = [*top, *(card for card in STANDARD if card not in top)]
    placed = dict({"ante": 1000} if stakes is None else stakes)
    if pair_plus is not None:
        placed["pair-plus"] = pair_plus
    script = GAME.editions[-1].script
    return replay(script, sheet_with(changes), deck, placed, choices, void=void)


def returned(played: Transcript) -> dict[str, int]:
    """Return what each bet brought back."""
    return {bet: line.returned_cents for bet, line in played.lines.items()}


def seen(played: Transcript) -> View:
    """Return what the player sees."""
    return view(played)
