"""The names of the fields and options of a position."""

from __future__ import annotations

from tapisvert.words import Catalogue


def field_name(words: Catalogue, game: str, name: str) -> str:
    """Return the name of a field: its own, or that of the zone of the same name.

    >>> from tapisvert.words import catalogue
    >>> field_name(catalogue("en"), "casino-stud", "player")
    'Your hand'
    """
    keys = (f"position.field.{name}", f"zone.{name}")
    return next(filter(None, (words.find(key, game) for key in keys)), name)


def option_name(words: Catalogue, game: str, option: str) -> str:
    """Return the name of an option; a set of cards is named by its cards.

    >>> from tapisvert.words import catalogue
    >>> option_name(catalogue("en"), "pai-gow", "4s 4d")
    'four of spades, four of diamonds'
    """
    keys = (f"position.option.{option}", f"option.{option}")
    found = next(filter(None, (words.find(key, game) for key in keys)), None)
    return found or ", ".join(words.card(card) for card in option.split())
