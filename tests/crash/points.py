"""Run one command of a house again and again, each time killed before another of its statements.

`python -m crash.points FOLDER COMMAND` (from `tests`) copies FOLDER/base to FOLDER/1, FOLDER/2, ...
and runs the command in each from a forked process, which is killed (SIGKILL) before statement 1,
2, ... of its transaction, until one runs to its end. It prints the statements it was killed at.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from unittest.mock import patch

from houses import make_house
from tapisvert.rounds import House
from tapisvert.rounds.messages import ChoiceRequest, OpenRequest, SeatRequest
from tapisvert.store.sqlite_file import connect

KEY = "interrupted"
COMMANDS = ("guest", "seat", "open", "choose", "more", "seen")


class Doomed:
    """A connection that kills its process before a given statement."""

    def __init__(self, connection: sqlite3.Connection, told: Path, point: int) -> None:
        self._connection, self._told, self._left = connection, told, point

    def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
        """Pass a statement on, or die."""
        self._left -= 1
        if not self._left:
            self._told.write_text(" ".join(sql.split()[:3]))
            os.kill(os.getpid(), signal.SIGKILL)
        return self._connection.execute(sql, params)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def ask(house: House, command: str, facts: dict[str, Any]) -> Future[Any]:
    """Give a command; `facts` say who asks, and of which seat or round."""
    token, round_id = facts["token"], facts.get("round_id", "")
    if command == "guest":
        return house.guest()
    if command == "seat":
        return house.seat(token, SeatRequest("casino-stud"))
    if command == "open":
        stakes = facts.get("stakes", {"ante": 300, "bonus": 100})
        return house.open(
            token, KEY, OpenRequest(round_id, facts["commitment"], stakes, "client seed")
        )
    if command == "choose":
        return house.choose(token, KEY, round_id, ChoiceRequest(0, "play"), 0)
    if command == "more":
        return house.more_play_money(token, KEY)
    return house.mark_seen(token, round_id)


def run_doomed(folder: Path, command: str, facts: dict[str, Any], point: int) -> None:
    """Run the command in this process, which it will not survive unless `point` is past it."""

    def dying(path: Path, *, query_only: bool = False) -> sqlite3.Connection | Doomed:
        connection = connect(path, query_only=query_only)
        return connection if query_only else Doomed(connection, folder / "told", point)

    with patch("tapisvert.store.sqlite.connect", dying):
        ask(make_house(folder / "tapis.db", facts.get("first")), command, facts).result()


def main(folder: Path, command: str) -> None:
    """Kill one process per statement."""
    facts = json.loads((folder / "facts.json").read_text())
    told: list[str] = []
    while True:
        here = shutil.copytree(folder / "base", folder / str(len(told) + 1))
        child = os.fork()
        if not child:
            run_doomed(Path(here), command, facts, len(told) + 1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            told.append((Path(here) / "told").read_text())
            continue
        assert status == 0, f"the command failed with status {status}"
        print(json.dumps(told))
        return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
