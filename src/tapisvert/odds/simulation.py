"""Simulation: random rounds played by the kernels, on all cores.

Exact figures come from proofs. A simulation shows how results spread over an evening, and checks
the proofs independently. Round n of a seed has the same cards on any machine, and the tallies of
blocks of rounds add up in integers, so that the result does not depend on the number of cores.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import Card
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.odds.random_deals import Decks as Decks
from tapisvert.odds.random_deals import deal as deal
from tapisvert.odds.random_deals import deal_these
from tapisvert.odds.tally import Codes as Codes
from tapisvert.odds.tally import Summary as Summary
from tapisvert.odds.tally import Tally, summaries, tally_of, total

BLOCK = 1 << 14  # rounds whose cards are in memory at once
PIECE = 1 << 18  # rounds of one piece of work for a core
MORE_CARDS = 0xFFFF  # the code of a round that needs more cards than were dealt
Ends = NDArray[np.int64]  # a row (net, staked) for each code, in parts of a unit


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


@runtime_checkable
class CodedPlayer(Protocol):
    """A player that also returns the end of each bet as a code, which is faster than `play`."""

    first_cards: int  # cards to deal at first; enough for most rounds

    @property
    def ends(self) -> tuple[Ends, ...]:
        """The net result and the stake that each code stands for, by bet."""
        ...

    def codes(self, decks: Decks) -> Codes:
        """Play one round from each deck: a row of codes per bet.

        The codes of a round that needs more cards than a row has are MORE_CARDS.
        """
        ...


def ends_of(unit: int, rows: Iterable[tuple[Fraction | int, int]]) -> Ends:
    """Return net results and stakes, given in first stakes, in parts of a unit."""
    return np.array([(int(net * unit), staked * unit) for net, staked in rows], dtype=np.int64)


def played(ends: Sequence[Ends], codes: Codes, lines: NDArray[np.int64]) -> Played:
    """Return the results that codes stand for."""
    both = [bet[each] for bet, each in zip(ends, codes, strict=True)]
    net, staked = (np.stack([bet[:, column] for bet in both], axis=1) for column in range(2))
    return Played(net, staked, lines)


def play_block(player: SimulatedPlayer, seed: int, first: int, rounds: int) -> Tally:
    """Play rounds `first`, `first` + 1, ... of a seed on one core."""
    parts = []
    for begin in range(first, first + rounds, BLOCK):
        size = min(BLOCK, first + rounds - begin)
        if isinstance(player, CodedPlayer):
            codes = _coded(player, player, seed, begin, size)
            ends: Sequence[Ends] = player.ends
        else:
            codes, ends = _numbered(player.play(deal(seed, begin, size, player.cards, player.deck)))
        parts.append(tally_of(player.unit, begin, zip(player.bets, codes, ends, strict=True)))
    return total(parts)


def play_pieces(player: SimulatedPlayer, rounds: int, seed: int, first: int = 0) -> Iterator[Tally]:
    """Play rounds `first` to `rounds` on all cores; yield their tallies in order.

    If the caller stops, pieces that have not begun are not played.
    """

    def piece(begin: int) -> Tally:
        return play_block(player, seed, begin, min(PIECE, rounds - begin))

    cores = ThreadPoolExecutor(os.cpu_count())
    try:
        waiting = [cores.submit(piece, begin) for begin in range(first, rounds, PIECE)]
        for future in waiting:
            yield future.result()
    finally:
        cores.shutdown(cancel_futures=True)


def simulate(
    player: SimulatedPlayer, rounds: int, seed: int, tell: Progress = no_progress
) -> list[Summary]:
    """Play this many rounds; return a summary of each bet."""

    def counted() -> Iterator[Tally]:
        for piece in play_pieces(player, rounds, seed):
            tell((piece.first + piece.rounds) / rounds)
            yield piece

    return summaries(total(counted()))


def compile_player(player: SimulatedPlayer) -> None:
    """Play a few rounds, so that the kernels are compiled."""
    simulate(player, rounds=100, seed=1)


def _coded(player: CodedPlayer, of: SimulatedPlayer, seed: int, first: int, rounds: int) -> Codes:
    """Return the codes of rounds; those that need more cards are played again from whole decks."""
    codes = player.codes(deal(seed, first, rounds, player.first_cards, of.deck))
    again = np.flatnonzero(codes[0] == MORE_CARDS)
    if len(again):
        codes[:, again] = player.codes(deal_these(seed, first + again, of.cards, of.deck))
    return codes


def _numbered(played: Played) -> tuple[Codes, list[Ends]]:
    """Give each different result of a bet a code."""
    codes, ends = [], []
    for net, staked in zip(played.net.T, played.staked.T, strict=True):
        rows, numbers = np.unique(np.stack((net, staked), axis=1), axis=0, return_inverse=True)
        codes.append(numbers.astype(np.uint16).ravel())
        ends.append(rows)
    return np.array(codes), ends
