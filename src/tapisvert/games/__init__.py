"""The games: one folder each, with one object that describes the game to the house.

`registry` finds them. It is not imported here: a game's folder is part of this package, and the
registry imports the games.
"""

import sys
from importlib import import_module
from types import ModuleType


class _CallablePackage(ModuleType):
    """`tapisvert.games` is this package and a function of the public surface."""

    def __call__(self) -> object:
        """Return the installed games."""
        # By its name: the library is above this package, and loads it.
        return import_module("tapisvert.library.sheets").games()


sys.modules[__name__].__class__ = _CallablePackage
