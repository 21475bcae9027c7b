"""Switches, the journal and the house itself; and every rule of the model by its operation."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec

from history.model import Model, No, Task
from history.office_rules import (
    by,
    can_draw,
    deposit,
    expire,
    new_token,
    pay_debt,
    player,
    reason_of,
    show,
    void,
    withdraw,
)
from history.play_rules import PLAYER_RULES, Rule
from tapisvert.games.registry import SHIPPED

# Switches and the journal ---------------------------------------------------------------------


def switch(model: Model, task: Task) -> Any:
    """Stop or resume a scope; the answer lists the stopped scopes."""
    why, scope = reason_of(task), task.args["scope"]
    kind, _, name = scope.partition(":")
    known = {"game": name in SHIPPED, "player": name in model.facts.everyone}
    if scope != "all" and not known.get(kind):
        raise No("switch/unknown", scope=scope)
    who, before = by(model, task), model.stops().get(scope)
    stopping = task.kind == "stop"
    model.switch(scope, (why, who) if stopping else None)
    followed = model.whose in (None, name)  # a player's piece has only events about the player
    if followed and (stopping or before):
        change: dict[str, Any] = {
            "before": {"scope": scope, "stopped": before and before[0]},
            "after": {"scope": scope, "stopped": why if stopping else None},
        }
        model.note("stopped" if stopping else "resumed", who, **change, reason=why)
    return stops(model, task)


def stops(model: Model, task: Task) -> Any:
    """Return every stopped scope, with reason and operator."""
    every = model.stops().items()
    return {
        "stopped": {
            scope: {"scope": scope, "reason": why, "by": who} for scope, (why, who) in every
        }
    }


def events(model: Model, task: Task) -> Any:
    """Return the lines of a page of the journal about this player, newest first."""
    ids = model.facts.events[model.whose]
    count = model.books.get("notes", 0)
    lines = []
    for place in range(count - 1, -1, -1):
        number = ids[place] if place < len(ids) else task.args["from"]
        if task.args["from"] <= number < task.args["before"]:
            kind, round_id, data = model.books.get(("notes", place))
            lines.append([kind, round_id, msgspec.json.decode(data)])
        elif number < task.args["from"]:
            break
    return lines


# What the recorder does -----------------------------------------------------------------------


def start(model: Model, task: Task) -> Any:
    """Open the house, with the sheets of a day."""
    model.books.put("day", msgspec.json.encode(task.args).decode())
    model.books.put("deals", True)
    return None


def source_fails(model: Model, task: Task) -> Any:
    """Fail the entropy source once; nothing is dealt until the next start."""
    model.books.put("deals", False)
    if model.whose is None:
        change: dict[str, Any] = {"before": {"dealing": "ok"}, "after": {"dealing": "failed"}}
        model.note("dealing_failed", "house", **change)
    raise No("dealing/unavailable")


def operator(model: Model, task: Task) -> Any:
    """Create an operator on the command line."""
    name = task.args["name"]
    model.note("operator_created", "cli", after={"name": name})
    return {"name": name, "token": task.told["token"]}


def nobody_comes(model: Model, task: Task) -> Any:
    """Refuse a guest: only because no random bytes can be drawn."""
    can_draw(model)
    return "a new guest"


# Who asks -------------------------------------------------------------------------------------


def with_name(rule: Rule, model: Model, task: Task) -> Any:
    """Refuse an unknown operator."""
    by(model, task)
    return rule(model, task)


def with_name_and_key(rule: Rule, model: Model, task: Task) -> Any:
    """Run an operator's command once."""
    name = by(model, task)
    return model.once(task, f"operator {name}", lambda: rule(model, task))


COMMANDS: dict[str, Rule] = {
    "deposit": deposit,
    "withdraw": withdraw,
    "pay-debt": pay_debt,
    "void": void,
    "stop": switch,
    "resume": switch,
}
ASKED = {"player": player, "new-token": new_token, "show": show, "stops": stops, "events": events}
RULES: dict[str, Rule] = {
    **PLAYER_RULES,
    **{kind: partial(with_name, rule) for kind, rule in ASKED.items()},
    **{kind: partial(with_name_and_key, rule) for kind, rule in COMMANDS.items()},
    "expire": expire,
    "start": start,
    "source-fails": source_fails,
    "operator": operator,
    "nobody-comes": nobody_comes,
}
