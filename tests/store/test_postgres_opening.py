"""Opening a PostgreSQL database: ours and durable, or refused with its name and the reason."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from postgres import own_server, server
from store.spies import PATIENCE_S, facts, put
from stores import POSTGRESQL
from tapisvert.refusal import Refused
from tapisvert.store import SqliteStore
from tapisvert.store import postgres_database as database
from tapisvert.store.postgres import PostgresStore

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)

COLUMNS = (
    "SELECT table_name, column_name, (is_nullable = 'NO')::int FROM information_schema.columns"
    " WHERE table_schema = 'public' AND table_name <> 'schema_version'"
)


def refusal_of(url: str, **how: bool) -> Refused:
    with pytest.raises(Refused) as refused:
        PostgresStore(url, **how).close()
    return refused.value


def ask(url: str, sql: str) -> list[tuple[Any, ...]]:
    """Query the database beside the store."""
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(sql)
        return cursor.fetchall() if cursor.description else []


def test_an_empty_database_becomes_one_of_ours_and_stays_it() -> None:
    url = server().empty()
    for name in ("first", "second"):
        store = PostgresStore(url)
        put(store, name).result(PATIENCE_S)
        assert name in facts(store)
        store.close()
    assert ask(url, "SELECT number FROM schema_version") == [(len(database.migrations()),)]


def test_an_empty_database_is_none_to_a_command_that_looks_for_one() -> None:
    url = server().empty()
    refusal = refusal_of(url, new=False)
    assert (refusal.code, refusal.details["reason"]) == ("store/unreadable", "it is empty")
    assert ask(url, "SELECT 1 FROM pg_class WHERE relname = 'schema_version'") == []


def test_it_has_the_tables_and_columns_that_sqlite_has_and_needs_the_same_of_them(
    tmp_path: Path,
) -> None:
    SqliteStore(tmp_path / "tapis.db").close()
    with closing(sqlite3.connect(tmp_path / "tapis.db")) as file:
        there = file.execute(
            'SELECT m.name, c.name, c."notnull" OR c.pk'
            " FROM sqlite_master AS m, pragma_table_info(m.name) AS c"
            " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"
        ).fetchall()
    assert sorted(ask(server().fresh(), COLUMNS)) == sorted(there)
    assert {name for name, *_ in there} >= {"jackpots", "contributions", "awards", "rates"}


def test_servers_that_start_together_on_an_empty_database_all_get_its_tables() -> None:
    url = server().empty()
    with ThreadPoolExecutor(6) as servers:
        for store in servers.map(lambda _: PostgresStore(url), range(6)):
            assert facts(store) == []
            store.close()


def test_a_migration_that_fails_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, good = server().empty(), database.migrations()
    (tmp_path / "0002_bad.sql").write_text("CREATE TABLE half (a INT); SELECT nonsense;")
    bad = [*good, tmp_path / "0002_bad.sql"]
    with monkeypatch.context() as patch:
        patch.setattr(database, "migrations", lambda: bad)
        assert refusal_of(url).code == "store/unreadable"
    assert ask(url, COLUMNS) == []
    PostgresStore(url).close()
    assert ask(url, "SELECT number FROM schema_version") == [(len(good),)]


def test_somebody_elses_database_is_refused_and_not_touched() -> None:
    url = server().empty()
    ask(url, "CREATE TABLE recipes (soup TEXT)")
    assert refusal_of(url).code == "store/not_ours"
    assert ask(url, COLUMNS) == [("recipes", "soup", 0)]


def test_a_database_from_a_newer_version_is_refused() -> None:
    url = server().fresh()
    ask(url, "UPDATE schema_version SET number = 99")
    refusal = refusal_of(url)
    assert (refusal.code, refusal.details["found"]) == ("store/newer", 99)
    assert refusal.details["known"] == len(database.migrations())


def test_a_server_that_answers_before_the_disk_has_it_is_refused() -> None:
    url = server().fresh()
    refusal = refusal_of(f"{url}&options=-csynchronous_commit%3Doff")
    assert (refusal.code, refusal.details) == (
        "store/not_durable",
        {"setting": "synchronous_commit", "value": "off"},
    )
    PostgresStore(f"{url}&options=-csynchronous_commit%3Dlocal").close()


def test_a_server_without_fsync_is_refused_also_when_it_comes_back_so() -> None:
    own = own_server()
    store = PostgresStore(own.fresh())
    put(store, "kept").result(PATIENCE_S)
    own.stop()
    own.start("fsync=off")
    error = put(store, "unsafe").exception(PATIENCE_S)
    assert isinstance(error, Refused)
    assert error.code == "store/unavailable"
    assert isinstance(error.__cause__, Refused)
    assert error.__cause__.details == {"setting": "fsync", "value": "off"}
    store.close()
    own.stop()


def test_a_database_that_cannot_keep_every_character_is_refused() -> None:
    url = server().empty("ENCODING SQL_ASCII")
    refusal = refusal_of(url)
    assert (refusal.code, "SQL_ASCII" in str(refusal)) == ("store/unreadable", True)


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    refusal = refusal_of("postgresql://anne:secret@127.0.0.1:1/tapis")
    assert (refusal.code, refusal.details["file"]) == (
        "store/unreadable",
        "postgresql://127.0.0.1:1/tapis",
    )
    assert "secret" not in str(refusal)


def test_an_address_that_cannot_be_read_is_refused_without_repeating_it() -> None:
    refusal = refusal_of("postgresql://anne:secret@host:port/tapis?nonsense=1")
    assert refusal.code == "store/unreadable"
    assert "secret" not in str(refusal)
