"""A database of version 1 with open rounds is migrated, and its rounds go on.

`version_1.sql.gz` was written by version 1 itself: five open rounds, two of them in their second
step; five finished rounds; pending and retired seats; an event. No row has a hash.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from bank.tables import check_books
from houses import Clock, make_house
from rounds.guest_seat import PATIENCE_S, Seated, read, rows_of
from rounds.house_with_operator import (
    DAY_MS,
    Operator,
    Returned,
    Time,
    audited,
    findings,
    keeper_of,
)
from store.spoiling import of_version_1
from tapisvert.bank import chain, covered_tables
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.rounds.schemas import RoundReply
from tapisvert.rounds.stored_reply import unpack
from tapisvert.store import SqliteStore
from tapisvert.store.sqlite_file import migrations

NOW_MS = 1_700_000_020_000  # when the last row of it was written
# The owners of the open rounds: that house drew 1, 2, 3, ... for its tokens and ids.
PLAYER, TOKEN = f"{3:032x}", f"{1:032x}{2:032x}"
OPENED = "SELECT id, game, state FROM rounds WHERE opened_at_ms IS NOT NULL ORDER BY seq"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    of_version_1(tmp_path / "tapis.db")
    return tmp_path / "tapis.db"


@pytest.fixture
def house(old: Path) -> Iterator[PlayerService]:
    """Return the same, migrated by opening it."""
    made = make_house(old, clock=Clock(NOW_MS))
    yield made
    made.store.close()


def content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table of version 1, by the columns it had."""
    with closing(sqlite3.connect(":memory:")) as first:
        first.executescript(migrations()[0].read_text(encoding="utf-8"))
        tables = [
            name
            for (name,) in first.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not name.startswith("sqlite_")
        ]
        columns = {
            table: ", ".join(row[1] for row in first.execute(f"PRAGMA table_info({table})"))
            for table in tables
        }
    with closing(sqlite3.connect(path)) as file:
        return {
            table: file.execute(f"SELECT {columns[table]} FROM {table} ORDER BY 1").fetchall()
            for table in tables
        }


def play_on(guest: Seated, round_id: str) -> RoundReply:
    """Choose the first allowed option until a round is over."""
    reply = read(guest.shown(round_id))
    while reply.round.ask is not None:
        option = next(each for each in reply.round.ask.options if each.legal and each.affordable)
        reply = read(guest.choose(round_id, option.id, reply.round.ask.step))
    return reply


def test_no_row_is_lost_or_changed(old: Path) -> None:
    before = content(old)
    assert [len(before[table]) for table in ("transfers", "rounds")] == [44, 17]
    SqliteStore(old).close()
    assert content(old) == before
    with closing(sqlite3.connect(old)) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (len(migrations()),)
        assert file.execute("PRAGMA foreign_key_check").fetchall() == []


def test_every_round_that_was_opened_knows_when_it_is_void(house: PlayerService) -> None:
    rows = rows_of(
        house, "SELECT game, void_at_ms - opened_at_ms FROM rounds WHERE opened_at_ms IS NOT NULL"
    )
    assert len(rows) == 10
    for game, delay_ms in rows:
        assert delay_ms == (1 if game == "blackjack" else 30) * DAY_MS
    waiting = rows_of(house, "SELECT DISTINCT void_at_ms FROM rounds WHERE opened_at_ms IS NULL")
    assert waiting == [(None,)]


def test_open_rounds_go_on_from_what_their_player_was_told(house: PlayerService) -> None:
    guest = Returned(house, PLAYER, TOKEN)
    told: dict[str, RoundReply] = {}
    for (stored,) in rows_of(house, "SELECT reply FROM commands ORDER BY at_ms, rowid"):
        reply = unpack(stored)
        if b'"round"' in reply:
            last = msgspec.json.decode(reply, type=RoundReply)
            told[last.round.id] = last
    open_rounds = [row for row in rows_of(house, OPENED) if row[2] == "open"]
    assert len({game for _, game, _ in open_rounds}) == 5
    for round_id, _, _ in open_rounds:
        shown = read(guest.shown(round_id)).round
        assert shown.events == told[round_id].round.events
        assert shown.ask == told[round_id].round.ask
        assert play_on(guest, round_id).round.state == "settled"
    assert guest.purse()[1] == 0
    assert findings(house) == ()
    check_books(house.store)


