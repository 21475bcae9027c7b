"""Random positions of a game: questions of random rounds, so that each can occur."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from stakes import stakes_on_all
from tapisvert.coach.position_from_round import position_of
from tapisvert.engine import Claim, Transcript, replay, view
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import current

STAKE_CENTS = 1000


def positions(sheet: Sheet, chance: Random) -> Iterator[dict[str, Any]]:
    """Yield the positions of random rounds on a sheet, at every stage, without end."""
    while True:
        deck = chance.sample(sheet.deck, len(sheet.deck))
        yield from round_positions(sheet, deck, chance)


def round_positions(sheet: Sheet, deck: list[int], chance: Random) -> Iterator[dict[str, Any]]:
    """Yield the positions of one round that is played at random."""
    script, stakes = current(sheet.game).script, stakes_on_all(sheet.game, STAKE_CENTS)
    answers: list[str | int] = []
    while True:
        played: Transcript = replay(script, sheet, deck, stakes, answers)
        asked = played.waiting
        if asked is None:
            return
        if isinstance(asked, Claim):
            answers.append(0)
            continue
        seen = view(played)
        assert seen.ask is not None
        yield position_of(sheet, seen.ask, seen.hands, played.stakes)
        legal = [option.id for option in seen.ask.options if option.legal]
        # Blackjack is more than hitting: a pair is split where it may be.
        answers.append("split" if "split" in legal else chance.choice(legal))
