"""Coaches for the browser tests, and the bets of each game."""

from __future__ import annotations

from typing import Any

from coach.present import Present
from stakes import free_spots
from tapisvert.coach.warm import CoachState
from tapisvert.games.registry import SHIPPED
from tapisvert.refusal import Refused

FIRST = {game: free_spots(game)[0] for game in SHIPPED}
# The question of the known round of Casino Stud: a pair of kings against an ace.
KINGS = {"game": "casino-stud", "player": ["Kh", "Kd", "7c", "4s", "2d"], "house": ["Ac"]}
# Positions with much to show, by game, as their addresses write them.
LAID = {
    "casino-stud": "player=AsKdQh5c3d&house=Ac",
    "high-card-flush": "player=AsKs5s4d3d2c9h",
    "pai-gow": "player=9s8s7s6s5sAhJk",
    "blackjack": "hand=8s8d&up=9d",
    "ultimate": "player=Kd5c&board=Ks7h2d",
}
# The rounded text for 18 seconds left.
SAID = {
    "en": "The coach is getting ready: about 20 s left",
    "fr": "Le conseiller se prépare : encore environ 20 s",
}


READY, WARMING = CoachState("ready"), CoachState("warming", 1, 3, 18)


class Late(Present):
    """A coach that warms up until the test sets it ready."""

    def __init__(self, said: CoachState = WARMING) -> None:
        super().__init__()
        self.said = said

    async def state(self, game: str | None = None) -> CoachState:
        return self.said


class Absent(Late):
    """A coach that refuses every request, whatever its state says."""

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(position)
        raise Refused("coach/warming", retry_after_s=2)


class NotInstalled(Absent):
    """Refuses as the client of a server does that lacks the extra."""

    async def state(self, game: str | None = None) -> CoachState:
        raise Refused("coach/not_installed")
