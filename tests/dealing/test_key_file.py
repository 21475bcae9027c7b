"""How a key comes to its file: whole and safe on disk before it has its name, and alone there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tapisvert.refusal import Refused
from tapisvert.sealing import KEY_BYTES, Sealer, draw, make_key, read_key


class Disk:
    """Notes what is synced, and what the folder looks like at that moment."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.synced: list[tuple[str, int, list[str]]] = []
        self._folder, self._real = folder, os.fsync
        monkeypatch.setattr(os, "fsync", self._fsync)

    def _fsync(self, handle: int) -> None:
        found = os.fstat(handle)
        kind = "folder" if stat.S_ISDIR(found.st_mode) else "file"
        size = 0 if kind == "folder" else found.st_size
        self.synced.append((kind, size, sorted(os.listdir(self._folder))))
        self._real(handle)


def test_a_key_is_safe_on_disk_before_it_has_its_name_and_its_folder_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(tmp_path, monkeypatch)
    make_key(tmp_path / "house.key")
    (first, size, (draft,)), (second, _, after) = disk.synced
    assert (first, size) == ("file", KEY_BYTES)
    assert draft.startswith(".house.key.")  # hidden, and says whose it is
    assert len(draft) > len(".house.key.")
    assert (second, after) == ("folder", ["house.key"])  # and the draft is gone


def test_of_two_that_make_a_key_one_leaves_nothing_behind(tmp_path: Path) -> None:
    make_key(tmp_path / "house.key")
    make_key(tmp_path / "house.key")
    assert os.listdir(tmp_path) == ["house.key"]


def test_a_key_that_cannot_be_written_leaves_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused) as refused:
        make_key(tmp_path / "house.key")
    assert refused.value.code == "seal/key_unreadable"
    assert refused.value.details == {
        "file": str(tmp_path / "house.key"),
        "reason": "No space left on device",
    }
    assert os.listdir(tmp_path) == []


def test_making_and_reading_a_key_leaves_no_file_open(tmp_path: Path) -> None:
    open_files = Path("/proc/self/fd")
    if not open_files.is_dir():
        pytest.skip("this system does not list open files")
    make_key(tmp_path / "warm")
    before = len(os.listdir(open_files))
    make_key(tmp_path / "house.key")
    assert len(os.listdir(open_files)) == before


@pytest.mark.parametrize(
    ("size", "reason"), [(31, "it does not hold 32 bytes"), (33, "it does not hold 32 bytes")]
)
def test_a_key_of_another_length_is_refused_with_the_reason(
    tmp_path: Path, size: int, reason: str
) -> None:
    path = tmp_path / "house.key"
    path.write_bytes(bytes(size))
    path.chmod(0o600)
    with pytest.raises(Refused) as refused:
        read_key(path)
    assert refused.value.details == {"file": str(path), "reason": reason}


def test_what_is_no_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_key(tmp_path)
    assert refused.value.details == {"file": str(tmp_path), "reason": "Is a directory"}


def test_a_mark_is_the_same_for_ever() -> None:
    # HMAC-SHA256(SHA-256("marks" || key), content): rounds marked years ago must still check.
    assert Sealer(bytes(range(32))).mark(b"a round").hex() == (
        "12d63e59482643a9779d026cf3108adbf5849fa292c5cb442defc06cfe0ee205"
    )


def test_a_source_that_gives_one_byte_over_and_over_is_refused_and_two_bytes_are_not() -> None:
    assert draw(4, lambda size: b"\x00\x00\x00\x01") == b"\x00\x00\x00\x01"
    for stuck in (b"\x00", b"\xff"):
        with pytest.raises(Refused) as refused:
            draw(4, stuck.__mul__)
        assert (refused.value.code, refused.value.details) == ("dealing/unavailable", {})
