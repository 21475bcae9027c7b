"""Commands on JSON lines: one object in, one object out; a bad line yields an error object."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from tapisvert.refusal import Refused
from tapisvert.words import catalogue, explain


def talk(answer: Callable[[bytes], bytes]) -> None:
    """Answer lines of standard input on standard output, each as soon as it is read."""
    for each in answer_lines(sys.stdin.buffer if sys.stdin else [], answer):
        sys.stdout.buffer.write(each + b"\n")
        sys.stdout.buffer.flush()


def answer_lines(lines: Iterable[bytes], answer: Callable[[bytes], bytes]) -> Iterator[bytes]:
    """Answer each line; empty lines are skipped."""
    for line in lines:
        if line.strip():
            yield answer(line)


def answered(line: bytes, answer: Callable[[dict[str, Any]], object]) -> bytes:
    """Answer one line; a refusal becomes an error object."""
    try:
        return msgspec.json.encode(answer(read_object(line)))
    except Refused as refusal:
        message = explain(catalogue("en"), refusal)
        return msgspec.json.encode({"error": {"code": refusal.code, "message": message}})


def read_object(line: bytes) -> dict[str, Any]:
    """Parse one line as a JSON object."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("request/malformed", reason=str(error)) from None
    if not isinstance(found, dict):
        raise Refused("request/malformed", reason="expected a JSON object")
    return found
