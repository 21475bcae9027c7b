"""The decision after a hit or a split, for each card that may come."""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.cards import STANDARD, Card, text
from tapisvert.games.blackjack.odds.hands import ACES, TENS, best_total, counts, value
from tapisvert.games.blackjack.odds.position_values import Position as Asked
from tapisvert.games.blackjack.odds.position_values import options
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.mathematics import NextDecision, Position, best_of

_TWENTY_ONE = 21
_AFTER_THE_LOOK = ("hit", "stand", "double", "split")


def next_decisions(sheet: Blackjack, position: Position) -> dict[str, tuple[NextDecision, ...]]:
    """Return the best play after a hit and after a split, by the value of the next card."""
    hand, up, seen = position.cards["hand"], position.cards["up"][0], position.cards["seen"]
    other, found = position.cards["other_half"], {}
    try:
        now = options(
            sheet,
            Asked(
                hand=hand,
                up=up,
                seen=seen,
                other_half=other,
                other_doubled=position.flags["other_doubled"],
                can_split=position.flags["can_split"],
            ),
        )
        if "hit" in now:
            found["hit"] = _grouped(sheet, position, hand, other)
        if "split" in now and value(hand[0]) != ACES:  # split aces get one card each (bj.11)
            found["split"] = _grouped(sheet, position, hand[:1], hand[1:])
    except ValueError:  # too few cards are left; the position itself is refused elsewhere
        return {}
    return found


def _grouped(
    sheet: Blackjack, position: Position, hand: Sequence[Card], other: Sequence[Card]
) -> tuple[NextDecision, ...]:
    """Value the hand with one more card of each value, and group the cards by the best play."""
    up, seen = position.cards["up"][0], position.cards["seen"]
    known = {*hand, *other, up, *seen}
    groups: dict[str | None, list[str]] = {}
    for worth in (*range(1, TENS + 1), ACES):
        left = [card for card in STANDARD if value(card) == worth and card not in known]
        if not left:
            continue
        asked = Asked(
            hand=[*hand, left[0]],
            up=up,
            seen=seen,
            other_half=other,
            other_doubled=position.flags["other_doubled"],
        )
        groups.setdefault(_best(sheet, asked), []).append(text(left[0])[0])
    return tuple(NextDecision(best, tuple(cards)) for best, cards in groups.items())


def _best(sheet: Blackjack, asked: Asked) -> str | None:
    """Return the best option; a hand of 21 stands by itself, and a bust has ended."""
    found = {
        name: worth for name, worth in options(sheet, asked).items() if name in _AFTER_THE_LOOK
    }
    if found:
        return best_of(found).best
    bust = best_total(counts(list(map(value, asked["hand"])))) > _TWENTY_ONE
    return None if bust else "stand"
