"""Databases to forge: fully sealed, left by a crash, or of an earlier version; and every forgery.

Tables and columns are read from the schema, so a new one is tested without being listed.
"""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from random import Random

import psycopg

from bank.tampering import fill, ways
from bank.writable import IMPOSSIBLE, NOT_OURS, Books
from houses import KEY
from rounds.guest_seat import Seated
from rounds.house_with_operator import (
    Funded,
    Operator,
    act,
    findings,
    known_deck,
    open_tables,
    opened,
)
from rounds.house_with_operator import played as played_known
from rounds.house_with_pot import GAME, dealt, named_deck, played, potted, stood
from stores import on_postgresql, store_at, url_of
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.rounds.decks import Shuffle
from tapisvert.sealing import Sealer
from tapisvert.store.postgres_database import Connection, migrations

STORED = Path(__file__).parents[1] / "store"  # databases written by earlier versions


def tables_books(path: Path, *, crashed: bool) -> None:
    """Write rounds of every game and state; for a crash, leave rows that no seal covers."""
    fill(path)
    if crashed:
        house = open_tables(path)
        player, guest = Funded(house), Seated(house)
        played_known(player, "casino-stud")
        played_known(guest, "pai-gow")
        opened(player, "blackjack")
        Operator(house).stop("game:pai-gow", "being looked at")
        act(house, lambda operator: operator.once("key", "asked", lambda: "done"))
        act(house, lambda operator: operator.create_operator("bert"))
        house.store.close()


def pot_books(path: Path, *, crashed: bool) -> None:
    """Write a pot: stakes, wins, voids, rates, queued figures, play money."""
    house = potted(path)
    Operator(house).set_rate(GAME, "EUR", "1.4700")
    Operator(house).set_rate(GAME, "USD", "1.3000")  # a currency no player has
    dollar, other = Funded(house), Funded(house)
    euro = Funded(house, 100_000, "EUR")
    played(Seated(house), "royal-flush")
    played(dollar, "nothing")
    Housekeeping(house).tick()
    played(other, "straight-flush")
    won = [stood(dollar, dealt(dollar, "royal-flush"))]
    played(euro, "nothing", 68)
    won.append(stood(euro, dealt(euro, "royal-flush", 68)))
    for reply in won:
        Operator(house).void(reply.round.id, "why")
    Operator(house).create_operator("anne")
    Housekeeping(house).tick()
    played(other, "flush")  # waits for the next fold
    if crashed:
        Operator(house).set_rate(GAME, "EUR", "1.5000")
        Operator(house).set_jackpot(GAME, reset_cents=3_000_000, reason="a better start")
        played(euro, "straight-flush", 67)
    else:
        Housekeeping(house).seal()
    house.store.close()


def older(name: str, shuffle: Shuffle) -> Callable[..., None]:
    """Return a writer of a database older than signed seals, opened by a house since."""

    def write(path: Path, *, crashed: bool) -> None:
        dump = gzip.decompress((STORED / f"version_3_{name}.sql.gz").read_bytes()).decode()
        with closing(sqlite3.connect(":memory:" if on_postgresql() else path)) as file:
            file.executescript(dump)
            if on_postgresql():
                copy_to_postgresql(file, url_of(path))
        house = PlayerService(store_at(path), Dealer(Sealer(KEY), shuffle=shuffle))
        assert findings(house) == ()
        house.store.close()

    return write


