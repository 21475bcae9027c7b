"""Seeds at rest (R7): encrypted, bound to their round, under a key only its owner can read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from not_run import not_run
from rounds.guest_seat import refusal_of
from tapisvert.key_file import make_key, read_key
from tapisvert.refusal import unwrap
from tapisvert.rounds import Dealer
from tapisvert.rounds.seed_source import draw
from tapisvert.sealing import KEY_BYTES, NONCE_BYTES, Sealer

SEED = bytes(range(100, 132))
KEY = bytes(range(KEY_BYTES))
NONCE = bytes(range(200, 200 + NONCE_BYTES))
ROUND = "round-1"

steady = settings(
    deadline=None,
    derandomize=True,
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow],  # a busy machine is no fault
)


def exactly(size: int) -> st.SearchStrategy[bytes]:
    """Generate byte strings of this length."""
    return st.binary(min_size=size, max_size=size)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    return tmp_path / "house.key"


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Set the most permissive umask."""
    before = os.umask(0)
    yield
    os.umask(before)


def _code(sealer: Sealer, sealed: bytes, round_id: str) -> str:
    refused = refusal_of(lambda: sealer.open(sealed, round_id))
    assert refused.details == {"round_id": round_id}
    return refused.code


@steady
@given(*map(exactly, (32, KEY_BYTES, NONCE_BYTES)), st.text())
def test_a_sealed_seed_opens_again(seed: bytes, key: bytes, nonce: bytes, round_id: str) -> None:
    assert Sealer(key).open(Sealer(key).seal(seed, round_id, nonce), round_id) == seed


@steady
@given(st.text(), st.text())
def test_a_seal_opens_for_its_own_round_only(one: str, other: str) -> None:
    sealed = Sealer(KEY).seal(SEED, one, NONCE)
    if one == other:
        assert Sealer(KEY).open(sealed, other) == SEED
    else:
        assert _code(Sealer(KEY), sealed, other) == "seal/broken"


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_a_key_of_another_length_is_a_mistake_in_our_code(size: int) -> None:
    # AES would take 16 bytes and seal with half the strength.
    with pytest.raises(ValueError, match=f"^the key has {size} bytes, not 32$"):
        Sealer(bytes(size))


def test_any_flipped_bit_breaks_the_seal() -> None:
    sealer = Sealer(KEY)
    sealed = sealer.seal(SEED, ROUND, NONCE)
    for bit in range(8 * len(sealed)):
        damaged = (int.from_bytes(sealed, "big") ^ 1 << bit).to_bytes(len(sealed), "big")
        assert _code(sealer, damaged, ROUND) == "seal/broken"


def test_another_key_does_not_open_the_seal() -> None:
    sealed = Sealer(KEY).seal(SEED, ROUND, NONCE)
    assert _code(Sealer(KEY[::-1]), sealed, ROUND) == "seal/broken"
    for bit in range(8 * KEY_BYTES):
        near = (int.from_bytes(KEY, "big") ^ 1 << bit).to_bytes(KEY_BYTES, "big")
        assert _code(Sealer(near), sealed, ROUND) == "seal/broken"


@pytest.mark.parametrize("left", range(60))
def test_a_seal_cut_short_is_broken(left: int) -> None:
    sealed = Sealer(KEY).seal(SEED, ROUND, NONCE)
    assert len(sealed) == 60
    assert _code(Sealer(KEY), sealed[:left], ROUND) == "seal/broken"


def test_a_lengthened_seal_is_broken() -> None:
    assert _code(Sealer(KEY), Sealer(KEY).seal(SEED, ROUND, NONCE) + b"\0", ROUND) == "seal/broken"


def test_two_seals_of_one_seed_differ() -> None:
    # A repeated nonce would give AES-GCM's key stream away.
    dealer = Dealer(Sealer(KEY))
    drawn = [unwrap(dealer.drawn()) for _ in range(1000)]
    for seals in (
        [dealer.seal(SEED, ROUND) for _ in range(1000)],
        [dealer.decks.seal(SEED, ROUND, each.nonce) for each in drawn],
    ):
        assert len({sealed[:NONCE_BYTES] for sealed in seals}) == 1000
        assert len({sealed[NONCE_BYTES:] for sealed in seals}) == 1000


@steady
@given(exactly(32))
def test_R7_the_seed_is_not_in_what_rests(seed: bytes) -> None:
    sealed = Sealer(KEY).seal(seed, ROUND, NONCE)
    assert seed not in sealed
    assert seed.hex().encode() not in sealed
    assert not any(seed[at : at + 8] in sealed for at in range(25))
    assert KEY not in sealed


