"""A cache of the tables that a game computes once per sheet and strategy: memory-mapped files.

A table is stored in the user's cache folder. Its name contains a hash of every figure it depends
on, so that a table of other figures is never read. All processes of a machine share the mapped
memory. If the folder is not writable, the tables stay in memory.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

Tables = dict[str, NDArray[Any]]
_MISSING_OR_DAMAGED = (OSError, ValueError, EOFError)


def cached_tables(
    name: str,
    figures: object,
    build: Callable[[], Mapping[str, NDArray[Any]]],
    folder: Path | None = None,
) -> Tables:
    """Return the tables of these figures, read-only; build them if they are not stored.

    `figures` must contain everything that `build` reads, and a number that changes with its code.
    """
    where = folder or user_cache_path("tapisvert") / "odds"
    written = msgspec.json.encode(figures, order="sorted", enc_hook=str)
    path = where / f"{name}-{hashlib.sha256(written).hexdigest()[:16]}"
    try:
        return _read(path)
    except _MISSING_OR_DAMAGED:
        tables = dict(build())
    try:
        _write(tables, path)
        return _read(path)
    except _MISSING_OR_DAMAGED:
        for table in tables.values():
            table.flags.writeable = False  # as if read from disk
        return tables


def _write(tables: Tables, path: Path) -> None:
    """Write the tables; they appear under their name only when complete.

    Other processes may write the same tables, and read them, at any time: a whole folder is never
    touched, and a damaged one is moved away before it is deleted.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as unfinished:
        made = Path(unfinished) / path.name
        made.mkdir()
        for name, table in tables.items():
            np.save(made / f"{name}.npy", table)
        try:
            made.rename(path)
        except OSError:  # there is one already
            if not _is_whole(path):
                path.rename(Path(unfinished) / "damaged")
                made.rename(path)


def _is_whole(path: Path) -> bool:
    try:
        return bool(_read(path))
    except _MISSING_OR_DAMAGED:
        return False


def _read(path: Path) -> Tables:
    names = sorted(path.iterdir())
    if not names:
        raise ValueError(f"{path} is empty")
    # asarray: Numba knows plain arrays only.
    return {each.stem: np.asarray(np.load(each, mmap_mode="r")) for each in names}
