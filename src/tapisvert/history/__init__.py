"""Read models of a player's rounds: lists, recall, statistics, proofs, what-if."""
