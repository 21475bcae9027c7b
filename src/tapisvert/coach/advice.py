"""Advice: a position in, the exact value of every option out.

Values are mean net results in units of the first stake (ante, main, the hand's stake), with the
best play afterwards. The mathematics is imported on first use.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tapisvert.coach.positions import cards_of, flags_of, sheet_of
from tapisvert.lab import chart_store
from tapisvert.lab.mathematics import mathematics_of
from tapisvert.odds.mathematics import Advice, Position


def advise(position: Mapping[str, Any], folder: Path | None = None) -> Advice:
    """Value every option of a position; `folder` has the stored charts of other sheets."""
    sheet = sheet_of(position)
    cards, flags = cards_of(sheet, position), flags_of(sheet, position)
    chart = partial(chart_store.find, sheet, folder)
    return mathematics_of(sheet).advise(sheet, Position(cards, flags, chart))
