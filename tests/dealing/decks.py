"""A million shuffled decks for the statistical tests, and planted biases.

The decks come from `tapisvert.dealing.shuffle` itself, under reproducible seeds. They are stored
position by position: row i of the array holds the i-th card of every deck.
"""

from __future__ import annotations

import hashlib
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import ACE, STANDARD
from tapisvert.dealing import Deal, shuffle

CARDS = 52
Decks = NDArray[np.uint8]  # shape (52, number of decks)
Spoil = Callable[[Decks, NDArray[np.intp]], None]

_CHUNK = 25_000


def dealt(label: str, decks: int, processes: int = 2) -> Decks:
    """Return the decks numbered 0, 1, 2, ... under this label."""
    chunks = [(label, start, min(_CHUNK, decks - start)) for start in range(0, decks, _CHUNK)]
    # Spawned, not forked: the parent may run threads, and the children need nothing of it.
    spawn = multiprocessing.get_context("spawn")
    if processes > 1 and len(chunks) > 1:
        with ProcessPoolExecutor(processes, mp_context=spawn) as pool:
            made = list(pool.map(_dealt, *zip(*chunks, strict=True)))
    else:
        made = list(starmap(_dealt, chunks))
    rows = np.frombuffer(b"".join(made), dtype=np.uint8).reshape(decks, CARDS)
    return np.ascontiguousarray(rows.T)


def _dealt(label: str, start: int, decks: int) -> bytes:
    sheet_hash = hashlib.sha256(label.encode()).hexdigest()
    made = bytearray()
    for number in range(start, start + decks):
        seed = hashlib.sha256(f"{label} {number}".encode()).digest()
        made += bytes(shuffle(seed, Deal("casino-stud", sheet_hash, str(number), ""), STANDARD))
    return bytes(made)


def spoiled(decks: Decks, spoil: Spoil, share: float, seed: int) -> Decks:
    """Return a copy in which this share of the decks, chosen at random, is biased."""
    copy = decks.copy()
    picked = np.random.default_rng(seed).random(decks.shape[1]) < share
    spoil(copy, np.flatnonzero(picked))
    return copy


def ace_on_top(decks: Decks, picked: NDArray[np.intp]) -> None:
    """Swap the first ace of the deck with its top card."""
    some = decks[:, picked]
    place = np.argmax(some >> 2 == ACE, axis=0)
    _swap(some, place)
    decks[:, picked] = some


def only_cut(decks: Decks, picked: NDArray[np.intp]) -> None:
    """Deal a new deck, cut but not shuffled; each card is equally likely at each position."""
    top = decks[0, picked].astype(np.intp)
    decks[:, picked] = (np.arange(CARDS)[:, None] + top) % CARDS


def half_shuffled(decks: Decks, picked: NDArray[np.intp]) -> None:
    """Stop the shuffle half-way: the top half has only given cards away."""
    some = np.tile(np.arange(CARDS, dtype=np.uint8)[:, None], (1, len(picked)))
    rng, columns = np.random.default_rng(26), np.arange(len(picked))
    for last in range(CARDS - 1, CARDS // 2, -1):
        other = rng.integers(0, last + 1, len(picked))
        some[last], some[other, columns] = some[other, columns], some[last].copy()
    decks[:, picked] = some


def dealt_again(decks: Decks, picked: NDArray[np.intp]) -> None:
    """Deal the deck of the previous round again."""
    later = picked[picked > 0]
    decks[:, later] = decks[:, later - 1]


def shy_deuce(decks: Decks, picked: NDArray[np.intp]) -> None:
    """When the deuce of clubs is on top, swap it with the bottom card."""
    some = decks[:, picked]
    _swap(some, np.where(some[0] == 0, CARDS - 1, 0))
    decks[:, picked] = some


def naive(decks: Decks, picked: NDArray[np.intp]) -> None:
    """Shuffle by the classic mistake: swap each card with any of the 52."""
    some = np.tile(np.arange(CARDS, dtype=np.uint8)[:, None], (1, len(picked)))
    rng, columns = np.random.default_rng(52), np.arange(len(picked))
    for place in range(CARDS):
        other = rng.integers(0, CARDS, len(picked))
        some[place], some[other, columns] = some[other, columns], some[place].copy()
    decks[:, picked] = some


def _swap(decks: Decks, place: NDArray[np.intp]) -> None:
    """Swap each deck's top card with the one at its place."""
    columns = np.arange(decks.shape[1])
    decks[0], decks[place, columns] = decks[place, columns], decks[0].copy()
