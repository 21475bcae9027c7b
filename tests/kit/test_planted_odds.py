"""Mistakes planted in the mathematics of a game one at a time; the kit reports each."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kit.planting import STUD, Planter, found, stud_player
from tapisvert.cards import parse_hand, rank, text
from tapisvert.engine import Option, Script, Table
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.casino_stud.script import casino_stud
from tapisvert.games.game import Bet
from tapisvert.games.registry import GAMES
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.mathematics import Advice, best_of
from tapisvert.testing.case import NotRun
from tapisvert.testing.every_position import Shape, shape_of, worth
from tapisvert.testing.kit import case_of, run_check
from tapisvert.testing.proofs_check import price_keys
from tiers import long

Tell = Callable[[float], None]

# Packages ----------------------------------------------------------------------------------------


def test_mathematics_that_is_not_there(planter: Planter) -> None:
    planter.game(STUD, odds="tapisvert.nowhere")
    assert "its mathematics, tapisvert.nowhere, is not there" in found(STUD, "files")
    assert "No module named 'tapisvert.nowhere'" in found(STUD, "strategies")


def test_mathematics_that_needs_what_is_not_installed(
    planter: Planter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needy_odds.py").write_text("import no_such_library\n")
    monkeypatch.syspath_prepend(tmp_path)
    planter.game(STUD, odds="needy_odds")
    result = run_check("strategies", case_of(STUD, rounds=50))
    assert "No module named 'no_such_library'" in result.not_run


# Proofs -------------------------------------------------------------------------------------------


def test_a_side_bet_without_a_proof(planter: Planter) -> None:
    planter.game(STUD, bets={"main": GAMES[STUD].bets["main"]})
    assert "GAME.bets does not name 'bonus'" in found(STUD, "bets")


def test_a_price_that_no_proof_depends_on(planter: Planter) -> None:
    bets = {"main": Bet(("house", "ante")), "bonus": Bet(("bonus",))}
    planter.game(STUD, bets=bets)
    assert "the price play.pays.flush is in no bet's fields" in found(STUD, "price-fields")


def test_a_proof_kept_for_another_sheet(planter: Planter) -> None:
    planter.write(STUD, "sheet.toml", 'flush = "5:1"', 'flush = "7:1"')
    told = found(STUD, "proofs")
    assert "proofs.json has no proof of 'main' for the shipped sheet" in told
    assert "chart.json has no chart" in told


def test_a_proof_whose_outcomes_come_to_another_edge(planter: Planter) -> None:
    planter.write(STUD, "proofs.json", '"net": "3/1"', '"net": "4/1"')
    assert "but its outcomes come to" in found(STUD, "proofs")


def test_a_kept_proof_that_is_not_what_the_mathematics_counts(planter: Planter) -> None:
    def prove(sheet: Any, tell: Tell) -> list[Figure]:
        return [figure(bet, price_keys(sheet)) for bet in ("main", "bonus")]

    planter.mathematics(STUD, prove=prove)
    told = found(STUD, "proofs", rounds=1_000)
    assert "the kept proof of 'main' is not what its mathematics counts" in told
    assert "the kept proof of 'bonus' is not what its mathematics counts" in told


def test_a_pay_row_without_a_price_in_the_kept_proof(planter: Planter) -> None:
    planter.write(STUD, "proofs.json", '"name": "won-full-house"', '"name": "won-other"')
    assert "has no outcome for play.pays.full-house" in found(STUD, "prices")


@pytest.mark.parametrize("left_out", ["play.pays.full-house", "bonus.pays.flush", "ante.pays"])
def test_a_part_of_the_game_left_out_of_the_proof(planter: Planter, left_out: str) -> None:
    """As with a forgotten ante bonus: the proof does not depend on its price."""

    def prove(sheet: Any, tell: Tell) -> list[Figure]:
        """Stub of a proof: figures that depend on every price of a bet except one."""
        prices = {key: price for key, price in price_keys(sheet).items() if key != left_out}
        return [figure(bet, prices) for bet in ("main", "bonus")]

    planter.mathematics(STUD, prove=prove)
    bet = "bonus" if left_out.startswith("bonus") else "main"
    told = found(STUD, "prices", rounds=1_000)
    assert told == f"{STUD}: the proof of {bet!r} leaves out the price {left_out}"


def figure(bet: str, prices: dict[str, Fraction]) -> Figure:
    """Return a figure whose edge is the sum of the bet's prices."""
    own = [price for key, price in prices.items() if key.startswith("bonus") == (bet == "bonus")]
    return counted(bet, "none", 1, [Outcome("won", 1, sum(own, Fraction(0)))])


