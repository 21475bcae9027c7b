"""The audit trail of a database: started once, bound to one key, never restarted silently."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from cli.typed import refused, typed
from rounds.guest_seat import Seated, rows_of
from rounds.house_with_operator import DAY_MS, Funded, Operator, Time, audited, findings, played
from rounds.house_with_operator import open_tables as tables_at
from stores import POSTGRESQL, both, url_of
from tapisvert.cli.serve import open_house
from tapisvert.operations.audit import Given, audit
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.operations.key_rotation import replace_key
from tapisvert.refusal import Refused
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Sealer
from tapisvert.store.postgres import PostgresStore
from tapisvert.store.reading import open_read_only

NEW_KEY = bytes(range(32, 64))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a database that was served and stopped cleanly, with its key beside it."""
    path = tmp_path / "tapis.db"
    house = open_house(path)
    Operator(house).create_player("CAD")
    Seated(house).seat()
    Housekeeping(house).seal()
    house.store.close()
    return path


def spoil(path: Path, *statements: str) -> None:
    """Write to a database directly, without the house."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for sql in statements:
            file.execute(sql)


def refusal_of(path: Path) -> str:
    """Return the refusal of a start, and the object it names."""
    with pytest.raises(Refused) as caught:
        open_house(path).store.close()
    return f"{caught.value.code} {caught.value.details.get('what')}"


def objects(path: Path) -> Iterator[tuple[str, str]]:
    """Yield every trigger and index of the schema."""
    with closing(sqlite3.connect(path)) as file:
        yield from file.execute(
            "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'index')"
            " AND sql IS NOT NULL"
        ).fetchall()


def test_S4_without_any_trigger_or_index_a_server_does_not_start(path: Path) -> None:
    for kind, name in objects(path):
        copy = path.with_name(f"{name}.db")
        shutil.copy(path, copy)
        shutil.copy(path.with_suffix(".key"), copy.with_suffix(".key"))
        spoil(copy, f"DROP {kind} {name}")
        assert refusal_of(copy) == f"store/altered {kind} {name} is missing"
        told = typed("audit", "--database", f"sqlite:///{copy}")
        assert told.returncode == 1
        assert f"BAD schema: {kind} {name} is missing" in told.stdout


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("CREATE TABLE more (n INTEGER)", "table more is not in the migrations"),
        ("ALTER TABLE players ADD COLUMN vip INTEGER", "table players was changed"),
        (
            "CREATE TRIGGER gift AFTER INSERT ON players BEGIN DELETE FROM switches; END",
            "trigger gift is not in the migrations",
        ),
    ],
)
def test_S4_a_schema_with_anything_else_is_refused(path: Path, sql: str, what: str) -> None:
    spoil(path, sql)
    assert refusal_of(path) == f"store/altered {what}"


def test_S4_books_whose_seals_and_keys_were_taken_away_are_not_opened_again(path: Path) -> None:
    triggers = ["keys_are_never_deleted", "seals_are_never_deleted"]
    with closing(sqlite3.connect(path)) as file:
        made = {
            name: sql
            for name, sql in file.execute("SELECT name, sql FROM sqlite_master")
            if name in triggers
        }
    spoil(
        path,
        *(f"DROP TRIGGER {name}" for name in triggers),
        *(f"DELETE FROM {table}" for table in ("keys", "seals", "tails")),
        *made.values(),
    )
    assert refusal_of(path) == "store/altered keys"
    assert typed("audit", "--database", f"sqlite:///{path}").returncode == 1


def test_S4_a_tail_that_was_rewritten_stays_found_after_the_next_start(tmp_path: Path) -> None:
    """The next start seals the rows a crash left; that does not validate a forged row."""
    path = tmp_path / "tapis.db"
    house = tables_at(path)
    played(Seated(house), "casino-stud")
    house.store.close()
    with closing(sqlite3.connect(path)) as file:
        (made,) = file.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'commands_are_never_deleted'"
        ).fetchone()
    spoil(path, "DROP TRIGGER commands_are_never_deleted", "DELETE FROM commands", made)
    house = tables_at(path)
    for _ in range(2):
        assert [found.table for found in findings(house)] == ["commands"]
        played(Seated(house), "pai-gow")
        Housekeeping(house).seal()
    house.store.close()


def test_S4_an_audit_needs_no_key_and_writes_nothing(path: Path) -> None:
    url, key = f"sqlite:///{path}", path.with_suffix(".key")
    public = typed("key", "show", "--seed-key", key).stdout.strip()
    aside = key.rename(path.with_name("aside"))
    assert refused(typed("audit", "--database", url))[1] == "seal/key_missing"
    before = path.read_bytes()
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        done = typed("audit", "--database", url, "--public-key", public)
    finally:
        path.parent.chmod(0o700)
    assert done.returncode == 0
    assert "left out, for want of the key: the tails after the last seal" in done.stdout
    assert path.read_bytes() == before
    other = "00" * 32
    told = typed("audit", "--database", url, "--public-key", other)
    assert told.returncode == 1
    assert "no stored key is the public key you trust" in told.stdout
    assert aside.exists()


def test_a_clean_stop_seals_and_so_does_a_command_beside_the_server(path: Path) -> None:
    url = f"sqlite:///{path}"
    assert typed("player", "add", "EUR", "--database", url).returncode == 0
    house = open_house(path)
    assert audited(house).unsealed == 0
    assert rows_of(house, "SELECT COUNT(*) FROM seals") == [(3,)]
    keeper = Housekeeping(house)
    keeper.run()
    Funded(house)
    keeper.stop()
    assert (audited(house).unsealed, findings(house)) == (0, ())
    house.store.close()


@both
def test_a_new_key_is_vouched_for_by_the_old_one_and_opens_everything(
    house: PlayerService, tmp_path: Path, engine: str
) -> None:
    guest = Seated(house)
    played(guest, "casino-stud")
    seat = guest.seat()
    old, new = house.dealer, Dealer(Sealer(NEW_KEY), shuffle=house.dealer._shuffle)
    replace_key(house, Sealer(NEW_KEY), by="anne")
    url = url_of(tmp_path / "tapis.db") if engine == POSTGRESQL else tmp_path / "tapis.db"
    with open_read_only(url) as view:
        for trusted in (old.public_key, new.public_key):
            assert (
                audit(view.tx, new, Given(trusted, None, view.schema, view.wanted)).findings == ()
            )
        assert audit(view.tx, old).findings
    # A server that still has the old key is refused at its next commit.
    with pytest.raises(Refused, match="store/unavailable"):
        Seated(house)
    other = PlayerService(house.store, new, clock=house.clock)
    guest.house = other
    assert guest.seat() == seat
    played(guest, "casino-stud")
    Housekeeping(other).seal()
    assert findings(other) == ()


@pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)
def test_S4_on_postgresql_a_trigger_turned_off_or_an_index_dropped_is_refused(
    house: PlayerService, tmp_path: Path
) -> None:
    url = url_of(tmp_path / "tapis.db")
    house.store.close()
    for sql, back, what in (
        (
            "ALTER TABLE transfers DISABLE TRIGGER transfer_moves_money",
            "ALTER TABLE transfers ENABLE TRIGGER transfer_moves_money",
            "trigger transfer_moves_money was changed",
        ),
        (
            "DROP INDEX one_open_round",
            "CREATE UNIQUE INDEX one_open_round ON rounds (player_id, game) WHERE state = 'open'",
            "index one_open_round is missing",
        ),
        (
            "CREATE RULE none AS ON DELETE TO switches DO INSTEAD NOTHING",
            "DROP RULE none ON switches",
            "rule none switches is not in the migrations",
        ),
    ):
        with psycopg.connect(url, autocommit=True) as line:
            line.execute(sql)
            with pytest.raises(Refused) as caught:
                PostgresStore(url)
            assert (caught.value.code, caught.value.details["what"]) == ("store/altered", what)
            with open_read_only(url) as view:
                told = audit(view.tx, house.dealer, Given(None, None, view.schema)).findings
            assert [found.table for found in told] == ["schema"]
            line.execute(back)
    PostgresStore(url).close()


def test_rows_that_no_seal_covers_while_the_house_works_on_are_a_finding(tmp_path: Path) -> None:
    """A crash and a pause, or a changed clock, are no findings."""
    time = Time()
    house = tables_at(tmp_path / "tapis.db", time)
    guest = Seated(house)
    for pause_ms, late in ((5_000, False), (DAY_MS, False), (9_000, True)):
        for _ in range(8):
            time.passes(pause_ms)
            played(guest, "casino-stud")
        told = [found.what for found in findings(house)]
        assert [what for what in told if "overdue" in what] == told
        assert bool(told) is late
    house.store.close()


def test_a_new_key_is_not_made_for_books_that_are_not_in_order(tmp_path: Path) -> None:
    house = tables_at(tmp_path / "tapis.db")
    Seated(house)
    house.store.write(lambda tx: tx.run("UPDATE sessions SET mark = x'00'")).result()
    with pytest.raises(Refused, match="store/altered"):
        replace_key(house, Sealer(NEW_KEY), by="anne")
    assert rows_of(house, "SELECT COUNT(*) FROM keys") == [(1,)]
    house.store.close()


def test_the_key_is_replaced_from_the_command_line(path: Path) -> None:
    url, new = f"sqlite:///{path}", path.with_name("new.key")
    old = typed("key", "show", "--seed-key", path.with_suffix(".key")).stdout.strip()
    done = typed("key", "replace", new, "--database", url)
    assert (done.returncode, done.stderr) == (0, "")
    assert refused(typed("key", "replace", new, "--database", url))[1] == "backup/exists"
    assert refused(typed("player", "add", "CAD", "--database", url))[1] == "seal/wrong_key"
    audited_by_old = typed("audit", "--database", url, "--seed-key", new, "--public-key", old)
    assert audited_by_old.returncode == 0, audited_by_old.stdout
