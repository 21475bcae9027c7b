"""Cards, their text form, and the two decks.

A card is an integer: `4 * rank + suit`, rank 0 (deuce) to 12 (ace), suit in the order clubs,
diamonds, hearts, spades; the joker is 52. Higher rank is stronger, everywhere. The unshuffled
deck is 0, 1, 2, ...: this order is part of the dealing contract (docs/fair-dealing.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Card: TypeAlias = int

RANKS = "23456789TJQKA"
SUITS = "cdhs"
ACE = 12
JOKER: Card = 52

STANDARD: tuple[Card, ...] = tuple(range(52))
WITH_JOKER: tuple[Card, ...] = tuple(range(53))

_TEXT: tuple[str, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), "Jk")
_CARD: dict[str, Card] = {text: card for card, text in enumerate(_TEXT)}


def rank(card: Card) -> int:
    """Return 0 for a deuce up to 12 for an ace."""
    return card >> 2


def suit(card: Card) -> int:
    """Return 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3


def text(card: Card) -> str:
    """Write a card.

    >>> text(51), text(0), text(JOKER)
    ('As', '2c', 'Jk')
    """
    return _TEXT[card]


def parse(written: str) -> Card:
    """Read one card, exactly as `text` writes it.

    >>> parse("Td")
    33
    >>> parse("10d")
    Traceback (most recent call last):
    ValueError: not a card: '10d'
    """
    try:
        return _CARD[written]
    except (KeyError, TypeError):
        shown = repr(written[:16]) if isinstance(written, str) else type(written).__name__
        raise ValueError(f"not a card: {shown}") from None


def parse_hand(written: str) -> list[Card]:
    """Read cards separated by spaces.

    >>> [text(card) for card in parse_hand("As Kd Jk")]
    ['As', 'Kd', 'Jk']
    """
    return [parse(word) for word in written.split()]


def write_hand(cards: Iterable[Card]) -> str:
    """Write cards separated by spaces.

    >>> write_hand(parse_hand("As Kd"))
    'As Kd'
    """
    return " ".join(text(card) for card in cards)
