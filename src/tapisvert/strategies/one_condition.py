"""The best rule of one condition, by exhaustion: every word with every value and list of values.

The gain of a condition depends on one column only. The levels of the column are few, so every
threshold and every set of cards held is tried. A list of single values needs no trial: each value
belongs to the best list if its own gain is positive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapisvert.odds.vocabulary import FLAG, Question, Word, Written
from tapisvert.strategies.classes import Classes

When = Mapping[str, Written | list[Written]]
_HELD_MOST = 16  # bits of a column of cards held


class Single(NamedTuple):
    """One condition, its option, the option otherwise, and the sum over all positions."""

    total: int
    when: When
    option: int
    otherwise: int


class _Swap(NamedTuple):
    """The gain of one option over another, by level of a column."""

    levels: NDArray[np.int64]
    gains: NDArray[np.int64]
    may: NDArray[np.bool_]  # the option is legal
    must: NDArray[np.bool_]  # the other one is not


def best_single(question: Question, columns: Mapping[str, Classes]) -> Single | None:
    """Return the best rule with one condition, or None if none can be played."""
    best: Single | None = None
    for name, word in question.words.items():
        classes = columns[word.column]
        for option, otherwise in permutations(range(len(classes.options)), 2):
            swap = _Swap(
                classes.columns[word.column],
                classes.sums[option] - classes.sums[otherwise],
                classes.legal[option],
                ~classes.legal[otherwise],
            )
            if (swap.must & ~swap.may).any():
                continue
            base = int(classes.sums[otherwise].sum())
            for gain, value in _tried(word, swap):
                if best is None or base + gain > best.total:
                    best = Single(base + gain, {name: value}, option, otherwise)
    return best


def _tried(word: Word, swap: _Swap) -> Iterator[tuple[int, Written | list[Written]]]:
    """Yield the gain of each value that a condition of this word may have; only the best list."""
    if word.compare.startswith("holds"):
        yield from _held(word, swap)
    elif word.compare == "one of" and word.values is not FLAG:
        yield from _listed(word, swap)
    else:
        for level in swap.levels.tolist():
            taken = {
                "at least": swap.levels >= level,
                "at most": swap.levels <= level,
                "below": swap.levels < level,
            }.get(word.compare, swap.levels == level)
            if _writable(word, level) and _allowed(swap, taken):
                yield int(swap.gains[taken].sum()), word.values.write(level)


def _allowed(swap: _Swap, taken: NDArray[np.bool_]) -> bool:
    """Tell whether both options are legal where they are chosen, and both are chosen."""
    legal = not (taken & ~swap.may).any() and not (swap.must & ~taken).any()
    return legal and bool(taken.any()) and not taken.all()


def _listed(word: Word, swap: _Swap) -> Iterator[tuple[int, list[Written]]]:
    """Yield the best list: each value that gains, or must be in it."""
    can = np.array([_writable(word, level) for level in swap.levels.tolist()])
    taken = can & swap.may & (swap.must | (swap.gains > 0))
    if _allowed(swap, taken):
        levels = swap.levels[taken].tolist()
        yield int(swap.gains[taken].sum()), [word.values.write(level) for level in levels]


def _held(word: Word, swap: _Swap) -> Iterator[tuple[int, Written | list[Written]]]:
    """Yield the gain of every set of cards held, by sums over subsets of bits."""
    used = int(np.bitwise_or.reduce(swap.levels, initial=0))
    bits = [bit for bit in range(used.bit_length()) if used >> bit & 1]
    if not bits or len(bits) > _HELD_MOST:
        return
    packed = np.zeros(len(swap.levels), dtype=np.int64)
    for place, bit in enumerate(bits):
        packed |= (swap.levels >> bit & 1) << place
    every = word.compare == "holds all"
    # Levels with all cards of the set; or with none: the other levels hold any.
    gains, bad, must, many = (
        _over_sets(packed, each, len(bits), above=every)
        for each in (swap.gains, ~swap.may, swap.must, np.ones_like(packed))
    )
    sets = np.arange(1 << len(bits))
    if not every:
        none = (1 << len(bits)) - 1 - sets
        whole = (each[-1] for each in (gains, bad, must, many))
        gains, bad, must, many = (
            total - each[none] for total, each in zip(whole, (gains, bad, must, many), strict=True)
        )
    fits = (bad == 0) & (must == int(swap.must.sum())) & (many > 0) & (many < len(packed))
    fits[0] = False
    if fits.any():
        best = int(np.where(fits, gains, np.iinfo(np.int64).min).argmax())
        yield int(gains[best]), _cards(word, [bit for n, bit in enumerate(bits) if best >> n & 1])


def _over_sets(
    packed: NDArray[np.int64], each: NDArray[np.generic], bits: int, *, above: bool
) -> NDArray[np.int64]:
    """Return, for every set of bits, the sum over the levels that contain it, or lie in it."""
    found = np.zeros(1 << bits, dtype=np.int64)
    np.add.at(found, packed, each.astype(np.int64))
    for bit in range(bits):
        shaped = found.reshape(-1, 2, 1 << bit)
        if above:
            shaped[:, 0] += shaped[:, 1]
        else:
            shaped[:, 1] += shaped[:, 0]
    return found


def _cards(word: Word, held: Sequence[int]) -> Written | list[Written]:
    found = [word.values.write(bit) for bit in reversed(held)]
    return found if len(found) > 1 else found[0]


def _writable(word: Word, level: int) -> bool:
    """Tell whether a file can name this level: what is written is read as the same level."""
    try:
        return word.values.read(word.values.write(level)) == level
    except (ValueError, IndexError):
        return False  # such as none of something
