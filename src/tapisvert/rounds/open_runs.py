"""Runs of open rounds in memory: an answer continues a run instead of repeating it from the deal.

A run is found only under everything that its events depend on, and it is taken out to be continued.
So a command that is decided again, or a round whose row has changed, is replayed from the
beginning. What is in memory saves time and changes no outcome.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tapisvert.engine import Answer, Run
from tapisvert.rounds.round import Round

_RUNS_MAX = 1024


class _Inputs(NamedTuple):
    """The values that a run depends on; the deck follows from seed, client seed and sheet."""

    round_id: str
    game: str
    edition: int
    sheet_hash: str
    sealed_seed: bytes
    client_seed: str | None
    stakes: tuple[tuple[str, int], ...]
    answers: tuple[Answer, ...]


class OpenRuns:
    """A bounded number of runs, the newest ones.

    Threads share them without a lock: CPython runs each single operation of the dictionary whole.
    """

    def __init__(self, most: int = _RUNS_MAX) -> None:
        self._most = most
        self._runs: OrderedDict[_Inputs, Run] = OrderedDict()

    def take(self, stored: Round) -> Run | None:
        """Take out the run of a stored round, if there is one."""
        return self._runs.pop(_inputs(stored, stored.stakes, stored.answers), None)

    def keep(
        self, stored: Round, stakes: Mapping[str, int], answers: Sequence[Answer], run: Run
    ) -> None:
        """Keep the run of a round that waits for its next answer, as the newest."""
        inputs = _inputs(stored, stakes, answers)
        self._runs.pop(inputs, None)  # a deal that is decided again: an old place would be kept
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
