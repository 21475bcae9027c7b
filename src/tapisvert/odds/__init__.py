"""Exact mathematics: every figure is counted over all deals, from the sheets the tables use."""
