"""The laboratory: proofs and charts of any sheet, made and kept."""
