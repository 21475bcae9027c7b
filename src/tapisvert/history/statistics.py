"""A player's statistics: counted from stored rounds and transfers, never sampled.

Voided and reversed rounds are left out: they have no result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from pathlib import Path

from msgspec import Struct

from tapisvert.history import round_queries
from tapisvert.history.best_hands import BestHand, best_hands
from tapisvert.history.bet_counts import GameCount, game_counts
from tapisvert.rounds.context import QueryContext

POINTS_MAX = 200


class Point(Struct, frozen=True):
    """The player's net result after a number of rounds."""

    rounds: int
    net_cents: int


class Win(Struct, frozen=True):
    """A won round."""

    round_id: str
    game: str
    net_cents: int


class Statistics(Struct, frozen=True):
    """A player's results."""

    rounds: int
    won: int
    lost: int
    left_out: int  # voided or reversed
    staked_cents: int
    returned_cents: int
    longest_won: int
    longest_lost: int
    biggest_win: Win | None
    curve: tuple[Point, ...]
    games: tuple[GameCount, ...]
    best_hands: tuple[BestHand, ...]
    hands_of: int  # number of newest rounds searched for the best hands


def statistics(context: QueryContext, proofs: Path | None = None) -> Statistics:
    """Return a player's statistics; `proofs` is the folder of proofs that are not shipped."""
    rows = round_queries.nets(context.tx, context.player.id)
    nets = [net for _, net in rows]
    games = game_counts(context, proofs)
    hands, hands_of = best_hands(context)
    return Statistics(
        rounds=len(nets),
        won=sum(net > 0 for net in nets),
        lost=sum(net < 0 for net in nets),
        left_out=round_queries.ended(context.tx, context.player.id) - len(nets),
        staked_cents=sum(each.staked_cents for each in games),
        returned_cents=sum(each.returned_cents for each in games),
        longest_won=longest(net > 0 for net in nets),
        longest_lost=longest(net < 0 for net in nets),
        biggest_win=_win(context, *max(rows, key=lambda row: (row[1], -row[0]), default=(0, 0))),
        curve=curve(nets),
        games=games,
        best_hands=hands,
        hands_of=hands_of,
    )


def curve(nets: Sequence[int]) -> tuple[Point, ...]:
    """Return the net result after each round; with many rounds, after every n-th.

    >>> [(point.rounds, point.net_cents) for point in curve([100, -300, 50])]
    [(1, 100), (2, -200), (3, -150)]
    """
    step = max(1, -(-len(nets) // POINTS_MAX))
    return tuple(
        Point(rounds, total)
        for rounds, total in enumerate(accumulate(nets), 1)
        if rounds % step == 0 or rounds == len(nets)
    )


def longest(happened: Iterable[bool]) -> int:
    """Return the length of the longest run of true values.

    >>> longest([True, False, True, True])
    2
    """
    return max((len(list(run)) for it_did, run in groupby(happened) if it_did), default=0)


def _win(context: QueryContext, seq: int, net_cents: int) -> Win | None:
    """Return the round with this seq; None if it was not won."""
    row = round_queries.numbered(context.tx, seq)
    return Win(row[0], row[1], net_cents) if row and net_cents > 0 else None
