"""Sheets for settlements: the shipped one, and others with unusual values."""

from __future__ import annotations

import random
from typing import Any

from tapisvert.cards import RANKS
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import keys, with_changes
from tapisvert.ranking.standard import CATEGORIES
from tapisvert.refusal import Refused
from tapisvert.sheets import load

FIGURES: dict[str, tuple[object, ...]] = {
    "hand.double_after_split": ("10-11", "any", "none"),
    "house.hits_soft_17": (True, False),
    "house.opens_with": CATEGORIES[:7],
    "house.not_eligible_with": tuple("789TJQ"),
    "house.qualifies_length": (2, 3, 4),
    "play.times_ante": (1, 2, 3, 4),
    "play.before_flop": ([3, 4], [1], [2, 3, 4]),
    "play.after_flop": ([2], [1, 2]),
    "play.after_river": ([1], [1, 3]),
}


def variants(game: str, count: int, chance: random.Random) -> list[Sheet]:
    """Return the shipped sheet of a game and `count` others."""
    made = [load(game)]
    while len(made) <= count:
        changes = {
            key: figure(key, value, chance)
            for key, value in keys(made[0])
            if chance.random() < 0.5 and not key.startswith("published")
        }
        try:
            made.append(with_changes(made[0], changes))
        except Refused:  # figures that cannot be played by together
            continue
    return made


def figure(key: str, value: Any, chance: random.Random) -> object:
    """Return another value for a sheet value."""
    if key in FIGURES:
        return chance.choice(FIGURES[key])
    if key.startswith("house_way."):
        return chance.choice(RANKS)
    if key.endswith("qualifies_with"):
        places = chance.sample(range(13), chance.randint(1, 3))
        return [RANKS[place] for place in sorted(places, reverse=True)]
    if key.startswith("caps_cents."):
        return chance.randint(1, 40_000)
    if "most_times" in key:
        return chance.randint(1, 3)
    if key.startswith("royal.shares."):
        return f"{chance.randint(1, 4)}:{chance.randint(4, 8)}"
    if isinstance(value, str):  # odds
        return chance.choice([f"{chance.randint(0, 60)}:1", f"{chance.randint(1, 9)}:2", "21:4"])
    if key == "step_cents":
        return chance.choice([20, 100])
    return value if key.startswith("spots.") else chance.randint(60, 100_000)
