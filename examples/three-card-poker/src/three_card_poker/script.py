"""Three Card Poker, to be held against docs/rules.md clause by clause.

The table itself checks the deck (three.1) and the stakes (three.2), applies the ceilings
(three.15) and breaks off a round that waits too long (three.17).
"""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.cards import Card, text
from tapisvert.engine import HandName, Option, Script, Table
from tapisvert.engine.sheet import write_odds

from three_card_poker.ranking import category, strength, telling_ranks
from three_card_poker.sheet import ThreeCardPoker


def three_card_poker(table: Table, sheet: ThreeCardPoker) -> Script[None]:
    """One round: three cards each, play for another ante or fold."""
    player = table.deal("player", 3)  # three.3
    house = table.deal("house", 3, up=0)  # three.4: face down
    hand = table.name("player", hand_name(player))
    choice = yield from table.ask(
        "play-or-fold",
        Option("play", bet="play", stake_cents=sheet.play.times_ante * table.stakes["ante"]),
        Option("fold"),
    )
    if choice == "fold":
        table.lose("ante", "folded")  # three.6
        table.lose("pair-plus", "folded")  # three.14
    else:
        table.reveal("house")  # three.5
        table.name("house", hand_name(house))
        compare(table, sheet, strength(player), strength(house))
        pair_plus(table, sheet, hand)


def compare(table: Table, sheet: ThreeCardPoker, mine: int, theirs: int) -> None:
    """Hold the player's hand against the house's, and settle ante and play."""
    row = category(mine)
    if theirs < sheet.least_to_qualify:  # three.7
        table.say("house-not-qualified", needs="".join(sheet.house.qualifies_with))
        win_ante(table, sheet, "house-not-qualified", row)  # three.8
        table.push("play", "house-not-qualified")
    elif mine > theirs:
        win_ante(table, sheet, "beats-house", row)  # three.9
        table.pay("play", sheet.play.pays, "beats-house")
    elif mine == theirs:
        push_ante(table, sheet, row)  # three.10
        table.push("play", "tie")
    else:
        lose_ante(table, sheet, row)  # three.11
        table.lose("play", "house-wins")


def win_ante(table: Table, sheet: ThreeCardPoker, why: str, row: str) -> None:
    """Pay the ante, and the bonus with it from a straight up (three.12)."""
    if row in sheet.ante_bonus.pays:
        table.pay("ante", sheet.ante.pays + sheet.ante_bonus.pays[row], f"{why}-bonus", row)
    else:
        table.pay("ante", sheet.ante.pays, why)


def push_ante(table: Table, sheet: ThreeCardPoker, row: str) -> None:
    """Give the ante back on a tie; the bonus is paid all the same (three.12)."""
    if row in sheet.ante_bonus.pays:
        table.pay("ante", sheet.ante_bonus.pays[row], "tie-bonus", row)
    else:
        table.push("ante", "tie")


def lose_ante(table: Table, sheet: ThreeCardPoker, row: str) -> None:
    """Take the ante; the bonus is paid all the same (three.12)."""
    if row in sheet.ante_bonus.pays:
        odds = sheet.ante_bonus.pays[row]
        prize = int(table.stakes["ante"] * odds)
        table.settle("ante", prize, "house-wins-bonus", row, write_odds(odds))
    else:
        table.lose("ante", "house-wins")


def pair_plus(table: Table, sheet: ThreeCardPoker, hand: HandName) -> None:
    """Settle Pair Plus on the player's own cards, whatever the house holds (three.13)."""
    if "pair-plus" in table.stakes:
        row = table.name("pair-plus", hand).category
        if row in sheet.pair_plus.pays:
            table.pay("pair-plus", sheet.pair_plus.pays[row], "pair-plus-pays", row)
        else:
            table.lose("pair-plus", "pair-plus-below-table", row)


def hand_name(cards: Sequence[Card]) -> HandName:
    """Name three cards (three.16)."""
    value = strength(cards)
    return HandName(category(value), telling_ranks(value), tuple(text(card) for card in cards))
