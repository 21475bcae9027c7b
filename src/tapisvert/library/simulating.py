"""Random rounds played by a strategy: what the exact figures look like over an evening."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tapisvert.engine.sheet import Sheet
from tapisvert.lab import mathematics
from tapisvert.lab.cluster import Cluster
from tapisvert.lab.cluster_jobs import play_on
from tapisvert.library.refusals import check_whole, explained
from tapisvert.library.sheets import sheet_of
from tapisvert.library.simulation_file import Run, check_file, keep, kept, run_of
from tapisvert.library.tables import Cell, Rows, Shown, rows_of
from tapisvert.odds.parallel import Progress, no_progress

if TYPE_CHECKING:
    from tapisvert.odds.simulation import Summary
    from tapisvert.odds.tally import Tally

ROUNDS_MAX = 10**10
SEED_MAX = 2**63 - 1
_EVERY_S = 30.0  # seconds between two writes of the file


@dataclass(frozen=True)
class SimulatedBet(Shown):
    """The results of a bet. `error` is the standard error of `edge`, per first stake."""

    record: Summary
    """The same as `tapis simulate --json` prints it."""

    def cells(self) -> Mapping[str, Cell]:
        """Return the row of this bet."""
        found = self.record
        return {
            "bet": found.bet,
            "rounds": found.rounds,
            "edge": found.edge,
            "error": found.error,
            "staked": found.staked,
            "returned": found.returned,
            "longest_won": found.longest_won,
            "longest_lost": found.longest_lost,
            "drawdown": found.drawdown,
        }

    @property
    def bet(self) -> str:
        """The bet."""
        return self.record.bet

    @property
    def edge(self) -> float:
        """The mean net result per first stake."""
        return self.record.edge

    @property
    def error(self) -> float:
        """The standard error of `edge`."""
        return self.record.error

    @property
    def nets(self) -> dict[float, int]:
        """How often each net result came."""
        return dict(self.record.nets)


@dataclass(frozen=True)
class Simulation:
    """Simulated rounds: the same seed gives the same rounds on any number of cores."""

    sheet: Sheet
    strategy: str
    seed: int
    bets: Rows[SimulatedBet]

    def __repr__(self) -> str:
        rounds = self.bets[0].record.rounds
        return f"Simulation({self.sheet.game}, {self.strategy}, {rounds:,} rounds)"

    def _repr_html_(self) -> str:
        return self.bets._repr_html_()


@explained
def simulate(
    game: str | Sheet,
    rounds: int = 1_000_000,
    *,
    strategy: str = "optimal",
    seed: int = 1,
    out: str | Path | None = None,
    cluster: Cluster | None = None,
    prepared: Progress = no_progress,
    progress: Progress = no_progress,
) -> Simulation:
    """Play random rounds by a strategy that `games()` names.

    `out` names a file, JSON or Parquet. It is written every half minute and at the end, also after
    Ctrl-C. If it exists, the rounds it holds are not played again.
    With a `cluster` its workers play them: the same rounds, with the same result.
    `prepared` receives the progress of the counting before the first round, `progress` that of the
    rounds: fractions from 0 to 1.
    """
    asked = sheet_of(game)
    check_whole("rounds", rounds, 1, ROUNDS_MAX)
    check_whole("seed", seed, 0, SEED_MAX)
    file = None
    if out is not None:
        check_file(Path(out))
        file = Path(out), run_of(asked, strategy, seed)
    pieces: Callable[[int], Iterator[Tally]]
    if cluster is None:
        player = mathematics.simulated_player(asked, strategy, prepared)
        from tapisvert.odds.simulation import play_pieces

        pieces = partial(play_pieces, player, rounds, seed)
    else:
        pieces = partial(play_on, cluster, asked, strategy, rounds, seed)
    prepared(1.0)
    from tapisvert.odds.tally import summaries

    tally = _played(pieces, rounds, file, progress)
    found = rows_of(map(SimulatedBet, summaries(tally)))
    return Simulation(asked, strategy, seed, found)


def _played(
    pieces: Callable[[int], Iterator[Tally]],
    rounds: int,
    file: tuple[Path, Run] | None,
    progress: Progress,
) -> Tally:
    """Play the rounds that the file does not hold yet; write what is done, also if interrupted."""
    tally = None if file is None else kept(*file, rounds)
    first = tally.rounds if tally else 0
    progress(first / rounds)
    written = time.monotonic()
    try:
        for piece in pieces(first):
            tally = piece if tally is None else tally + piece
            progress(tally.rounds / rounds)
            if file is not None and time.monotonic() > written + _EVERY_S:
                keep(*file, tally)
                written = time.monotonic()
    finally:
        if file is not None and tally is not None:
            keep(*file, tally)
    assert tally is not None  # there is at least one round
    return tally
