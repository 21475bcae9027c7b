"""Three Card Poker, counted."""

from __future__ import annotations

from tapisvert.odds.mathematics import Mathematics
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.simulation import compile_player

from three_card_poker.odds import advice, chart, proof, simulated_player
from three_card_poker.sheet import ThreeCardPoker


def compile_kernels(sheet: ThreeCardPoker) -> None:
    """Play a few rounds and count every deal: both take seconds."""
    compile_player(simulated_player.SimulatedPlayer(sheet, "optimal", no_progress))
    proof.prove(sheet)


MATHEMATICS = Mathematics(
    prove=proof.prove,
    chart=chart.chart,
    advise=advice.advise,
    player=simulated_player.SimulatedPlayer,
    compile=compile_kernels,
)
