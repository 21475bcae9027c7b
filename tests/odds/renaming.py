"""The 24 renamings of suits, and sheets with other figures, shared by tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import TypeVar

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.sheets import load

S = TypeVar("S", bound=Sheet)

# For each renaming, what each card becomes.
RENAMINGS = tuple(
    tuple(4 * rank + new[suit] for rank in range(13) for suit in range(4))
    for new in permutations(range(4))
)


def renamed(cards: Iterable[int], renaming: tuple[int, ...]) -> tuple[int, ...]:
    """Return a set of cards under a renaming, ascending.

    >>> renamed([0, 5], RENAMINGS[-1])
    (3, 6)
    """
    return tuple(sorted(renaming[card] for card in cards))


def sheet_of(kind: type[S], changes: Mapping[str, object] | None = None) -> S:
    """Return the sheet a game ships with, with some figures changed."""
    sheet = with_changes(load(kind.game_id), changes or {})
    assert isinstance(sheet, kind)
    return sheet
