"""Ultimate Texas Hold'em, exactly: the results of all deals under each strategy."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numba
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tapisvert.games.ultimate.odds.boards import (
    HOUSE_PAIRS,
    LOST,
    LOST_OPENED,
    PAIRS,
    WON,
    WON_OPENED,
)
from tapisvert.games.ultimate.odds.flop_forms import count_flops
from tapisvert.games.ultimate.odds.flops import PATTERNS, flops
from tapisvert.games.ultimate.odds.forms import COUPLES, Measured, forms, measured
from tapisvert.games.ultimate.odds.play import STARTS, Strategy, best, habits
from tapisvert.games.ultimate.odds.sums import Prices, prices, sums, worth_of
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.parallel import Progress, no_progress, part, spread
from tapisvert.odds.suits import cards_of, patterns
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES

FLOPS = 10  # in a board
BOARDS = comb(50, 5)  # for a given pair
FLOP_DEALS = comb(50, 3) * PAIRS * HOUSE_PAIRS  # for a given pair and flop, turn and river in order
BOARD_DEALS = STARTS * BOARDS * HOUSE_PAIRS
ENDS = ("won", "won-not-opened", "tie", "lost", "lost-not-opened")
_MOST = 5  # raises are at most four antes; 0 is a fold


def outcomes(
    sheet: Ultimate,
    strategies: dict[str, Strategy],
    tell: Progress = no_progress,
    known: Measured | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count results of deals: by strategy, raise, category and end; and by end when all are played.

    The first counts deals by flop (each board ten times), the second by board.
    """
    asked = prices(sheet)
    known = known or measured(asked.opens_from, part(tell, 0, 0.5))
    at_river = np.zeros((_MOST, len(CATEGORIES), len(ENDS)), dtype=np.int64)
    _end_at_river(forms().weights, asked, known, at_river)
    looking = sum(not each.blind for each in strategies.values())
    done, ended = 0, []
    for each in strategies.values():
        if each.blind:
            ended.append(_blind(each, asked, at_river))
        else:
            within = part(tell, 0.5 + done / looking / 2, 0.5 + (done + 1) / looking / 2)
            ended.append(_looking(each, asked, known, at_river, within))
            done += 1
    return np.stack(ended), at_river.sum(axis=(0, 1))


def _looking(
    strategy: Strategy,
    asked: Prices,
    known: Measured,
    at_river: NDArray[np.int64],
    tell: Progress,
) -> NDArray[np.int64]:
    """Count the results of a strategy that looks at its cards before the river.

    Every deal is counted at the river first, then those with an earlier raise are moved there.
    """
    assert not strategy.always_at_river  # no strategy needs it
    ended = FLOPS * at_river
    early = strategy.before_flop
    raised = np.where(early, early, strategy.after_flop)
    every = [times for times in range(1, _MOST) if (raised == times).any()]
    for done, times in enumerate(every):
        within = part(tell, done / len(every), (done + 1) / len(every))
        _move_ends(raised_on(raised == times, within), times, asked, known, ended)
    return ended


def raised_on(chosen: NDArray[np.bool_], tell: Progress = no_progress) -> NDArray[np.int32]:
    """Count the boards, by form and couple of kinds, on which these pairs end on their flops.

    `chosen` is by pattern of the flop, and pair. A board counts for each of its ten flops.
    """
    boards, board_forms = flops(), forms()
    weights = np.bincount(boards.pattern, minlength=PATTERNS)
    spare: list[NDArray[np.int32]] = []  # 60 MB each: one per thread, not one per piece

    def work(first: int, end: int) -> None:
        try:
            counts = spare.pop()
        except IndexError:
            counts = np.zeros((len(board_forms.weights), COUPLES), dtype=np.int32)
        count_flops(
            boards.patterns[first:end],
            weights[first:end],
            board_forms,
            chosen[first:end],
            boards.pairs,
            counts,
        )
        spare.append(counts)

    spread(work, PATTERNS, tell)
    total, *others = spare
    for counts in others:
        total += counts
    return total


