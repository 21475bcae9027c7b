"""The endings of a round of Fortune Pai Gow Poker, by clause of docs/rules/pai-gow.md."""

from __future__ import annotations

from golden.endings import house_way
from golden.endings.seen import Ending, Endings, Seen, better


def joker(zone: str, kind: str, card: str) -> Ending:
    """Return the test that the joker stands for a card or rank in a hand of that kind."""
    return lambda r: any((hand.category, hand.joker) == (kind, card) for hand in r.names(zone))


def copy(r: Seen, side: str) -> bool:
    """Tell whether player and house have the same low, or high, hand."""
    mine, theirs = r.names(f"player-{side}")[0], r.names(f"house-{side}")[0]
    return (mine.category, mine.ranks) == (theirs.category, theirs.ranks)


def suggested(r: Seen) -> str:
    """Return the set the house way suggests."""
    [option] = [option for option in r.answers[0].asked.options if option.suggested]
    return option.id


ENDINGS: Endings = {
    "pai.4 sets that foul are listed": lambda r: (
        set(r.answers[0].forbidden.values()) == {"set/foul"}
    ),
    "pai.4 no set fouls": lambda r: not r.answers[0].forbidden,
    "pai.4 equal pairs may stand": lambda r: (
        r.kind("player-low") == r.kind("player-high") == "pair"
        and r.names("player-low")[0].ranks == r.names("player-high")[0].ranks[0]
    ),
    "pai.4 equal high cards may stand": lambda r: (
        r.kind("player-low") == r.kind("player-high") == "high-card"
        and r.names("player-low")[0].ranks == r.names("player-high")[0].ranks[:2]
    ),
    "pai.4 the cards said in the other order": lambda r: r.spoken != r.chosen,
    "pai.5 the suggestion is followed": lambda r: r.chosen == [suggested(r)],
    "pai.5 the suggestion is not followed": lambda r: r.chosen != [suggested(r)],
    "pai.6 no joker": lambda r: not any("Jk" in cards for cards in r.cards.values()),
    "pai.6 the joker is an ace": joker("player-high", "high-card", "A"),
    "pai.6 the joker is one of a pair of aces": joker("player-high", "pair", "A"),
    "pai.6 the joker is a rank in a straight": joker("player-high", "straight", "T"),
    "pai.6 the joker is the highest rank missing in a flush": joker("player-high", "flush", "Ks"),
    "pai.6 the joker is a card in a straight flush": joker("player-high", "straight-flush", "7s"),
    "pai.6 the joker is a card in a royal flush": joker("player-high", "royal-flush", "Js"),
    "pai.6 the joker is the fifth ace": joker("player-high", "five-aces", "A"),
    "pai.6 the joker is an ace in the low hand": joker("player-low", "high-card", "A"),
    "pai.6 the joker pairs an ace in the low hand": joker("player-low", "pair", "A"),
    "pai.6 the house has the joker": joker("house-high", "five-aces", "A"),
    "pai.7 ace to five beats king high": lambda r: (
        r.kind("player-high") == r.kind("house-high") == "straight"
        and r.names("player-high")[0].ranks == "5"
        and r.names("house-high")[0].ranks == "K"
        and r.line("main") == "won both-win"
    ),
    "pai.8 both win": lambda r: r.line("main") == "won both-win",
    "pai.8 both lose": lambda r: (
        r.line("main") == "lost both-lose" and not copy(r, "low") and not copy(r, "high")
    ),
    "pai.8 only the low hand wins": lambda r: (
        r.line("main") == "returned one-each" and better(r, "house-high", "player-high")
    ),
    "pai.8 only the high hand wins": lambda r: (
        r.line("main") == "returned one-each" and better(r, "house-low", "player-low")
    ),
    "pai.8 a copy low, and the high hand wins": lambda r: (
        copy(r, "low") and r.line("main") == "returned one-each"
    ),
    "pai.8 a copy low, and the high hand loses": lambda r: (
        copy(r, "low") and not copy(r, "high") and r.line("main") == "lost both-lose"
    ),
    "pai.8 a copy high, and the low hand wins": lambda r: (
        copy(r, "high") and r.line("main") == "returned one-each"
    ),
    "pai.8 two copies": lambda r: (
        copy(r, "low") and copy(r, "high") and r.line("main") == "lost both-lose"
    ),
    "pai.9 not eligible": lambda r: (
        r.line("main") == "returned house-not-eligible" and r.names("house-low")[0].ranks == "97"
    ),
    "pai.9 not eligible, though both its hands are better": lambda r: (
        "house-not-eligible" in r.said
        and better(r, "house-low", "player-low")
        and better(r, "house-high", "player-high")
    ),
    "pai.9 eligible with an eight": lambda r: (
        r.names("house-low")[0].ranks[0] == "8" and r.line("main") == "won both-win"
    ),
    "pai.9 eligible with a pair of nines": lambda r: (
        r.names("house-low")[0].ranks == "9" and "house-not-eligible" not in r.said
    ),
    "pai.9 another rank by the sheet": lambda r: (
        "house-not-eligible" in r.said and r.names("house-low")[0].ranks[0] == "8"
    ),
    "pai.10 no bonus": lambda r: "fortune" not in r.stakes,
    "pai.10 below the table": lambda r: r.line("fortune") == "lost fortune-below-table",
    "pai.10 paid though main is lost": lambda r: (
        r.line("main") == "lost both-lose" and r.line("fortune") == "won fortune-pays"
    ),
    "pai.10 paid though the house is not eligible": lambda r: (
        "house-not-eligible" in r.said and r.line("fortune") == "won fortune-pays"
    ),
    "pai.10 paid on seven cards, whatever is set": lambda r: (
        r.kind("player-high") == "pair"
        and "fortune" in r.lines
        and r.lines["fortune"].row == "four-of-a-kind"
    ),
    "pai.11 capped": lambda r: any(line.capped for line in r.lines.values()),
    **house_way.ENDINGS,
}
