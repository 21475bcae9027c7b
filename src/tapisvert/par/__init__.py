"""Par sheets: a game on paper, with everything that was counted."""
