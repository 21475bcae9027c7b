"""The games: one folder each, with one object that describes the game to the house.

`registry` finds them. It is not imported here: a game's folder is part of this package, and the
registry imports the games. The package can be called: `tapisvert.games()` lists the games.
"""

import sys
from importlib import import_module
from types import ModuleType


class _Games(ModuleType):
    def __call__(self) -> object:
        """Return the installed games (tapisvert/library/sheets.py)."""
        return import_module("tapisvert.library").games()


sys.modules[__name__].__class__ = _Games
