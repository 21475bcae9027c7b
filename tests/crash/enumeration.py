"""Every crash point of a command in turn, and the checks after each crash.

    python -m crash.enumeration blackjack ultimate      # from tests/; prints a report as JSON

A reference run without a crash records the rows before the command, after each of its commits, and
after a repeat. Then the command is killed after its reply, which enumerates its points, and at its
first point, its second, ... (`--one-in`: some commands, at some points). After each kill the file
must open, the audit must find nothing, and the rows must be exactly those of the last commit. A
repeat must give exactly the rows and the reply of the reference run, and so must a second repeat. A
seal, as the next start makes it, then covers every row.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from crash.points import AT_THE_REPLY, Point, Wire, Wiring, kill_at
from crash.reference import Reference, all_scenes, copied, examine, kind_of, prepare, refer
from crash.stage import DATABASE, Repeat, Scene, set_town
from crash.unprotected import UNPROTECTED

Choose = Callable[[Sequence[str]], list[int]]  # of a command's points, the numbers of some


class Complaint(Struct, frozen=True):
    """A violated expectation after a crash."""

    point: str
    kind: str  # money, rows, reply, audit, seal or answered
    what: str


class Report(Struct, frozen=True):
    """The points of a command, those it was killed at, and the complaints."""

    scene: str
    command: str
    points: list[str]
    killed_at: list[str]
    complaints: list[Complaint]


def check_reference(scene: Scene, found: Reference) -> Iterator[Complaint]:
    """Check the results of repeats without a crash."""
    if found.rows[1] == found.commits[0]:
        yield Complaint("no crash", "rows", "the command changes nothing")
    if scene.repeat is not Repeat.ANOTHER and not found.rows[1] == found.rows[2] == found.rows[3]:
        yield Complaint(
            "no crash", kind_of(found.rows[2], found.rows[1]), "asking again moves more"
        )
    if scene.repeat is Repeat.SAME and len(set(found.replies.values())) > 1:
        yield Complaint("no crash", "reply", "asking again gets another reply")


def enumerate_scene(
    folder: Path, town: Path, scene: Scene, choose: Choose, wiring: Wiring
) -> Report:
    """Kill a command at points. Points that leave the same bytes are examined once."""
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
        if left not in seen:
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
    """Choose one in n points, and the first of every kind of statement in all scenes."""
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


def _check_answers(point: Point, found: Reference) -> list[str]:
    """Check that every answer given is stored, and that a repeat gives the same answer."""
    wrong = []
    if point.answered > point.stored:
        wrong.append(f"answered: {point.answered} units were, {point.stored} are stored")
    if point.reply is not None and point.reply != found.replies[1]:
        wrong.append(f"reply: {point.reply[:200]!r}")
    return wrong


def _bytes_left(folder: Path) -> bytes:
    """Return a hash of the file and its write-ahead log, which determine how a database opens."""
    files = [folder / DATABASE, folder / f"{DATABASE}-wal"]
    whole = hashlib.sha256()
    for file in files:
        whole.update(hashlib.sha256(file.read_bytes() if file.exists() else b"").digest())
    return whole.digest()


def sampled(scenes: Sequence[Scene], count: int) -> list[Scene]:
    """Choose one in n scenes, and the first of every command, alone and in a group."""
    firsts = {(each.part, each.command, each.busy): each for each in reversed(scenes)}
    chosen = [*firsts.values(), *scenes[::count]]
    return [scene for scene in scenes if scene in chosen]


def run(
    scenes: Sequence[Scene], folder: Path, count: int, wiring: Wiring = Wire
) -> Iterator[Report]:
    """Enumerate one in n scenes and points, each in a temporary folder."""
    town, choose = folder / "town", one_in(count)
    town.mkdir()
    set_town(town / DATABASE)
    for scene in sampled(scenes, count):
        with tempfile.TemporaryDirectory(dir=folder) as at:
            yield enumerate_scene(Path(at), town, scene, choose, wiring)


def main() -> None:
    """Enumerate the scenes of the command line, and print a report of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "parts", nargs="*", help="a game, players, office, keeper, jackpot, or a scene"
    )
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder to work in")
    parser.add_argument("--without", choices=UNPROTECTED, help="a protection to leave out")
    parser.add_argument("--one-in", type=int, default=1, help="of so many scenes and points")
    asked = parser.parse_args()
    scenes = [each for each in all_scenes() if {each.part, each.name} & {*asked.parts}]
    wiring = UNPROTECTED.get(asked.without, Wire)
    reports = run(scenes, asked.folder, asked.one_in, wiring)
    sys.stdout.buffer.write(msgspec.json.encode([*reports]))


if __name__ == "__main__":
    main()
