"""Blackjack Royal Poker, proved: the hands and the side bet, by the sheet the table plays by.

The best play of one hand is found in doubles, with an error below 1e-12 (see `play`). That strategy
is then counted in integers (see `count`), so its figures are exact. Where the margin of every
choice exceeds the error, no other strategy is better. If the best options of a sheet tie, its
figure states the bound on the error.

Two hands. A hand played by its own cards and the up card only has the same figures whatever is
dealt beside it. Proof: let s be the k cards that it and the house get, in order. With another hand
beside it, the probability of s is a sum over the ways w to play out the other hand: of 1 / (52 * 51
* ...), k + |w| factors, for every w that has no card of s. Factor out the first k factors. The rest
is the probability that the other hand, dealt from a deck without s, is played out in some way,
which is 1. So each of two hands, played alone, has the edge of one hand; their results are not
independent. (Seeing the other hand's cards gains a little: `options` counts them.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from tapisvert.games.blackjack.odds.count import weigh
from tapisvert.games.blackjack.odds.hands import VALUES
from tapisvert.games.blackjack.odds.outcomes import outcomes
from tapisvert.games.blackjack.odds.royal_poker import prove_royal
from tapisvert.games.blackjack.odds.rules import Rules, lay, rules_of
from tapisvert.games.blackjack.odds.strategies import count_habits, figures_of, plays_of
from tapisvert.games.blackjack.odds.strategy_count import Counted, Plays, best_strategy, count
from tapisvert.games.blackjack.odds.up_card import face, insures
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.figures import Figure, counted
from tapisvert.odds.parallel import Progress, no_progress, spread

ERROR = 1e-12  # error of a value in doubles, per unit a hand can win


def prove(sheet: Blackjack, tell: Progress = no_progress) -> list[Figure]:
    """Prove one hand, two hands, Royal Poker, and the simple strategies."""
    rules = rules_of(sheet)
    plays = plays_of(rules)

    def work(first: int, end: int) -> list[tuple[Counted, dict[str, Counted]]]:
        return [_both_facing(rules, plays, up) for up in range(first, end) if rules.deck[up]]

    found = [each for piece in spread(work, VALUES, tell, pieces=VALUES) for each in piece]
    optimal = _best(rules, [best for best, _ in found])
    two_hands = structs.replace(optimal, strategy="each-hand-alone")
    habits = figures_of(rules, [each for _, each in found])
    return [optimal, two_hands, prove_royal(sheet), *habits]


def best_play(rules: Rules, tell: Progress = no_progress) -> tuple[Figure, float]:
    """Count the best play of one hand; also return the smallest margin of a choice."""

    def work(first: int, end: int) -> list[Counted]:
        return [_facing(rules, up) for up in range(first, end) if rules.deck[up]]

    found = [each for piece in spread(work, VALUES, tell, pieces=VALUES) for each in piece]
    return _best(rules, found), _closest(found)


def _best(rules: Rules, found: Sequence[Counted]) -> Figure:
    """Return the figure of the best play from its counts facing each up card."""
    figure = counted("main", "optimal", *outcomes(rules, found, insures))
    error = ERROR * max(1.0, float(rules.pays))
    if _closest(found) <= error:
        return structs.replace(figure, exact=False, error=error)
    return figure


def _closest(found: Sequence[Counted]) -> float:
    return min(each.closest for each in found)


def _facing(rules: Rules, up: int) -> Counted:
    felt, ends = lay(rules, up)
    return count(rules, best_strategy(rules, face(rules, up, felt)), felt, ends)


def _both_facing(
    rules: Rules, plays: Mapping[str, Plays], up: int
) -> tuple[Counted, dict[str, Counted]]:
    """Count the best play and the simple strategies; what the house can end with is found once."""
    felt, ends = lay(rules, up)
    facing, weights = face(rules, up, felt), weigh(rules.deck, up, felt, ends)
    best = count(rules, best_strategy(rules, facing), felt, ends, weights)
    return best, count_habits(rules, plays, facing, felt, ends, weights)
