"""Every position of a game's first question, with the number of its deals.

The cards of one zone are unordered, and suits are interchangeable. One deal of each equivalence
class is valued, with the size of its class as weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import comb, fsum
from typing import NamedTuple

from tapisvert.cards import JOKER, Card, rank, suit
from tapisvert.engine import Transcript, replay
from tapisvert.engine import events as ev
from tapisvert.testing.case import MAIN, Case, NotRun
from tapisvert.testing.positions import case_advice, options_of, question_of
from tapisvert.testing.random_rounds import rounds_of
from tapisvert.testing.settlement import player_stakes

_SUITS = tuple(permutations(range(4)))
_BUFFER = 1 << 16


class Total(NamedTuple):
    """The mean value over every first position."""

    positions: int
    deals: int
    fewest: int  # deals of the rarest position
    mean: float


class Shape(NamedTuple):
    """Positions in the deck of the cards dealt at the first question, face up and face down."""

    seen: tuple[tuple[int, ...], ...]  # by zone
    hidden: tuple[int, ...]


def every_first_position(case: Case) -> Total:
    """Value every first position."""
    shape = shape_of(case)
    size = len(case.sheet.deck)
    whole, left = 1, size
    for zone in shape.seen:
        whole *= comb(left, len(zone))
        left -= len(zone)
    parts: list[float] = []
    sums: list[float] = []
    positions, done, fewest = 0, 0, whole
    for zones, ways in seen_cards(shape, size):
        positions += 1
        done += ways
        fewest = min(fewest, ways)
        parts.append(ways * worth(case, shape, zones))
        if len(parts) == _BUFFER:
            sums, parts = [fsum([*sums, *parts])], []
        if positions % 1_000 == 0:
            case.tell(done / whole)
    if done != whole:
        raise AssertionError(f"{done:,} deals of {whole:,}")
    return Total(positions, whole, fewest, fsum([*sums, *parts]) / whole)


def shape_of(case: Case) -> Shape:
    """Return the shape at the first question; raise NotRun if rounds differ in it.

    A round without a question must end with the same cards dealt, which determine its value.
    """
    shapes, dealt_in_silence = set(), set()
    stakes = player_stakes(case.sheet, [MAIN])
    script = case.game.editions[-1].script
    for played in rounds_of(case, "shape", 300):
        first = replay(script, case.sheet, played.deck, stakes, [], bank=case.bank)
        if isinstance(first.waiting, ev.Asked):
            shapes.add(_shape(first))
        else:
            dealt_in_silence.add(_dealt(_shape(first)))
    if len(shapes) != 1:
        raise NotRun("its first question comes after different numbers of cards, or never")
    (shape,) = shapes
    if dealt_in_silence and len(shape.hidden) > 1:
        raise NotRun("whether its first question comes depends on several cards face down")
    if dealt_in_silence - {_dealt(shape)}:
        raise NotRun("a round without a question deals more cards than are seen at its first one")
    return shape


def _dealt(shape: Shape) -> int:
    return sum(map(len, shape.seen)) + len(shape.hidden)


def _shape(first: Transcript) -> Shape:
    seen: dict[str, list[int]] = {}
    hidden: list[int] = []
    place = 0
    for event in first.events:
        if isinstance(event, ev.Dealt):
            for card in event.cards:
                (seen.setdefault(event.zone, []) if card else hidden).append(place)
                place += 1
    return Shape(tuple(map(tuple, seen.values())), tuple(hidden))


Zones = tuple[tuple[Card, ...], ...]


def seen_cards(shape: Shape, size: int) -> Iterator[tuple[Zones, int]]:
    """Yield the visible cards, one of each suit pattern, with the number of deals."""
    first, *others = (len(zone) for zone in shape.seen)
    for hand, weight in hands(first, size):
        kept = [names for names in _SUITS if renamed(hand, names) == tuple(sorted(hand))]
        yield from _beside((tuple(hand),), weight, others, kept, size)


def _beside(
    zones: Zones, weight: int, sizes: Sequence[int], kept: Sequence[Sequence[int]], size: int
) -> Iterator[tuple[Zones, int]]:
    """Yield the given zones extended by the remaining ones, with the number of deals."""
    if not sizes:
        yield zones, weight
        return
    held = {card for zone in zones for card in zone}
    rest = [card for card in range(size) if card not in held]
    alike = Counter(
        min(renamed(each, names) for names in kept) for each in combinations(rest, sizes[0])
    )
    for cards, ways in alike.items():
        same = [names for names in kept if renamed(cards, names) == cards]
        yield from _beside((*zones, cards), weight * ways, sizes[1:], same, size)


def hands(count: int, size: int) -> Iterator[tuple[list[Card], int]]:
    """Yield one hand of each suit pattern, with its number of hands; with the joker too."""
    from tapisvert.odds.suits import cards_of, patterns

    for jokers in range(1 + (size > JOKER)):
        found = patterns(count - jokers)
        rows = cards_of(found.suits, count - jokers)
        for row, weight in zip(rows.tolist(), found.weights.tolist(), strict=True):
            yield [*row, *([JOKER] * jokers)], weight


def renamed(cards: Sequence[Card], names: Sequence[int]) -> tuple[Card, ...]:
    """Return the cards with their suits permuted, sorted."""
    return tuple(
        sorted(card if card == JOKER else 4 * rank(card) + names[suit(card)] for card in cards)
    )


def worth(case: Case, shape: Shape, zones: Zones) -> float:
    """Return the value of a deal to the player who sees these cards, in first stakes.

    A single card face down is tried with every possible card, because it may end the round at once.
    """
    size = len(case.sheet.deck)
    laid = {
        place: card
        for places, cards in zip(shape.seen, zones, strict=True)
        for place, card in zip(places, cards, strict=True)
    }
    rest = [card for card in range(size) if card not in set(laid.values())]
    stakes = player_stakes(case.sheet, [MAIN])
    script = case.game.editions[-1].script
    values: list[float] = []
    cached: float | None = None
    for hidden in rest if len(shape.hidden) == 1 else rest[:1]:
        deck = _deck(laid, shape.hidden, hidden, rest, size)
        first = replay(script, case.sheet, deck, stakes, [], bank=case.bank)
        question = question_of(case, first)
        if question is None:
            unit = stakes[next(iter(stakes))]
            lines = first.lines.values()
            values.append(sum(line.returned_cents - line.staked_cents for line in lines) / unit)
            continue
        if cached is None:  # the value does not depend on the hidden card
            cached = max(options_of(question, case_advice(case, question.position)).values())
        values.append(cached)
    return fsum(values) / len(values)


def _deck(
    laid: dict[int, Card], places: Sequence[int], hidden: Card, rest: Sequence[Card], size: int
) -> list[Card]:
    others = [card for card in rest if card != hidden or not places]
    full = dict(laid)
    for place in places:
        full[place] = hidden if place == places[0] else others.pop()
    return [full[place] if place in full else others.pop() for place in range(size)]
