"""Fortune Pai Gow Poker, counted."""
