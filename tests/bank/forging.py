"""Books sealed to the end, left by a crash or of an earlier version, and every way to forge them.

The tables and columns are read from the schema, so that a new one is tried without being listed.
"""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bank.tampering import Forger, fill, ways
from houses import KEY
from rounds.operated import Funded, Operator, act, known_deck, open_tables, opened
from rounds.operated import played as played_known
from rounds.potted import GAME, dealt, named_deck, played, potted, stood
from rounds.seated import Seated
from tapisvert.bank.audit import Finding
from tapisvert.rounds import Dealer, House
from tapisvert.rounds.audit import audit
from tapisvert.rounds.dealer import Shuffle
from tapisvert.rounds.keeper import Keeper
from tapisvert.sealing import Sealer
from tapisvert.store.sqlite import SqliteStore

# What an audit does not name, and why it need not.
EXCEPTIONS = {
    ("rounds", "seen"): "whether a player was shown how a round ended; nothing depends on it",
    ("contributions", "fold"): "which of two equal parts was gathered first: no sum depends on it",
}
# SQLite's own counters: they only say which number is next.
NOT_OURS = ("sqlite_sequence",)
STORED = Path(__file__).parents[1] / "store"  # databases as earlier versions wrote them


def tables_books(path: Path, *, crashed: bool) -> None:
    """Write books of every game and state; after a crash, with rows that no seal covers."""
    fill(path)
    if crashed:
        house = open_tables(path)
        player, guest = Funded(house), Seated(house)
        played_known(player, "casino-stud")
        played_known(guest, "pai-gow")
        opened(player, "blackjack")
        Operator(house).stop("game:pai-gow", "being looked at")
        act(house, lambda office, tx: office.once(tx, "key", "asked", lambda: "done"))
        act(house, lambda office, tx: office.create_operator(tx, "bert"))
        house.store.close()


def pot_books(path: Path, *, crashed: bool) -> None:
    """Write books of a pot: stakes, wins, voids, rates, a queue, play money."""
    house = potted(path)
    Operator(house).set_rate(GAME, "EUR", "1.4700")
    dollar, other = Funded(house), Funded(house)
    euro = Funded(house, 100_000, "EUR")
    played(Seated(house), "royal-flush")
    played(dollar, "nothing")
    Keeper(house).tick()
    played(other, "straight-flush")
    won = [stood(dollar, dealt(dollar, "royal-flush"))]
    played(euro, "nothing", 68)
    won.append(stood(euro, dealt(euro, "royal-flush", 68)))
    for reply in won:
        Operator(house).void(reply.round.id, "why")
    Operator(house).create_operator("anne")
    Keeper(house).tick()
    played(other, "flush")  # waits for the next fold
    if crashed:
        Operator(house).set_rate(GAME, "EUR", "1.5000")
        Operator(house).set_jackpot(GAME, reset_cents=3_000_000, reason="a better start")
        played(euro, "straight-flush", 67)
    else:
        Keeper(house).seal()
    house.store.close()


def older(name: str, shuffle: Shuffle) -> Callable[..., None]:
    """Return how to write books from before seals were signed, which a house has opened since."""

    def write(path: Path, *, crashed: bool) -> None:
        dump = gzip.decompress((STORED / f"version_3_{name}.sql.gz").read_bytes()).decode()
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            file.executescript(dump)
        house = House(SqliteStore(path), Dealer(Sealer(KEY), shuffle=shuffle))
        assert audit_of(house) == ()
        house.store.close()

    return write


def audit_of(house: House) -> tuple[Finding, ...]:
    """Return what an audit finds in a house."""
    return house.store.read(lambda tx: audit(tx, house.dealer)).result().findings


@dataclass(frozen=True)
class Kind:
    """A kind of books: how they are written, and how their decks lie."""

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


class Books(Forger):
    """Books in memory that a forger without the key may write in, and take it back."""

    def __init__(self, path: Path, kind: Kind) -> None:
        super().__init__(":memory:", kind.shuffle)
        with closing(sqlite3.connect(path)) as written:
            written.backup(self.file)
        self._disarm()

    def tables(self) -> list[str]:
        """Return the tables of the schema."""
        rows = self.file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return [name for (name,) in rows if name not in NOT_OURS]

    def key(self, table: str) -> str:
        """Return the column rows of a table are known by."""
        rows = self.file.execute(f"PRAGMA table_info({table})").fetchall()
        (found,) = [str(row[1]) for row in rows if row[5] == 1]
        return found if table in ("sessions", "accounts") else "rowid"  # two have no rowid

    def values(self, table: str, column: str) -> list[tuple[object, object]]:
        """Return every row's key and its value in a column."""
        sql = f"SELECT {self.key(table)}, {column} FROM {table} ORDER BY 1"
        return self.file.execute(sql).fetchall()

    def content(self) -> dict[str, list[object]]:
        """Return everything that is written, but for what an audit need not name."""
        return {
            table: sorted(
                self.file.execute(
                    "SELECT "
                    + ", ".join(c for c in self.columns(table) if (table, c) not in EXCEPTIONS)
                    + f" FROM {table}"
                ).fetchall(),
                key=repr,
            )
            for table in self.tables()
        }


def forge(books: Books, random: Random) -> bool:
    """Change, delete or copy one row somewhere; tell whether the database let it happen."""
    table = random.choice(books.tables())
    column = random.choice(books.columns(table))
    rows = books.values(table, column)
    if not rows:
        return False
    key, value = random.choice(rows)
    act = random.choice(("change", "change", "delete", "insert", "delete all"))
    where = f"WHERE {books.key(table)} = ?"
    try:
        if act == "change":
            others: Sequence[object] = ways(value, [each for _, each in rows])
            if not others:
                return False
            other = random.choice(others)
            books.file.execute(f"UPDATE {table} SET {column} = ? {where}", (other, key))
        elif act == "delete":
            books.file.execute(f"DELETE FROM {table} {where}", (key,))
        elif act == "delete all":
            books.file.execute(f"DELETE FROM {table}")
        else:
            copy_row(books, table, key, random)
    except sqlite3.IntegrityError:
        return False  # not null, unique or of another type: even a forger cannot
    return True


def copy_row(books: Books, table: str, key: object, random: Random) -> None:
    """Put a row in that is like another but for what must differ."""
    columns = books.columns(table)
    sql = f"SELECT {', '.join(columns)} FROM {table} WHERE {books.key(table)} = ?"
    (row,) = books.file.execute(sql, (key,)).fetchall()
    unique = {"id", "seq", "key", "name", "hash", "scope", "token_hash", "commitment", "slot"}
    unique |= {"round_id", "trigger_no"} if table in ("awards", "reversals") else set()
    unique |= {"round_id"} if table == "contributions" else set()
    new = [
        other(value, random) if name in unique else value
        for name, value in zip(columns, row, strict=True)
    ]
    places = ", ".join("?" for _ in columns)
    books.file.execute(f"INSERT INTO {table} VALUES ({places})", new)


def other(value: object, random: Random) -> object:
    """Return another value of the same kind."""
    if isinstance(value, int):
        return value + random.randrange(100, 10_000)
    if isinstance(value, bytes):
        return random.randbytes(len(value))
    return f"{value}{random.randrange(10_000)}"
