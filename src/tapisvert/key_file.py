"""The house key: a file of its own, readable by its owner only."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from tapisvert.refusal import Refused
from tapisvert.sealing import KEY_BYTES, Sealer


def make_key(path: Path) -> Sealer:
    """Create the key file of a new house, with mode 0600, fsynced before it is used.

    The file appears under its name atomically: of two servers that start together, one creates it
    and the other reads it.
    """
    try:
        handle, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(os.urandom(KEY_BYTES))
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)
        finally:
            os.unlink(draft)
        _sync_folder(path.parent)
    except OSError as error:
        raise Refused("seal/key_unreadable", file=str(path), reason=str(error.strerror)) from None
    return read_key(path)


def read_key(path: Path) -> Sealer:
    """Read the key file; refuse a missing one, or one that other users can read."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            key = file.read(KEY_BYTES + 1)
    except FileNotFoundError:
        raise Refused("seal/key_missing", file=str(path)) from None
    except OSError as error:
        raise Refused("seal/key_unreadable", file=str(path), reason=str(error.strerror)) from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Refused("seal/key_exposed", file=str(path))
    if len(key) != KEY_BYTES:
        raise Refused("seal/key_unreadable", file=str(path), reason="it does not hold 32 bytes")
    return Sealer(key)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
