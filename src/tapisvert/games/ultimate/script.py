"""Ultimate Texas Hold'em; compare with docs/rules/ultimate.md clause by clause."""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.engine import HandName, Option, Script, Table
from tapisvert.engine.hand_names import hand_name
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.ranking.standard import CATEGORIES, category, strength


def ultimate(table: Table, sheet: Ultimate) -> Script[None]:
    """One round: two cards each and five in common; raise once, early for more or late for less."""
    player = table.deal("player", 2)  # uth.3
    house = table.deal("house", 2, up=0)
    # uth.4
    raised = yield from ask(table, "before-flop", sheet.play.before_flop, "check")
    board = table.deal("board", 3)  # uth.5
    if not raised:
        raised = yield from ask(table, "after-flop", sheet.play.after_flop, "check")
    table.deal("board", 2)  # uth.6, uth.7
    hand = table.name("player", hand_name([*player, *board]))
    if not raised:
        raised = yield from ask(table, "after-river", sheet.play.after_river, "fold")
    if raised:
        table.reveal("house")
        table.name("house", hand_name([*house, *board]))
        compare(table, sheet, strength([*player, *board]), strength([*house, *board]))
    else:
        table.lose("ante", "folded")  # uth.6
        table.lose("blind", "folded")
    trips(table, sheet, hand)  # uth.13: also after a fold


def ask(table: Table, key: str, raises: Sequence[int], otherwise: str) -> Script[bool]:
    """Offer the raises of a step; return whether one was taken. The last step has no check."""
    ante = table.stakes["ante"]
    offers = [Option(f"raise-{times}", bet="play", stake_cents=times * ante) for times in raises]
    other = Option(otherwise)
    options = [other, *offers] if otherwise == "check" else [*offers, other]
    choice = yield from table.ask(key, *options)
    return choice != otherwise


def compare(table: Table, sheet: Ultimate, mine: int, theirs: int) -> None:
    """Compare the hands, and settle ante, blind and play."""
    # uth.9
    opened = theirs >> 20 >= CATEGORIES.index(sheet.house.opens_with)
    if not opened:
        table.say("house-not-opened", needs=sheet.house.opens_with)
        table.push("ante", "house-not-opened")  # settled whoever wins
    if mine > theirs:
        row = category(mine)  # uth.10
        if opened:
            table.pay("ante", sheet.ante.pays, "beats-house")
        if row in sheet.blind.pays:
            table.pay("blind", sheet.blind.pays[row], "blind-pays", row)
        else:
            table.push("blind", "blind-below-table")
        table.pay("play", sheet.play.pays, "beats-house")
    else:
        for bet in ("ante", "blind", "play") if opened else ("blind", "play"):
            if mine == theirs:
                table.push(bet, "tie")  # uth.11
            else:
                table.lose(bet, "house-wins")  # uth.12


def trips(table: Table, sheet: Ultimate, hand: HandName) -> None:
    """Settle Trips on the player's final hand."""
    if "trips" in table.stakes:
        row = table.name("trips", hand).category
        if row in sheet.trips.pays:
            table.pay("trips", sheet.trips.pays[row], "trips-pays", row)
        else:
            table.lose("trips", "trips-below-table", row)


# Enforced by the table: uth.1 (deck), uth.2 (stakes), uth.14 (delay); by the ranking: uth.8.
