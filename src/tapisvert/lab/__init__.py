"""The laboratory: computes and stores proofs and charts of any sheet."""
