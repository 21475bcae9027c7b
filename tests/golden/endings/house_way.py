"""The house way by rule of docs/rules/pai-gow.md, recognised in the sets of house and player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from golden.endings.seen import Ending, Endings, Seen
from tapisvert.cards import RANKS

COMPLETE = ("straight", "flush", "straight-flush", "royal-flush")


class Way(NamedTuple):
    """Seven cards by groups (ranks, highest first, the joker an ace), and their set."""

    fives: str
    fours: str
    threes: str
    pairs: str
    singles: str
    low: str  # the ranks of the low hand, highest first
    high: str  # what the high hand is called

    @property
    def shape(self) -> list[int]:
        """Return the number of fours, threes and pairs."""
        return [len(self.fours), len(self.threes), len(self.pairs)]


def ways(seen: Seen) -> list[Way]:
    """Return the house's set, and the set suggested to the player."""
    [suggested] = [option for option in seen.answers[0].asked.options if option.suggested]
    house = [*seen.cards["house-low"], *seen.cards["house-high"]]
    player = [*seen.cards["player-low"], *seen.cards["player-high"]]
    return [
        way(house, seen.cards["house-low"], seen.kind("house-high")),
        way(player, suggested.id.split(), suggested.hands["high"].category),
    ]


def way(seven: list[str], low: list[str] | tuple[str, ...], high: str) -> Way:
    """Group the cards of one side."""
    held = Counter(ranks(seven))
    groups = ("".join(rank for rank in held if held[rank] == size) for size in (5, 4, 3, 2, 1))
    fives, fours, threes, pairs, singles = groups
    return Way(fives, fours, threes, pairs, singles, ranks(low), high)


def ranks(cards: list[str] | tuple[str, ...]) -> str:
    """Return the ranks of some cards, highest first; the joker is an ace."""
    return "".join(sorted(("A" if c == "Jk" else c[0] for c in cards), key=RANKS.index)[::-1])


FOUR, TWO_THREES, THREE_TWO_PAIRS, FULL = [1, 0, 0], [0, 2, 0], [0, 1, 2], [0, 1, 1]
THREE_PAIRS, THREE, TWO_PAIRS, PAIR, NONE = [0, 0, 3], [0, 1, 0], [0, 0, 2], [0, 0, 1], [0, 0, 0]

RULES: dict[str, Callable[[Way], bool]] = {
    "1 five aces, a pair of them low": lambda w: w.fives == "A" and w.low == "AA",
    "1 five aces, two kings low": lambda w: w.fives == "A" and w.low == "KK",
    "2 four and three, a pair of the three low": lambda w: (
        w.shape == [1, 1, 0] and w.low == 2 * w.threes
    ),
    "2 four and a pair, the pair low": lambda w: w.shape == [1, 0, 1] and w.low == 2 * w.pairs,
    "3 twos to sixes stay": lambda w: (
        w.shape == FOUR and w.fours in "23456" and w.low == w.singles[:2]
    ),
    "3 sevens to tens stay beside an ace": lambda w: (
        w.shape == FOUR and w.fours in "789T" and w.low == "A" + w.singles[1]
    ),
    "3 sevens to tens are split": lambda w: (
        w.shape == FOUR and w.fours in "789T" and w.low == 2 * w.fours
    ),
    "3 jacks to aces are split": lambda w: (
        w.shape == FOUR and w.fours in "JQKA" and w.low == 2 * w.fours
    ),
    "4 two threes, a pair of the higher low": lambda w: (
        w.shape == TWO_THREES and w.low == 2 * w.threes[0]
    ),
    "4 three and two pairs, the higher pair low": lambda w: (
        w.shape == THREE_TWO_PAIRS and w.low == 2 * w.pairs[0]
    ),
    "5 a full house, the pair low": lambda w: w.shape == FULL and w.low == 2 * w.pairs,
    "5 other pairs do not stay beside ace-king": lambda w: (
        w.shape == FULL and w.singles == "AK" and w.low == 2 * w.pairs
    ),
    "5 twos do not stay beside other cards": lambda w: (
        w.shape == FULL and w.pairs == "2" and w.low == "22"
    ),
    "5 twos stay beside ace-king": lambda w: w.shape == FULL and w.pairs == "2" and w.low == "AK",
    "6 three pairs, the highest low": lambda w: w.shape == THREE_PAIRS and w.low == 2 * w.pairs[0],
    "7 a pair of three low": lambda w: (
        w.shape == THREE and w.low == 2 * w.threes and w.high in COMPLETE
    ),
    "7 three aces are split": lambda w: (
        w.shape == THREE and w.threes == "A" and w.low == "A" + w.singles[0]
    ),
    "7 three stay": lambda w: w.shape == THREE and w.low == w.singles[:2],
    "8 aces and another pair are split": lambda w: (
        w.shape == TWO_PAIRS and w.pairs[0] == "A" and w.low == 2 * w.pairs[1]
    ),
    "8 sixes or less stay": lambda w: (
        w.shape == TWO_PAIRS and w.pairs[0] in "23456" and w.low == w.singles[:2]
    ),
    "8 jacks to kings with sixes or better are split": lambda w: (
        w.shape == TWO_PAIRS
        and w.pairs[0] in "JQK"
        and w.pairs[1] in "6789TJQ"
        and w.low == 2 * w.pairs[1]
    ),
    "8 others are split without an ace": lambda w: (
        w.shape == TWO_PAIRS and w.pairs[0] in "789T" and w.low == 2 * w.pairs[1]
    ),
    "8 others stay beside an ace": lambda w: (
        w.shape == TWO_PAIRS and w.pairs[0] in "789TJQK" and w.low == "A" + w.singles[1]
    ),
    "9 one pair, and a straight or a flush": lambda w: w.shape == PAIR and w.high in COMPLETE,
    "9 a high pair stays beside an ace": lambda w: (
        w.shape == PAIR
        and w.pairs in "TJQK"
        and set("AKQJT") <= {w.pairs, *w.singles}  # a straight it does not go for
        and w.low == w.singles[:2]
    ),
    "10 no pair, and a straight or a flush": lambda w: w.shape == NONE and w.high in COMPLETE,
    "11 one pair stays": lambda w: w.shape == PAIR and w.high == "pair" and w.low == w.singles[:2],
    "11 no pair, the highest card stays": lambda w: (
        w.shape == NONE and w.high == "high-card" and w.low == w.singles[1:3]
    ),
    "12 the pair goes that leaves the flush": lambda w: (
        w.shape == THREE and w.low == 2 * w.threes and w.high == "flush"
    ),
}


def followed(rule: Callable[[Way], bool]) -> Ending:
    """Return the test that the house or the suggestion followed a rule."""
    return lambda seen: any(map(rule, ways(seen)))


ENDINGS: Endings = {f"house way {name}": followed(rule) for name, rule in RULES.items()}
