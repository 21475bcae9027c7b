"""The themes of practice at Pai Gow: the best that the seven cards hold."""

from __future__ import annotations

from tapisvert.engine.view import AskView
from tapisvert.games.game import Hands, Themes
from tapisvert.ranking.joker import CATEGORIES

_OF_CATEGORY = {
    "high-card": "no-pair",
    "pair": "one-pair",
    "two-pair": "two-pair",
    "three-of-a-kind": "three-of-a-kind",
    "straight": "straight-or-flush",
    "flush": "straight-or-flush",
    "full-house": "full-house-or-better",
}


def theme(ask: AskView, hands: Hands) -> str:
    """Return the theme of a question, by the best high hand that can be set."""
    best = max(CATEGORIES.index(option.hands["high"].category) for option in ask.options)
    return _OF_CATEGORY.get(CATEGORIES[best], "full-house-or-better")


THEMES = Themes(
    (
        *("no-pair", "one-pair", "two-pair", "three-of-a-kind"),
        *("straight-or-flush", "full-house-or-better"),
    ),
    theme,
)
