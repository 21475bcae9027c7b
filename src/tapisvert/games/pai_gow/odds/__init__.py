"""Fortune Pai Gow Poker, counted."""

from __future__ import annotations

from tapisvert.cards import parse_hand
from tapisvert.games.pai_gow.odds import advice, chart, proof, simulated_player
from tapisvert.games.pai_gow.odds.vocabulary import VOCABULARY
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.mathematics import Mathematics
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.simulation import compile_player

# The whole deck takes minutes.
_SMALL_DECK = "As Ks 9s 8s 7s 6s Kd 9d 9c 8h 6h 5c 2d Jk"


def compile_kernels(sheet: PaiGow) -> None:
    """Compile the kernels: simulate a cheap strategy, and count the quick bets."""
    compile_player(simulated_player.SimulatedPlayer(sheet, "house-way", no_progress))
    proof.prove(sheet, cards=parse_hand(_SMALL_DECK))


MATHEMATICS = Mathematics(
    prove=proof.prove,
    chart=chart.chart,
    advise=advice.advise,
    player=simulated_player.SimulatedPlayer,
    compile=compile_kernels,
    vocabulary=VOCABULARY,
)
