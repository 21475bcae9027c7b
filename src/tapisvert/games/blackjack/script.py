"""Blackjack Royal Poker; compare with docs/rules/blackjack.md clause by clause."""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.cards import ACE, STANDARD, Card, rank
from tapisvert.engine import HandName, Option, Script, Table
from tapisvert.engine.hand_names import hand_name
from tapisvert.games.blackjack.sheet import Blackjack

Standing = dict[str, list[str]]  # a hand still to be compared, and its bets


def blackjack(table: Table, sheet: Blackjack, *, aces_21: str = "hard") -> Script[None]:
    """One round: one or two hands against the house, and Royal Poker on the first five cards.

    `aces_21` is the name of a split ace with a ten-value (bj.11); edition 1 called it soft.
    """
    hands: list[str] = [hand for hand in ("hand-1", "hand-2") if hand in table.stakes]
    for hand in hands:
        table.name(hand, hand_total(table.deal(hand, 2)))
    house = table.deal("house", 2, up=1)  # bj.3
    yield from royal_poker(table, sheet, house[0])  # bj.5
    if rank(house[0]) == ACE:  # bj.6
        for hand in hands:
            yield from insure(table, sheet, hand)
    live = [hand for hand in hands if hand not in table.lines]
    if live and value(house[0]) >= 10 and look(table, sheet, live, house):
        return
    for hand in live:
        if is_blackjack(table.zones[hand]):
            table.pay(hand, sheet.hand.blackjack_pays, "blackjack")  # bj.8
    standing: Standing = {}
    for hand in live:
        if hand not in table.lines:
            standing |= yield from play(table, sheet, hand, aces_21)
    table.reveal("house")
    house_plays(table, sheet, standing, house)


def royal_poker(table: Table, sheet: Blackjack, up: Card) -> Script[None]:
    """Settle Royal Poker at the deal, on both hands and the house's up card."""
    if "royal" in table.stakes:
        five = [*table.zones["hand-1"], *table.zones["hand-2"], up]
        row = table.name("royal", hand_name(five)).category
        if row in sheet.royal.shares:
            restarts = row == "royal-flush"
            cents = yield from table.claim("royal", sheet.royal.shares[row], restarts=restarts)
            table.settle("royal", cents, "royal-pays", row)
        elif row in sheet.royal.prizes_cents:
            table.settle("royal", sheet.royal.prizes_cents[row], "royal-pays", row)
        else:
            table.lose("royal", "royal-below-table", row)


def insure(table: Table, sheet: Blackjack, hand: str) -> Script[None]:
    """Offer insurance; to a blackjack, offer even money instead, which ends the hand at once."""
    decline = Option("decline")
    if is_blackjack(table.zones[hand]):
        choice = yield from table.ask("even-money", Option("even-money"), decline, hand=hand)
        if choice == "even-money":
            table.pay(hand, sheet.hand.even_money_pays, "even-money")
    else:
        half = table.stakes[hand] // 2
        offer = Option("insure", bet=f"insurance-{hand[-1]}", stake_cents=half)
        yield from table.ask("insurance", offer, decline, hand=hand)


def look(table: Table, sheet: Blackjack, live: list[str], house: list[Card]) -> bool:
    """Check the house's hand for a blackjack, which settles every bet (bj.7)."""
    found = is_blackjack(house)
    if found:
        table.reveal("house")
        table.name("house", hand_total(house))
    else:
        table.say("no-house-blackjack")
    for hand in live:
        insurance = f"insurance-{hand[-1]}"
        if not found:
            table.lose(insurance, "no-house-blackjack")
        else:
            table.pay(insurance, sheet.insurance.pays, "house-blackjack")
            mine = is_blackjack(table.zones[hand])
            (table.push if mine else table.lose)(hand, "house-blackjack")
    return found


def play(
    table: Table, sheet: Blackjack, hand: str, aces_21: str, *, half: bool = False
) -> Script[Standing]:
    """Play one hand to its end; after a split, both halves one after the other."""
    cards, bets = table.zones[hand], [hand]
    while points(cards) != (21, False):  # bj.9: a hard 21 stands by itself
        choice = yield from table.ask("play", *options(table, sheet, hand, half=half), hand=hand)
        if choice == "stand":
            break
        if choice == "split":
            return (yield from split_hand(table, sheet, hand, aces_21))
        table.deal(hand)
        table.name(hand, hand_total(cards))
        if choice == "double":
            bets.append(double_bet(hand))
        if total(cards) > 21:
            for bet in bets:
                table.lose(bet, "bust")
            return {}
        if choice == "double":
            break
    return {hand: bets}


