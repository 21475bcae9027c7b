"""The adviser: what every choice is worth, from what the player may see."""
