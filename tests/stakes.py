"""Stakes for tests that play any game, from the spots of its sheet."""

from __future__ import annotations

from tapisvert.sheets import load


def free_spots(game: str) -> list[str]:
    """Return the spots of a game whose stake does not depend on another's, the main one first.

    >>> free_spots("ultimate"), free_spots("blackjack")
    (['ante', 'trips'], ['hand-1', 'hand-2', 'royal'])
    """
    return [spot for spot, place in load(game).layout.items() if not place.equals]


def main_stake(game: str, cents: int) -> dict[str, int]:
    """Stake on the first main spot of a game, and on spots that must match it.

    >>> main_stake("ultimate", 300), main_stake("blackjack", 300)
    ({'ante': 300, 'blind': 300}, {'hand-1': 300})
    """
    main = free_spots(game)[0]
    return {spot: cents for spot, at in load(game).layout.items() if main in (spot, at.equals)}


def stakes_on_all(game: str, *cents: int) -> dict[str, int]:
    """Stake on every spot: these amounts in spot order, at most each spot's maximum.

    >>> stakes_on_all("ultimate", 300, 200), stakes_on_all("blackjack", 300, 200)
    ({'ante': 300, 'blind': 300, 'trips': 200}, {'hand-1': 300, 'hand-2': 200, 'royal': 100})
    """
    sheet, found = load(game), dict[str, int]()
    for spot, place in sheet.layout.items():
        wanted = cents[min(free_spots(game).index(place.equals or spot), len(cents) - 1)]
        found[spot] = min(wanted, sheet.spots[spot].max_cents)
    return found
