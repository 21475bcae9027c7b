"""A commit of several players' commands, divided into the rows each of them wrote.

The house decides commands one by one and writes them in that order, so a row belongs to the command
whose decision contains it. A row in no decision is attributed to the first command, which fails a
check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from simulation.letters import Moved, Noted, Request, Step, Unit
from tapisvert.refusal import Refused
from tapisvert.rounds.decide import NeedsPot, Outcome
from tapisvert.rounds.groups import _Group
from tapisvert.rounds.load import LaterGroup
from tapisvert.rounds.round import Round

_NOT_KEPT = ("store/", "dealing/", "session/")  # nothing was decided
_OF_THE_HOUSE = ("dealing_failed",)  # recorded once per server, for any request


@dataclass
class Rows:
    """The rows of a commit."""

    transfers: list[Moved] = field(default_factory=list)
    events: list[Noted] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    rounds: dict[str, Round] = field(default_factory=dict)


def group_of(work: Callable[..., Any]) -> _Group | None:
    """Return the commands that a group of players' commands decides, or None."""
    first = work.args[0] if isinstance(work, partial) and work.args else None
    return first if isinstance(first, _Group) else None


def failed(group: _Group, unit: Unit, asked: Callable[[Future[Any]], Request]) -> list[Unit]:
    """Return a unit for every command of a group that failed to commit."""
    return [replace(unit, request=asked(each.future)) for each in group.commands]


def taken_apart(
    group: _Group,
    unit: Unit,
    rows: Rows,
    asked: Callable[[Future[Any]], Request],
    begun_ms: Mapping[Future[Any], int],
) -> list[Unit]:
    """Return a unit for every command that a group has decided, with the rows it wrote.

    A command that waits for another group, or for the pot, has written nothing and is no unit yet.
    Its time stays that of its first group.
    """
    units: list[Unit] = []
    decided: list[Outcome] = []
    for waiting, found in zip(group.commands, group.found, strict=True):
        if not isinstance(found, NeedsPot | LaterGroup):
            done = found if isinstance(found, Outcome) else Outcome(_refused(found))
            units.append(
                replace(
                    unit,
                    request=asked(waiting.future),
                    at_ms=begun_ms[waiting.future],
                    outcome=done.answer,
                    raised=not _is_kept(done.answer),
                )
            )
            decided.append(done)
    _share_out(units, decided, rows)
    house = [each for each in rows.events if each.kind in _OF_THE_HOUSE]
    if house:
        units.append(replace(unit, request=_source_fails(unit), events=house))
    return units


def on_its_own(unit: Unit) -> Unit:
    """Return a unit that is no group of commands.

    When a group is rolled back, the house records the failure of its source again, for no request.
    """
    if unit.events and all(each.kind in _OF_THE_HOUSE for each in unit.events):
        return replace(unit, request=_source_fails(unit))
    return unit


def _source_fails(unit: Unit) -> Request:
    return Request(0, unit.request.party, "source-fails", unit.request.send)


def _is_kept(answer: object) -> bool:
    """Tell whether the key stores this outcome: most refusals too."""
    if isinstance(answer, Refused):
        return not answer.code.startswith(_NOT_KEPT)
    return not isinstance(answer, BaseException)


def _refused(found: object) -> Any:
    """Return the outcome of a command that was not decided."""
    assert isinstance(found, BaseException), found
    return found


def _share_out(units: Sequence[Unit], decided: Sequence[Outcome], rows: Rows) -> None:
    """Assign every row to the command that wrote it."""
    if not units:
        return
    movements, rounds = list[Unit](), dict[str, Unit]()
    for unit, done in zip(units, decided, strict=True):
        unit.transfers, unit.events, unit.steps, unit.rounds = [], [], [], {}
        if done.writes is not None:
            movements += [unit] * len(done.writes.movements)
            of_seats = [seat.id for seat in done.writes.seats]
            of_changes = [change.stored.id for change in done.writes.changes]
            rounds |= dict.fromkeys((*of_seats, *of_changes), unit)
    if len(units) == 1:
        movements = []  # with a fold before a win
    for place, moved in enumerate(rows.transfers):
        (movements[place] if place < len(movements) else units[0]).transfers.append(moved)
    for step in rows.steps:
        unit = rounds.get(step.round_id, units[0])
        unit.steps.append(step)
        if step.round_id in rows.rounds:
            unit.rounds[step.round_id] = rows.rounds[step.round_id]
    units[0].events = [each for each in rows.events if each.kind not in _OF_THE_HOUSE]
