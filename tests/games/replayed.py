"""Rounds of the games for tests: whole decks that begin with given cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapisvert.cards import parse_hand
from tapisvert.engine import Transcript, replay
from tapisvert.engine.events import Asked, Option
from tapisvert.engine.script import Claim
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import current
from tapisvert.sheets import load

POT = 2_345_678  # of the jackpot, in every round


def replayed(
    game: str,
    top: str,
    stakes: Mapping[str, int],
    choices: Sequence[str],
    changes: Mapping[str, object] | None = None,
) -> Transcript:
    """Play a round by the shipped sheet, or with some figures changed."""
    sheet, first = with_changes(load(game), changes or {}), parse_hand(top)
    deck = [*first, *(card for card in sheet.deck if card not in first)]
    return replay(current(game).script, sheet, deck, stakes, choices, bank=_pot)


def _pot(claim: Claim) -> int:
    return int(POT * claim.share)


def returned(round: Transcript) -> dict[str, int]:
    return {bet: line.returned_cents for bet, line in round.lines.items()}


def asked(round: Transcript) -> Asked:
    assert isinstance(round.waiting, Asked)
    return round.waiting


def options(round: Transcript) -> dict[str, Option]:
    return {option.id: option for option in asked(round).options}
