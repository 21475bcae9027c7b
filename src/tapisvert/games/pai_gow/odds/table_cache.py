"""The tables for valuing live hands, cached in memory-mapped files.

They depend only on two parts of a sheet: the house way, and the house's ineligible hands. Building
them takes some seconds and 340 MB of disk; a hand then reads a few MB of them.
"""

from __future__ import annotations

import hashlib
import tempfile
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from platformdirs import user_cache_path

from tapisvert.games.pai_gow.odds.deck import deck_of
from tapisvert.games.pai_gow.odds.hands import house_of, marks_of_all
from tapisvert.games.pai_gow.odds.tables import Beaten, HandTable, tables_of
from tapisvert.games.pai_gow.sheet import PaiGow

_FORM = 1  # increment when the content of the files changes


def cached_tables(sheet: PaiGow, folder: Path | None = None) -> Beaten:
    """Return the tables of a sheet; build them if they are not cached."""
    where = folder or user_cache_path("tapisvert") / "odds"
    figures = msgspec.json.encode([_FORM, sheet.house_way, sheet.house.not_eligible_with])
    path = where / f"pai-gow-{hashlib.sha256(figures).hexdigest()[:16]}"
    if not path.is_dir():
        house = house_of(sheet, deck_of(sheet.deck))
        _write(tables_of(house.deck, marks_of_all(house), house.eligible), path)
    return _read(path)


def _write(beaten: Beaten, path: Path) -> None:
    """Write the tables; they appear under their name only when complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as unfinished:
        made = Path(unfinished) / path.name
        made.mkdir()
        for name, table in beaten._asdict().items():
            for part, numbers in table._asdict().items():
                np.save(made / f"{name}-{part}.npy", numbers)
        if not path.exists():  # another process may have been first
            made.rename(path)


@cache
def _read(path: Path) -> Beaten:
    few, fours = (
        HandTable(
            *(
                np.asarray(np.load(path / f"{name}-{part}.npy", mmap_mode="r"))
                for part in HandTable._fields
            )
        )
        for name in Beaten._fields
    )
    return Beaten(few, fours)
