"""Casino Stud with the 5+1 bonus; compare with docs/rules/casino-stud.md clause by clause."""

from __future__ import annotations

from tapisvert.cards import Card
from tapisvert.engine import Option, Script, Table
from tapisvert.engine.hand_names import hand_name
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.ranking.standard import category, strength


def casino_stud(table: Table, sheet: CasinoStud) -> Script[None]:
    """One round: five cards each, play for twice the ante or fold, then the 5+1 bonus."""
    player = table.deal("player", 5)  # stud.3
    house = table.deal("house", 5, up=1)  # stud.4: one face up, four face down
    royal = table.name("player", hand_name(player)).category == "royal-flush"
    choice = yield from table.ask(
        "play-or-fold",
        Option("play", bet="play", stake_cents=sheet.play.times_ante * table.stakes["ante"]),
        Option("fold", why_not="fold/royal" if royal else None),  # stud.7
    )
    if choice == "fold":
        table.lose("ante", "folded")  # stud.6
    else:
        table.reveal("house")  # stud.5
        table.name("house", hand_name(house))
        compare(table, sheet, player, house)
    five_plus_one(table, sheet, [*player, house[0]])  # stud.14: also after a fold


def compare(table: Table, sheet: CasinoStud, player: list[Card], house: list[Card]) -> None:
    """Compare the player's hand with the house's, and settle ante and play."""
    mine, theirs = strength(player), strength(house)
    if theirs < sheet.least_to_qualify:  # stud.8
        table.say("house-not-qualified", needs="".join(sheet.house.qualifies_with))
        table.pay("ante", sheet.ante.pays, "house-not-qualified")  # stud.9
        table.push("play", "house-not-qualified")
    elif mine > theirs:
        row = category(mine)
        table.pay("ante", sheet.ante.pays, "beats-house")  # stud.10
        table.pay("play", sheet.play.pays[row], "beats-house", row)
    elif mine == theirs:
        table.push("ante", "tie")  # stud.11
        table.push("play", "tie")
    else:
        table.lose("ante", "house-wins")  # stud.12
        table.lose("play", "house-wins")


def five_plus_one(table: Table, sheet: CasinoStud, six: list[Card]) -> None:
    """Settle the bonus on the best five of six cards, whether or not the house qualifies."""
    if "bonus" in table.stakes:
        row = table.name("bonus", hand_name(six)).category  # stud.13
        if row in sheet.bonus.pays:
            table.pay("bonus", sheet.bonus.pays[row], "bonus-pays", row)
        else:
            table.lose("bonus", "bonus-below-table", row)


# Enforced by the table: stud.1 (deck), stud.2 (stakes), stud.15 (caps), stud.17 (delay); by the
# ranking: stud.16.