def copy_to_postgresql(file: sqlite3.Connection, url: str) -> None:
    """Copy the rows of an earlier version's SQLite file into its tables on PostgreSQL."""
    earlier = list(takewhile(lambda path: "cover" not in path.name, migrations()))
    with psycopg.connect(url, autocommit=True) as line:
        line.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        for path in earlier:
            line.execute(path.read_text(encoding="utf-8").encode())
        line.execute("CREATE TABLE schema_version (number BIGINT NOT NULL)")
        line.execute("INSERT INTO schema_version VALUES (%s)", (len(earlier),))
        line.execute("SET session_replication_role = replica")
        for (table,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
            if table not in NOT_OURS:
                _copy_table(file, line, table)


def _copy_table(file: sqlite3.Connection, line: Connection, table: str) -> None:
    asked = file.execute(f"SELECT * FROM {table}")
    names = ", ".join(each[0] for each in asked.description)
    places = ", ".join("%s" for _ in asked.description)
    line.execute(f"DELETE FROM {table}".encode())
    for row in asked:
        given = f"INSERT INTO {table} ({names}) OVERRIDING SYSTEM VALUE VALUES ({places})"
        line.execute(given.encode(), row)
    for column in ("id", "seq"):
        counter = line.execute(
            "SELECT pg_get_serial_sequence(%s, attname) FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attname = %s AND attidentity <> ''",
            (table, table, column),
        ).fetchone()
        if counter is not None:
            last = f"SELECT setval(%s, (SELECT COALESCE(MAX({column}), 1) FROM {table}))"
            line.execute(last.encode(), counter)


@dataclass(frozen=True)
class Kind:
    """A kind of database: how it is written, and its known decks."""

    write: Callable[..., None]
    shuffle: Shuffle
    crashed: bool


BOOKS = {
    "tables": Kind(tables_books, known_deck, crashed=False),
    "tables after a crash": Kind(tables_books, known_deck, crashed=True),
    "pot": Kind(pot_books, named_deck, crashed=False),
    "pot after a crash": Kind(pot_books, named_deck, crashed=True),
    "tables of before": Kind(older("tables", known_deck), known_deck, crashed=False),
    "pot of before": Kind(older("pot", named_deck), named_deck, crashed=False),
}


def any_way(value: object, column: Sequence[object]) -> list[object]:
    """Return the values a forger may write in place of a value, extremes included."""
    largest: list[object] = [2**63 - 1, -(2**63)]
    if value is None:
        return [*ways(value, column), *largest, 1, "x", b"x"]  # of any type
    return [*ways(value, column), *(largest if isinstance(value, int) else [])]


def forge(books: Books, random: Random) -> bool:
    """Change, delete or copy one row; tell whether the database allowed it."""
    table = random.choice(books.tables)
    column = random.choice(books.columns(table))
    rows = books.values(table, column)
    if not rows:
        return False
    key, value = random.choice(rows)
    act = random.choice(("change", "change", "delete", "insert", "delete all"))
    try:
        if act == "change":
            others = any_way(value, [each for _, each in rows])
            books.change(table, column, key, random.choice(others))
        elif act == "delete":
            books.delete(table, key)
        elif act == "delete all":
            books.forge(f"DELETE FROM {table}")
        else:
            copy_row(books, table, key, random)
    except IMPOSSIBLE:
        return False  # refused by NOT NULL, UNIQUE or the column type
    return True


def check_forgeries_found(books: Books, random: Random, trials: int, most: int) -> None:
    """Forge several rows at once, at most this many; check that every trial is found."""
    before, done = books.content(), 0
    while done < trials:
        with books.trying():
            changes = [forge(books, random) for _ in range(random.randint(1, most))]
            if any(changes) and books.content() != before:
                done += 1
                assert books.found(), done


def copy_row(books: Books, table: str, key: object, random: Random) -> None:
    """Insert a copy of a row, changed only where it must differ."""
    columns = books.columns(table)
    (row,) = books.rows(f"SELECT {', '.join(columns)} FROM {table} {books.where(table)}", key)
    unique = {"id", "seq", "key", "name", "hash", "scope", "token_hash", "commitment", "slot"}
    unique |= {"round_id", "trigger_no"} if table in ("awards", "reversals") else set()
    unique |= {"round_id"} if table == "contributions" else set()
    new = [
        other(value, random) if name in unique else value
        for name, value in zip(columns, row, strict=True)
    ]
    books.insert(table, new)


def other(value: object, random: Random) -> object:
    """Return another value of the same type."""
    if isinstance(value, int):
        return value + random.randrange(100, 10_000)
    if isinstance(value, bytes):
        return random.randbytes(len(value))
    return f"{value}{random.randrange(10_000)}"
