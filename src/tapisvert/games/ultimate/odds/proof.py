"""Ultimate Texas Hold'em, exactly: the results of all deals under each strategy."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import NamedTuple

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
    classes,
    measure,
)
from tapisvert.games.ultimate.odds.flops import flops
from tapisvert.games.ultimate.odds.play import STARTS, Strategy, best, habits
from tapisvert.games.ultimate.odds.sums import Prices, flop_of, prices, sums, worth_of
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.parallel import Progress, no_progress, part, spread
from tapisvert.odds.suits import cards_of, patterns
from tapisvert.ranking.batch import Tables, strengths, tables
from tapisvert.ranking.standard import CATEGORIES

BOARDS = comb(50, 5)  # for a given pair
FLOP_DEALS = comb(50, 3) * PAIRS * HOUSE_PAIRS  # for a given pair and flop, turn and river in order
BOARD_DEALS = STARTS * BOARDS * HOUSE_PAIRS
ENDS = ("won", "won-not-opened", "tie", "lost", "lost-not-opened")
_COUNT_BITS, _COUNT = 8, 255
_MOST = 5  # raises are at most four antes; 0 is a fold


def outcomes(
    sheet: Ultimate, strategies: dict[str, Strategy], tell: Progress = no_progress
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count results of deals: by strategy, raise, category and end; and by end when all are played.

    The first counts deals by flop (each board ten times), the second by board.
    """
    boards = patterns(5)
    cards = np.sort(cards_of(boards.suits, 5), axis=1)
    asked, known = prices(sheet), flops()
    numbers, _ = classes()
    looking = [each for each in strategies.values() if not each.blind]
    assert not any(each.always_at_river for each in looking)  # no strategy needs it

    def work(first: int, end: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        ended = np.zeros((len(looking), _MOST, len(CATEGORIES), len(ENDS)), dtype=np.int64)
        at_river = np.zeros((_MOST, len(CATEGORIES), len(ENDS)), dtype=np.int64)
        _end_boards(
            cards[first:end],
            boards.weights[first:end],
            asked,
            numbers,
            tables(7),
            Renaming(known.pattern, known.renaming, known.cards, known.pairs),
            np.stack([each.before_flop for each in looking]),
            np.stack([each.after_flop for each in looking]),
            ended,
            at_river,
        )
        return ended, at_river

    pieces = spread(work, len(cards), tell)
    found, at_river = (np.sum([each[n] for each in pieces], axis=0) for n in range(2))
    seen = iter(found)
    ended = [
        _blind(each, asked, at_river) if each.blind else next(seen) for each in strategies.values()
    ]
    return np.stack(ended), at_river.sum(axis=(0, 1))


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
    return 10 * ended


class Renaming(NamedTuple):
    """The renaming of any flop to its pattern, in the form the kernel reads."""

    pattern: NDArray[np.int16]
    renaming: NDArray[np.int8]
    cards: NDArray[np.uint8]
    pairs: NDArray[np.int16]


@numba.njit(cache=True, nogil=True)
def _end_boards(
    boards: NDArray[np.uint8],
    weights: NDArray[np.int64],
    asked: Prices,
    numbers: NDArray[np.uint16],
    tables: Tables,
    known: Renaming,
    before: NDArray[np.int8],
    after: NDArray[np.int8],
    ended: NDArray[np.int64],
    at_river: NDArray[np.int64],
) -> None:
    hands = np.empty((PAIRS, 7), dtype=np.uint8)
    strengths = np.empty(PAIRS, dtype=np.int32)
    results = np.empty((PAIRS, 4), dtype=np.int32)
    last = np.empty(PAIRS, dtype=np.int64)
    raises = np.empty(PAIRS, dtype=np.int64)
    for each in range(len(boards)):
        measure(boards[each], asked.opens_from, numbers, tables, hands, strengths, results)
        for row in range(PAIRS):
            last[row] = worth_of(strengths[row], results[row], asked)[3]
            add_ends(at_river[last[row], strengths[row] >> 20], results[row], weights[each])
        for strategy in range(len(before)):
            raises[:] = 0
            raises_on_flops(boards[each], hands, known, after[strategy], raises)
            for row in range(PAIRS):
                here = ended[strategy, :, strengths[row] >> 20]
                early = before[strategy, known.pairs[hands[row, 0], hands[row, 1]]]
                if early:
                    add_ends(here[early], results[row], 10 * weights[each])
                    continue
                flops = 10
                for times in range(1, _MOST):
                    count = raises[row] >> _COUNT_BITS * times & _COUNT
                    if count:
                        add_ends(here[times], results[row], count * weights[each])
                        flops -= count
                if flops:
                    add_ends(here[last[row]], results[row], flops * weights[each])


@numba.njit(cache=True, nogil=True)
def raises_on_flops(
    board: NDArray[np.uint8],
    hands: NDArray[np.uint8],
    known: Renaming,
    after: NDArray[np.int8],
    raises: NDArray[np.int64],
) -> None:
    """Count for each pair on how many of the ten flops in a board each raise is taken.

    The counts are packed in one number, so that a flop is one addition.
    """
    for one in range(5):
        for two in range(one):
            flop = flop_of(board, one, two)
            here, becomes = after[known.pattern[flop]], known.cards[known.renaming[flop]]
            row = 0
            for lower in range(1, 47):  # in the order of `lay_out`
                with_high = known.pairs[becomes[hands[row, 1]]]
                for _ in range(lower):
                    times = np.int64(here[with_high[becomes[hands[row, 0]]]])
                    raises[row] += np.int64(1) << _COUNT_BITS * times
                    row += 1


@numba.njit(cache=True, nogil=True)
def add_ends(ended: NDArray[np.int64], result: NDArray[np.int32], deals: int) -> None:
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
    found = sums(sheet, part(tell, 0, 0.6))
    strategies = {"optimal": best(sheet, found), **habits(sheet)}
    ended, shown = outcomes(sheet, strategies, part(tell, 0.6, 1))
    counts = dict(zip(ENDS, shown.tolist(), strict=True))
    if sum(counts.values()) != BOARD_DEALS:
        raise AssertionError("some boards were not counted")
    figures = [
        replace(figure(sheet, name, ended[n]), counts=counts) for n, name in enumerate(strategies)
    ]
    return [figures[0], trips(sheet), *figures[1:]]
