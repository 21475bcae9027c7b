"""`tapis advise`: positions as JSON lines in, what every option is worth out (docs/advise.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tapisvert.coach.advice import advise
from tapisvert.coach.positions import malformed
from tapisvert.refusal import Refused
from tapisvert.words import catalogue, explain


def answer_lines(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Answer each line; a bad one gets an error and the next goes on. Empty lines are skipped."""
    for line in lines:
        if line.strip():
            yield answer_line(line)


def answer_line(line: bytes) -> bytes:
    """Answer one line."""
    try:
        return msgspec.json.encode(advise(_read(line)))
    except Refused as refusal:
        message = explain(catalogue("en"), refusal)
        return msgspec.json.encode({"error": {"code": refusal.code, "message": message}})


def _read(line: bytes) -> dict[str, Any]:
    try:
        position = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise malformed(str(error)) from None
    if not isinstance(position, dict):
        raise malformed("expected a JSON object")
    return position
