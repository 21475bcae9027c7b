"""Every crash point of a command, one after the other, and what must be true after each.

    python -m crash.enumeration blackjack ultimate      # from tests/; prints a report as JSON

A command is first run without a crash: that gives the rows before it, after each of its commits,
and after it was asked again. Then it is killed when it has replied, which gives all its points, and
at its first point, its second, ...; with `--one-in`, at some of them. After each kill the file must
open, the audit find nothing, and the rows be exactly those of the last commit; asked again, the
command must come to exactly the rows and the reply of the run without a crash, and asked once more
still, to what that run came to.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import msgspec
from msgspec import Struct

from bank.tables import check_books
from crash import game_scenes, office_scenes, player_scenes, pot_scenes
from crash.points import AT_THE_REPLY, Doom, Point, Wire, Wiring, kill_at
from crash.stage import (
    DATABASE,
    PATIENCE_S,
    PREPARING,
    Content,
    Give,
    Repeat,
    Scene,
    close_stage,
    content_of,
    open_stage,
    outcome,
    set_town,
)
from crash.unprotected import UNPROTECTED
from rounds.operated import findings
from tapisvert.bank import ledger
from tapisvert.rounds import House
from tapisvert.store.sqlite import SqliteTx
from tapisvert.store.sqlite_file import connect

Choose = Callable[[Sequence[str]], list[int]]  # of a command's points, the numbers of some


class Complaint(Struct, frozen=True):
    """Something that is not as it must be after a crash."""

    point: str
    kind: str  # money, rows, reply, audit or answered
    what: str


class Report(Struct, frozen=True):
    """The points of a command, those it was killed at, and what was wrong."""

    scene: str
    command: str
    points: list[str]
    killed_at: list[str]
    complaints: list[Complaint]


@dataclass(frozen=True)
class Reference:
    """A command run without a crash: the rows after each commit, then of every attempt."""

    commits: list[Content]  # the first is from before the command
    rows: dict[int, Content]
    replies: dict[int, bytes]


class Noting(Wire):
    """A wire that notes all rows after each commit."""

    def __init__(self, connection: sqlite3.Connection, path: Path, noted: list[Content]) -> None:
        super().__init__(connection, Doom(0, 0, 0))
        self._path, self._noted = path, noted

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run a statement."""
        cursor = self._connection.execute(sql, params)
        if sql == "COMMIT":
            with closing(connect(self._path, query_only=True)) as looking:
                self._noted.append(content_of(SqliteTx(looking)))
        return cursor


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


def check_reference(scene: Scene, found: Reference) -> Iterator[Complaint]:
    """Check what asking again comes to without any crash."""
    if found.rows[1] == found.commits[0]:
        yield Complaint("no crash", "rows", "the command changes nothing")
    if scene.repeat is not Repeat.ANOTHER and not found.rows[1] == found.rows[2] == found.rows[3]:
        yield Complaint("no crash", _kind(found.rows[2], found.rows[1]), "asking again moves more")
    if scene.repeat is Repeat.SAME and len(set(found.replies.values())) > 1:
        yield Complaint("no crash", "reply", "asking again gets another reply")


def examine(folder: Path, scene: Scene, give: Give, point: Point, found: Reference) -> list[str]:
    """Open what a killed process left, and ask again twice; return complaints as `kind: what`."""
    done = point.commits == len(found.commits) - 1
    wrong: list[str] = []
    for attempt in (2, 3) if done else (1, 2):
        house = open_stage(folder / DATABASE, scene, attempt)
        try:
            if attempt == 1 + done:
                wrong += _compare(house, found.commits[point.commits], "what was left")
            reply = outcome(give, house)
            wrong += _compare(house, found.rows[attempt], f"attempt {attempt}")
            # Half of a sweep was done before: the rest is told as what it is.
            if reply != found.replies[attempt] and point.commits in (0, len(found.commits) - 1):
                wrong.append(f"reply: attempt {attempt} is told {reply[:200]!r}")
        except Exception as error:  # whatever a half-written house leads to
            wrong.append(f"reply: attempt {attempt} fails: {error!r}")
        finally:
            house.store.close()
    return wrong


def _compare(house: House, expected: Content, when: str) -> Iterator[str]:
    """Hold a house against the rows it must have, its own audit, and our own fold of the books."""
    rows = house.store.read(content_of).result(PATIENCE_S)
    if rows != expected:
        yield f"{_kind(rows, expected)}: {when}: {_difference(rows, expected)}"
    for each in findings(house):
        yield f"audit: {when}: {each.table} {each.row} {each.what}"
    try:
        check_books(house.store)
    except AssertionError as error:
        yield f"money: {when}: the books do not add up: {error}"


def _kind(rows: Content, expected: Content) -> str:
    return "money" if rows["accounts"] != expected["accounts"] else "rows"


