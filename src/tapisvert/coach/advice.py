"""Advice: a position in, the exact value of every option out.

Values are mean net results in units of the first stake (ante, main, the hand's stake), with the
best play afterwards. The mathematics is imported on first use.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tapisvert.coach.positions import cards_of, flags_of, sheet_of, wants_next
from tapisvert.engine.sheet import Sheet
from tapisvert.lab import chart_store
from tapisvert.lab.mathematics import mathematics_of
from tapisvert.odds.mathematics import Advice, Position
from tapisvert.strategies.card_store import Applied


def advise(position: Mapping[str, Any], folder: Path | None = None) -> Advice:
    """Value every option of a position; `folder` has the stored charts of other sheets.

    With `"next": true` the advice includes the best play of the next decision, if it is computable.
    """
    wanted, (sheet, read) = wants_next(position), _read(position, folder)
    mathematics = mathematics_of(sheet)
    found = mathematics.advise(sheet, read)
    if not wanted or mathematics.next is None:
        return found
    return replace(found, next=mathematics.next(sheet, read))


def rules(position: Mapping[str, Any]) -> list[Applied]:
    """Return the rules of the strategy cards that apply to a position."""
    from tapisvert.strategies.applied import on_cards  # mathematics: see above

    return on_cards(*_read(position, None))


def _read(position: Mapping[str, Any], folder: Path | None) -> tuple[Sheet, Position]:
    """Return the sheet of a position, and its checked cards."""
    sheet = sheet_of(position)
    cards, flags = cards_of(sheet, position), flags_of(sheet, position)
    return sheet, Position(cards, flags, partial(chart_store.find, sheet, folder))
