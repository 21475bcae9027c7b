"""protocol.d.ts matches the Python models of the messages."""

from __future__ import annotations

import re

import msgspec
import pytest
from msgspec import Struct

import protocol
from tapisvert.engine import events


def test_the_protocol_file_is_up_to_date() -> None:
    written = protocol.PAGE.read_text(encoding="utf-8")
    assert written == protocol.protocol(), "the messages have changed: make protocol"


def test_a_new_message_or_a_renamed_field_would_be_noticed() -> None:
    before = msgspec.defstruct("Coin", [("cents", int)])
    after = msgspec.defstruct("Coin", [("amount", int)])
    assert protocol.protocol([before]) != protocol.protocol([after])
    assert protocol.protocol([*protocol.MESSAGES, before]) != protocol.protocol()


def test_every_event_is_told_by_its_kind() -> None:
    written = protocol.protocol()
    for event in events.AnyEvent.__args__:
        assert f'interface {event.__name__} {{\n  kind: "{event.__struct_config__.tag}";' in written


def test_no_name_is_left_without_a_meaning() -> None:
    # `skipLibCheck` keeps the type checker from looking into the file itself.
    written = re.sub(r"//.*|/\*.*?\*/|\"[^\"]*\"", "", protocol.protocol())
    names = set(re.findall(r"\b[A-Z]\w+", written))
    told = set(re.findall(r"export (?:interface|type) (\w+)", written))
    assert names - told == {"Record"}


class Left(Struct, omit_defaults=True):
    """Some of it may be left out.

    And this is not the first line.
    """

    here: int
    there: str | None = None
    many: tuple[int | None, ...] = ()


def test_what_may_be_left_out_is_optional_and_only_the_first_line_is_told() -> None:
    assert protocol.protocol([Left]).split("\n\n", 1)[1] == (
        "/** Some of it may be left out. */\n"
        "export interface Left {\n"
        "  here: number;\n"
        "  there?: string;\n"
        "  many?: (number | null)[];\n"
        "}\n"
    )


def test_what_cannot_be_told_is_refused() -> None:
    with pytest.raises(TypeError, match="no TypeScript"):
        protocol.protocol([msgspec.defstruct("Odd", [("raw", bytes)])])
    one, other = (msgspec.defstruct("Same", [(name, int)]) for name in "ab")
    with pytest.raises(TypeError, match="two messages are called Same"):
        protocol.protocol([one, other])
