"""Keys and databases: a lost key is never replaced, a wrong key never used."""

from __future__ import annotations

import hashlib
import stat
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from houses import KEY
from store.spies import PATIENCE_S
from store.spoiling import a_folder
from tapisvert.cli.serve import open_house
from tapisvert.operations.key_check import check_key_file
from tapisvert.refusal import Refused, unwrap
from tapisvert.rounds.audit_trail import OPENED
from tapisvert.rounds.schemas import OpenRequest, SeatRequest
from tapisvert.sealing import Sealer
from tapisvert.store import SqliteStore, Tx
from tapisvert.store.tails import IntegrityKey

T = TypeVar("T")

STUD = SeatRequest("casino-stud")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a database that has been served once, with its key beside it."""
    path = tmp_path / "tapis.db"
    open_house(path).store.close()
    return path


def refusal_of(database: Path, key: Path | None = None) -> Refused:
    """Return the refusal of a database; a refused start leaves no thread running."""
    before = set(threading.enumerate())
    with pytest.raises(Refused) as refused:
        open_house(database, key).store.close()
    assert set(threading.enumerate()) <= before
    return refused.value


def test_a_new_database_gets_a_key_of_32_bytes_that_only_its_owner_can_read(tmp_path: Path) -> None:
    keys = [tmp_path / "a.key", tmp_path / "b.key"]
    for key in keys:
        open_house(key.with_suffix(".db")).store.close()
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        assert len(key.read_bytes()) == 32
        assert len(set(key.read_bytes())) > 1
    assert keys[0].read_bytes() != keys[1].read_bytes()


def test_the_key_can_be_kept_elsewhere(tmp_path: Path) -> None:
    key = tmp_path / "safe" / "house.key"
    key.parent.mkdir()
    open_house(tmp_path / "tapis.db", key).store.close()
    assert key.exists()
    assert not (tmp_path / "tapis.key").exists()
    open_house(tmp_path / "tapis.db", key).store.close()


def test_a_missing_key_is_refused_and_never_made_again(database: Path) -> None:
    key = database.with_suffix(".key")
    aside = key.rename(key.with_name("aside"))
    for _ in range(2):
        refusal = refusal_of(database)
        assert (refusal.code, refusal.details) == ("seal/key_missing", {"file": str(key)})
        assert not key.exists()
    aside.rename(key)
    open_house(database).store.close()


def test_the_wrong_key_is_refused_and_left_as_it_is(database: Path) -> None:
    key = database.with_suffix(".key")
    other = bytes(range(32))
    key.write_bytes(other)
    refusal = refusal_of(database)
    assert (refusal.code, refusal.details) == ("seal/wrong_key", {"file": str(key)})
    assert key.read_bytes() == other


def test_a_database_from_before_audit_trails_opens_with_its_own_key_only(tmp_path: Path) -> None:
    store, old = SqliteStore(tmp_path / "tapis.db"), Sealer(KEY)
    right, wrong = tmp_path / "right.key", tmp_path / "wrong.key"
    for file, key in ((right, KEY), (wrong, bytes(32))):
        file.write_bytes(key)
        file.chmod(0o600)

    def refused(file: Path) -> tuple[str, object]:
        with pytest.raises(Refused) as caught:
            check_key_file(store, file)
        return caught.value.code, caught.value.details

    word = old.seal(b"as sealed then", "sealed_word", bytes(12))
    insert = "INSERT INTO facts (name, value) VALUES ('sealed_word', ?)"
    store.write(lambda tx: tx.run(insert, (word,))).result(PATIENCE_S)
    assert check_key_file(store, right).public_key == old.public_key
    assert refused(wrong) == ("seal/wrong_key", {"file": str(wrong)})
    # The audit trail was started since, and its keys are gone.
    word = IntegrityKey(old.integrity_key).mark(OPENED)
    store.write(lambda tx: tx.run("UPDATE facts SET value = ?", (word,))).result(PATIENCE_S)
    assert refused(right) == ("store/altered", {"file": str(right), "what": "keys"})
    store.close()


def test_a_key_that_others_can_reach_is_refused(database: Path) -> None:
    key = database.with_suffix(".key")
    for mode in (0o640, 0o604, 0o660, 0o601, 0o777):
        key.chmod(mode)
        refusal = refusal_of(database)
        assert (refusal.code, refusal.details) == ("seal/key_exposed", {"file": str(key)})
    key.chmod(0o600)
    open_house(database).store.close()


def test_a_key_of_another_length_or_a_folder_is_refused(database: Path) -> None:
    key = database.with_suffix(".key")
    for content in (b"", bytes(31), bytes(33), b"a key in words\n", None):
        if content is None:
            a_folder(key)
        else:
            key.write_bytes(content)
        refusal = refusal_of(database)
        assert (refusal.code, refusal.details["file"]) == ("seal/key_unreadable", str(key))
        assert str(refusal.details["reason"])


def test_a_new_database_takes_the_key_that_is_already_there(tmp_path: Path) -> None:
    """The state after a crash between creating the key and storing its check value."""
    key = tmp_path / "tapis.key"
    key.write_bytes(bytes(range(32)))
    key.chmod(0o644)
    assert refusal_of(tmp_path / "tapis.db").code == "seal/key_exposed"
    key.chmod(0o600)
    open_house(tmp_path / "tapis.db").store.close()
    assert key.read_bytes() == bytes(range(32))


def test_a_pending_deal_is_dealt_by_the_same_key_after_a_restart(database: Path) -> None:
    house = open_house(database)
    guest = unwrap(house.guest().result(PATIENCE_S))
    seat = unwrap(house.seat(guest.token, STUD).result(PATIENCE_S))
    house.store.close()
    house = open_house(database)
    asked = OpenRequest(seat.round_id, seat.commitment, {"ante": 100}, "mine")
    assert isinstance(house.open(guest.token, "k", asked).result(PATIENCE_S), bytes)
    sealed = house.store.read(
        lambda tx: tx.row("SELECT sealed_seed FROM rounds WHERE id = ?", (seat.round_id,))
    ).result(PATIENCE_S)
    assert sealed is not None
    seed = house.dealer.unseal(sealed[0], seat.round_id)
    assert hashlib.sha256(seed).hexdigest() == seat.commitment
    house.store.close()


def test_two_servers_that_start_together_on_a_new_database_share_its_key(tmp_path: Path) -> None:
    looked = threading.Barrier(2)

    class Together(SqliteStore):
        """Makes both servers read the check value before either writes it."""

        def read(self, work: Callable[[Tx], T]) -> Future[T]:
            word = super().read(work)
            word.result(PATIENCE_S)
            looked.wait(PATIENCE_S)
            return word

    stores = [Together(tmp_path / "tapis.db") for _ in range(2)]
    with ThreadPoolExecutor(2) as servers:
        starting = [
            servers.submit(check_key_file, store, tmp_path / "tapis.key") for store in stores
        ]
    for store in stores:
        store.close()
    one, other = (start.result() for start in starting)
    assert other.open(one.seal(b"x" * 32, "round", bytes(12)), "round") == b"x" * 32
    open_house(tmp_path / "tapis.db").store.close()
