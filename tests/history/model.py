"""The specification: a house for one player, single-threaded, in plain dicts.

It is told one operation after another and says what each must be answered. Its wallet, ledger,
keys, steps, open rounds, switches and debts are its own and share no code with the house; only what
cards come to is asked of the game scripts (`tables.py`). What the house is free to choose, such as
an id, is taken from the answer itself, and has to be new.

`whose` is a player, or nobody: then it is the operators' own desk, where every switch is seen.
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
NOT_KEPT = "dealing/"  # a failure of the house is not kept under a key
ANY = object()  # an answer that says nothing


class No(Exception):
    """The operation must be refused, with this code and these arguments."""

    def __init__(self, code: str, **args: Any) -> None:
        self.code, self.args_told = code, args
        super().__init__(code)


class Stored(Exception):
    """The operation was done before: it must get this answer again, to the byte."""

    def __init__(self, code: str, text: str) -> None:
        self.code, self.text = code, text
        super().__init__(code)


class Unlike(Exception):
    """The order that is tried leads to other books than those that were shown in the end."""


@dataclass
class Task:
    """An operation as one player's books see it."""

    operation: Operation
    kind: str
    args: dict[str, Any]
    invoked: int
    returned: int
    code: str  # empty when no answer is known
    part: Any = None  # what of the answer concerns these books, if not all of it
    optional: bool = False  # it was never answered: it may have happened or not

    @property
    def owner(self) -> str:
        """Return the token the request came with."""
        return self.operation.request.token or ""

    @cached_property
    def told(self) -> Any:
        """What was answered. Read when it is needed: a whole history would fill the memory."""
        return msgspec.json.decode(self.operation.text) if self.part is None else self.part

    def forget(self) -> None:
        """Let go of what was read."""
        self.__dict__.pop("told", None)


class Model:
    """The books of one player, or of the desk."""

    def __init__(self, facts: Facts, tables: Tables, whose: str | None) -> None:
        self.facts, self.tables, self.whose = facts, tables, whose
        self.books = Books()

    def run(self, task: Task, rules: dict[str, Callable[[Model, Task], Any]]) -> str | None:
        """Do an operation; say what is wrong with its recorded answer, or nothing."""
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
        """Do a command under its key, or answer as the first time; refusals are kept too."""
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
        """Return what the player has."""
        return int(self.books.get("balance", 0))

    @property
    def debt(self) -> int:
        """Return what the player owes."""
        return int(self.books.get("debt", 0))

    @property
    def held(self) -> int:
        """Return what open rounds hold."""
        return sum(self.play(each).held_cents for each in self.open_rounds())

    def move(
        self, cents: int, reason: str, round_id: str | None = None, bet: str | None = None
    ) -> None:
        """Move money to the player, or from the player where it is negative."""
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
        """Write down a significant event: what was before, what after, and why."""
        told = {"by": by, "before": None, "after": None, "reason": None, **data}
        ids = self.facts.events[self.whose]
        self._same("event", ids, kind=kind, round_id=round_id, data=told)
        self.books.add("notes", (kind, round_id, canonical(told)))

    def _same(self, what: str, ids: list[int], **written: Any) -> None:
        """Give up at once an order that writes another line than the one shown at this place.

        Statements and journal are read to their end when a recording closes, so that it would be
        found wrong anyway, but only there.
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
        """Write a round down, and whether it is open."""
        self.books.put(("round", each.id), each)
        still = tuple(other for other in self.books.get("open", ()) if other != each.id)
        self.books.put("open", still if each.over else (*still, each.id))

    def open_rounds(self) -> list[Round]:
        """Return the rounds that wait for the player."""
        return [self.books.get(("round", each)) for each in self.books.get("open", ())]

    def play(self, each: Round) -> Play:
        """Return what a round has come to."""
        return self.tables.play(each)

    # Switches --------------------------------------------------------------------------------

    def stops(self) -> dict[str, tuple[str, str]]:
        """Return what is stopped: why, and by whom."""
        return {scope: (why, by) for scope, why, by in self.books.get("stops", ())}

    def switch(self, scope: str, stopped: tuple[str, str] | None) -> None:
        """Stop a scope, or take it up again."""
        stops = self.stops()
        stops.pop(scope, None)
        if stopped is not None:
            stops[scope] = stopped
        self.books.put("stops", tuple(sorted((name, *why) for name, why in stops.items())))

    @property
    def day(self) -> str:
        """Return which sheets are played by, as JSON."""
        return str(self.books.get("day"))

    @property
    def deals(self) -> bool:
        """Tell whether the source of randomness has not failed."""
        return bool(self.books.get("deals"))


def fingerprint(task: Task) -> str:
    """Return what tells two commands under one key apart; from which event on is no part of it."""
    asked = {name: value for name, value in task.args.items() if name != "since"}
    return canonical([task.kind, asked])


def canonical(value: Any) -> str:
    """Write a value so that equal ones are written alike."""
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
