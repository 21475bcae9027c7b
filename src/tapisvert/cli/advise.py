"""`tapis advise`: positions as JSON lines in, the value of each option out (docs/advise.md)."""

from __future__ import annotations

from tapisvert.cli.json_lines import answered
from tapisvert.library import advise


def answer_line(line: bytes) -> bytes:
    """Answer one position."""
    return answered(line, lambda position: advise(position).record)
