"""The installed games, found through the entry points `tapisvert.games`.

The five games of the house are found like any other. A game that cannot be loaded, or is
incomplete, is refused with a sentence that names it. The other games remain available.
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
OURS = "tapisvert"  # the package of the house's own games
SHIPPED = ("pai-gow", "casino-stud", "high-card-flush", "blackjack", "ultimate")
"""The house's own games, in display order. Other games are offered only on request."""


def find(points: Iterable[EntryPoint]) -> tuple[dict[str, Game], dict[str, Refused]]:
    """Return the games of these entry points, ours first, and the refusals by name."""
    found, refused = dict[str, Game](), dict[str, Refused]()
    # The name of a package is parsed from its metadata each time it is read: once is enough.
    named = [(_package(point), point) for point in points]
    for package, point in sorted(named, key=_order):
        try:
            if point.name in found:
                raise Incomplete("the id is taken by another package")
            game = point.load()
            # Tests check the house's own games; a start need not.
            found[point.name] = game if package == OURS else check(game, point.name)
        except Exception as error:
            plugin = f"{package} ({point.name})"
            refused[plugin] = Refused("game/incomplete", plugin=plugin, reason=_reason(error))
    return found, refused


def _reason(error: Exception) -> str:
    """Describe what is wrong with a game; for an error in its code, also where."""
    if isinstance(error, Incomplete):
        return str(error)
    if isinstance(error, SyntaxError):  # the message already names the place
        return f"{type(error).__name__}: {error}"
    frames = [each for each in extract_tb(error.__traceback__) if each.filename != __file__]
    places = [each for each in frames if "importlib" not in each.filename]
    if not places:
        return repr(error)
    return f"{error!r} in {Path(places[-1].filename).name}, line {places[-1].lineno}"


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else ""


def _order(named: tuple[str, EntryPoint]) -> tuple[bool, int, str, str]:
    package, point = named
    place = SHIPPED.index(point.name) if point.name in SHIPPED else len(SHIPPED)
    return package != OURS, place, point.name, package


GAMES, REFUSED = find(entry_points(group=GROUP))
OFFERED = tuple(game for game in SHIPPED if game in GAMES)
"""The games a house offers by default."""


def known(game: object) -> str:
    """Return the id of an installed game, or refuse."""
    if isinstance(game, str) and game in GAMES:
        return game
    for package, refusal in REFUSED.items():
        if package.endswith(f"({game})"):
            raise refusal
    raise Refused("request/unknown_game", game=str(game)[:64])


def admit(game: str) -> Game:
    """Return an installed game, even an incomplete one, and add it to this process.

    Tools for finishing a game use this. A game that cannot be loaded is refused.
    """
    if game not in GAMES:
        with suppress(Exception):  # `known` refuses with the reason
            for point in entry_points(group=GROUP, name=game):
                found = point.load()
                if isinstance(found, Game) and found.id == game:
                    GAMES[game] = found
    return GAMES[known(game)]


def current(game: str) -> Edition:
    """Return the edition of new rounds."""
    return GAMES[known(game)].editions[-1]


def edition(game: str, number: int) -> Edition:
    """Return the edition of a stored round; refuse one that is not installed."""
    if game in GAMES:
        for each in GAMES[game].editions:
            if each.number == number:
                return each
    raise Refused("round/unknown_edition", game=game, edition=number)
