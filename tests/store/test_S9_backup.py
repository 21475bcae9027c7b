"""S9: a backup taken during play is complete: money, chains, seals, and resumable rounds."""

from __future__ import annotations

import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bank.tables import check_books
from rounds.guest_seat import PATIENCE_S, Seated, refusal_of, rows_of
from rounds.house_with_operator import (
    TABLES,
    Funded,
    Returned,
    Time,
    audited,
    finished,
    keeper_of,
    open_tables,
    opened,
    played,
)
from store.spies import put
from store.spoiling import damaged, foreign, newer, of_version_1
from tapisvert.rounds import PlayerService
from tapisvert.store import SqliteStore, Store
from tapisvert.store.backup import _reader, backup, restore
from tapisvert.store.sqlite_file import migrations


@contextmanager
def playing(house: PlayerService, guests: int = 2) -> Iterator[list[str]]:
    """Play in the background while the block runs; yield the finished rounds."""
    stopping, ended = threading.Event(), list[str]()

    def play(guest: Seated) -> None:
        while not stopping.is_set():
            for game in TABLES:
                ended.append(played(guest, game))

    with ThreadPoolExecutor(guests) as threads:
        busy = [threads.submit(play, Funded(house, 10**9)) for _ in range(guests)]
        try:
            yield ended
        finally:
            stopping.set()
        for each in busy:
            each.result(PATIENCE_S)


def test_S9_a_copy_taken_under_load_is_restored_elsewhere_and_everything_goes_on(
    house: PlayerService, time: Time, tmp_path: Path
) -> None:
    guest, keeper = Seated(house), keeper_of(house, time)
    rounds = {game: opened(guest, game) for game in TABLES}
    guest.choose(rounds["blackjack"], "insure")
    keeper.tick()
    anchor = bytes.fromhex(audited(house).anchor)
    with playing(house) as ended:
        while len(ended) < 10:
            keeper.tick()
        before = list(ended)
        backup(tmp_path / "tapis.db", tmp_path / "copy.db")
        keeper.tick()
    elsewhere = tmp_path / "elsewhere" / "new.db"
    elsewhere.parent.mkdir()
    restore(tmp_path / "copy.db", elsewhere)
    other = open_tables(elsewhere, time)
    check_books(other.store)
    assert audited(other, anchor).findings == ()
    settled = {id_ for (id_,) in rows_of(other, "SELECT id FROM rounds WHERE state = 'settled'")}
    assert set(before) <= settled  # everything acknowledged before is in it
    back = Returned(other, guest.player_id, guest.token or "")
    for game, round_id in rounds.items():
        finished(back, game, round_id, answered=1 if game == "blackjack" else 0)
    assert back.purse() == (100_000 + sum(known.net_cents for known in TABLES.values()), 0)
    keeper_of(other, time).tick()
    assert audited(other, anchor).findings == ()
    other.store.close()


class Watched:
    """A source connection on which a commit follows every step of the backup."""

    def __init__(self, database: Path, store: Store) -> None:
        self._source, self._store, self.steps = _reader(database), store, 0

    def backup(self, target: sqlite3.Connection, **options: Any) -> None:
        """Copy; fail if it does not finish."""
        self._source.backup(target, progress=self._step, **options)

    def close(self) -> None:
        self._source.close()

    def _step(self, status: int, remaining: int, total: int) -> None:
        self.steps += 1
        assert self.steps < 10, f"{remaining} of {total} pages are left, again and again"
        put(self._store, f"step {self.steps}").result(PATIENCE_S)


@pytest.fixture
def watched(house: PlayerService, tmp_path: Path) -> Watched:
    large = "INSERT INTO facts SELECT 'large', zeroblob(8000000)"
    house.store.write(lambda tx: tx.run(large)).result(PATIENCE_S)
    return Watched(tmp_path / "tapis.db", house.store)


