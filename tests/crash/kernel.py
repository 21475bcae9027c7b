"""Refusals of the kernel: no space left, read-only file system, failed fsync.

    python -m crash.kernel --folder FOLDER        # from tests/; prints a report as JSON

A seccomp filter on the thread that writes makes the kernel itself refuse its writes or syncs with
the error a full, read-only or broken disk gives; nothing of the store or of SQLite is replaced.
Such a filter cannot be removed, so the process is killed afterwards and the house opened again.
Linux only; elsewhere, and where a sandbox forbids filters, the script reports that it cannot run.
"""

from __future__ import annotations

import argparse
import ctypes
import errno
import os
import platform
import signal
import struct
import sys
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from crash.money_scenes import MONEY, Staged, Theatre
from crash.points import Point, in_a_child
from crash.reference import examine
from crash.stage import DATABASE, PATIENCE_S, content_of, open_stage, outcome
from tapisvert.store import Tx
from tapisvert.store.sqlite_file import connect
from tapisvert.store.sqlite_tx import SqliteTx

# The numbers of pwrite64, fsync and fdatasync.
_CALLS = {"x86_64": (18, 74, 75), "aarch64": (68, 82, 83)}
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000


class Fault(Struct, frozen=True):
    """An operation the kernel refuses, and its error."""

    name: str
    error: int
    syncs: bool  # syncs, or writes


FAULTS = (
    Fault("no space left", errno.ENOSPC, syncs=False),
    Fault("read-only file system", errno.EROFS, syncs=False),
    Fault("failed fsync", errno.EIO, syncs=True),
)


class Said(Struct, frozen=True):
    """The answer of a command in the process with the failing disk, and whether queries saw its
    effect.
    """

    reply: bytes
    moved: bool


class Trial(Struct, frozen=True):
    """A command on a failing disk, and the complaints; `kept` if a restart found it committed."""

    fault: str
    scene: str
    kept: bool
    complaints: list[str]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def can_forbid() -> bool:
    """Tell whether this machine supports filters, tested in a throwaway process."""
    if sys.platform != "linux" or platform.machine() not in _CALLS:
        return False
    child = os.fork()
    if not child:
        try:
            forbid(FAULTS[0])
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def forbid(fault: Fault) -> None:
    """Make the kernel refuse this thread's writes or syncs from now on."""
    write, *syncs = _CALLS[platform.machine()]
    numbers = syncs if fault.syncs else [write]
    steps = [(_LOAD, 0, 0, 0)]
    for place, number in enumerate(numbers):
        steps.append((_JUMP_IF_EQUAL, len(numbers) - place, 0, number))  # to the last step
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERRNO | fault.error)]
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    held = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(steps), ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(
        _SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "no filter")


def attempt(staged: Staged, folder: Path, fault: Fault) -> Trial:
    """Run a command in a process whose disk fails, kill it, and examine the database."""
    database = staged.copy(folder)
    said = _in_a_process(staged, database, fault)
    wrong = []
    if said.reply != staged.refusal:
        wrong.append(f"it is told {said.reply[:200]!r}")
    if said.moved:
        wrong.append("what was refused can be seen")
    with closing(connect(folder / DATABASE, query_only=True)) as looking:
        left = content_of(SqliteTx(looking))
    # A log whose sync failed may still be read after a crash: then all of it was done.
    whole = [each for each in staged.found.commits if each == left]
    kept = left == staged.found.rows[1]
    if not whole or (kept and not fault.syncs):
        wrong.append("what was left is not what was there before")
    point = Point([fault.name], len(staged.found.commits) - 1 if kept else 0, 0, 0)
    wrong += examine(folder, staged.scene, staged.give, point, staged.found)
    return Trial(fault.name, staged.scene.name, kept, wrong)


def _in_a_process(staged: Staged, database: Path, fault: Fault) -> Said:
    def perform(telling: int) -> None:
        house = open_stage(database, staged.scene, 1)
        before = house.store.read(content_of).result(PATIENCE_S)
        house.store.write(_begin_the_log).result(PATIENCE_S)
        house.store.write(lambda tx: forbid(fault)).result(PATIENCE_S)
        reply = outcome(staged.give, house)
        moved = house.store.read(content_of).result(PATIENCE_S) != before
        os.write(telling, msgspec.json.encode(Said(reply, moved)))
        os.kill(os.getpid(), signal.SIGKILL)

    return msgspec.json.decode(in_a_child(perform)[0], type=Said)


def _begin_the_log(tx: Tx) -> None:
    """Write one page, so that the log has a commit, like that of any server in use."""
    (version,) = tx.row("PRAGMA user_version") or (0,)
    tx.run(f"PRAGMA user_version = {version}")


def main() -> None:
    """Run commands that move money on every kind of failing disk."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder to work in")
    parser.add_argument("--one-in", type=int, default=1, help="try one in so many, each in turn")
    given = parser.parse_args()
    folder: Path = given.folder
    trials: list[Trial] | None = None
    if can_forbid():
        theatre = Theatre(folder)
        trials = [
            attempt(theatre[name], folder / "failing", fault)
            for turn, fault in enumerate(FAULTS)
            for name in MONEY[turn % given.one_in :: given.one_in]
        ]
    sys.stdout.buffer.write(msgspec.json.encode(trials))


if __name__ == "__main__":
    main()
