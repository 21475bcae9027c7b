"""Runs of open rounds in memory: an answer continues a run instead of repeating it from the deal.

A run is found only under everything that its events depend on, and it is taken out to be continued.
So a command that is decided again, or a round whose row has changed, is replayed from the
beginning, and the result is the same. Pure in this sense: what is in memory changes no outcome.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tapisvert.engine import Answer, Run, Transcript
from tapisvert.rounds.round import Round

_RUNS_MAX = 1024


class _Inputs(NamedTuple):
    """The values that a run depends on; the deck follows from seed, client seed and sheet."""

    round_id: str
    edition: int
    sheet_hash: str
    sealed_seed: bytes
    client_seed: str | None
    stakes: tuple[tuple[str, int], ...]
    answers: tuple[Answer, ...]


class OpenRuns:
    """A bounded number of runs, the newest ones. Each operation on the dictionary is atomic."""

    def __init__(self, most: int = _RUNS_MAX) -> None:
        self._most = most
        self._runs: OrderedDict[_Inputs, Run] = OrderedDict()

    def take(self, stored: Round) -> Run | None:
        """Take out the run of a stored round, if there is one."""
        return self._runs.pop(_inputs(stored, stored.stakes, stored.answers), None)

    def kept(self, stored: Round, stakes: Mapping[str, int], run: Run) -> Transcript:
        """Return the transcript of a run; keep the run for the next answer unless it is over."""
        played = run.transcript()
        if not played.settled:
            self._runs[_inputs(stored, stakes, played.answers)] = run
            if len(self._runs) > self._most:
                self._runs.popitem(last=False)
        return played


def _inputs(stored: Round, stakes: Mapping[str, int], answers: Sequence[Answer]) -> _Inputs:
    return _Inputs(
        stored.id,
        stored.edition,
        stored.sheet_hash,
        stored.sealed_seed,
        stored.client_seed,
        tuple(stakes.items()),
        tuple(answers),
    )