@long
def test_a_real_proof_that_leaves_a_price_out(planter: Planter) -> None:
    own = planter.mathematics(STUD)

    def prove(sheet: Any, tell: Tell) -> Any:
        return own.prove(with_changes(sheet, {"ante.pays": "1:1"}), tell)

    planter.mathematics(STUD, prove=prove)
    told = found(STUD, "prices", rounds=1_000)
    assert told == f"{STUD}: the proof of 'main' leaves out the price ante.pays"


def test_a_proof_that_depends_on_the_price_of_another_bet(planter: Planter) -> None:
    def prove(sheet: Any, tell: Tell) -> list[Figure]:
        prices = price_keys(sheet)
        stray = {"ante.more": prices["bonus.pays.flush"]}
        return [figure("main", prices | stray), figure("bonus", prices)]

    planter.mathematics(STUD, prove=prove)
    told = found(STUD, "prices", rounds=1_000)
    assert "the proof of 'main' changes with bonus.pays.flush" in told


def test_a_strategy_without_a_player_and_without_a_proof(planter: Planter) -> None:
    planter.game(STUD, strategies=(*GAMES[STUD].strategies[:1], "by-feeling"))

    def player(sheet: Any, strategy: str, tell: Tell) -> Any:
        return {"optimal": object()}[strategy]

    planter.mathematics(STUD, player=player)
    told = found(STUD, "strategies")
    assert "'optimal' has no" not in told
    assert "strategy 'by-feeling' has no proof of 'main'" in told
    assert "strategy 'by-feeling' has no simulated player" in told
    assert "GAME.strategies does not name 'always-play', which is proved" in told


def test_a_strategy_called_blind_that_looks_at_its_cards(planter: Planter) -> None:
    planter.mathematics(STUD, player=lambda sheet, strategy, tell: stud_player(strategy))
    assert found(STUD, "strategies") == ""  # `always-play` is blind
    planter.game(STUD, blind=("always-play", "pair-or-better"))
    told = found(STUD, "strategies")
    assert "GAME.blind names 'pair-or-better', which answers 'play-or-fold' by 'play' and" in told
    assert "'always-play'" not in told


class Underpaying:
    """A simulated player that pays nothing for two pair."""

    def __init__(self, player: Any, sheet: Any) -> None:
        self._player, self._two_pair = player, 1 + sheet.play.times_ante * 2
        self.bets, self.unit = player.bets, player.unit
        self.cards, self.deck, self.said = player.cards, player.deck, player.said

    def play(self, decks: Any) -> Any:
        played = self._player.play(decks)
        played.net[played.net[:, 0] == self._two_pair, 0] -= 1
        return played


def test_a_simulated_player_that_pays_a_row_wrongly(planter: Planter) -> None:
    def player(sheet: Any, strategy: str, tell: Tell) -> Any:
        return Underpaying(stud_player(strategy), sheet)

    planter.mathematics(STUD, player=player)
    told = found(STUD, "settlement", rounds=500)
    assert "settles 'main' otherwise than the script" in told