def _blind(strategy: Strategy, asked: Prices, at_river: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the results of a strategy that raises every pair alike, or waits with all for the
    river.

    `at_river` counts by board, by the raise worth taking there.
    """
    ended = np.zeros_like(at_river)
    early = int(strategy.before_flop[0])
    if early:
        ended[early] = at_river.sum(axis=0)
    else:
        ended += at_river
        if strategy.always_at_river:
            ended[asked.river[0]] += ended[0]
            ended[0] = 0
    return FLOPS * ended


@numba.njit(cache=True, nogil=True)
def _end_at_river(
    weights: NDArray[np.int64], asked: Prices, known: Measured, at_river: NDArray[np.int64]
) -> None:
    """Count the results of every pair on every board, by the raise worth taking at the river."""
    for form in range(len(weights)):
        for at in range(COUPLES):
            deals: int = weights[form] * known.ways[form, at]
            if deals:
                category: int = known.categories[form, at]
                result = known.results[form, at]
                last = worth_of(category << 20, result, asked)[3]
                add_ends(at_river[last, category], result, deals)


@numba.njit(cache=True, nogil=True)
def _move_ends(
    counts: NDArray[np.int32],
    times: int,
    asked: Prices,
    known: Measured,
    ended: NDArray[np.int64],
) -> None:
    """Move results from the river to a raise taken earlier."""
    for form in range(len(counts)):
        for at in range(COUPLES):
            deals: int = counts[form, at] + 0  # in 64 bits
            if deals:
                category: int = known.categories[form, at]
                result = known.results[form, at]
                last = worth_of(category << 20, result, asked)[3]
                add_ends(ended[last, category], result, -deals)
                add_ends(ended[times, category], result, deals)


@numba.njit(cache=True, nogil=True)
def add_ends(ended: NDArray[np.int64], result: NDArray[np.int32 | np.int16], deals: int) -> None:
    """Add a pair's results on a board to the five ends."""
    won, won_opened = result[WON], result[WON_OPENED]
    lost, lost_opened = result[LOST], result[LOST_OPENED]
    ended[0] += won_opened * deals
    ended[1] += (won - won_opened) * deals
    ended[2] += (HOUSE_PAIRS - won - lost) * deals
    ended[3] += lost_opened * deals
    ended[4] += (lost - lost_opened) * deals


def figure(sheet: Ultimate, strategy: str, ended: NDArray[np.int64]) -> Figure:
    """Build the figure of the main bet from the counts of its deals."""
    found = [Outcome("folded", int(ended[0].sum()), Fraction(-2), Fraction(2))]
    for times in range(1, _MOST):
        staked = Fraction(2 + times)
        won, lost = times * sheet.play.pays, Fraction(-1 - times)
        for number, row in enumerate(CATEGORIES):
            blind = sheet.blind.pays.get(row, Fraction(0))
            nets = (
                won + blind + sheet.ante.pays,
                won + blind,
                Fraction(0),
                lost - 1,
                lost,
            )
            found += [
                Outcome(f"raise-{times}-{end}-{row}", int(ended[times, number, place]), net, staked)
                for place, (end, net) in enumerate(zip(ENDS, nets, strict=True))
                if ended[times, number, place]
            ]
    return counted("main", strategy, STARTS * FLOP_DEALS, found)


def trips(sheet: Ultimate) -> Figure:
    """Count Trips over every seven cards: the player's two and the board."""
    found = patterns(7)
    rows = strengths(cards_of(found.suits, 7)) >> 20
    by_row = np.bincount(rows, weights=found.weights, minlength=len(CATEGORIES)).astype(np.int64)
    by_name = [
        Outcome(row, int(by_row[number]), sheet.trips.pays.get(row, Fraction(-1)))
        for number, row in enumerate(CATEGORIES)
    ]
    return counted("trips", "none", comb(52, 7), by_name)


def prove(sheet: Ultimate, tell: Progress = no_progress) -> list[Figure]:
    """Return the figures of every bet: the main bet under the best play, then simple strategies."""
    beside = trips(sheet)  # first, because it needs 200 MB for itself
    known = measured(prices(sheet).opens_from, part(tell, 0, 0.4))
    optimal = best(sheet, sums(sheet, part(tell, 0.4, 0.7), known))
    strategies = {"optimal": optimal, **habits(sheet)}
    ended, shown = outcomes(sheet, strategies, part(tell, 0.7, 1), known)
    counts = dict(zip(ENDS, shown.tolist(), strict=True))
    if sum(counts.values()) != BOARD_DEALS:
        raise AssertionError("some boards were not counted")
    figures = [
        replace(figure(sheet, name, ended[n]), counts=counts) for n, name in enumerate(strategies)
    ]
    return [figures[0], beside, *figures[1:]]
