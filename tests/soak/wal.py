"""F6: the write-ahead log cut off at any byte opens at a transaction boundary.

    python tests/soak/wal.py            # every byte of a three-transaction tail
    python tests/soak/wal.py --step 97  # every 97th, and every frame's edges

A power cut may leave any prefix of the last writes. With any prefix, the house must open with the
first 0, 1, 2 or 3 of the three commands complete, and with a clean audit.
"""

from __future__ import annotations

import argparse
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

from houses import PLAYER_WINS, Guest, client_of, make_house
from tapisvert.bank import audit, seals
from tapisvert.store.sqlite_tx import SqliteTx

FRAME_BYTES = 24 + 4096
HEADER_BYTES = 32


class Tail(NamedTuple):
    """A database, its log, and the length of the log after each of three commands."""

    database: Path
    log: bytes
    ends: tuple[int, ...]
    states: tuple[object, ...]


def record(folder: Path) -> Tail:
    """Play a round; save the files as they were during its last three commands."""
    path = folder / "tapis.db"
    house = make_house(path, PLAYER_WINS)
    with client_of(house) as client:
        guest = Guest(client)
        round_id = guest.open({"ante": 1000}).json()["round"]["id"]
        keeper = sqlite3.connect(path)  # a reader that stays: the log is not folded in at the end
        keeper.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ends, states = [0], [state_of(path)]
        for command in ("play", "open", "fold"):
            if command == "open":
                answer = guest.open({"ante": 2000, "bonus": 500})
            else:
                answer = guest.choose(round_id, command)
            round_id = answer.json()["round"]["id"]
            ends.append(log_of(path).stat().st_size)
            states.append(state_of(path))
        kept = folder / "kept.db"
        shutil.copyfile(path, kept)
        log = log_of(path).read_bytes()
        keeper.close()
    return Tail(kept, log, tuple(ends), tuple(states))


def log_of(database: Path) -> Path:
    return database.with_name(f"{database.name}-wal")


def state_of(path: Path) -> object:
    connection = sqlite3.connect(path)
    try:
        rounds = connection.execute(
            "SELECT state, answers, staked_cents, returned_cents FROM rounds ORDER BY seq"
        ).fetchall()
        money = connection.execute("SELECT id, units FROM accounts ORDER BY id").fetchall()
        commands = connection.execute("SELECT key FROM commands ORDER BY key").fetchall()
        return rounds, money, commands
    finally:
        connection.close()


def cut(tail: Tail, folder: Path, size: int) -> int:
    """Open the database with this many bytes of its log; return the number of commands it has."""
    path = folder / "cut.db"
    for left in (log_of(path), path.with_name("cut.db-shm")):
        left.unlink(missing_ok=True)
    shutil.copyfile(tail.database, path)
    log_of(path).write_bytes(tail.log[:size])
    done = tail.states.index(state_of(path))
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        wrong = [*audit.check_ledger(SqliteTx(connection), seals.NONE.reach)]
        assert not wrong, wrong
    finally:
        connection.close()
    return done


def sizes(tail: Tail, step: int) -> Iterator[int]:
    """Return the lengths to cut at: every `step` bytes, and around the edges of every frame."""
    whole = len(tail.log)
    edges = {
        edge + near
        for edge in range(HEADER_BYTES, whole + 1, FRAME_BYTES)
        for near in (-1, 0, 1, 24)
    }
    yield from sorted({*range(0, whole + 1, step), *(each for each in edges if each <= whole)})


def main(step: int) -> Counter[int]:
    """Cut everywhere; return how often each number of commands was found."""
    found: Counter[int] = Counter()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as at:
        tail = record(Path(at))
        for size in sizes(tail, step):
            done = cut(tail, Path(at), size)
            # A command whose bytes were fsynced completely is never missing.
            expected = sum(size >= end for end in tail.ends) - 1
            assert done == expected, f"cut at {size} of {tail.ends}: {done} commands"
            found[done] += 1
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--step", type=int, default=1, help="cut at every STEPth byte")
    started = time.monotonic()
    counts = main(parser.parse_args().step)
    told = ", ".join(f"{count:,} with {done}" for done, count in sorted(counts.items()))
    print(
        f"F6: {counts.total():,} cuts, all at a transaction boundary ({told} of 3 commands),"
        f" {time.monotonic() - started:.0f} s"
    )
