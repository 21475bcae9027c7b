"""Blackjack Royal Poker, proved: the hands and the side bet, by the sheet the table plays by.

The best play of one hand is found in doubles, right to 1e-12 (see `play`), and the
strategy found is counted in integers (see `count`). Its figures are therefore exact; and
where every choice it makes is better than the next by more than the doubles can be wrong, no other
strategy is better. A sheet whose best options tie says so in its figure: not exact, by that much.

Two hands. A hand played as if it were alone, by its own cards and the up card only, has the same
figures whatever is dealt beside it. For let s be the cards it and the house get, in order, k of
them. With another hand beside it the chance of s is a sum over the ways w the other hand can be
played out: of 1 / (52 * 51 * ...), k + |w| factors, for every w that has no card of s. Take out the
first k factors, and what is left is the chance that the other hand, dealt from a deck without s, is
played out in some way. That is 1. So both hands of a round, each played alone, have the edge of
one; only together they are not independent. (Seeing the other hand's cards is worth a little more:
`options` counts them.)
"""

from __future__ import annotations

from msgspec import structs

from tapisvert.games.blackjack.odds.hands import VALUES
from tapisvert.games.blackjack.odds.outcomes import outcomes
from tapisvert.games.blackjack.odds.royal_poker import prove_royal
from tapisvert.games.blackjack.odds.rules import Rules, lay, rules_of
from tapisvert.games.blackjack.odds.strategies import habits
from tapisvert.games.blackjack.odds.strategy_count import Counted, best_strategy, count
from tapisvert.games.blackjack.odds.up_card import face, insures
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.figures import Figure, counted
from tapisvert.odds.parallel import Progress, no_progress, part, spread

ERROR = 1e-12  # of a value found in doubles, per unit a hand can win


def prove(sheet: Blackjack, tell: Progress = no_progress) -> list[Figure]:
    """Prove the hands, one alone and two, Royal Poker, and what habits come to."""
    optimal, _ = best_play(rules_of(sheet), part(tell, 0, 0.4))
    two_hands = structs.replace(optimal, strategy="each-hand-alone")
    return [optimal, two_hands, prove_royal(sheet), *habits(sheet, part(tell, 0.4, 1))]


def best_play(rules: Rules, tell: Progress = no_progress) -> tuple[Figure, float]:
    """Count the best play of one hand; also return the least a choice was better by."""

    def work(first: int, end: int) -> list[Counted]:
        return [_facing(rules, up) for up in range(first, end) if rules.deck[up]]

    found = [each for piece in spread(work, VALUES, tell, pieces=VALUES) for each in piece]
    figure = counted("main", "optimal", *outcomes(rules, found, insures))
    closest = min(each.closest for each in found)
    error = ERROR * max(1.0, float(rules.pays))
    if closest <= error:
        figure = structs.replace(figure, exact=False, error=error)
    return figure, closest


def _facing(rules: Rules, up: int) -> Counted:
    felt, ends = lay(rules, up)
    return count(rules, best_strategy(rules, face(rules, up, felt)), felt, ends)
