"""All recordings, read once, and the endings they are searched for."""

from __future__ import annotations

from functools import cache

from golden import by_game
from golden.endings.seen import Endings, Seen
from golden.golden import FOLDER, Golden, read
from tapisvert.games.registry import SHIPPED, current

FILES = sorted(path for game in SHIPPED for path in (FOLDER / game).glob("*.json"))

ENDINGS: dict[str, Endings] = {game: by_game.endings(game).ENDINGS for game in SHIPPED}


@cache
def of_today(game: str) -> dict[str, Golden]:
    """Return the recordings of a game's current edition, by name."""
    recorded = {path.stem: read(path) for path in FILES if path.parent.name == game}
    number = current(game).number
    return {name: golden for name, golden in recorded.items() if golden.edition == number}


@cache
def shown(game: str) -> dict[str, set[str]]:
    """Return each ending of a game with the recordings that show it."""
    seen = {name: Seen(golden) for name, golden in of_today(game).items()}
    return {
        ending: {name for name, round in seen.items() if shows(round)}
        for ending, shows in ENDINGS[game].items()
    }
