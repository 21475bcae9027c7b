"""The value of each choice from the flop on, over every turn, river and pair of the house."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import STANDARD, Card
from tapisvert.games.ultimate.odds.boards import HOUSE_PAIRS, LOST, LOST_OPENED, WON, WON_OPENED
from tapisvert.games.ultimate.odds.sums import Prices, prices, worth_of
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.parallel import spread
from tapisvert.ranking.batch import Tables, rank_rows, tables
from tapisvert.ranking.standard import CATEGORIES, pack

CHECK, FOLD = "check", "fold"
_FOLDED = -2.0  # stakes on ante and blind


def options(sheet: Ultimate, player: Sequence[Card], board: Sequence[Card]) -> dict[str, float]:
    """Return the mean net result of each choice, in antes, with a board of three or five."""
    asked, opens = prices(sheet), pack(CATEGORIES.index(sheet.house.opens_with), [])
    boards = boards_of(player, board)
    pair = np.array(player, dtype=np.uint8)

    def work(first: int, end: int) -> NDArray[np.int64]:
        worths = np.zeros(3, dtype=np.int64)
        add_worths(pair, boards[first:end], asked, opens, tables(7), worths)
        return worths

    fixed, per_ante, best = np.sum(spread(work, len(boards), pieces=4), axis=0).tolist()
    whole = asked.unit * HOUSE_PAIRS * len(boards)
    raises = sheet.play.after_flop if len(board) == 3 else sheet.play.after_river
    found = {f"raise-{times}": (fixed + times * per_ante) / whole for times in raises}
    if len(board) == 3:
        return {CHECK: best / whole} | found
    return found | {FOLD: _FOLDED}


def boards_of(player: Sequence[Card], board: Sequence[Card]) -> NDArray[np.uint8]:
    """Return every board of five that contains these cards."""
    if len(board) == 5:
        return np.array([board], dtype=np.uint8)
    unseen = [card for card in STANDARD if card not in (*player, *board)]
    return np.array([(*board, *more) for more in combinations(unseen, 2)], dtype=np.uint8)


@numba.njit(cache=True, nogil=True)
def add_worths(
    pair: NDArray[np.uint8],
    boards: NDArray[np.uint8],
    asked: Prices,
    opens: int,
    tables: Tables,
    worths: NDArray[np.int64],
) -> None:
    """Add the values of a pair on each board: fixed, per ante raised, and at best."""
    room = make_room()
    for board in boards:
        fixed, per_ante, best, _ = worth_against_all(pair, board, asked, opens, tables, room)
        worths[0] += fixed
        worths[1] += per_ante
        worths[2] += best


class Room(NamedTuple):
    """Buffers for the hands of a board; the player's comes last."""

    hands: NDArray[np.uint8]
    found: NDArray[np.int32]
    result: NDArray[np.int32]


@numba.njit(cache=True, nogil=True)
def make_room() -> Room:
    """Allocate the buffers for one board at a time."""
    return Room(
        np.empty((HOUSE_PAIRS + 1, 7), dtype=np.uint8),
        np.empty(HOUSE_PAIRS + 1, dtype=np.int32),
        np.empty(4, dtype=np.int32),
    )


@numba.njit(cache=True, nogil=True)
def worth_against_all(
    pair: NDArray[np.uint8],
    board: NDArray[np.uint8],
    asked: Prices,
    opens: int,
    tables: Tables,
    room: Room,
) -> tuple[int, int, int, int]:
    """Return `worth_of` of a pair against every pair of the house on a board."""
    lay_against_all(pair, board, room.hands)
    rank_rows(
        room.hands,
        tables.no_suits,
        tables.keys,
        tables.low,
        tables.high,
        tables.unsuited,
        tables.suited,
        room.found,
    )
    compare(room.found, opens, room.result)
    return worth_of(room.found[HOUSE_PAIRS], room.result, asked)


@numba.njit(cache=True, nogil=True)
def lay_against_all(
    pair: NDArray[np.uint8], board: NDArray[np.uint8], hands: NDArray[np.uint8]
) -> None:
    """Write every hand the house may have with this board; the player's comes last."""
    used = np.zeros(52, dtype=np.bool_)
    for card in board:
        used[card] = True
    used[pair[0]] = used[pair[1]] = True
    hands[:, 2:] = board
    hands[HOUSE_PAIRS, :2] = pair
    row = 0
    for one in range(52):
        for two in range(one):
            if not used[one] and not used[two]:
                hands[row, 0], hands[row, 1] = one, two
                row += 1


@numba.njit(cache=True, nogil=True)
def compare(found: NDArray[np.int32], opens: int, result: NDArray[np.int32]) -> None:
    """Count the results of the last hand against the others."""
    mine = found[HOUSE_PAIRS]
    result[:] = 0
    for theirs in found[:HOUSE_PAIRS]:
        result[WON] += mine > theirs
        result[LOST] += mine < theirs
        result[WON_OPENED] += mine > theirs >= opens
        result[LOST_OPENED] += mine < theirs and theirs >= opens