@pytest.mark.usefixtures("open_umask")
def test_a_new_key_is_its_owners_only(key_file: Path) -> None:
    sealer = make_key(key_file)
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert len(key_file.read_bytes()) == KEY_BYTES
    assert read_key(key_file).open(sealer.seal(SEED, ROUND, NONCE), ROUND) == SEED


def test_a_key_is_never_overwritten(key_file: Path) -> None:
    first = make_key(key_file)
    kept = key_file.read_bytes()
    second = make_key(key_file)
    assert key_file.read_bytes() == kept
    assert second.open(first.seal(SEED, ROUND, NONCE), ROUND) == SEED
    assert os.listdir(key_file.parent) == [key_file.name]  # no draft is left behind


def test_a_damaged_or_exposed_key_is_not_replaced_by_a_new_one(key_file: Path) -> None:
    key_file.write_bytes(b"half a key")
    key_file.chmod(0o600)
    _refused_key(key_file, "seal/key_unreadable", making=True)
    assert key_file.read_bytes() == b"half a key"
    key_file.write_bytes(KEY)
    key_file.chmod(0o644)
    _refused_key(key_file, "seal/key_exposed", making=True)
    assert key_file.read_bytes() == KEY


def test_a_missing_key_is_refused_and_not_made(key_file: Path) -> None:
    _refused_key(key_file, "seal/key_missing")
    assert not key_file.exists()


@pytest.mark.parametrize("mode", [0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o644, 0o660, 0o777])
def test_a_key_that_others_can_reach_is_refused(key_file: Path, mode: int) -> None:
    key_file.write_bytes(KEY)
    key_file.chmod(mode)
    _refused_key(key_file, "seal/key_exposed")


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_key_its_owner_keeps_to_himself_is_read(key_file: Path, mode: int) -> None:
    key_file.write_bytes(KEY)
    key_file.chmod(mode)
    assert read_key(key_file).open(Sealer(KEY).seal(SEED, ROUND, NONCE), ROUND) == SEED


@pytest.mark.parametrize("size", [0, 16, 24, 31, 33, 64])
def test_a_key_of_another_length_is_refused(key_file: Path, size: int) -> None:
    # 16 and 24 bytes would be lawful AES keys, but not the one this house made.
    key_file.write_bytes(bytes(size))
    key_file.chmod(0o600)
    assert _refused_key(key_file, "seal/key_unreadable") == "it does not hold 32 bytes"


def test_a_directory_is_not_a_key(key_file: Path) -> None:
    key_file.mkdir(mode=0o700)
    assert _refused_key(key_file, "seal/key_unreadable") == "Is a directory"


def test_a_key_cannot_be_made_in_a_place_that_is_not_there(key_file: Path) -> None:
    _refused_key(key_file / "below", "seal/key_unreadable", making=True)


def _refused_key(path: Path, code: str, *, making: bool = False) -> object:
    """Check that a key is refused; return the reason."""
    refused = refusal_of(partial(make_key if making else read_key, path))
    assert refused.code == code
    assert refused.details["file"] == str(path)
    assert KEY.hex() not in str(refused)
    return refused.details.get("reason")


# How a key comes to its file ----------------------------------------------------------------------


class Disk:
    """Records each fsync, and the folder's content at that moment."""

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


def test_a_key_that_cannot_be_written_leaves_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    refused = _refused_key(tmp_path / "house.key", "seal/key_unreadable", making=True)
    assert refused == "No space left on device"
    assert os.listdir(tmp_path) == []


def test_making_and_reading_a_key_leaves_no_file_open(tmp_path: Path) -> None:
    open_files = Path("/proc/self/fd")
    if not open_files.is_dir():
        not_run("a count of open files", "no /proc on this system")
    make_key(tmp_path / "warm")
    before = len(os.listdir(open_files))
    make_key(tmp_path / "house.key")
    assert len(os.listdir(open_files)) == before


def test_a_mark_is_the_same_for_ever() -> None:
    # HMAC-SHA256(SHA-256("marks" || key), content): rounds marked years ago must still check.
    assert Sealer(bytes(range(32))).mark(b"a round").hex() == (
        "12d63e59482643a9779d026cf3108adbf5849fa292c5cb442defc06cfe0ee205"
    )


def test_a_source_that_gives_one_byte_over_and_over_is_refused_and_two_bytes_are_not() -> None:
    assert draw(4, lambda size: b"\x00\x00\x00\x01") == b"\x00\x00\x00\x01"
    for stuck in (b"\x00", b"\xff"):
        refused = refusal_of(partial(draw, 4, stuck.__mul__))
        assert (refused.code, refused.details) == ("dealing/unavailable", {})
