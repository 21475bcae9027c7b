"""Counts the exact values of every option of the lessons; writes `lesson/values.json`.

    python tools/lessons.py [GAME...]

A lesson ships with its values, so that it needs neither the coach nor the extra `prove`. Run this
again when a lesson, a price or the mathematics changes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import msgspec

from tapisvert.coach.advice import advise
from tapisvert.games.registry import GAMES, SHIPPED, current
from tapisvert.learning.lessons import Values, decisions, has_lesson
from tapisvert.sheets import load


def count_again(games: Sequence[str]) -> None:
    """Write the values of each game's lesson."""
    for game in games:
        steps = {
            each.step: {name: advise(each.position).options[name] for name in each.legal}
            for each in decisions(game)
        }
        values = Values(load(game).hash, current(game).number, steps)
        text = msgspec.json.format(msgspec.json.encode(values), indent=1)
        (GAMES[game].folder / "lesson" / "values.json").write_bytes(text + b"\n")
        print(f"{game}: {len(steps)} decisions")


if __name__ == "__main__":
    count_again(sys.argv[1:] or [game for game in SHIPPED if has_lesson(game)])
