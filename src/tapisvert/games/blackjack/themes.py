"""The themes of practice at Blackjack: what a decision is about."""

from __future__ import annotations

from tapisvert.cards import parse
from tapisvert.engine.view import AskView
from tapisvert.games.blackjack.script import points
from tapisvert.games.game import Hands, Themes


def theme(ask: AskView, hands: Hands) -> str:
    """Return the theme of a question: a pair may be split, whatever its total."""
    if ask.key != "play":
        return "insurance"
    if any(option.id == "split" and option.legal for option in ask.options):
        return "pairs"
    assert ask.hand is not None
    _, soft = points([parse(card) for card in hands[ask.hand]])
    return "soft-totals" if soft else "hard-totals"


THEMES = Themes(("hard-totals", "soft-totals", "pairs", "insurance"), theme)