def _difference(rows: Content, expected: Content) -> str:
    """Say which accounts hold what they should not, or which tables differ."""
    held, due = (
        {account: units // ledger.UNITS_PER_CENT for account, _, units in each["accounts"]}
        for each in (rows, expected)
    )
    wrong = [
        f"{account} has {held.get(account)} cents, not {due.get(account)}"
        for account in sorted({*held, *due})
        if held.get(account) != due.get(account)
    ]
    tables = [name for name in expected if rows.get(name) != expected[name]]
    return "; ".join(wrong) or f"{', '.join(tables)} differ"


def enumerate_scene(
    folder: Path,
    town: Path,
    scene: Scene,
    choose: Choose,
    *,
    every: bool = False,
    wiring: Wiring = Wire,
) -> Report:
    """Kill a command at points. Those that left the same bytes are examined once, or all."""
    give = prepare(town, folder / "base", scene)
    found = refer(copied(folder / "base", folder / "reference"), scene, give)
    report = Report(scene.name, scene.command, [], [], [*check_reference(scene, found)])
    seen: set[tuple[int, bytes]] = set()

    def kill(number: int) -> Point:
        here = copied(folder / "base", folder / "killed")
        point = kill_at(number, here, scene, give, wiring)
        report.killed_at.append(point.label)
        wrong = _check_answers(point, found)
        left = (point.commits, _bytes_left(here))
        if every or left not in seen:
            wrong += examine(here, scene, give, point, found)
        seen.add(left)
        where = f"{len(point.passed)} {point.label}"
        report.complaints.extend(Complaint(where, *each.split(": ", 1)) for each in wrong)
        return point

    report.points.extend(kill(AT_THE_REPLY).passed)
    for number in choose(report.points[:-1]):
        kill(number)
    return report


def one_in(count: int) -> Choose:
    """Choose one in so many points, and the first of every kind of statement in all scenes."""
    met: set[str] = set()
    turns = itertools.count()

    def choose(points: Sequence[str]) -> list[int]:
        turn, chosen = next(turns) % count, []
        for place, point in enumerate(points):
            if point not in met or place % count == turn:
                chosen.append(place + 1)
                met.add(point)
        return chosen

    return choose


def prepare(town: Path, folder: Path, scene: Scene) -> Give:
    """Bring a house in a new folder to where the scene's command comes next."""
    database = copied(town, folder) / DATABASE
    house = open_stage(database, scene, PREPARING)
    give = scene.prepare(house)
    close_stage(house, database)
    return give


def copied(folder: Path, to: Path) -> Path:
    """Copy a database that nobody has open, over whatever was left there."""
    to.mkdir(exist_ok=True)
    for left in (to / f"{DATABASE}-wal", to / f"{DATABASE}-shm"):
        left.unlink(missing_ok=True)
    shutil.copyfile(folder / DATABASE, to / DATABASE)
    return to


def _check_answers(point: Point, found: Reference) -> list[str]:
    """Nobody was told of what is not stored; and what was told is what is told again."""
    wrong = []
    if point.answered > point.stored:
        wrong.append(f"answered: {point.answered} units were, {point.stored} are stored")
    if point.reply is not None and point.reply != found.replies[1]:
        wrong.append(f"reply: {point.reply[:200]!r}")
    return wrong


def _bytes_left(folder: Path) -> bytes:
    """Return a hash of what decides how a database opens: the file and its log."""
    files = [folder / DATABASE, folder / f"{DATABASE}-wal"]
    whole = hashlib.sha256()
    for file in files:
        whole.update(hashlib.sha256(file.read_bytes() if file.exists() else b"").digest())
    return whole.digest()


def run(
    scenes: Sequence[Scene],
    folder: Path,
    count: int = 1,
    *,
    every: bool = False,
    wiring: Wiring = Wire,
) -> Iterator[Report]:
    """Enumerate one in so many points of scenes, each in a folder that is gone afterwards."""
    town, choose = folder / "town", one_in(count)
    town.mkdir()
    set_town(town / DATABASE)
    for scene in scenes:
        with tempfile.TemporaryDirectory(dir=folder) as at:
            yield enumerate_scene(Path(at), town, scene, choose, every=every, wiring=wiring)


def all_scenes() -> list[Scene]:
    """Return every command there is."""
    rooms = (game_scenes, player_scenes, office_scenes, pot_scenes)
    return [scene for room in rooms for scene in room.scenes()]


def main() -> None:
    """Enumerate the scenes asked for, and print a report of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "parts", nargs="*", help="a game, players, office, keeper, jackpot, or a scene"
    )
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder to work in")
    parser.add_argument("--without", choices=UNPROTECTED, help="a protection to leave out")
    parser.add_argument("--one-in", type=int, default=1, help="kill at one in so many points")
    parser.add_argument("--every", action="store_true", help="look at equal files again as well")
    asked = parser.parse_args()
    scenes = [each for each in all_scenes() if {each.part, each.name} & {*asked.parts}]
    wiring = UNPROTECTED.get(asked.without, Wire)
    reports = run(scenes, asked.folder, asked.one_in, every=asked.every, wiring=wiring)
    sys.stdout.buffer.write(msgspec.json.encode([*reports]))


if __name__ == "__main__":
    main()
