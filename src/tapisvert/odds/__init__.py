"""Exact mathematics: every figure is counted from every deal, by the sheets the tables play by."""
