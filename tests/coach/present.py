"""A coach in the test process that records its positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import to_builtins

from tapisvert.coach.advice import advise, rules
from tapisvert.coach.warm import CoachState


class Present:
    """A coach that answers at once."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        plain = {k: list(v) if isinstance(v, tuple) else v for k, v in position.items()}
        self.asked.append(plain)
        found = advise(plain)
        applied = [to_builtins(rule) for rule in rules(plain)]
        return {**to_builtins(found), "rules": applied}

    async def state(self, game: str | None = None) -> CoachState:
        return CoachState("ready", 6, 6)

    async def close(self) -> None:
        """Close; there is no connection."""


class MadeUp(Present):
    """A coach that needs no mathematics: `values` makes the values of an answer."""

    def __init__(self, values: Callable[[], dict[str, float]]) -> None:
        super().__init__()
        self._values = values

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(position)
        return {"options": self._values()}
