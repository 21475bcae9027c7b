"""High Card Flush; compare with docs/rules/high-card-flush.md clause by clause."""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.cards import RANKS, Card, rank, text
from tapisvert.engine import HandName, Option, Script, Table
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.ranking.flush import best_flush, of_suit, straight_flush_length, strength

# The suited A-K-Q-J-10-9-8: no hand of the remaining cards is better (flush.7).
UNBEATABLE = of_suit(0b1111111 << 6)


def high_card_flush(table: Table, sheet: HighCardFlush) -> Script[None]:
    """One round: seven cards each, raise or fold, the longest flush wins; then the side bets."""
    player = table.deal("player", 7)  # flush.4
    house = table.deal("house", 7, up=0)
    hand = table.name("player", hand_name(player))
    choice = yield from table.ask("raise-or-fold", *options(table, sheet, player, hand))
    if choice == "fold":
        table.lose("ante", "folded")  # flush.6
    else:
        table.reveal("house")
        table.name("house", hand_name(house))
        compare(table, sheet, strength(player), strength(house))
    side_bets(table, sheet, player, hand)  # flush.14: also after a fold


def options(
    table: Table, sheet: HighCardFlush, player: Sequence[Card], hand: HandName
) -> list[Option]:
    """List every raise of the sheet, those too large for this flush as forbidden, and the fold."""
    most = sheet.raises.most_times[hand.category]  # flush.5
    raises = [
        Option(
            f"raise-{times}",
            bet="raise",
            stake_cents=times * table.stakes["ante"],
            why_not=None if times <= most else "raise/too-short",
        )
        for times in range(1, max(sheet.raises.most_times.values()) + 1)
    ]
    sure_to_win = strength(player) == UNBEATABLE
    return [*raises, Option("fold", why_not="fold/cannot-lose" if sure_to_win else None)]


def compare(table: Table, sheet: HighCardFlush, mine: int, theirs: int) -> None:
    """Compare the player's flush with the house's, and settle ante and raise."""
    if theirs < sheet.least_to_qualify:  # flush.8
        table.say(
            "house-not-qualified",
            length=sheet.house.qualifies_length,
            needs="".join(sheet.house.qualifies_with),
        )
        table.pay("ante", sheet.ante.pays, "house-not-qualified")  # flush.9
        table.push("raise", "house-not-qualified")
    elif mine > theirs:
        table.pay("ante", sheet.ante.pays, "beats-house")  # flush.10
        table.pay("raise", sheet.raises.pays, "beats-house")
    elif mine == theirs:
        table.push("ante", "tie")  # flush.11
        table.push("raise", "tie")
    else:
        table.lose("ante", "house-wins")
        table.lose("raise", "house-wins")


def side_bets(table: Table, sheet: HighCardFlush, player: Sequence[Card], hand: HandName) -> None:
    """Settle Flush Rush and Super Flush Rush on the player's own seven cards."""
    run = HandName(f"straight-flush-{straight_flush_length(player)}")
    sides = (("flush", sheet.flush, hand), ("straight-flush", sheet.straight_flush, run))
    for bet, side, held in sides:
        if bet in table.stakes:
            row = table.name(bet, held).category
            if row in side.pays:  # flush.12, flush.13
                table.pay(bet, side.pays[row], f"{bet}-pays", row)
            else:
                table.lose(bet, f"{bet}-below-table", row)


def hand_name(cards: Sequence[Card]) -> HandName:
    """Name a hand by its best flush (flush.3)."""
    flush = best_flush(cards)
    ranks = "".join(RANKS[rank(card)] for card in flush)
    return HandName(f"flush-{len(flush)}", ranks, tuple(text(card) for card in flush))


# Enforced by the table: flush.1 (deck), flush.2 (stakes), flush.15 (delay).
