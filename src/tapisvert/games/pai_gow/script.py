"""Fortune Pai Gow Poker; compare with docs/rules/pai-gow.md clause by clause."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tapisvert.cards import JOKER, RANKS, Card, text, write_hand
from tapisvert.engine import HandName, Option, Script, Table
from tapisvert.games.pai_gow.house_way import high_of, house_way
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.ranking import joker
from tapisvert.ranking.fortune import rows
from tapisvert.ranking.joker import low_strength, outranks, strength
from tapisvert.ranking.standard import (
    FLUSH,
    HIGH_CARD,
    PAIR,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
)


def pai_gow(table: Table, sheet: PaiGow) -> Script[None]:
    """One round: seven cards each, set as a low hand of two and a high hand of five."""
    player = list(table.deal("player", 7))  # pai.3
    house = list(table.deal("house", 7, up=0))
    chosen = yield from table.ask(
        "set", *sets(sheet, player), read=lambda said: as_dealt(said, player)
    )
    mine = set_hands(
        table, "player", player, [card for card in player if text(card) in chosen.split()]
    )
    table.reveal("house")
    theirs = set_hands(table, "house", house, house_way(house, sheet.house_way))
    compare(table, sheet, mine, theirs)
    fortune(table, sheet, player)  # pai.10: whatever the sets and the result


def sets(sheet: PaiGow, cards: Sequence[Card]) -> list[Option]:
    """List all 21 sets: fouls as forbidden (pai.4), the house way's as suggested (pai.5)."""
    suggested = house_way(cards, sheet.house_way)
    return [
        Option(
            write_hand(low),
            why_not=None
            if outranks(strength(high_of(cards, low)), low_strength(low))
            else "set/foul",
            suggested=low == suggested,
            hands={"low": low_name(low), "high": high_name(high_of(cards, low))},
        )
        for low in combinations(cards, 2)
    ]


def as_dealt(said: str, cards: Sequence[Card]) -> str:
    """Put the two cards of a set in dealing order, as its option names them."""
    swapped = " ".join(said.split(" ")[::-1])
    ids = {write_hand(low) for low in combinations(cards, 2)}
    return swapped if swapped in ids else said


def set_hands(
    table: Table, side: str, cards: Sequence[Card], low: Sequence[Card]
) -> tuple[int, int]:
    """Set seven cards as two hands, name them, and return their strengths."""
    high = high_of(cards, low)
    table.move(low, side, f"{side}-low")
    table.move(high, side, f"{side}-high")
    table.name(f"{side}-low", low_name(low))
    table.name(f"{side}-high", high_name(high))
    return low_strength(low), strength(high)


def compare(table: Table, sheet: PaiGow, mine: tuple[int, int], theirs: tuple[int, int]) -> None:
    """Win with both hands, lose with both (copies go to the house), otherwise push."""
    wins = sum(own > other for own, other in zip(mine, theirs, strict=True))
    low = theirs[0]
    if low >> 20 == HIGH_CARD and low >> 16 == RANKS.index(sheet.house.not_eligible_with):
        table.say("house-not-eligible", rank=sheet.house.not_eligible_with)
        table.push("main", "house-not-eligible")  # pai.9
    elif wins == 2:
        table.pay("main", sheet.main.pays, "both-win")  # pai.8
    elif wins == 1:
        table.push("main", "one-each")
    else:
        table.lose("main", "both-lose")


def fortune(table: Table, sheet: PaiGow, player: Sequence[Card]) -> None:
    """Settle the Fortune Bonus by the row that pays most; of equal rows, the first in the table."""
    if "fortune" in table.stakes:
        pays = sheet.fortune.pays
        row = max(rows(player), key=lambda reached: pays[reached], default="")
        if row:
            table.pay("fortune", pays[row], "fortune-pays", row)
        else:
            table.lose("fortune", "fortune-below-table")


def low_name(low: Sequence[Card]) -> HandName:
    """Name a low hand; its joker is an ace."""
    value = low_strength(low)
    high, other = (RANKS[value >> shift & 15] for shift in (16, 12))
    category, ranks = ("pair", high) if value >> 20 == PAIR else ("high-card", high + other)
    cards = tuple(text(card) for card in low)
    return HandName(category, ranks, cards, joker="A" if JOKER in low else None)


def high_name(high: Sequence[Card]) -> HandName:
    """Name a high hand, and the card or rank its joker stands for."""
    value = strength(high)
    cards = tuple(text(card) for card in high)
    return HandName(joker.category(value), joker.telling_ranks(value), cards, joker=stand_in(high))


def stand_in(high: Sequence[Card]) -> str | None:
    """Return the joker's stand-in: a card in a flush, a rank in a straight, otherwise an ace."""
    if JOKER not in high:
        return None
    category = strength(high) >> 20
    card = joker.stands_for(high)
    if card is None or category not in (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL):
        return "A"
    return text(card)[0] if category == STRAIGHT else text(card)


# Enforced by the table: pai.1 (deck), pai.2 (stakes), pai.11 (caps), pai.12 (delay); by the
# ranking: pai.6, pai.7.
