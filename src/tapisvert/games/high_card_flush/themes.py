"""The themes of practice at High Card Flush: whether to raise, or how much."""

from __future__ import annotations

from tapisvert.engine.view import AskView
from tapisvert.games.game import Hands, Themes


def theme(ask: AskView, hands: Hands) -> str:
    """Return the theme of a question: a longer flush allows larger raises."""
    raises = sum(option.legal and option.bet == "raise" for option in ask.options)
    return "how-much" if raises > 1 else "raise-or-fold"


THEMES = Themes(("raise-or-fold", "how-much"), theme)
