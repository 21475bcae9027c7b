"""The operator's side: service, voids, housekeeping, jackpot figures, audit."""
