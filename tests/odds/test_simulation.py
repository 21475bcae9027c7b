"""Simulation: the same rounds on any number of cores, paid like the script pays, near the proof."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from tapisvert.cards import STANDARD
from tapisvert.games import current
from tapisvert.odds import proofs
from tapisvert.odds.simulation import SEATS, Seat, deal, seat, simulate
from tapisvert.refusal import Refused
from tapisvert.sheets import Sheet, load
from tapisvert.table import replay

STAKE = 1_000
# Strategies that need no counting first where the best play would take long to find.
PLAYED = [
    ("casino-stud", "optimal"),
    ("high-card-flush", "optimal"),
    ("ultimate", "wait-for-the-river"),
    ("ultimate", "always-raise-first"),
]
SIDES = {"casino-stud": ("bonus",), "high-card-flush": ("flush", "straight-flush")}


@pytest.fixture(scope="module")
def seats() -> dict[tuple[str, str], Seat]:
    return {(game, strategy): seat(load(game), strategy) for game, strategy in PLAYED}


def settled(sheet: Sheet, cards: list[int], choices: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """Play a round by the script; return net and staked of the main game and of each side bet."""
    deck = [*cards, *(card for card in STANDARD if card not in cards)]
    stakes = dict.fromkeys(sheet.layout, STAKE)
    played = replay(current(sheet.game).script, sheet, deck, stakes, choices)
    assert played.settled
    sides = SIDES.get(sheet.game, ("trips",))
    found = {"main": (0, 0)} | dict.fromkeys(sides, (0, 0))
    for bet, line in played.lines.items():
        name = bet if bet in sides else "main"
        net, staked = found[name]
        staked += line.staked_cents
        found[name] = (net + line.returned_cents - line.staked_cents, staked)
    return found


@pytest.mark.parametrize(("game", "strategy"), PLAYED)
def test_the_kernels_pay_what_the_script_pays(
    game: str, strategy: str, seats: dict[tuple[str, str], Seat]
) -> None:
    player, sheet = seats[game, strategy], load(game)
    decks = deal(11, 0, 1_500, player.cards, player.deck)
    played = player.play(decks)
    for n, cards in enumerate(decks.tolist()):
        paid = settled(sheet, cards, player.said(int(played.choices[n])))
        for bet, name in enumerate(player.bets):
            net, staked = (
                int(column[n, bet]) * STAKE / player.unit for column in (played.net, played.staked)
            )
            assert [net, staked] == [*paid[name]], (cards, name)


@pytest.mark.parametrize(("game", "strategy"), PLAYED)
def test_a_simulation_lies_near_the_proof(
    game: str, strategy: str, seats: dict[tuple[str, str], Seat]
) -> None:
    exact = {proof.bet: proof for proof in proofs.find(load(game)) if proof.strategy == "none"}
    exact |= {p.bet: p for p in proofs.find(load(game)) if p.strategy == strategy}
    for found in simulate(seats[game, strategy], 60_000, seed=5):
        assert abs(found.edge - float(Fraction(exact[found.bet].edge))) < 4.5 * found.error
        assert sum(found.nets.values()) == found.rounds == 60_000


def test_the_same_seed_gives_the_same_rounds_on_any_number_of_cores(
    seats: dict[tuple[str, str], Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    player = seats["casino-stud", "optimal"]
    found = []
    for count in (1, 2, 5):
        monkeypatch.setattr("tapisvert.odds.cores.os.cpu_count", partial(int, count))
        found.append(simulate(player, 50_000, seed=3))
    assert found[0] == found[1] == found[2]
    assert simulate(player, 50_000, seed=4) != found[0]


def test_every_card_of_the_deck_comes_to_every_place_alike() -> None:
    decks = deal(1, 7, 52_000, 10, 52)
    assert all(len(set(row)) == 10 for row in decks[:200].tolist())
    for column in decks.T:
        counts = np.bincount(column, minlength=52)
        assert abs(counts - 1000).max() < 6 * 1000**0.5


@pytest.mark.parametrize("game", ["blackjack", "pai-gow"])
def test_a_game_nobody_simulates_is_refused(game: str) -> None:
    assert game not in SEATS
    with pytest.raises(Refused, match="simulate/game"):
        seat(load(game), "optimal")


def test_a_strategy_nobody_knows_is_refused() -> None:
    with pytest.raises(Refused, match="simulate/strategy"):
        seat(load("ultimate"), "by-the-moon")
