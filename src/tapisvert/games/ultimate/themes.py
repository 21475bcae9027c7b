"""The themes of practice at Ultimate: when the decision is made."""

from __future__ import annotations

from tapisvert.games.game import Themes

THEMES = Themes(("before-flop", "after-flop", "after-river"), lambda ask, hands: ask.key)
