"""A sweep as a Parquet file: one row for each bet and strategy of each sheet.

The bytes of the file depend on the sweep and on the version of pyarrow, not on how it was run.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec

from tapisvert import __version__
from tapisvert.lab.cluster_work import SweptBet
from tapisvert.lab.sweep import Plan
from tapisvert.refusal import Refused

_ROWS = 1 << 16  # of a row group
_ABOUT = b"tapisvert"  # metadata key of the sweep's description
_TEXT = ("sheet_hash", "bet", "strategy")
_NUMBERS = ("edge", "staked", "returned", "standard_deviation", "hit")
_EXACT = ("edge", "staked", "variance", "hit")


def write_sweep(path: Path, asked: Plan, found: Sequence[Sequence[SweptBet]]) -> None:
    """Write the file; it appears under its name only when it is complete."""
    import pyarrow
    from pyarrow import parquet

    columns = _columns(asked, found)
    about = {
        "id": asked.id,
        "game": asked.sheet.game,
        "sheet_hash": asked.sheet.hash,
        "vary": {
            key: list(dict.fromkeys(_plain(point.values[place]) for point in asked.points))
            for place, key in enumerate(asked.keys)
        },
        "version": __version__,
    }
    table = pyarrow.table(columns, schema=_schema(columns))
    table = table.replace_schema_metadata({_ABOUT: msgspec.json.encode(about)})
    unfinished = path.with_name(f"{path.name}.new")
    try:
        parquet.write_table(table, unfinished, row_group_size=_ROWS, compression="zstd")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def is_complete(path: Path, asked: Plan) -> bool:
    """Tell whether the file holds this sweep; refuse a file that holds anything else."""
    if not path.exists():
        return False
    import pyarrow
    from pyarrow import parquet

    try:
        about = msgspec.json.decode((parquet.read_schema(path).metadata or {})[_ABOUT])
        same = about["id"] == asked.id
    except (OSError, ValueError, LookupError, TypeError, pyarrow.ArrowException):
        same = False
    if not same:
        raise Refused("sweep/exists", file=str(path))
    return True


def read_sweep(path: Path, asked: Plan) -> list[list[SweptBet]]:
    """Return the bets of each sheet from the file of this sweep."""
    from pyarrow import parquet

    names = ("bet", "strategy", "exact", *(f"{name}_exact" for name in _EXACT), "error")
    table = parquet.read_table(path, columns=["sheet_hash", *names])
    found: dict[str, list[SweptBet]] = {}
    for row in table.to_pylist():
        bets = found.setdefault(row["sheet_hash"], [])
        bets.append(SweptBet(*(row[name] for name in names)))
    return [found[point.sheet_hash] for point in asked.points]


def _columns(asked: Plan, found: Sequence[Sequence[SweptBet]]) -> dict[str, list[Any]]:
    names = (*asked.keys, *_TEXT, "exact", *_NUMBERS)
    columns: dict[str, list[Any]] = {name: [] for name in names}
    columns |= {f"{name}_exact": [] for name in _EXACT} | {"error": []}
    for point, bets in zip(asked.points, found, strict=True):
        values = tuple(map(_plain, point.values))
        for each in bets:
            exact = (each.edge, each.staked, each.variance, each.hit)
            edge, staked, variance, hit = map(Fraction, exact)
            returned = 1 + edge / staked
            figures = [float(edge), float(staked), float(returned), sqrt(variance), float(hit)]
            row = (*values, point.sheet_hash, each.bet, each.strategy, each.exact)
            cells = (*row, *figures, *exact, each.error)
            for column, cell in zip(columns.values(), cells, strict=True):
                column.append(cell)
    return columns


def _schema(columns: dict[str, list[Any]]) -> Any:
    """Return the types of the columns; a varied key has those of its values."""
    import pyarrow

    fixed = dict.fromkeys((*_NUMBERS, "error"), pyarrow.float64())
    fixed |= {"exact": pyarrow.bool_()}
    whole = {
        name
        for name, cells in columns.items()
        if all(isinstance(cell, int) and not isinstance(cell, bool) for cell in cells)
    }
    return pyarrow.schema(
        [
            (name, fixed.get(name, pyarrow.int64() if name in whole else pyarrow.string()))
            for name in columns
        ]
    )


def _plain(value: Any) -> str | int:
    """Return a varied value as a cell: a whole number, or text as the sheet writes it."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    return msgspec.json.encode(value).decode()
