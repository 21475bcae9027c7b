"""Charts as they are in JSON: kept under the key of a sheet's main bet, and put in order.

Like proofs they are looked up where waiting for them would be too long: the first two cards of
Ultimate, the pages that are printed. A terminal and a page draw the same order. Imports no NumPy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from tapisvert.cards import RANKS
from tapisvert.odds.bets import key
from tapisvert.odds.proofs import ratio
from tapisvert.sheets import Sheet

SHIPPED = Path(__file__).parent / "charts"
_BET = "main"
DOWN = RANKS[::-1]  # from the ace
UP_CARDS = "23456789TA"  # of Blackjack: by value, the ace last

Shares = dict[str, tuple[int, int]]  # by rank of the up card: played, and of how many


def find(sheet: Sheet, folder: Path | None = None) -> Any:
    """Return the chart that holds for this sheet, as it is in JSON; None if none is kept."""
    name = key(sheet, _BET)
    for place in (SHIPPED, folder):
        if place is not None and (path := place / _file(sheet)).exists():
            kept = msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw])
            if name in kept:
                return msgspec.json.decode(kept[name])
    return None


def keep(folder: Path, sheet: Sheet, chart: Any) -> None:
    """Add a chart to a folder; those of other sheets stay beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _file(sheet)
    kept: dict[str, Any] = msgspec.json.decode(path.read_bytes()) if path.exists() else {}
    kept[key(sheet, _BET)] = plain(chart)
    fresh = path.with_suffix(".new")
    # Sheets are in the order of their keys; what a chart holds is in its own.
    ordered = msgspec.json.encode(dict(sorted(kept.items())))
    fresh.write_bytes(msgspec.json.format(ordered, indent=1))
    fresh.replace(path)


def encode(chart: Any) -> bytes:
    """Write a chart as JSON; fractions are texts."""
    return msgspec.json.encode(chart, enc_hook=ratio)


def plain(chart: Any) -> Any:
    """Return a chart as it is in JSON."""
    return msgspec.json.decode(encode(chart))


def by_up_card(line: Any) -> dict[tuple[str, str], Shares]:
    """Add up the hands of a line that are of one kind and begin with the same three ranks."""
    found: dict[tuple[str, str], Shares] = {}
    for each in reversed(line["between"]):
        kind, _, ranks = each["hand"].partition(" ")
        shares = found.setdefault((kind, ranks[:3]), {})
        for up, (some, whole) in each["against"].items():
            played, positions = shares.get(up, (0, 0))
            shares[up] = played + some, positions + whole
    return found


def starting_hands(starts: Any) -> list[list[Any]]:
    """Lay the 169 starting hands out in a square, suited above the diagonal, offsuit below."""
    by_hand = {start["hand"]: start for start in starts}

    def at(row: int, column: int) -> Any:
        high, low = DOWN[min(row, column)], DOWN[max(row, column)]
        kind = "" if row == column else "s" if column > row else "o"
        return by_hand[high + low + kind]

    size = range(len(DOWN))
    return [[at(row, column) for column in size] for row in size]


def odd_hands(chart: Any) -> list[Any]:
    """Return the hands a chart of Blackjack gets wrong: the fewest cards, then the costliest."""
    return sorted(chart["odd"], key=lambda each: (len(each["hand"]), -each["better_by"]))


def _file(sheet: Sheet) -> str:
    return f"{sheet.game}-chart.json"
