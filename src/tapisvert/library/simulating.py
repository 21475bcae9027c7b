"""Random rounds played by a strategy: what the exact figures look like over an evening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapisvert.engine.sheet import Sheet
from tapisvert.lab import mathematics
from tapisvert.library.refusals import check_whole, explained
from tapisvert.library.sheets import sheet_of
from tapisvert.library.tables import Cell, Rows, rows_of
from tapisvert.odds.parallel import Progress, no_progress

if TYPE_CHECKING:
    from tapisvert.odds.simulation import Summary

ROUNDS_MAX = 10**10
SEED_MAX = 2**63 - 1


@dataclass(frozen=True)
class SimulatedBet:
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
    prepared: Progress = no_progress,
    progress: Progress = no_progress,
) -> Simulation:
    """Play random rounds by a strategy that `games()` names.

    `prepared` hears how far the counting before the first round is, `progress` how far the rounds.
    """
    asked = sheet_of(game)
    check_whole("rounds", rounds, 1, ROUNDS_MAX)
    check_whole("seed", seed, 0, SEED_MAX)
    player = mathematics.simulated_player(asked, strategy, prepared)
    prepared(1.0)
    from tapisvert.odds.simulation import simulate as play

    found = play(player, rounds, seed, progress)
    return Simulation(asked, strategy, seed, rows_of(map(SimulatedBet, found)))
