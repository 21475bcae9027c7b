"""Blackjack Royal Poker, counted."""
