"""Sums the best values of `tapis advise` over every position of a game, weighted by deals.

Where the mathematics counts in whole numbers, values are converted back to them, so that sums are
exact. Positions that differ only by a permutation of suits are asked for once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, fsum
from typing import Any, NamedTuple

from odds.renaming import RENAMINGS, renamed
from tapisvert.cards import STANDARD, Card, suit, text
from tapisvert.coach.advice import advise
from tapisvert.games.blackjack.odds.advice import BEFORE_THE_LOOK
from tapisvert.games.blackjack.odds.hands import ACES, TENS, VALUES, counts, value
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.games.high_card_flush.odds import position_values as flush_live
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.games.pai_gow.odds import position_values as pai_gow_live
from tapisvert.games.pai_gow.odds.deck import deck_of
from tapisvert.games.pai_gow.odds.hands import house_of, marks_of_all
from tapisvert.games.pai_gow.odds.tables import tables_of
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.ranking.flush import suits

_TENTH = 0.1  # of one deal: tolerance of a double for a whole number

STUD_HOUSE = comb(46, 4)
FLUSH_HOUSE = comb(45, 7)
ULTIMATE_UNIT = 2  # the blind pays 3:2
RIVER = 990 * ULTIMATE_UNIT
FLOP = 1081 * RIVER


class Summed(NamedTuple):
    """Number of positions, number of their deals, and the net result of these deals."""

    positions: int = 0
    deals: int = 0
    net: int = 0

    @property
    def mean(self) -> Fraction:
        return Fraction(self.net, self.deals)

    def __add__(self, other: object) -> Summed:
        assert isinstance(other, Summed)
        return Summed(*(mine + more for mine, more in zip(self, other, strict=True)))


def written(cards: Iterable[Card]) -> list[str]:
    """Return cards as text, as in a position."""
    return [text(card) for card in cards]


def in_deals(worth: float, deals: int) -> int:
    """Return a mean times the number of deals, as the whole number it must be."""
    net = round(worth * deals)
    assert abs(worth * deals - net) < _TENTH
    return net


def best_of(position: Mapping[str, Any]) -> float:
    """Return the advised value of the best option."""
    found = advise(position)
    assert found.best is not None
    assert found.options[found.best] == max(found.options.values())
    return found.options[found.best]


# Casino Stud --------------------------------------------------------------------------------------


def up_cards(hand: Sequence[Card]) -> Iterator[tuple[Card, int]]:
    """Yield one up card of each suit pattern beside a hand, with its weight."""
    held = suits(hand)
    for card in STANDARD:
        alike = [each for each in range(4) if held[each] == held[suit(card)]]
        if card not in hand and suit(card) == alike[0]:
            yield card, len(alike)


def stud(hands: Iterable[tuple[Sequence[Card], int]]) -> Summed:
    """Sum over these hands, each with its weight, and every up card."""
    total = Summed()
    for hand, weight in hands:
        for up, alike in up_cards(hand):
            asked = {"game": "casino-stud", "player": written(hand), "house": written([up])}
            net = in_deals(best_of(asked), STUD_HOUSE)
            times = weight * alike
            total += Summed(1, times * STUD_HOUSE, times * net)
    return total


# High Card Flush ----------------------------------------------------------------------------------


def flush(hands: Iterable[tuple[Sequence[Card], int]]) -> Summed:
    """Sum over these hands, each with its weight."""
    total = Summed()
    for hand, weight in hands:
        asked = {"game": "high-card-flush", "player": written(hand)}
        net = in_deals(best_of(asked), FLUSH_HOUSE)
        total += Summed(1, weight * FLUSH_HOUSE, weight * net)
    return total


def thin_flush(sheet: HighCardFlush, cards: Sequence[Card]) -> Summed:
    """Sum over every hand of a small deck."""
    deck, house = suits(cards), comb(len(cards) - 7, 7)
    total = Summed()
    for hand in combinations(cards, 7):
        worth = max(flush_live.options(sheet, hand, deck=deck).values())
        total += Summed(1, house, in_deals(worth, house))
    return total


# Ultimate -----------------------------------------------------------------------------------------


def flops_of(pair: Sequence[Card]) -> Counter[tuple[Card, ...]]:
    """Return one flop of each suit pattern beside two cards, with its weight."""
    kept = [each for each in RENAMINGS if renamed(pair, each) == tuple(sorted(pair))]
    unseen = [card for card in STANDARD if card not in pair]
    return Counter(min(renamed(flop, each) for each in kept) for flop in combinations(unseen, 3))


def flops(pair: Sequence[Card]) -> Summed:
    """Sum over every flop of a player who has checked."""
    total = Summed()
    for flop, alike in flops_of(pair).items():
        asked = {"game": "ultimate", "player": written(pair), "board": written(flop)}
        net = in_deals(best_of(asked), FLOP)
        total += Summed(1, alike * FLOP, alike * net)
    return total


def rivers(pair: Sequence[Card], flop: Sequence[Card]) -> Summed:
    """Sum over every turn and river of a player who has checked twice."""
    unseen = [card for card in STANDARD if card not in (*pair, *flop)]
    total = Summed()
    for more in combinations(unseen, 2):
        asked = {"game": "ultimate", "player": written(pair), "board": written((*flop, *more))}
        total += Summed(1, RIVER, in_deals(best_of(asked), RIVER))
    return total


# Blackjack ----------------------------------------------------------------------------------------


def blackjack(sheet: Blackjack, deck: Sequence[Card]) -> tuple[int, float]:
    """Return the number of positions of two cards and an up card, and the mean over all deals."""
    seen = written(card for card in STANDARD if card not in deck)
    parts: list[float] = []
    deals = len(deck) * (len(deck) - 1) * (len(deck) - 2)
    for up in range(VALUES):
        for low in range(VALUES):
            for high in range(low, VALUES):
                dealt = _dealt(deck, (up, low, high))
                if dealt is None:
                    continue
                cards, ways = dealt
                worth = _worth(sheet, cards, deck, seen)
                parts.append(worth * ways * (1 + (low != high)) / deals)
    return len(parts), fsum(parts)


def _dealt(deck: Sequence[Card], values: Sequence[int]) -> tuple[list[Card], int] | None:
    """Return cards of these values, and the number of ways to deal them in this order."""
    cards: list[Card] = []
    ways = 1
    for each in values:
        there = [card for card in deck if value(card) == each and card not in cards]
        if not there:
            return None
        cards.append(there[0])
        ways *= len(there)
    return cards, ways


def _worth(
    sheet: Blackjack, cards: Sequence[Card], deck: Sequence[Card], seen: Sequence[str]
) -> float:
    """Return the value of two cards before the house looks at its hole card."""
    up, *hand = cards
    unseen = counts(value(card) for card in deck if card not in cards)
    barred = {ACES: TENS, TENS: ACES}.get(value(up))
    theirs = 0.0 if barred is None else unseen[barred] / sum(unseen)
    asked = {"game": "blackjack", "hand": written(hand), "up": text(up), "seen": seen}
    found = advise(asked | {"can_split": value(hand[0]) == value(hand[1])}).options
    before = [worth for name, worth in found.items() if name in BEFORE_THE_LOOK]
    if before:
        return max(before)
    if not found:  # a blackjack, paid if the house has none
        return (1 - theirs) * float(sheet.hand.blackjack_pays)
    return (1 - theirs) * max(found.values()) - theirs


def drawn(hand: Sequence[Card], up: Card) -> tuple[int, float]:
    """Return the number of cards a hit can draw, and the mean value after it.

    The house has looked: its hole card is none that would make a blackjack.
    """
    unseen = [card for card in STANDARD if card not in (*hand, up)]
    barred = {ACES: TENS, TENS: ACES}.get(value(up))
    held = counts(map(value, unseen))
    holes = len(unseen) - (0 if barred is None else held[barred])
    parts: list[float] = []
    for card in range(VALUES):
        if held[card]:
            came = next(each for each in unseen if value(each) == card)
            ways = held[card] * (holes if card == barred else holes - 1)
            asked = {"game": "blackjack", "hand": written((*hand, came)), "up": text(up)}
            parts.append(best_of(asked) * ways / (holes * (len(unseen) - 1)))
    return len(parts), fsum(parts)


# Pai Gow ------------------------------------------------------------------------------------------


def pai_gow(sheet: PaiGow, cards: Sequence[Card]) -> Summed:
    """Sum over every hand of a small deck."""
    house = house_of(sheet, deck_of(cards))
    beaten = tables_of(house.deck, marks_of_all(house), house.eligible)
    facing = comb(len(cards) - 7, 7)
    total = Summed()
    for hand in combinations(cards, 7):
        worth = pai_gow_live.options(sheet, hand, deck=cards, beaten=beaten)
        total += Summed(1, facing, in_deals(max(worth.values()), facing))
    return total
