"""Simulation: independent of the number of cores, settled like the script, close to the proof."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from itertools import pairwise

import pytest

from odds.script_rounds import WRONG, means, play
from tapisvert.engine.sheet_file import with_changes
from tapisvert.lab import proof_store
from tapisvert.lab.mathematics import simulated_player
from tapisvert.lab.simulated_rounds import simulate_block
from tapisvert.odds.simulation import SimulatedPlayer, deal, simulate
from tapisvert.odds.tally import summaries, total
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.testing.settlement import ERRORS
from tiers import few_or_many, long

# In the first tier: the players that need little counting before the first round. The players of
# the other three games are of the second tier.
FIRST = {
    "ultimate": "wait-for-the-river",
    "pai-gow": "house-way",
}
MORE = [
    ("casino-stud", "optimal"),
    ("high-card-flush", "optimal"),
    ("blackjack", "each-hand-alone"),
    ("ultimate", "always-raise-first"),
    ("blackjack", "optimal"),
    ("blackjack", "chart"),
    ("pai-gow", "best-low"),
]
PLAYED = [*FIRST.items(), *(pytest.param(*each, marks=long) for each in MORE)]
each_player = pytest.mark.parametrize(("game", "strategy"), PLAYED)


@cache
def seated(game: str, strategy: str) -> SimulatedPlayer:
    """Return a cached simulated player of the shipped sheet."""
    return simulated_player(load(game), strategy)


@each_player
@pytest.mark.parametrize("rounds", few_or_many(200, 2_000))
def test_R8_the_kernels_pay_what_the_script_pays(game: str, strategy: str, rounds: int) -> None:
    assert play(load(game), seated(game, strategy), 0, rounds).otherwise == []


@pytest.mark.parametrize(("game", "strategy"), PLAYED[: len(WRONG)])
def test_R8_a_price_that_the_script_gets_wrong_is_found_by_the_kernels(
    game: str, strategy: str
) -> None:
    """The mean finds it too, over more rounds than a test can play: see `script_rounds.py`."""
    player = seated(game, strategy)
    assert play(with_changes(load(game), WRONG[game]), player, 0, 200).otherwise


@long
def test_R8_a_price_that_the_script_gets_wrong_shows_in_the_mean() -> None:
    sheet, player = load("casino-stud"), seated("casino-stud", "optimal")
    for changes, found in (({}, False), (WRONG["casino-stud"], True)):
        script = with_changes(sheet, changes)
        main = means(script, player, "optimal", 10_000, [play(script, player, 0, 10_000)])[0]
        assert (abs(main.off) > ERRORS) == found


@long
def test_insurance_and_even_money_are_taken_where_they_pay() -> None:
    sheet = with_changes(
        load("blackjack"), {"insurance.pays": "3:1", "hand.even_money_pays": "3:2"}
    )
    player = simulated_player(sheet, "each-hand-alone")
    decks = deal(11, 0, 3_000, player.cards, player.deck)
    lines = player.play(decks).lines.tolist()
    said = {word for n, line in enumerate(lines) for word in player.said(decks[n].tolist(), line)}
    assert said == {"stand", "hit", "double", "split", "insure", "even-money"}
    assert play(sheet, player, 0, 3_000).otherwise == []


@each_player
def test_a_simulation_lies_near_the_proof(game: str, strategy: str) -> None:
    exact = {proof.bet: proof for proof in proof_store.find(load(game)) if proof.strategy == "none"}
    exact |= {p.bet: p for p in proof_store.find(load(game)) if p.strategy == strategy}
    exact |= dict.fromkeys(("hand-1", "hand-2"), exact["main"])
    for found in simulate(seated(game, strategy), 60_000, seed=5):
        assert sum(found.nets.values()) == found.rounds == 60_000
        if found.bet != "royal":  # its proof is the long run's, with a pot that grows
            assert abs(found.edge - float(Fraction(exact[found.bet].edge))) < 4.5 * found.error


def test_the_same_seed_gives_the_same_rounds_on_any_number_of_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player = seated("casino-stud", "optimal")
    found = []
    for count in (1, 2, 5):
        monkeypatch.setattr("tapisvert.odds.parallel.os.cpu_count", partial(int, count))
        found.append(simulate(player, 50_000, seed=3))
    assert found[0] == found[1] == found[2]
    assert simulate(player, 50_000, seed=4) != found[0]


def test_blocks_played_apart_add_up_to_the_whole() -> None:
    sheet = load("casino-stud")
    cuts = [0, 1, 20_000, 20_001, 50_000]
    parts = [simulate_block(sheet, "optimal", 3, a, b - a) for a, b in pairwise(cuts)]
    assert summaries(total(parts)) == simulate(seated("casino-stud", "optimal"), 50_000, seed=3)


def test_a_strategy_nobody_knows_is_refused() -> None:
    with pytest.raises(Refused, match="simulate/strategy"):
        simulated_player(load("ultimate"), "by-the-moon")
