"""Casino Stud, counted."""

from __future__ import annotations

from tapisvert.games.casino_stud.odds import advice, chart, pay_tables, proof, simulated_player
from tapisvert.games.casino_stud.odds.vocabulary import VOCABULARY
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.odds.mathematics import Mathematics
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.simulation import compile_player


def compile_kernels(sheet: CasinoStud) -> None:
    """Compile the kernels: simulate a cheap strategy, and count the quick bets."""
    compile_player(simulated_player.SimulatedPlayer(sheet, "optimal", no_progress))
    proof.prove(sheet)


MATHEMATICS = Mathematics(
    prove=proof.prove,
    chart=chart.chart,
    advise=advice.advise,
    player=simulated_player.SimulatedPlayer,
    compile=compile_kernels,
    vocabulary=VOCABULARY,
    shared_count=pay_tables.SHARED_COUNT,
)