def test_S9_a_copy_of_a_large_database_ends_although_somebody_always_writes(
    watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapisvert.store.backup._reader", lambda database: watched)
    backup(tmp_path / "tapis.db", tmp_path / "copy.db")
    SqliteStore(tmp_path / "copy.db").close()
    assert watched.steps == 1


def test_S9_control_a_copy_in_several_steps_begins_again_at_every_commit(watched: Watched) -> None:
    with (
        closing(watched),
        closing(sqlite3.connect(":memory:")) as target,
        pytest.raises(AssertionError, match="again and again"),
    ):
        watched.backup(target, pages=1000)


def test_S9_a_copy_is_one_file_for_its_owner_only_and_is_not_changed_by_restoring(
    house: PlayerService, tmp_path: Path
) -> None:
    played(Seated(house), "casino-stud")
    folder = tmp_path / "copies"
    folder.mkdir()
    backup(tmp_path / "tapis.db", folder / "copy.db")
    assert [file.name for file in folder.iterdir()] == ["copy.db"]
    assert stat.S_IMODE((folder / "copy.db").stat().st_mode) == 0o600
    content = (folder / "copy.db").read_bytes()
    restore(folder / "copy.db", tmp_path / "new.db")
    assert (folder / "copy.db").read_bytes() == content
    assert [file.name for file in folder.iterdir()] == ["copy.db"]
    assert stat.S_IMODE((tmp_path / "new.db").stat().st_mode) == 0o600


def test_S9_a_stored_reply_is_in_the_copy_too(
    house: PlayerService, time: Time, tmp_path: Path
) -> None:
    guest = Seated(house)
    asked = guest.asking()
    reply = guest.open(asked, "key")
    backup(tmp_path / "tapis.db", tmp_path / "copy.db")
    restore(tmp_path / "copy.db", tmp_path / "new.db")
    guest.house = open_tables(tmp_path / "new.db", time)
    assert guest.open(asked, "key") == reply
    guest.house.store.close()


def test_a_file_that_is_there_is_never_written_over(house: PlayerService, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_bytes(b"mine")
    refused = refusal_of(lambda: backup(tmp_path / "tapis.db", there))
    assert (refused.code, refused.details) == ("backup/exists", {"file": str(there)})
    backup(tmp_path / "tapis.db", tmp_path / "copy.db")
    assert refusal_of(lambda: restore(tmp_path / "copy.db", there)).code == "backup/exists"
    assert there.read_bytes() == b"mine"
    for left in ("new.db-wal", "new.db-shm"):  # of a database that was here: not ours to mix with
        (tmp_path / left).touch()
        refusal = refusal_of(lambda: restore(tmp_path / "copy.db", tmp_path / "new.db"))
        assert refusal.details == {"file": str(tmp_path / left)}
        (tmp_path / left).unlink()
    assert not (tmp_path / "new.db").exists()


def test_what_cannot_be_copied_is_refused_and_leaves_nothing(
    house: PlayerService, tmp_path: Path
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    (tmp_path / "prose").write_text("Dear diary")
    for database, copy, code in (
        (tmp_path / "nothing.db", folder / "copy.db", "store/unreadable"),
        (tmp_path / "tapis.db", folder / "missing" / "copy.db", "backup/failed"),
        (tmp_path / "tapis.db", tmp_path / "prose" / "copy.db", "backup/failed"),
        (tmp_path / "prose", folder / "copy.db", "backup/failed"),
    ):
        assert refusal_of(partial(backup, database, copy)).code == code
        assert list(folder.iterdir()) == []


def test_a_part_left_by_a_crash_is_in_nobodys_way(house: PlayerService, tmp_path: Path) -> None:
    (tmp_path / "copy.db.part").write_bytes(b"half of something")
    backup(tmp_path / "tapis.db", tmp_path / "copy.db")
    SqliteStore(tmp_path / "copy.db").close()
    assert not (tmp_path / "copy.db.part").exists()


@pytest.mark.parametrize(
    ("spoil", "codes"),
    [
        (foreign, {"store/not_ours"}),
        (newer, {"store/newer"}),
        (damaged, {"store/damaged", "backup/failed"}),
    ],
)
def test_a_copy_that_is_none_of_ours_is_refused_and_leaves_nothing(
    tmp_path: Path, spoil: Callable[[Path], None], codes: set[str]
) -> None:
    SqliteStore(tmp_path / "copy.db").close()
    spoil(tmp_path / "copy.db")
    folder = tmp_path / "new"
    folder.mkdir()
    assert refusal_of(lambda: restore(tmp_path / "copy.db", folder / "tapis.db")).code in codes
    assert list(folder.iterdir()) == []


def test_a_copy_of_an_older_version_is_brought_up_to_date(tmp_path: Path) -> None:
    of_version_1(tmp_path / "copy.db")
    restore(tmp_path / "copy.db", tmp_path / "new.db")
    with closing(sqlite3.connect(tmp_path / "new.db")) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (len(migrations()),)
    with closing(sqlite3.connect(tmp_path / "copy.db")) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (1,)
