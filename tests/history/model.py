"""The specification: a single-threaded house for one player, in plain dicts.

It processes one operation after another and predicts each answer. Its wallet, ledger, keys, steps,
open rounds, switches and debts share no code with the house; only the results of cards come from
the game scripts (`tables.py`). Values the house chooses freely, such as an id, are taken from the
answer itself, and must be new.

`whose` is a player, or empty for the operators' desk, where every switch is visible.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from history.books import Books
from history.facts import Facts
from history.records import GRANTED as GRANTED
from history.records import Operation
from history.tables import Play, Round, Tables

ALL = "all"
NOT_KEPT = "dealing/"  # failures of the house are not stored under a key
ANY = object()  # an empty answer


class No(Exception):
    """The operation must be refused, with this code and these arguments."""

    def __init__(self, code: str, **args: Any) -> None:
        self.code, self.args_told = code, args
        super().__init__(code)


class Stored(Exception):
    """The operation is a repeat: it must get this answer again, byte for byte."""

    def __init__(self, code: str, text: str) -> None:
        self.code, self.text = code, text
        super().__init__(code)


class Unlike(Exception):
    """The order being tried leads to books that differ from those shown in the end."""


@dataclass
class Task:
    """An operation as seen by one player's piece."""

    operation: Operation
    kind: str
    args: dict[str, Any]
    invoked: int
    returned: int
    code: str  # empty if the answer is unknown
    part: Any = None  # the part of the answer that concerns this piece, if not all
    optional: bool = False  # never answered: it may have happened or not

    @property
    def owner(self) -> str:
        """Return the token of the request."""
        return self.operation.request.token or ""

    @cached_property
    def told(self) -> Any:
        """Return the answer, decoded on demand to save memory."""
        return msgspec.json.decode(self.operation.text) if self.part is None else self.part

    def forget(self) -> None:
        """Drop the decoded answer."""
        self.__dict__.pop("told", None)


