"""What takes time once: kernels are compiled, tables made, and both kept on disk."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tapisvert.coach.advice import advise

POSITIONS: dict[str, dict[str, Any]] = {
    "casino-stud": {"player": ["As", "Kd", "Qh", "5c", "3d"], "house": ["Ac"]},
    "high-card-flush": {"player": ["As", "Ks", "5s", "4d", "3d", "2c", "9h"]},
    "ultimate": {"player": ["Kd", "5c"], "board": ["Ks", "7h", "2d"]},
    "blackjack": {"hand": ["8s", "8d"], "up": "9d", "can_split": True},
    "pai-gow": {"player": ["As", "Ad", "Kh", "Kc", "7d", "4c", "Jk"]},
}


def warm(tell: Callable[[str, float], None] = lambda game, seconds: None) -> None:
    """Advise once at every game, so that the next answer is quick; tell how long each took."""
    for game, cards in POSITIONS.items():
        started = time.monotonic()
        advise({"game": game, **cards})
        tell(game, time.monotonic() - started)
