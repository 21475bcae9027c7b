"""The best play of a game on its par sheet: the game's drawing as HTML."""

from __future__ import annotations

from typing import Any

from tapisvert.games.chart_page import Grid
from tapisvert.games.registry import GAMES
from tapisvert.par.markup import table, tag
from tapisvert.words import Catalogue


def strategy(words: Catalogue, game: str, chart: Any) -> str:
    """Return the chart of a game as HTML."""
    return "".join(
        table(part.title, part.heads, part.rows, kind=part.kind)
        if isinstance(part, Grid)
        else tag("p", part)
        for part in GAMES[game].draw_chart(words, chart)
    )
