"""Runs of open rounds in memory: an answer continues a run instead of repeating it from the deal.

The key of a run holds every value that its events depend on, and a run is removed when it is
continued. So a command that is decided again, or a round whose row has changed, is replayed from
the deal. The cache saves time and changes no outcome.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tapisvert.engine import Answer, Run
from tapisvert.rounds.round import Round

_RUNS_MAX = 1024


class _Inputs(NamedTuple):
    """The key of a run: its inputs. Seed, client seed and sheet determine the deck."""

    round_id: str
    game: str
    edition: int
    sheet_hash: str
    sealed_seed: bytes
    client_seed: str | None
    stakes: tuple[tuple[str, int], ...]
    answers: tuple[Answer, ...]


class OpenRuns:
    """A cache of the newest runs, at most `most`.

    Threads share it without a lock: each operation of the dictionary is atomic in CPython.
    """

    def __init__(self, most: int = _RUNS_MAX) -> None:
        self._most = most
        self._runs: OrderedDict[_Inputs, Run] = OrderedDict()

    def take(self, stored: Round) -> Run | None:
        """Remove and return the run of a stored round; None if it is not cached."""
        return self._runs.pop(_inputs(stored, stored.stakes, stored.answers), None)

    def put(
        self, stored: Round, stakes: Mapping[str, int], answers: Sequence[Answer], run: Run
    ) -> None:
        """Cache the run of a round that waits for its next answer, as the newest."""
        inputs = _inputs(stored, stakes, answers)
        self._runs.pop(inputs, None)  # a deal decided again: reinsert it as the newest
        self._runs[inputs] = run
        if len(self._runs) > self._most:
            self._runs.popitem(last=False)


def _inputs(stored: Round, stakes: Mapping[str, int], answers: Sequence[Answer]) -> _Inputs:
    return _Inputs(
        stored.id,
        stored.game,
        stored.edition,
        stored.sheet_hash,
        stored.sealed_seed,
        stored.client_seed,
        tuple(stakes.items()),
        tuple(answers),
    )
