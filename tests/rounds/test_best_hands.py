"""The best hand: of a round the player's, of hands with a total the higher."""

from __future__ import annotations

from tapisvert.engine import HandName
from tapisvert.engine.events import Named
from tapisvert.history.best_hands import best_of, worth


def test_of_hands_with_a_total_the_higher_is_worth_more() -> None:
    totals = [worth("blackjack", HandName("hard", total=total)) for total in (12, 17, 18, 20)]
    assert totals == sorted(set(totals))
    assert worth("ultimate", HandName("pair", "A432"))[1] == 0


def test_the_best_of_a_round_is_the_players_and_no_low_hand() -> None:
    named = [
        Named(0, "player-low", HandName("five-aces")),
        Named(1, "player-high", HandName("flush")),
        Named(2, "player", HandName("straight")),
        Named(3, "house-high", HandName("five-aces")),
    ]
    assert best_of("pai-gow", named) == HandName("flush")
    assert best_of("pai-gow", named[:1]) is None
