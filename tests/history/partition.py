"""A history divided into pieces that are checked separately: one per player, one for the desk.

Operations of different players commute, except operators' acts on everyone. So a player's piece has
the player's own operations, operators' acts on that player, every switch that affects them, and
acts of the house on all: a new day, a failing source, a sweep, a page of the journal. The desk's
piece has every switch, and operations without a player: an unknown token, an unknown player.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from history.facts import NEVER, Contradiction, Facts, player_of, readers
from history.model import GRANTED, NOT_KEPT, Task, fingerprint
from history.records import Operation

Pieces = dict[str | None, list[Task]]  # by player; the desk's key is empty
TO_ALL = ("start", "source-fails")
OF_A_PLAYER = ("deposit", "withdraw", "pay-debt", "show", "new-token")
SWITCHES = ("stop", "resume")
IN_MEMORY_OF_NOBODY = ("guest", "player")  # without an answer, the new player is unknown
READS = ("wallet", "rounds", "round", "recall", "proof", "transfers", "show", "stops", "events")


def cut(operations: Sequence[Operation], facts: Facts) -> Pieces:
    """Divide a history into pieces, each in order of invocation."""
    pieces: Pieces = defaultdict(list)
    born = _births(operations)
    everyone: list[str | None] = [None, *born]
    first = _Firsts(operations)
    pieces[None] = []
    for each in operations:
        kind = each.request.kind
        if each.returned is None and kind in (*READS, *IN_MEMORY_OF_NOBODY):
            continue  # its outcome is unknown, and it had no visible effect
        if kind in TO_ALL:
            for player in everyone:
                pieces[player].append(task_of(each))
        elif kind in SWITCHES:
            nothing = each.returned is not None and not (each.granted and first(each))
            for player in [None] if nothing else _concerned(each, everyone):
                pieces[player].append(_switch(each, player))
        elif kind == "events" and each.granted:
            for player in everyone:
                if player is None or born[player].invoked < (each.returned or NEVER):
                    pieces[player].append(_page(each, player))
        elif kind == "sweep":
            _sweep(each, facts, pieces)
        else:
            pieces[home(each, facts)].append(task_of(each))
    for player in pieces:
        pieces[player] = follow_up(pieces[player], facts)
    _keys_stay_at_home(pieces, facts)
    return pieces


def home(operation: Operation, facts: Facts) -> str | None:
    """Return the piece an operation belongs to."""
    request = operation.request
    if request.kind in ("guest", "player"):
        told = msgspec.json.decode(operation.text)
        return str(told["player_id"]) if operation.granted else None
    if request.kind in OF_A_PLAYER:
        player: str = request.args["player_id"]
        return player if player in facts.everyone else None
    if request.kind == "void":
        return facts.owner.get(request.args["round_id"])
    return player_of(facts, operation)


def task_of(operation: Operation, part: Any = None) -> Task:
    """Return an operation as a task, with all of its answer or a part."""
    kind = operation.request.kind
    if kind == "guest" and operation.code != GRANTED:
        kind = "nobody-comes"
    return Task(
        operation,
        kind,
        operation.request.args,
        operation.invoked,
        NEVER if operation.returned is None else operation.returned,
        operation.code,
        part,
        operation.returned is None,
    )


def follow_up(piece: Sequence[Task], facts: Facts) -> list[Task]:
    """Join unanswered commands with the answer that their key got another time.

    A key has one effect and one answer. So a lost command and the same one answered later are one
    command, which happened between the first request and the answer. A command that was lost after
    it was answered had no further effect.
    """
    lost = [task for task in piece if task.optional and task.operation.request.key]
    answers: dict[tuple[str, str | None, str], Task] = {}
    for task in piece if lost else ():
        if not task.optional and task.operation.request.key and _kept(task.code):
            first = answers.setdefault(_asked(task, facts), task)
            if task.returned < first.returned:
                answers[_asked(task, facts)] = task
    gone = set[int]()
    for task in lost:
        found = answers.get(_asked(task, facts))
        if found is None:
            continue
        if found.returned < task.invoked or found.owner == task.owner:
            found.invoked = min(found.invoked, task.invoked)
            gone.add(id(task))
        else:  # sent again with another token: only one of the two may have opened the door
            task.code, task.part = found.code, found.part
            task.operation = msgspec.structs.replace(
                task.operation, code=found.code, text=found.operation.text
            )
    left = [task for task in piece if id(task) not in gone]
    return sorted(left, key=lambda task: task.invoked)


def _kept(code: str) -> bool:
    return code != "idempotency/reused" and not code.startswith(NOT_KEPT)


def _asked(task: Task, facts: Facts) -> tuple[str, str | None, str]:
    """Return the owner of a command, whatever its token, its key, and its body."""
    whose = facts.operators.get(task.owner, "the player")
    return whose, task.operation.request.key, fingerprint(task)


class _Firsts:
    """The commands that may have been the first under their key; the others change nothing."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._answered: dict[tuple[str | None, str | None], int] = {}
        for each in operations:
            name = (each.request.token, each.request.key)
            if each.returned is not None:
                known = self._answered.setdefault(name, each.returned)
                self._answered[name] = min(known, each.returned)

    def __call__(self, each: Operation) -> bool:
        return self._answered[each.request.token, each.request.key] >= each.invoked


