"""The games: a folder each, with one object that says all the house knows of it.

`registry` finds them. It is not imported here: a game's folder is part of this package, and the
registry imports the games.
"""
