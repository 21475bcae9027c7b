"""The conformance kit: the same checks for every game (docs/check-game.md).

`tapis check-game GAME` runs it; `tapisvert.testing.plugin` makes each check a pytest test.
"""