def _births(operations: Iterable[Operation]) -> dict[str, Operation]:
    born: dict[str, Operation] = {}
    for each in operations:
        if each.granted and each.request.kind in ("guest", "player"):
            player = msgspec.json.decode(each.text)["player_id"]
            if player in born:
                raise Contradiction(f"player {player} came in twice")
            born[player] = each
    return born


def _concerned(operation: Operation, everyone: list[str | None]) -> list[str | None]:
    kind, _, name = str(operation.request.args["scope"]).partition(":")
    if kind == "player":
        return [None, name] if name in everyone else [None]
    return everyone


def _switch(operation: Operation, player: str | None) -> Task:
    """Restrict a switch to the scopes that affect a piece's player."""
    if player is None or not operation.granted:
        return task_of(operation)
    told = msgspec.json.decode(operation.text)["stopped"]
    mine = {
        scope: why
        for scope, why in told.items()
        if not scope.startswith("player:") or scope == f"player:{player}"
    }
    return task_of(operation, {"stopped": mine})


def _page(operation: Operation, player: str | None) -> Task:
    """Restrict a page of the journal to the lines about a piece's player."""
    told, before = msgspec.json.decode(operation.text), operation.request.args["before"]
    lines = [
        [each["kind"], each["round_id"], each["data"]]
        for each in told["events"]
        if player in readers(each)
    ]
    task = task_of(operation, lines)
    last = told["next"] if told["next"] is not None else 0
    task.args = {"from": last, "before": NEVER if before is None else before}
    return task


def _sweep(operation: Operation, facts: Facts, pieces: Pieces) -> None:
    """Split a sweep into tasks: each overdue round is voided at its own moment."""
    now_ms = operation.request.args["now_ms"]
    for round_id, player in facts.owner.items():
        opened = facts.get("round", round_id, "opened_at")
        if opened is None or facts.over_by.get(round_id, NEVER) < operation.invoked:
            continue
        due_ms = datetime.fromisoformat(opened).timestamp() * 1000
        due_ms += 1000 * (facts.get("round", round_id, "void_after_s") or 0)
        if due_ms <= now_ms:
            task = task_of(operation)
            task.kind, task.code = "expire", ""
            task.args = {"round_id": round_id, "now_ms": now_ms}
            pieces[player].append(task)


def _keys_stay_at_home(pieces: Pieces, facts: Facts) -> None:
    """Check that an operator's key occurs in one piece only, as separate checking requires."""
    homes: dict[tuple[str, str], str | None] = {}
    for player, piece in pieces.items():
        for task in piece:
            request = task.operation.request
            name = facts.operators.get(request.token or "")
            if not name or not request.key or task.kind in SWITCHES:
                continue
            if homes.setdefault((name, request.key), player) != player:
                raise ValueError(f"key {request.key} of {name} is used for two players")
