"""Players and their sessions."""
