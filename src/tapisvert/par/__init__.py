"""Par sheets: the rules, prices and proved figures of a game, for print."""
