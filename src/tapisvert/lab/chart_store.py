"""Strategy charts as JSON, cached under the proof key of a sheet's main bet.

Charts are looked up where computing them would take too long: for the first two cards of Ultimate
and for par sheets. Imports no NumPy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from tapisvert.decoding import read_json
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES
from tapisvert.lab.proof_keys import key
from tapisvert.lab.proof_store import ratio
from tapisvert.lab.whole_files import write_files

SHIPPED = "chart.json"  # in a game's folder
_BET = "main"


def find(sheet: Sheet, folder: Path | None = None) -> Any:
    """Return the stored chart of this sheet, as JSON types; None if there is none."""
    name = key(sheet, _BET)
    shipped = GAMES[sheet.game].folder / SHIPPED
    for path in (shipped, *([folder / _file(sheet)] if folder else ())):
        if path.exists():
            kept = read_json(path.read_bytes(), dict[str, msgspec.Raw])
            if name in kept:
                return msgspec.json.decode(kept[name])
    return None


def keep(folder: Path, sheet: Sheet, chart: Any) -> None:
    """Add a chart to a folder; the charts of other sheets stay."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / _file(sheet), sheet, chart)


def write(path: Path, sheet: Sheet, chart: Any) -> None:
    """Add a chart to a file."""
    kept: dict[str, Any] = msgspec.json.decode(path.read_bytes()) if path.exists() else {}
    kept[key(sheet, _BET)] = plain(chart)
    # Sheets are sorted by key; the content of a chart keeps its own order.
    ordered = msgspec.json.encode(dict(sorted(kept.items())))
    write_files({path: msgspec.json.format(ordered, indent=1)})


def encode(chart: Any) -> bytes:
    """Encode a chart as JSON; fractions become strings."""
    return msgspec.json.encode(chart, enc_hook=ratio)


def plain(chart: Any) -> Any:
    """Convert a chart to JSON types."""
    return msgspec.json.decode(encode(chart))


def _file(sheet: Sheet) -> str:
    return f"{sheet.game}-chart.json"
