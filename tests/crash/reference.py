"""Reference runs without faults, and the checks after a crash.

A reference run records the rows before the command, after each of its commits, and after a repeat.
The database a killed process leaves is compared with these.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from unittest.mock import patch

from bank.tables import check_books
from crash import game_scenes, office_scenes, player_scenes, pot_scenes
from crash.points import Doom, Point, Wire
from crash.stage import (
    DATABASE,
    PATIENCE_S,
    PREPARING,
    Content,
    Give,
    Scene,
    close_stage,
    content_of,
    open_stage,
    outcome,
)
from rounds.house_with_operator import findings
from tapisvert.bank import money, seals
from tapisvert.bank.seal_audit import Trust, check_keys, check_seals, check_tails
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import PlayerService
from tapisvert.store import Tx
from tapisvert.store.sqlite_file import connect
from tapisvert.store.sqlite_tx import SqliteTx
from tapisvert.store.tails import IntegrityKey


def all_scenes() -> list[Scene]:
    rooms = (game_scenes, player_scenes, office_scenes, pot_scenes)
    return [scene for room in rooms for scene in room.scenes()]


def prepare(town: Path, folder: Path, scene: Scene) -> Give:
    """Bring a house in a new folder to the point before the scene's command."""
    database = copied(town, folder) / DATABASE
    house = open_stage(database, scene, PREPARING)
    give = scene.prepare(house)
    close_stage(house, database)
    return give


def copied(folder: Path, to: Path) -> Path:
    """Copy a closed database over the one there."""
    to.mkdir(exist_ok=True)
    for left in (to / f"{DATABASE}-wal", to / f"{DATABASE}-shm"):
        left.unlink(missing_ok=True)
    shutil.copyfile(folder / DATABASE, to / DATABASE)
    return to


@dataclass(frozen=True)
class Reference:
    """A reference run: the rows after each commit, then after every attempt."""

    commits: list[Content]  # the first is from before the command
    rows: dict[int, Content]
    replies: dict[int, bytes]


class Noting(Wire):
    """A connection that records all rows after each commit."""

    def __init__(self, connection: sqlite3.Connection, path: Path, noted: list[Content]) -> None:
        super().__init__(connection, Doom(0, 0, 0))
        self._path, self._noted = path, noted

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        cursor = self._connection.execute(sql, params)
        if sql == "COMMIT":
            with closing(connect(self._path, query_only=True)) as looking:
                self._noted.append(content_of(SqliteTx(looking)))
        return cursor

    def executemany(self, sql: str, rows: Iterable[Sequence[object]]) -> sqlite3.Cursor:
        return self._connection.executemany(sql, rows)


def refer(folder: Path, scene: Scene, give: Give) -> Reference:
    """Run a command three times without a crash."""
    database = folder / DATABASE
    noted: list[Content] = []

    def noting(path: Path, *, query_only: bool = False) -> sqlite3.Connection | Wire:
        connection = connect(path, query_only=query_only)
        return connection if query_only else Noting(connection, path, noted)

    with closing(connect(database)) as looking:
        before = content_of(SqliteTx(looking))
    found = Reference([before], {}, {})
    for attempt in (1, 2, 3):
        with (
            patch("tapisvert.store.sqlite.connect", noting),
            patch("tapisvert.store.sqlite._GROUP_MAX", 128 if scene.busy else 1),
        ):
            house = open_stage(database, scene, attempt)
            found.replies[attempt] = outcome(give, house)
            house.store.close()
        if attempt == 1:
            found.commits.extend(noted[scene.busy :])
        found.rows[attempt] = noted[-1] if noted else before
    return found


def examine(folder: Path, scene: Scene, give: Give, point: Point, found: Reference) -> list[str]:
    """Open the database of a killed process, repeat twice; return complaints, `kind: what`."""
    done = point.commits == len(found.commits) - 1
    wrong: list[str] = []
    attempts = (2, 3) if done else (1, 2)
    for attempt in attempts:
        house = open_stage(folder / DATABASE, scene, attempt)
        try:
            if attempt == 1 + done:
                wrong += _compare(house, found.commits[point.commits], "what was left")
            reply = outcome(give, house)
            wrong += _compare(house, found.rows[attempt], f"attempt {attempt}")
            # Part of a sweep was committed before the crash: the reply counts only the rest.
            half = found.commits[point.commits] not in (found.commits[0], found.commits[-1])
            if reply != found.replies[attempt] and not half:
                wrong.append(f"reply: attempt {attempt} is told {reply[:200]!r}")
            if attempt == attempts[-1]:
                wrong += _seal(house)
        except Exception as error:  # whatever a half-written house leads to
            wrong.append(f"reply: attempt {attempt} fails: {error!r}")
        finally:
            house.store.close()
    return wrong


def _compare(house: PlayerService, expected: Content, when: str) -> Iterator[str]:
    """Compare a house with its expected rows, its audit, and an independent sum of the ledger."""
    rows = house.store.read(content_of).result(PATIENCE_S)
    if rows != expected:
        yield f"{kind_of(rows, expected)}: {when}: {_difference(rows, expected)}"
    for each in findings(house):
        yield f"audit: {when}: {each.table} {each.row} {each.what}"
    try:
        check_books(house.store)
    except AssertionError as error:
        yield f"money: {when}: the books do not add up: {error}"


def _seal(house: PlayerService) -> Iterator[str]:
    """Seal as a start does; check that a signed seal covers every row and no tail has any."""
    Housekeeping(house, lambda: 0).seal()
    integrity, trust = IntegrityKey(house.dealer.integrity_key), Trust(house.dealer.public_key)

    def look(tx: Tx) -> list[str]:
        wrong = chain(check_keys(tx, trust), check_seals(tx, trust), check_tails(tx, integrity))
        left = [] if seals.unsealed(tx) is None else ["seal: some rows are under no seal"]
        return [*left, *(f"seal: {each.table} {each.row} {each.what}" for each in wrong)]

    yield from house.store.read(look).result(PATIENCE_S)


def kind_of(rows: Content, expected: Content) -> str:
    """Tell whether two contents differ in money or in other rows."""
    return "money" if rows["accounts"] != expected["accounts"] else "rows"


def _difference(rows: Content, expected: Content) -> str:
    """Name the accounts with wrong balances, or the tables that differ."""
    held, due = (
        {account: units // money.UNITS_PER_CENT for account, _, units in each["accounts"]}
        for each in (rows, expected)
    )
    wrong = [
        f"{account} has {held.get(account)} cents, not {due.get(account)}"
        for account in sorted({*held, *due})
        if held.get(account) != due.get(account)
    ]
    tables = [name for name in expected if rows.get(name) != expected[name]]
    return "; ".join(wrong) or f"{', '.join(tables)} differ"
