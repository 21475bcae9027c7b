"""Finished blocks of a long run, stored in a folder until the result is written.

The name of the folder contains a hash of the request, so that blocks of another request are never
read. A block begins with the hash of its content: a damaged block is computed again.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

_HASH_BYTES = 32


class FinishedBlocks:
    """The folder of a run whose result will be the file `out`."""

    def __init__(self, out: Path, identity: str) -> None:
        self.folder = out.with_name(f"{out.name}.{identity[:16]}.parts")

    def read(self, number: int) -> bytes | None:
        """Return the content of a block; None if it is missing or damaged."""
        try:
            written = self._path(number).read_bytes()
        except FileNotFoundError:
            return None
        content = written[_HASH_BYTES:]
        return content if written == _hashed(content) else None

    def write(self, number: int, content: bytes) -> None:
        """Store a block; it appears under its name only when it is complete."""
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = self.folder / "unfinished"
        unfinished.write_bytes(_hashed(content))
        unfinished.replace(self._path(number))

    def remove(self) -> None:
        """Remove all blocks once the result is written."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06}"


def _hashed(content: bytes) -> bytes:
    return hashlib.sha256(content).digest() + content
