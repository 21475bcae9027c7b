"""The themes of practice at Casino Stud: what the player holds."""

from __future__ import annotations

from tapisvert.cards import RANKS, parse, rank
from tapisvert.engine.view import AskView
from tapisvert.games.game import Hands, Themes
from tapisvert.ranking.standard import HIGH_CARD, strength

_ACE_KING = {RANKS.index("A"), RANKS.index("K")}


def theme(ask: AskView, hands: Hands) -> str:
    """Return the theme of a question."""
    five = [parse(card) for card in hands["player"]]
    if strength(five) >> 20 != HIGH_CARD:
        return "pair"
    return "ace-king" if {rank(card) for card in five} >= _ACE_KING else "nothing"


THEMES = Themes(("nothing", "ace-king", "pair"), theme)
