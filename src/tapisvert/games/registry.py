"""The games that are installed, found by the entry points `tapisvert.games`.

The five games of the house are found like any other. One that cannot be loaded, or lacks something,
is refused with a sentence that names it; the others are there without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from traceback import extract_tb

from tapisvert.games.completeness import Incomplete, check
from tapisvert.games.game import Edition, Game
from tapisvert.refusal import Refused

GROUP = "tapisvert.games"
OURS = "tapisvert"  # the package of the house
SHIPPED = ("pai-gow", "casino-stud", "high-card-flush", "blackjack", "ultimate")
"""The games of the house, in the order they are shown. Others are offered where one asks for it."""


def find(points: Iterable[EntryPoint]) -> tuple[dict[str, Game], dict[str, Refused]]:
    """Return the games these entry points lead to, ours first, and what was refused, by name."""
    found, refused = dict[str, Game](), dict[str, Refused]()
    for point in sorted(points, key=_order):
        try:
            if point.name in found:
                raise Incomplete("the id is taken by another package")
            game = point.load()
            # The tests of the house check its own games; a start need not.
            found[point.name] = game if _package(point) == OURS else check(game, point.name)
        except Exception as error:
            package = f"{_package(point)} ({point.name})"
            refused[package] = Refused("game/incomplete", plugin=package, reason=_reason(error))
    return found, refused


def _reason(error: Exception) -> str:
    """Say what is wrong with a game; of an error in its code, also where."""
    if isinstance(error, Incomplete):
        return str(error)
    if isinstance(error, SyntaxError):  # names its own place
        return f"{type(error).__name__}: {error}"
    frames = [each for each in extract_tb(error.__traceback__) if each.filename != __file__]
    places = [each for each in frames if "importlib" not in each.filename]
    if not places:
        return repr(error)
    return f"{error!r} in {Path(places[-1].filename).name}, line {places[-1].lineno}"


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else ""


def _order(point: EntryPoint) -> tuple[bool, int, str, str]:
    place = SHIPPED.index(point.name) if point.name in SHIPPED else len(SHIPPED)
    return _package(point) != OURS, place, point.name, _package(point)


GAMES, REFUSED = find(entry_points(group=GROUP))
OFFERED = tuple(game for game in SHIPPED if game in GAMES)
"""What a house offers unless it is told to offer more."""


def known(game: object) -> str:
    """Return the id of a game we have, or refuse."""
    if isinstance(game, str) and game in GAMES:
        return game
    for package, refusal in REFUSED.items():
        if package.endswith(f"({game})"):
            raise refusal
    raise Refused("request/unknown_game", game=str(game)[:64])


def admit(game: str) -> Game:
    """Return an installed game, even an incomplete one: from now on this process has it.

    This is for the tools that finish a game. One that cannot be loaded is refused.
    """
    if game not in GAMES:
        with suppress(Exception):  # `known` says why it cannot be loaded
            for point in entry_points(group=GROUP, name=game):
                found = point.load()
                if isinstance(found, Game) and found.id == game:
                    GAMES[game] = found
    return GAMES[known(game)]


def current(game: str) -> Edition:
    """Return the edition new rounds are played by."""
    return GAMES[known(game)].editions[-1]


def edition(game: str, number: int) -> Edition:
    """Return the edition a stored round was played by; its game may have been uninstalled."""
    if game in GAMES:
        for each in GAMES[game].editions:
            if each.number == number:
                return each
    raise Refused("round/unknown_edition", game=game, edition=number)
