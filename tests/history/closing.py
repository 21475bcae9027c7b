"""The end of a recording: everything that can still be read is read, without concurrent play.

Open rounds are voided, so that every deck is revealed. Every proof, every statement and the whole
journal are read. These are ordinary operations, and are checked like the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from history.doors import Door
from history.people import Board, Client, Person
from history.records import Answer, Log, Request

PAGES_MAX = 1_000
CLOSER = "closer"


class Closer(Client):
    """A client that reads everything, in order."""

    def __init__(self, door: Door, log: Log) -> None:
        super().__init__(CLOSER, door, log, "closing", 0)

    def say(self, kind: str, token: str, key: str | None = None, **args: Any) -> Answer:
        return self.ask(Request(kind, token, key, args))

    def pages(self, kind: str, token: str, **args: Any) -> None:
        """Read a list from its newest entry to its oldest."""
        before: int | None = None
        for _ in range(PAGES_MAX):
            answer = self.say(kind, token, before=before, **args)
            before = answer.read()["next"] if answer.granted else None
            if before is None:
                return


def close_books(
    log: Log,
    door: Door,
    board: Board,
    people: list[Person],
    operator: str,
    progress: Callable[[int], None],
) -> None:
    closer = Closer(door, log)
    for person in people:
        if not person.token:
            continue
        answer = closer.say("rounds", person.token, status="open", before=None)
        waiting = answer.read()["rounds"] if answer.granted else []
        for each in waiting:
            board.opened.setdefault(each["id"], person)
            closer.say("void", operator, f"end {each['id']}", round_id=each["id"], reason="the end")
        progress(log.operations)
    for round_id, person in board.opened.items():
        if round_id not in board.proven:
            closer.say("proof", person.token, round_id=round_id)
    progress(log.operations)
    for person in people:
        if person.token:
            for status in ("open", None):
                closer.pages("rounds", person.token, status=status)
            closer.pages("transfers", person.token)
            closer.say("wallet", person.token)
            closer.say("show", operator, player_id=person.player_id)
    closer.pages("events", operator)
    closer.say("stops", operator)
    progress(log.operations)
