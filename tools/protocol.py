"""Writes the messages of the API as TypeScript types, for the browser's code (`make protocol`).

The Python models define the messages. The browser's modules are type-checked against this file, so
`make check` finds a field that is renamed in Python only.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, inspect

from tapisvert.coach.warm import CoachState
from tapisvert.engine import AnyEvent
from tapisvert.history.round_proof import Proof
from tapisvert.history.statistics import Statistics
from tapisvert.learning.lessons import LessonView
from tapisvert.learning.review import RoundReview
from tapisvert.operations.jackpot_views import JackpotList
from tapisvert.rounds.game_catalogue import GameList
from tapisvert.rounds.schemas import (
    Guest,
    Recall,
    RoundList,
    RoundReply,
    Seat,
    TransferList,
    Wallet,
)
from tapisvert.web.advice import AdviceView
from tapisvert.web.cards import CardView
from tapisvert.web.drill import Drill
from tapisvert.web.jackpots import WonView
from tapisvert.web.positions import Position
from tapisvert.web.practice import PracticeReply, PracticeView
from tapisvert.web.problems import Problem
from tapisvert.web.rules import Variants
from tapisvert.web.what_if import WhatIf

PAGE = Path(__file__).parents[1] / "src/tapisvert/web/static/js/protocol.d.ts"
MESSAGES = (
    RoundReply,
    Seat,
    Wallet,
    Guest,
    RoundList,
    Recall,
    TransferList,
    Proof,
    GameList,
    AdviceView,
    CoachState,
    WhatIf,
    RoundReview,
    JackpotList,
    WonView,
    Statistics,
    Drill,
    Variants,
    Position,
    CardView,
    LessonView,
    PracticeView,
    PracticeReply,
    Problem,
)
_HEAD = "// Written by tools/protocol.py from the Python models: change them, then `make protocol`."
_PLAIN: dict[type[inspect.Type], str] = {
    inspect.AnyType: "unknown",
    inspect.BoolType: "boolean",
    inspect.FloatType: "number",
    inspect.IntType: "number",
    inspect.NoneType: "null",
    inspect.StrType: "string",
}


class Writer:
    """Collects every referenced struct, each once."""

    def __init__(self) -> None:
        self._written: dict[str, tuple[type, str]] = {}

    def page(self, messages: Sequence[type[Struct]]) -> str:
        """Return the whole file: the messages first, then the types they refer to."""
        for message in messages:
            self._name(inspect.type_info(message))
        return "\n\n".join([_HEAD, *(text for _, text in self._written.values())]) + "\n"

    def _name(self, kind: inspect.Type) -> str:
        """Return the name of a type; define the type if it is new."""
        match kind:
            case inspect.StructType(cls=cls):
                self._struct(kind)
                return cls.__name__
            case inspect.UnionType(types=types):
                return self._union(types)
            case inspect.LiteralType(values=values):
                return " | ".join(json.dumps(value) for value in values)
            case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
                name = self._name(item)
                return f"({name})[]" if " | " in name else f"{name}[]"
            case inspect.DictType(value_type=value):
                return f"Record<string, {self._name(value)}>"
            case inspect.Metadata(type=inner):
                return self._name(inner)
        try:
            return _PLAIN[type(kind)]
        except KeyError:
            raise TypeError(f"no TypeScript for {kind}") from None

    def _union(self, types: Sequence[inspect.Type]) -> str:
        """Write a union; the union of all events gets its Python name."""
        text = " | ".join(self._name(kind) for kind in types)
        if set(_classes(types)) != set(AnyEvent.__args__):
            return text
        lines = "".join(f"\n  | {self._name(kind)}" for kind in types)
        comment = "/** What can happen at a table; `kind` tells which. */\n"
        self._written["AnyEvent"] = (type(AnyEvent), f"{comment}export type AnyEvent ={lines};")
        return "AnyEvent"

    def _struct(self, kind: inspect.StructType) -> None:
        name = kind.cls.__name__
        known, _ = self._written.setdefault(name, (kind.cls, ""))
        if known is not kind.cls:
            raise TypeError(f"two messages are called {name}")
        if self._written[name][1]:
            return
        self._written[name] = (kind.cls, "...")  # placeholder: a struct may refer to itself
        tag = [f"  {kind.tag_field}: {json.dumps(kind.tag)};"] if kind.tag_field else []
        fields = "\n".join([*tag, *(self._field(kind, field) for field in kind.fields)])
        told = (kind.cls.__doc__ or name).strip().partition("\n")[0].replace("*/", "* /")
        text = f"/** {told} */\nexport interface {name} {{\n{fields}\n}}"
        self._written[name] = (kind.cls, text)

    def _field(self, kind: inspect.StructType, field: inspect.Field) -> str:
        """Write a field. A field is optional only if the struct omits defaults."""
        left_out = kind.cls.__struct_config__.omit_defaults and not field.required
        name = self._name(field.type)
        if left_out and field.default is None:
            name = name.removesuffix(" | null")  # omitted instead of null
        return f"  {field.encode_name}{'?' if left_out else ''}: {name};"


def _classes(types: Sequence[inspect.Type]) -> list[type]:
    return [kind.cls for kind in types if isinstance(kind, inspect.StructType)]


def protocol(messages: Sequence[type[msgspec.Struct]] = MESSAGES) -> str:
    """Return the expected content of the file."""
    return Writer().page(messages)


if __name__ == "__main__":
    PAGE.write_text(protocol(), encoding="utf-8")
