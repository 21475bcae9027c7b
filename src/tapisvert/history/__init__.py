"""What was played, for its player: lists, recall, statistics, proofs, other choices."""
