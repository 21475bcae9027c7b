"""Files written whole or not at all, also after Ctrl-C and on a full disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write files under other names, and rename them once all are written.

    A reader sees the old file or the new one. An interruption leaves no unfinished file.
    """
    unfinished = {path: path.with_name(f"{path.name}.new") for path in contents}
    try:
        for path, content in contents.items():
            unfinished[path].write_bytes(content)
        for path, written in unfinished.items():
            written.replace(path)
    finally:
        for written in unfinished.values():
            written.unlink(missing_ok=True)
