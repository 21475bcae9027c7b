"""The coach: the exact value of every option, from what the player may see."""
