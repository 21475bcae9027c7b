"""A significant event as a value: who changed what, from what to what, and why (S3).

Pure: bank/journal.py writes these values.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

HOUSE = "house"  # the actor of events without an operator


class SignificantEvent(Struct, frozen=True, kw_only=True):
    """One event of the journal, without its number and hash."""

    at_ms: int
    kind: str
    by: str = HOUSE
    player_id: str | None = None
    round_id: str | None = None
    before: Any = None
    after: Any = None
    reason: str | None = None

    def content(self) -> tuple[int, str, str | None, str | None, str]:
        """Return the columns of the row that its hash covers."""
        data = {"by": self.by, "before": self.before, "after": self.after, "reason": self.reason}
        written = msgspec.json.encode(data).decode()
        return self.at_ms, self.kind, self.player_id, self.round_id, written
