"""The cost of simple strategies: each is counted exactly, for comparison with the best play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.blackjack.odds.chart import by_chart, chart_rows
from tapisvert.games.blackjack.odds.count import Weights, weigh
from tapisvert.games.blackjack.odds.dealer_outcomes import draws_again
from tapisvert.games.blackjack.odds.hands import VALUES, Counts, best_total, points
from tapisvert.games.blackjack.odds.outcomes import outcomes
from tapisvert.games.blackjack.odds.play import HIT, STAND, Felt
from tapisvert.games.blackjack.odds.rules import Rules, lay, rules_of
from tapisvert.games.blackjack.odds.strategy_count import (
    Counted,
    Habit,
    Plays,
    count,
    habitual,
    never_insures,
    plays_by,
)
from tapisvert.games.blackjack.odds.up_card import Facing, face
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.figures import Figure, counted
from tapisvert.odds.parallel import Progress, no_progress, spread

CHART = "chart"  # the strategy that depends on the up card
HABITS = ("always-stand", "never-bust", "like-the-house", CHART)


def habits(sheet: Blackjack, tell: Progress = no_progress) -> list[Figure]:
    """Count each simple strategy on one hand; none of them takes insurance."""
    return habits_by(rules_of(sheet), tell)


def habits_by(rules: Rules, tell: Progress = no_progress) -> list[Figure]:
    """Count the simple strategies under any rules, also those of no sheet."""
    plays = plays_of(rules)

    def facing(up: int) -> dict[str, Counted]:
        felt, ends = lay(rules, up)
        weights = weigh(rules.deck, up, felt, ends)
        return count_habits(rules, plays, face(rules, up, felt), felt, ends, weights)

    def work(first: int, end: int) -> list[dict[str, Counted]]:
        return [facing(up) for up in range(first, end) if rules.deck[up]]

    found = spread(work, VALUES, tell, pieces=VALUES)
    return figures_of(rules, [each for part in found for each in part])


def figures_of(rules: Rules, found: Sequence[dict[str, Counted]]) -> list[Figure]:
    """Return the figure of each strategy from its counts facing each up card."""
    return [
        counted("main", name, *outcomes(rules, [each[name] for each in found], never_insures))
        for name in found[0]
    ]


def plays_of(rules: Rules) -> dict[str, Plays]:
    """Return the play of the strategies that do not look at the up card."""
    return {name: plays_by(way) for name, way in ways_of(rules, {}).items() if name != CHART}


def count_habits(
    rules: Rules,
    plays: Mapping[str, Plays],
    facing: Facing,
    felt: Felt,
    ends: NDArray[np.float64],
    weights: Weights,
) -> dict[str, Counted]:
    """Count each simple strategy facing one up card, of which the best play is known."""
    ways = ways_of(rules, chart_rows(rules, facing))
    return {
        name: count(rules, habitual(rules, facing.up, way, plays.get(name)), felt, ends, weights)
        for name, way in ways.items()
    }


def ways_of(rules: Rules, rows: dict[str, int]) -> dict[str, Habit]:
    """Return each simple strategy as a choice function, facing the up card of these chart rows."""

    def as_the_chart_says(hand: Counts, half: bool) -> int:
        doubling = rules.doubling_halves if half else rules.doubling
        return by_chart(rows, hand, doubling, half=half)

    def like_the_house(hand: Counts, _: bool) -> int:
        return HIT if draws_again(hand, hits_soft_17=rules.hits_soft_17) else STAND

    def never_bust(hand: Counts, _: bool) -> int:
        return HIT if points(hand) <= 11 and best_total(hand) < 18 else STAND

    ways: tuple[Habit, ...] = (
        lambda hand, half: STAND,
        never_bust,
        like_the_house,
        as_the_chart_says,
    )
    return dict(zip(HABITS, ways, strict=True))
