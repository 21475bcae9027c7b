"""Blackjack Royal Poker, counted."""

from __future__ import annotations

from tapisvert.games.blackjack.odds import (
    advice,
    chart,
    next_decisions,
    proof,
    simulated_player,
)
from tapisvert.games.blackjack.odds.rules import rules_of
from tapisvert.games.blackjack.odds.vocabulary import VOCABULARY
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.mathematics import Mathematics
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.simulation import compile_player


def compile_kernels(sheet: Blackjack) -> None:
    """Compile the kernels: simulate a cheap strategy, and count the quick bets."""
    compile_player(simulated_player.SimulatedPlayer(sheet, "each-hand-alone", no_progress))
    proof.best_play(rules_of(sheet))


MATHEMATICS = Mathematics(
    prove=proof.prove,
    chart=chart.chart,
    advise=advice.advise,
    next=next_decisions.next_decisions,
    player=simulated_player.SimulatedPlayer,
    compile=compile_kernels,
    vocabulary=VOCABULARY,
)