def test_a_command_of_before_gets_its_stored_reply(house: PlayerService) -> None:
    guest = Returned(house, PLAYER, TOKEN)
    again = 0
    for key, stored in rows_of(
        house, "SELECT key, reply FROM commands WHERE player_id = ?", guest.player_id
    ):
        for chose in msgspec.json.decode(stored)["round"]["events"]:
            if chose["kind"] == "chose":
                round_id = read(stored).round.id
                assert guest.choose(round_id, chose["option"], chose["step"], key) == stored
                again += 1
    assert again == 2


def test_the_audit_passes_and_what_is_new_is_chained_and_sealed(house: PlayerService) -> None:
    time = Time(NOW_MS)
    seen = audited(house)
    assert (seen.findings, seen.transfers, seen.rounds, seen.seals) == ((), 44, 10, 1)
    guest = Returned(house, PLAYER, TOKEN)
    for round_id, _, state in rows_of(house, OPENED):
        if state == "open":
            play_on(guest, round_id)
    hashes = rows_of(house, "SELECT id, hash FROM transfers ORDER BY id")
    assert all((hash_ is None) == (number <= 44) for number, hash_ in hashes)
    names = ", ".join(covered_tables.TRANSFER)
    (first, *_) = rows_of(
        house,
        f"SELECT hash, {names} FROM transfers WHERE player_id = ? AND id > 44 ORDER BY id",
        guest.player_id,
    )
    assert first[0] == chain.link(chain.BEGINNING, first[1:])
    keeper_of(house, time).tick()
    assert (audited(house).findings, audited(house).unsealed) == ((), 0)


def test_a_row_of_before_is_covered_by_its_money_and_then_by_the_first_seal(old: Path) -> None:
    time = Time(NOW_MS)
    house = make_house(old, clock=time.wall)
    keeper_of(house, time).tick()
    house.store.close()
    with closing(sqlite3.connect(old)) as file:
        made = "SELECT sql FROM sqlite_master WHERE name = 'transfers_are_never_changed'"
        ((trigger,),) = file.execute(made).fetchall()
        file.execute("DROP TRIGGER transfers_are_never_changed")
        file.execute("UPDATE transfers SET at_ms = at_ms + 1 WHERE id = 7")
        file.execute(trigger)
        file.commit()
    house = make_house(old, clock=time.wall)
    assert [(found.table, found.row) for found in findings(house)] == [("seals", "1")]
    house.store.close()


def test_the_first_signed_seal_covers_all_there_was(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapisvert.bank.seals.ROWS_MAX", 10)
    house = make_house(old, clock=Time(NOW_MS).wall)
    ((number, reached, signature),) = rows_of(
        house, "SELECT id, last_transfer, signature FROM seals"
    )
    assert (number, reached, len(signature)) == (1, 44, 64)
    assert (audited(house).findings, audited(house).unsealed) == ((), 0)
    assert audited(house).covered_since_ms == NOW_MS
    house.store.close()


def test_rounds_of_before_expire_at_their_delay(old: Path) -> None:
    time = Time(NOW_MS)
    house = make_house(old, clock=time.wall)
    keeper = keeper_of(house, time)
    assert keeper.tick() == 0
    time.passes(DAY_MS)
    assert keeper.tick() == 1
    time.passes(29 * DAY_MS)
    assert keeper.tick() == 4
    assert {state for _, _, state in rows_of(house, OPENED)} == {"voided", "settled"}
    assert findings(house) == ()
    house.store.close()


def test_a_round_of_before_can_be_voided(house: PlayerService) -> None:
    for round_id, _, _ in rows_of(house, OPENED):
        Operator(house).void(round_id=round_id, reason="found late")
    assert findings(house) == ()
    check_books(house.store)


def test_servers_that_start_together_migrate_once(old: Path) -> None:
    before = content(old)
    with ThreadPoolExecutor(4) as servers:
        for store in servers.map(SqliteStore, [old] * 4, timeout=PATIENCE_S):
            store.close()
    assert content(old) == before


def test_a_migration_that_fails_leaves_version_1_as_it_was(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "migrations"
    shutil.copytree(migrations()[0].parent, folder)
    second = folder / migrations()[1].name
    second.write_text(second.read_text(encoding="utf-8") + "CREATE TABLE rounds (n INTEGER);")
    with closing(sqlite3.connect(old)) as file:
        before = list(file.iterdump())
    with monkeypatch.context() as broken:
        broken.setattr("tapisvert.store.sqlite_file._MIGRATIONS", folder)
        with pytest.raises(Refused, match="store/unreadable"):
            SqliteStore(old)
    with closing(sqlite3.connect(old)) as file:
        assert list(file.iterdump()) == before
        assert file.execute("PRAGMA user_version").fetchone() == (1,)
    SqliteStore(old).close()