class Model:
    """The books of one player, or of the desk."""

    def __init__(self, facts: Facts, tables: Tables, whose: str | None) -> None:
        self.facts, self.tables, self.whose = facts, tables, whose
        self.books = Books()

    def run(self, task: Task, rules: dict[str, Callable[[Model, Task], Any]]) -> str | None:
        """Run an operation; return what is wrong with its recorded answer, or None."""
        try:
            code, told = GRANTED, rules[task.kind](self, task)
        except No as no:
            code, told = no.code, no.args_told
        except Unlike as unlike:
            return str(unlike)
        except Stored as stored:
            answer = task.operation
            if task.code and (answer.code, answer.text) != (stored.code, stored.text):
                return f"its key was answered {stored.code} {stored.text[:300]} before"
            return None
        if not task.code or told is ANY:
            return None
        if code != task.code:
            return f"must be {code} {_short(told)}, was told {task.code} {_short(task.told)}"
        if told != task.told:
            return f"{difference(told, task.told)} (must be, was told)"
        return None

    # Keys ------------------------------------------------------------------------------------

    def once(self, task: Task, owner: str, effect: Callable[[], Any]) -> Any:
        """Run a command under its key, or repeat its first answer; refusals are stored too."""
        key = task.operation.request.key
        if key is None:
            raise No("idempotency/missing")
        name = ("key", owner, key)
        asked = fingerprint(task)
        kept = self.books.get(name)
        if kept is not None:
            if kept[0] != asked:
                raise No("idempotency/reused")
            raise Stored(*kept[1:])
        mark, answer = self.books.mark(), task.operation
        try:
            told = effect()
        except No as no:
            self.books.undo(mark)
            if not no.code.startswith(NOT_KEPT):
                self.books.put(name, (asked, answer.code, answer.text))
            raise
        self.books.put(name, (asked, answer.code, answer.text))
        return told

    # Money -----------------------------------------------------------------------------------

    @property
    def balance(self) -> int:
        return int(self.books.get("balance", 0))

    @property
    def debt(self) -> int:
        return int(self.books.get("debt", 0))

    @property
    def held(self) -> int:
        """Return the amount open rounds hold."""
        return sum(self.play(each).held_cents for each in self.open_rounds())

    def move(
        self, cents: int, reason: str, round_id: str | None = None, bet: str | None = None
    ) -> None:
        """Move money to the player; a negative amount moves it from the player."""
        if cents:
            assert self.balance + cents >= 0, "the model itself never goes below zero"
            self.books.put("balance", self.balance + cents)
            self._same(
                "transfer",
                self.facts.transfers[self.whose or ""],
                cents=cents,
                reason=reason,
                round_id=round_id,
                bet=bet,
            )
            self.books.add("transfers", (cents, reason, round_id, bet))

    def note(self, kind: str, by: str, *, round_id: str | None = None, **data: Any) -> None:
        """Record a significant event: before, after, and why."""
        told = {"by": by, "before": None, "after": None, "reason": None, **data}
        ids = self.facts.events[self.whose]
        self._same("event", ids, kind=kind, round_id=round_id, data=told)
        self.books.add("notes", (kind, round_id, canonical(told)))

    def _same(self, what: str, ids: list[int], **written: Any) -> None:
        """Reject at once an order that writes another line than the one shown at this position.

        Statements and journal are read completely when a recording closes, so the error would be
        found anyway, but only there.
        """
        place = self.books.get(f"{what}s" if what == "transfer" else "notes", 0)
        if place < len(ids):
            shown = self.facts.get(what, ids[place])
            if any(shown[name] != value for name, value in written.items()):
                told = {name: shown[name] for name in written}
                raise Unlike(f"{what} {ids[place]} must be {written}, was told as {told}")

    # Rounds ----------------------------------------------------------------------------------

    def round(self, round_id: str) -> Round | None:
        """Return a round of this player that was opened."""
        found: Round | None = self.books.get(("round", round_id))
        return found

    def keep(self, each: Round) -> None:
        """Store a round, and whether it is open."""
        self.books.put(("round", each.id), each)
        still = tuple(other for other in self.books.get("open", ()) if other != each.id)
        self.books.put("open", still if each.over else (*still, each.id))

    def open_rounds(self) -> list[Round]:
        return [self.books.get(("round", each)) for each in self.books.get("open", ())]

    def play(self, each: Round) -> Play:
        return self.tables.play(each)

    # Switches --------------------------------------------------------------------------------

    def stops(self) -> dict[str, tuple[str, str]]:
        """Return the stopped scopes, with reason and operator."""
        return {scope: (why, by) for scope, why, by in self.books.get("stops", ())}

    def switch(self, scope: str, stopped: tuple[str, str] | None) -> None:
        stops = self.stops()
        stops.pop(scope, None)
        if stopped is not None:
            stops[scope] = stopped
        self.books.put("stops", tuple(sorted((name, *why) for name, why in stops.items())))

    @property
    def day(self) -> str:
        """Return the sheets in force, as JSON."""
        return str(self.books.get("day"))

    @property
    def deals(self) -> bool:
        """Tell whether the entropy source works."""
        return bool(self.books.get("deals"))


def fingerprint(task: Task) -> str:
    """Return the content that distinguishes two commands under one key; `since` does not count."""
    asked = {name: value for name, value in task.args.items() if name != "since"}
    return canonical([task.kind, asked])


def canonical(value: Any) -> str:
    """Return a canonical form: equal values have equal forms."""
    return msgspec.json.encode(value, order="sorted").decode()


def difference(expected: Any, told: Any, where: str = "") -> str:
    """Name the first place where two values differ."""
    if isinstance(expected, dict) and isinstance(told, dict):
        for name in (*expected, *told):
            if name not in expected or name not in told:
                return f"{where}.{name} is in one only"
            if expected[name] != told[name]:
                return difference(expected[name], told[name], f"{where}.{name}")
    if isinstance(expected, list) and isinstance(told, list) and len(expected) == len(told):
        for place, (one, other) in enumerate(zip(expected, told, strict=True)):
            if one != other:
                return difference(one, other, f"{where}[{place}]")
    return f"{where or 'the answer'}: {_short(expected)}, {_short(told)}"


def _short(value: Any) -> str:
    return canonical(value)[:160]
