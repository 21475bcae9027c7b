"""The tables for valuing live hands, cached in memory-mapped files.

They depend only on two parts of a sheet: the house way, and the house's ineligible hands. Building
them takes some seconds and 340 MB of disk; a hand then reads a few MB of them.
"""

from __future__ import annotations

from pathlib import Path

from tapisvert.engine.sheet import Rank
from tapisvert.games.pai_gow.odds.deck import deck_of
from tapisvert.games.pai_gow.odds.hands import house_of, marks_of_all
from tapisvert.games.pai_gow.odds.tables import Beaten, HandTable, tables_of
from tapisvert.games.pai_gow.sheet import HouseWay, PaiGow
from tapisvert.odds.table_cache import Tables, cached_tables

_FORM = 1  # increment when the content of the files changes
_opened: dict[tuple[HouseWay, Rank, Path | None], Beaten] = {}


def cached_beaten(sheet: PaiGow, folder: Path | None = None) -> Beaten:
    """Return the tables of a sheet; build them if they are not cached."""
    way, ineligible = sheet.house_way, sheet.house.not_eligible_with

    def build() -> Tables:
        house = house_of(sheet, deck_of(sheet.deck))
        beaten = tables_of(house.deck, marks_of_all(house), house.eligible)
        return {
            f"{name}-{part}": numbers
            for name, table in beaten._asdict().items()
            for part, numbers in table._asdict().items()
        }

    if (way, ineligible, folder) not in _opened:
        kept = cached_tables("pai-gow", [_FORM, way, ineligible], build, folder)
        few, fours = (
            HandTable(*(kept[f"{name}-{part}"] for part in HandTable._fields))
            for name in Beaten._fields
        )
        _opened[way, ineligible, folder] = Beaten(few, fours)
    return _opened[way, ineligible, folder]
