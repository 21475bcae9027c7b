"""Hands in arrays: the strength of each, by the order of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tapisvert.cards import parse
from tapisvert.extras import need
from tapisvert.library.refusals import explained
from tapisvert.refusal import Refused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What each order ranks: how many cards a hand may have, and how many cards the deck has.
ORDERS = {
    "standard": ((5, 6, 7), 52),
    "high-card-flush": ((7,), 52),
    "pai-gow-high": ((5,), 53),
    "pai-gow-low": ((2,), 53),
}


@explained
def rank(hands: Any, *, order: str = "standard") -> NDArray[np.int64]:
    """Return the strength of each hand; a higher number is a stronger hand.

    `hands` is a list of texts (`"As Kd Qh Jc Ts"`), a list of lists of cards, or an integer array
    with a row for each hand, where a card is `4 * rank + suit`: 0 is the deuce of clubs, 51 the ace
    of spades, 52 the joker.

    >>> [int(each) for each in rank(["As Ks Qs Js Ts", "As Ah Ad Ac Kd", "7s 5h 4d 3c 2d"]) >> 20]
    [9, 7, 0]
    """
    if order not in ORDERS:
        raise invalid(f"the order must be one of {', '.join(ORDERS)}")
    need("prove")
    from tapisvert.ranking import batch, flush_batch, joker_batch

    ranked: dict[str, Callable[[Any], NDArray[Any]]] = {
        "standard": batch.strengths,
        "high-card-flush": flush_batch.strengths,
        "pai-gow-high": joker_batch.strengths,
        "pai-gow-low": joker_batch.low_strengths,
    }
    found = ranked[order](cards_of(hands, *ORDERS[order]))
    return found.astype("int64")


def cards_of(hands: Any, sizes: Sequence[int], deck: int) -> NDArray[np.uint8]:
    """Return hands as an array of cards, or refuse what is none."""
    import numpy as np

    try:
        found = np.asarray(_parsed(hands))
    except ValueError as error:
        raise invalid(str(error)) from None
    if found.ndim != 2 or found.shape[1] not in sizes:
        raise invalid(f"expected rows of {' or '.join(map(str, sizes))} cards")
    if found.dtype.kind not in "ui":
        if found.dtype.kind != "f" or not np.isfinite(found).all() or (found % 1).any():
            raise invalid("a card is a whole number")
        found = found.astype(np.int64)
    if found.size and not (found.min() >= 0 and found.max() < deck):
        raise invalid(f"a card is a number from 0 to {deck - 1}")
    ordered = np.sort(found, axis=1)
    if (ordered[:, 1:] == ordered[:, :-1]).any():
        raise invalid("a hand holds a card twice")
    return found.astype(np.uint8)


def _parsed(hands: Any) -> Any:
    """Read hands that are written as text."""
    if isinstance(hands, str):
        return [_cards(hands)]
    return [_cards(each) for each in hands] if isinstance(hands, Sequence) else hands


def _cards(hand: Any) -> Any:
    words = hand.split() if isinstance(hand, str) else hand
    if isinstance(words, Sequence):
        return [parse(word) if isinstance(word, str) else word for word in words]
    return words


def invalid(reason: str) -> Refused:
    """Refuse hands that cannot be ranked."""
    return Refused("hands/invalid", reason=reason)
