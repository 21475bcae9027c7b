"""The conformance kit: what every game must do, checked the same way for all (docs/check-game.md).

`tapis check-game GAME` runs it; `tapisvert.testing.plugin` gives one test per check to pytest.
"""
