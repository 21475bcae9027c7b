"""Opening a file: ours and intact, or refused with its name and the reason, and left unchanged."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from houses import make_house
from store.spies import PATIENCE_S, facts, put
from store.spoiling import foreign, newer
from tapisvert.bank import ledger
from tapisvert.refusal import Refused
from tapisvert.store import SqliteStore
from tapisvert.store.sqlite_file import migrations

GUESTS = 150
NOBODY = 65_534
PAGE = 4096


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a closed database of many guests, entirely in one file."""
    path = tmp_path_factory.mktemp("full") / "tapis.db"
    house = make_house(path)
    for guest in [house.guest() for _ in range(GUESTS)]:
        guest.result(PATIENCE_S)
    house.store.close()
    return path


@pytest.fixture
def copy(full: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(full, tmp_path / "tapis.db"))


def refusal_of(path: Path) -> Refused:
    with pytest.raises(Refused) as refused:
        SqliteStore(path).close()
    return refused.value


def zeros_in_the_middle(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(bytes(3 * PAGE))


def half_is_gone(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def last_page_is_gone(path: Path) -> None:
    os.truncate(path, path.stat().st_size - PAGE)


def last_byte_is_gone(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def noise(path: Path) -> None:
    path.write_bytes(random.Random(1).randbytes(40_000))


def noise_in_the_tables(path: Path) -> None:
    """Overwrite pages, but not the first, which has the schema."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(PAGE)
        file.write(random.Random(2).randbytes(size - PAGE))


def prose(path: Path) -> None:
    path.write_text("Dear diary, today I lost at cards.\n" * 100)


@pytest.mark.parametrize(
    "damage",
    [
        *(zeros_in_the_middle, half_is_gone, last_page_is_gone, last_byte_is_gone),
        *(noise, noise_in_the_tables, prose),
    ],
)
def test_a_damaged_file_is_refused_with_its_name_and_the_reason_and_not_touched(
    copy: Path, damage: Callable[[Path], None]
) -> None:
    damage(copy)
    before = copy.read_bytes()
    refusal = refusal_of(copy)
    assert (refusal.code, refusal.details["file"]) == ("store/damaged", str(copy))
    assert str(refusal.details["reason"])
    assert copy.read_bytes() == before


def test_a_file_is_refused_whichever_of_its_pages_is_overwritten(
    full: Path, tmp_path: Path
) -> None:
    # Nothing was ever deleted from this file, so every page is in use.
    whole, dice = full.read_bytes(), random.Random(3)
    for start in range(0, len(whole), PAGE):
        path = tmp_path / f"{start}.db"
        path.write_bytes(whole[:start] + dice.randbytes(PAGE) + whole[start + PAGE :])
        assert refusal_of(path).code == "store/damaged", f"page {start // PAGE}"
    print(f"{len(whole) // PAGE} pages overwritten, each refused")


def test_servers_that_start_together_on_a_new_file_all_get_its_tables(tmp_path: Path) -> None:
    for attempt in range(5):
        path = tmp_path / f"{attempt}.db"
        with ThreadPoolExecutor(8) as servers:
            for store in servers.map(SqliteStore, [path] * 8):
                store.close()


def test_a_file_from_a_newer_version_is_refused(copy: Path) -> None:
    newer(copy)
    refusal = refusal_of(copy)
    assert refusal.code == "store/newer"
    assert refusal.details == {"file": str(copy), "found": 99, "known": len(migrations())}


def test_somebody_elses_database_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "recipes.db"
    foreign(path)
    before = path.read_bytes()
    refusal = refusal_of(path)
    assert (refusal.code, refusal.details) == ("store/not_ours", {"file": str(path)})
    assert path.read_bytes() == before


@pytest.mark.parametrize("where", [".", "missing/tapis.db", "file/tapis.db", "x" * 300])
def test_a_path_that_cannot_be_a_file_is_refused(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").touch()
    refusal = refusal_of(tmp_path / where)
    assert refusal.code == "store/unreadable"
    assert str(tmp_path / where).startswith(str(refusal.details["file"]))  # long ones are cut
    assert str(refusal.details["reason"])


def test_a_file_that_may_not_be_read_is_refused(copy: Path) -> None:
    copy.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)  # nothing is unreadable to root
    try:
        assert refusal_of(copy).code == "store/unreadable"
    finally:
        os.seteuid(user)


@pytest.mark.parametrize("exists", [False, True])
def test_a_new_or_empty_file_becomes_a_database_of_ours(tmp_path: Path, exists: bool) -> None:
    path = tmp_path / "tapis.db"
    if exists:
        path.touch()
    store = SqliteStore(path)
    application = store.read(lambda tx: tx.row("PRAGMA application_id")).result(PATIENCE_S)
    version = store.read(lambda tx: tx.row("PRAGMA user_version")).result(PATIENCE_S)
    assert (application, version) == ((int.from_bytes(b"TAPI", "big"),), (len(migrations()),))
    store.close()


def test_a_file_opened_again_has_everything_and_runs_no_migration_twice(copy: Path) -> None:
    for number in range(3):
        store = SqliteStore(copy)
        assert facts(store) == [*(str(n) for n in range(number)), "sealed_word"]
        put(store, str(number)).result(PATIENCE_S)
        players = store.read(lambda tx: tx.row("SELECT COUNT(*) FROM players"))
        assert players.result(PATIENCE_S) == (GUESTS,)
        assert store.read(ledger.total_units).result(PATIENCE_S) == {"FUN": 0}
        store.close()


def test_a_migration_that_fails_leaves_no_trace_and_the_next_start_runs_it_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, path = tmp_path / "migrations", tmp_path / "tapis.db"
    shutil.copytree(migrations()[0].parent, folder)
    second = folder / "9999_second.sql"
    second.write_text("CREATE TABLE extra (n INTEGER) STRICT; CREATE TABLE extra (n INTEGER);")
    monkeypatch.setattr("tapisvert.store.sqlite_file._MIGRATIONS", folder)
    assert refusal_of(path).code == "store/unreadable"
    second.write_text("CREATE TABLE extra (n INTEGER) STRICT;")
    store = SqliteStore(path)
    assert store.read(lambda tx: tx.rows("SELECT * FROM extra")).result(PATIENCE_S) == []
    store.close()
