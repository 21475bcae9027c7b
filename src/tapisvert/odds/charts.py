"""Kept charts: the best play of a sheet, written down under the key of its main bet.

Like proofs they are looked up where waiting for them would be too long: the first two cards of
Ultimate, the pages that are printed. Imports no NumPy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from tapisvert.odds.bets import key
from tapisvert.odds.proofs import ratio
from tapisvert.sheets import Sheet

SHIPPED = Path(__file__).parent / "charts"
_BET = "main"


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
    kept[key(sheet, _BET)] = msgspec.json.decode(encode(chart))
    fresh = path.with_suffix(".new")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(kept, order="sorted"), indent=1))
    fresh.replace(path)


def encode(chart: Any) -> bytes:
    """Write a chart as JSON; fractions are texts."""
    return msgspec.json.encode(chart, enc_hook=ratio)


def _file(sheet: Sheet) -> str:
    return f"{sheet.game}-chart.json"