def options(table: Table, sheet: Blackjack, hand: str, *, half: bool) -> list[Option]:
    """List the four options; a forbidden one states the reason."""
    cards, cents = table.zones[hand], table.stakes[hand]
    # bj.12
    doubling = sheet.hand.double_after_split if half else "10-11"
    return [
        Option("hit"),
        Option("stand"),
        Option(
            "double",
            bet=double_bet(hand),
            stake_cents=cents,
            why_not=double_forbidden(cards, doubling),
        ),
        Option(
            "split",
            bet=f"split-{hand[-1]}",
            stake_cents=cents,
            why_not="split/once" if half else split_forbidden(cards),
        ),
    ]


def double_forbidden(cards: Sequence[Card], doubling: str) -> str | None:
    """Return why a hand may not be doubled: it needs two cards and 10 or 11 (bj.10)."""
    if doubling == "none":
        return "double/after-split"
    if len(cards) != 2:
        return "double/two-cards"
    return None if doubling == "any" or total(cards) in (10, 11) else "double/not-10-or-11"


def split_forbidden(cards: Sequence[Card]) -> str | None:
    """Return why a hand may not be split: it needs two cards of equal value (bj.11)."""
    alike = len(cards) == 2 and value(cards[0]) == value(cards[1])
    return None if alike else "split/not-a-pair"


def split_hand(table: Table, sheet: Blackjack, hand: str, aces_21: str) -> Script[Standing]:
    """Split a hand in two. The first half gets its card and is played out, then the second."""
    other = f"split-{hand[-1]}"
    table.move([table.zones[hand][1]], hand, other)
    aces = rank(table.zones[hand][0]) == ACE
    standing: Standing = {}
    for half in (hand, other):
        table.deal(half)
        cards = table.zones[half]
        table.name(half, hand_total(cards, after_split=aces_21 if aces else "soft"))
        if aces:  # one card each, and they stand
            standing[half] = [half]
        else:
            standing |= yield from play(table, sheet, half, aces_21, half=True)
    return standing


def house_plays(table: Table, sheet: Blackjack, standing: Standing, house: list[Card]) -> None:
    """Draw to 17 if a hand is left to beat (bj.13), then compare (bj.14)."""
    while standing and must_draw(sheet, house):
        table.deal("house")
    theirs = total(house)
    table.name("house", hand_total(house))
    for hand, bets in standing.items():
        mine = total(table.zones[hand])
        for bet in bets:
            if theirs > 21 or mine > theirs:
                table.pay(bet, sheet.hand.pays, "house-busts" if theirs > 21 else "beats-house")
            elif mine == theirs:
                table.push(bet, "tie")
            else:
                table.lose(bet, "house-wins")


def must_draw(sheet: Blackjack, house: Sequence[Card]) -> bool:
    """Tell whether the house takes another card: below 17, and on a soft 17."""
    best, soft = points(house)
    return best < 17 or (best == 17 and soft and sheet.house.hits_soft_17)


def double_bet(hand: str) -> str:
    """Return the bet of a doubling; the second half of a split has its own."""
    return f"double-{hand[-1]}" + ("b" if hand.startswith("split") else "")


def value(card: Card) -> int:
    """Return the value of a card, an ace as 11 (bj.4)."""
    return 11 if rank(card) == ACE else min(rank(card) + 2, 10)


_ACE_AS_1 = tuple(1 if rank(card) == ACE else value(card) for card in STANDARD)


def total(cards: Sequence[Card]) -> int:
    """Return the best total: one ace counts 11 if that does not bust."""
    return points(cards)[0]


def points(cards: Sequence[Card]) -> tuple[int, bool]:
    """Return the best total, and whether an ace counts 11 in it."""
    lowest = sum(map(_ACE_AS_1.__getitem__, cards))
    soft = lowest <= 11 and rank(max(cards)) == ACE
    return (lowest + 10 if soft else lowest), soft


def is_blackjack(cards: Sequence[Card]) -> bool:
    """Tell whether two cards are an ace and a ten-value."""
    return len(cards) == 2 and total(cards) == 21


def hand_total(cards: Sequence[Card], *, after_split: str | None = None) -> HandName:
    """Name a hand by its total; after a split, an ace and a ten are a 21 and no blackjack."""
    best, soft = points(cards)
    if best > 21:
        return HandName("bust", total=best)
    if best == 21 and len(cards) == 2:
        return HandName(after_split or "blackjack", total=best)
    return HandName("soft" if soft else "hard", total=best)


# Enforced by the table: bj.1 (deck), bj.2 (stakes), bj.15 (delay).
