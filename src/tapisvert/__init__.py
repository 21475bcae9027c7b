"""Tapis Vert: five casino table games to play, to prove and to operate."""

__version__ = "0.1.0"
