"""The best play of Casino Stud on a page: the threshold, and by up card the range between."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tapisvert.cards import RANKS
from tapisvert.games.chart_page import ChartPart, Grid, Words, threshold

DOWN = RANKS[::-1]
Shares = dict[str, tuple[int, int]]  # by rank of the up card: positions played, and all


def draw(words: Words, line: Any) -> list[ChartPart]:
    """Draw the threshold; in its range, group hands by their first ranks, by up card."""

    def named(hand: str) -> str:
        kind, _, ranks = hand.partition(" ")
        row = words.write(f"row.{kind}", {}, "casino-stud")
        return f"{row} {words.ranks(ranks)}".rstrip()

    rows = [
        (
            words.ranks(ranks) if kind == "high-card" else named(f"{kind} {ranks}"),
            *(words.percent(Fraction(*shares[up]), 0) if up in shares else "" for up in DOWN),
        )
        for (kind, ranks), shares in by_up_card(line).items()
    ]
    heads = ("", *(words.ranks(up) for up in DOWN))
    between = Grid(words.write("par.by-up-card"), heads, rows, kind="grid")
    return [threshold(words, line, "play", named), between]


def by_up_card(line: Any) -> dict[tuple[str, str], Shares]:
    """Add up the hands of one kind that begin with the same three ranks."""
    found: dict[tuple[str, str], Shares] = {}
    for each in reversed(line["between"]):
        kind, _, ranks = each["hand"].partition(" ")
        shares = found.setdefault((kind, ranks[:3]), {})
        for up, (some, whole) in each["against"].items():
            played, positions = shares.get(up, (0, 0))
            shares[up] = played + some, positions + whole
    return found
