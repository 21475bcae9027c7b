"""Output folders: created if missing; refused before the work starts if not writable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from tapisvert.lab.whole_files import write_files
from tapisvert.refusal import Refused


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Turn an OSError into a refusal with its reason."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise Refused("store/unwritable", file=str(folder), reason=reason) from None


def data_folder(folder: Path) -> Path:
    """Return the folder; create it if it is missing."""
    with writing_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def must_be_writable(*folders: Path | None) -> None:
    """Refuse folders that cannot be created or written to; the check leaves nothing behind."""
    for folder in folders:
        if folder is not None:
            with writing_to(folder):
                _try(next(each for each in (folder, *folder.parents) if each.exists()))


def _try(folder: Path) -> None:
    """Write a temporary file: permission bits do not reveal a read-only mount."""
    with TemporaryFile(dir=folder):
        pass


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; create its folder if it is missing."""
    with writing_to(path):
        data_folder(path.parent)
        write_files({path: content})


def write_report(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write the files of a folder, all of them or none; create the folder if it is missing."""
    with writing_to(folder):
        data_folder(folder)
        write_files({folder / name: content for name, content in contents.items()})
