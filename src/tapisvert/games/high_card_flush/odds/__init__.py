"""High Card Flush, counted."""

from __future__ import annotations

from tapisvert.games.high_card_flush.odds import advice, chart, proof, simulated_player
from tapisvert.games.high_card_flush.odds.vocabulary import VOCABULARY
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.mathematics import Mathematics
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.simulation import compile_player


def compile_kernels(sheet: HighCardFlush) -> None:
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
    shared_count=proof.SHARED_COUNT,
)
