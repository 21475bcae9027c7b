"""The games: one folder each, with one object that describes the game to the house.

`registry` finds them. It is not imported here: a game's folder is part of this package, and the
registry imports the games. The package is callable, `tapisvert.games()`: see tapisvert/__init__.py.
"""
