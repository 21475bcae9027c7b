"""High Card Flush, counted."""
