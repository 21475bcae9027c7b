"""Accounts and transfers. The bank knows no game."""