@long
def test_a_script_that_pays_otherwise_than_the_proof_says(planter: Planter) -> None:
    """The ante pays double: the mean differs from the proof, and the player from the script."""

    def generous(table: Table, sheet: Any) -> Script[None]:
        changed: Any = with_changes(sheet, {"ante.pays": "3:1"})
        return casino_stud(table, changed)

    planter.script(STUD, generous)
    planter.mathematics(STUD, player=lambda sheet, strategy, tell: stud_player(strategy))
    told = found(STUD, "settlement", rounds=2_000)
    assert "the script's mean of 'main'" in told
    assert "standard errors from the proof" in told


# Positions and live values ------------------------------------------------------------------------


def test_a_position_example_that_is_refused(planter: Planter) -> None:
    shape = dataclasses.replace(GAMES[STUD].position, example={"player": ["As"], "house": ["Ac"]})
    planter.game(STUD, position=shape)
    assert "GAME.position.example is refused" in found(STUD, "positions")


def test_a_position_with_a_hidden_card(planter: Planter) -> None:
    def peeking(ask: Any, hands: Any, stakes: Any) -> dict[str, Any]:
        return {"player": hands["player"], "house": hands["house"][1:2]}

    shape = dataclasses.replace(GAMES[STUD].position, of_question=peeking)
    planter.game(STUD, position=shape)
    assert "a position of a random round is refused" in found(STUD, "positions")


def advised(planter: Planter, game: str, change: Callable[[Any, dict[str, float]], None]) -> None:
    own = planter.mathematics(game)

    def advise(sheet: Any, position: Any) -> Advice:
        options = dict(own.advise(sheet, position).options)
        change(position, options)
        return best_of(options)

    planter.mathematics(game, advise=advise)


def test_an_option_that_advise_does_not_value(planter: Planter) -> None:
    def forgetful(_: Any, options: dict[str, float]) -> None:
        del options["fold"]

    advised(planter, STUD, forgetful)
    assert "advise does not value 'fold'" in found(STUD, "positions")


def test_live_values_that_leave_a_part_out(planter: Planter) -> None:
    def unpaid(_: Any, options: dict[str, float]) -> None:
        options["play"] -= 2

    advised(planter, STUD, unpaid)
    told = found(STUD, "values", rounds=8_000)
    assert "the live value of 'play' when 'play-or-fold' is asked" in told


def test_a_live_value_off_by_a_millionth_on_one_position(planter: Planter) -> None:
    def off(position: Any, options: dict[str, float]) -> None:
        if sorted(map(text, position.cards["player"])) == ["2c", "2d"]:
            options["check"] += 1e-6
            options["raise-4"] += 1e-6

    advised(planter, "ultimate", off)
    assert "the live values of all 169 first positions" in found(
        "ultimate", "every-value", full=True
    )


# Rounds without a question ------------------------------------------------------------------------


def war(table: Table, sheet: Any, *, more: int = 0) -> Script[None]:
    """A script that compares two face-up cards; equal ones ask a question."""
    mine, theirs = table.deal("player")[0], table.deal("house")[0]
    table.lose("bonus", "bonus-below-table")
    if rank(mine) == rank(theirs):
        yield from table.ask("play-or-fold", Option("play"), Option("fold"))
        table.push("ante", "tie")
    elif more:
        table.deal("house", more)
        table.lose("ante", "house-wins")
    elif rank(mine) > rank(theirs):
        table.pay("ante", 1, "beats-house")
    else:
        table.lose("ante", "house-wins")


def test_cards_that_are_seen_say_what_a_round_without_a_question_is_worth(planter: Planter) -> None:
    planter.script(STUD, war)
    case = case_of(STUD, rounds=100)
    shape = shape_of(case)
    assert shape == Shape(seen=((0,), (1,)), hidden=())
    king, two, ace = ((card,) for card in parse_hand("Kc 2d Ah"))
    assert worth(case, shape, (king, two)) == 1.0
    assert worth(case, shape, (king, ace)) == -1.0


def test_cards_that_are_dealt_later_are_not_summed(planter: Planter) -> None:
    planter.script(STUD, partial(war, more=2))
    with pytest.raises(NotRun, match="deals more cards than are seen"):
        shape_of(case_of(STUD, rounds=100))
