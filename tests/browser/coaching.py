"""Coaches for the browser tests, and the bets to begin with."""

from __future__ import annotations

from typing import Any

from coach.present import Present
from stakes import free_spots
from tapisvert.coach.warm import CoachState
from tapisvert.games.registry import SHIPPED
from tapisvert.refusal import Refused

FIRST = {game: free_spots(game)[0] for game in SHIPPED}
# What he says with 18 seconds to go: nobody knows them to the second.
SAID = {
    "en": "The coach is getting ready: about 20 s left",
    "fr": "Le conseiller se prépare : encore environ 20 s",
}


READY, WARMING = CoachState("ready"), CoachState("warming", 1, 3, 18)


class Late(Present):
    """On his way until the test says that he is ready; then he advises."""

    def __init__(self, said: CoachState = WARMING) -> None:
        super().__init__()
        self.said = said

    async def state(self, game: str | None = None) -> CoachState:
        """Say how far he is."""
        return self.said


class Absent(Late):
    """Refuses whoever asks him, whatever he says of himself."""

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        """Refuse."""
        self.asked.append(position)
        raise Refused("coach/warming", retry_after_s=2)
