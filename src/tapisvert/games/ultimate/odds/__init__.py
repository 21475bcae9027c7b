"""Ultimate Texas Hold'em, counted."""

from __future__ import annotations

from tapisvert.games.ultimate.odds import (
    advice,
    chart,
    next_decisions,
    proof,
    simulated_player,
)
from tapisvert.games.ultimate.odds.vocabulary import VOCABULARY
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.mathematics import Mathematics
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.simulation import compile_player


def compile_kernels(sheet: Ultimate) -> None:
    """Compile the kernels: simulate a cheap strategy, and count the quick bets."""
    compile_player(simulated_player.SimulatedPlayer(sheet, "wait-for-the-river", no_progress))
    proof.prove(sheet)


MATHEMATICS = Mathematics(
    prove=proof.prove,
    chart=chart.chart,
    advise=advice.advise,
    next=next_decisions.next_decisions,
    player=simulated_player.SimulatedPlayer,
    compile=compile_kernels,
    vocabulary=VOCABULARY,
)
