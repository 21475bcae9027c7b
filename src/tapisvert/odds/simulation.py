"""Simulation: random rounds played by the kernels, on all cores.

Exact figures do not come from here. A simulation shows their spread over an evening, and checks
them independently. Rounds are dealt in blocks, each with its own random stream, so the same seed
gives the same rounds on any number of cores.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple, Protocol

import numba
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import Card
from tapisvert.odds.parallel import Progress, no_progress, spread

BLOCK = 1 << 14
Decks = NDArray[np.uint8]


class Played(NamedTuple):
    """Results of rounds: one column per bet, in parts of a unit of its first stake."""

    net: NDArray[np.int64]
    staked: NDArray[np.int64]
    lines: NDArray[np.int64]  # the choices: one row of codes per round, in the player's own format


class SimulatedPlayer(Protocol):
    """A player with a strategy at a game."""

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets it plays, in column order."""
        ...

    unit: int  # parts per first stake
    cards: int  # the most cards of the deck a round can need
    deck: int  # cards in the deck

    def play(self, decks: Decks) -> Played:
        """Play one round from each deck."""
        ...

    def said(self, cards: Sequence[Card], line: Sequence[int]) -> tuple[str, ...]:
        """Return the answers to the script's questions in a round with these cards and choices."""
        ...


class Summary(NamedTuple):
    """The summary of a bet: means per first stake, and the standard error of the net result."""

    bet: str
    rounds: int
    edge: float
    error: float
    staked: float
    returned: float
    nets: dict[float, int]  # the number of rounds with each net result


def simulate(
    player: SimulatedPlayer, rounds: int, seed: int, tell: Progress = no_progress
) -> list[Summary]:
    """Play this many rounds; return a summary of each bet."""

    def block(first: int, end: int) -> list[tuple[int, int, int, dict[int, int]]]:
        totals = [(0, 0, 0, dict[int, int]()) for _ in player.bets]
        for number in range(first, end):
            size = min(BLOCK, rounds - number * BLOCK)
            played = player.play(deal(seed, number, size, player.cards, player.deck))
            totals = [_add(total, played, n) for n, total in enumerate(totals)]
        return totals

    blocks = -(-rounds // BLOCK)
    pieces = spread(block, blocks, tell, pieces=blocks)
    return [
        _summary(bet, player.unit, rounds, [piece[n] for piece in pieces])
        for n, bet in enumerate(player.bets)
    ]


def compile_player(player: SimulatedPlayer) -> None:
    """Play a few rounds, so that the kernels are compiled."""
    simulate(player, rounds=100, seed=1)


def deal(seed: int, block: int, rounds: int, cards: int, deck: int) -> Decks:
    """Deal the first cards of shuffled decks, from random numbers that depend only on seed and
    block.
    """
    stream = np.random.Generator(np.random.Philox(key=np.array([seed, block], dtype=np.uint64)))
    picks = stream.integers(np.arange(cards), deck, size=(rounds, cards), dtype=np.int64)
    decks = np.empty((rounds, cards), dtype=np.uint8)
    _shuffle(picks, deck, decks)
    return decks


@numba.njit(cache=True, nogil=True)
def _shuffle(picks: NDArray[np.int64], deck: int, decks: Decks) -> None:
    """Swap each card with the one drawn for it, from the top down (Fisher-Yates)."""
    for row in range(len(picks)):
        cards = np.arange(deck)
        for place in range(picks.shape[1]):
            pick = picks[row, place]
            cards[place], cards[pick] = cards[pick], cards[place]
            decks[row, place] = cards[place]


def _add(
    total: tuple[int, int, int, dict[int, int]], played: Played, bet: int
) -> tuple[int, int, int, dict[int, int]]:
    net = played.net[:, bet]
    nets = dict(total[3])
    for value, count in zip(*np.unique(net, return_counts=True), strict=True):
        nets[int(value)] = nets.get(int(value), 0) + int(count)
    staked = int(played.staked[:, bet].sum())
    return total[0] + int(net.sum()), total[1] + int((net**2).sum()), total[2] + staked, nets


def _summary(
    bet: str, unit: int, rounds: int, pieces: list[tuple[int, int, int, dict[int, int]]]
) -> Summary:
    net, squares, staked = (
        sum(part) for part in zip(*(piece[:3] for piece in pieces), strict=True)
    )
    nets: dict[int, int] = {}
    for piece in pieces:
        for value, count in piece[3].items():
            nets[value] = nets.get(value, 0) + count
    edge, put = net / unit / rounds, staked / unit / rounds
    variance = squares / unit**2 / rounds - edge**2
    return Summary(
        bet,
        rounds,
        edge,
        sqrt(variance / rounds),
        put,
        1 + edge / put,
        {value / unit: count for value, count in sorted(nets.items())},
    )
