"""Bankrolls: against Fractions and closed forms, with planted mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import tapisvert
from tapisvert.lab import bankroll, ruin
from tapisvert.lab.bankroll import Law, RoundLaw, law, round_law
from tapisvert.lab.ruin import Purse, after, rounds_until, ruin_ever
from tapisvert.refusal import Refused

GAMES = ["casino-stud", "ultimate", "blackjack"]
Exact = dict[int, Fraction]


@cache
def one_round(game: str, strategy: str | None = None) -> RoundLaw:
    bet = tapisvert.prove(game).bet("main", strategy)
    return round_law((each.net, each.probability) for each in bet.outcomes)


def even_money(won: Fraction, lost: Fraction) -> RoundLaw:
    """Return the law of a game that pays 1:1, with ties."""
    return round_law(
        [(Fraction(1), won), (Fraction(-1), lost), (Fraction(0), 1 - won - lost)],
    )


def played(one: RoundLaw, before: Exact) -> Exact:
    """Play one round in Fractions."""
    found: Exact = {}
    for purse, mass in before.items():
        for step, chance in zip(one.steps, one.chances, strict=True):
            found[purse + step] = found.get(purse + step, Fraction(0)) + mass * chance
    return found


def exact_law(one: RoundLaw, rounds: int) -> Exact:
    found = {0: Fraction(1)}
    for _ in range(rounds):
        found = played(one, found)
    return found


def exact_stops(
    one: RoundLaw, floor: int, goal: int, rounds: int
) -> tuple[Fraction, Fraction, Fraction]:
    """Return the probabilities of ruin and goal, and the sum of the rounds to ruin."""
    alive = {0: Fraction(1)}
    ruined = reached = taken = Fraction(0)
    for number in range(1, rounds + 1):
        alive = played(one, alive)
        lost = sum(alive.pop(purse) for purse in list(alive) if purse < floor)
        reached += sum(alive.pop(purse) for purse in list(alive) if purse >= goal)
        ruined, taken = ruined + lost, taken + number * lost
    return ruined, reached, taken


def furthest(found: Law, exact: Exact) -> Fraction:
    """Return the largest difference of the probabilities of at most a result."""
    most, true = Fraction(0), Fraction(0)
    for step in range(min(exact), max(exact) + 1):
        true += exact.get(step, Fraction(0))
        most = max(most, abs(Fraction(found.at_most(step)) - true))
    return most


def is_within_its_error(found: ruin.Bounded | None, true: Fraction) -> None:
    assert found is not None
    assert abs(Fraction(found.value) - true) <= found.error < 1e-9


@pytest.mark.parametrize("rounds", [1, 2, 3, 5])
@pytest.mark.parametrize("game", GAMES)
def test_the_law_of_few_rounds_is_that_of_fractions(game: str, rounds: int) -> None:
    one = one_round(game)
    found = law(one, rounds)
    assert furthest(found, exact_law(one, rounds)) <= found.error < 1e-12


def test_the_law_in_blocks_is_that_of_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bankroll, "_BLOCK", 8)
    one = one_round("blackjack")
    found = law(one, 12)
    assert furthest(found, exact_law(one, 12)) <= found.error < 1e-12


@pytest.mark.parametrize("game", GAMES)
def test_a_planted_mistake_in_an_outcome_is_noticed(game: str) -> None:
    right = one_round(game)
    rarest = min(range(len(right.steps)), key=lambda place: right.chances[place])
    commonest = max(range(len(right.steps)), key=lambda place: right.chances[place])
    chances = list(right.chances)
    chances[commonest] += chances[rarest]
    chances[rarest] = Fraction(0)
    nets = [Fraction(step, right.unit) for step in right.steps]
    wrong = round_law(zip(nets, chances, strict=True))
    assert len(wrong.steps) == len(right.steps) - 1
    found = law(wrong, 3)
    assert furthest(found, exact_law(right, 3)) > found.error
    ruined, _, _ = exact_stops(right, -6, 10**9, 4)
    stopped = after(wrong, -6, None, 4).ruin
    assert abs(Fraction(stopped.value) - ruined) > stopped.error


def test_probabilities_that_do_not_add_up_to_one_are_a_bug() -> None:
    with pytest.raises(AssertionError, match="add up to 1"):
        round_law([(Fraction(1), Fraction(1, 2))])


@pytest.mark.parametrize("game", GAMES)
def test_mean_and_variance_are_those_of_the_proof(game: str) -> None:
    proved = tapisvert.prove(game).main
    assert (one_round(game).mean, one_round(game).variance) == (proved.edge, proved.variance)
    found = law(one_round(game), 200)
    steps = np.arange(len(found.chances)) + found.first
    mean = float((steps * found.chances).sum()) / one_round(game).unit
    assert mean == pytest.approx(200 * float(proved.edge), abs=1e-9)


@pytest.mark.parametrize("goal", [4, 9, 10**9])
@pytest.mark.parametrize("game", GAMES)
def test_ruin_and_goal_of_few_rounds_are_those_of_fractions(game: str, goal: int) -> None:
    one, rounds, floor = one_round(game), 4, -7
    ruined, reached, taken = exact_stops(one, floor, goal, rounds)
    found = after(one, floor, goal, rounds)
    for bounded, true in ((found.ruin, ruined), (found.goal, reached)):
        assert abs(Fraction(bounded.value) - true) <= bounded.error < 1e-12
    assert found.playing.value == pytest.approx(float(1 - ruined - reached), abs=1e-12)
    is_within_its_error(found.rounds_to_ruin, taken / ruined)


@pytest.mark.parametrize("game", GAMES)
def test_ruin_by_round_is_that_of_fractions(game: str) -> None:
    one, rounds, floor, goal = one_round(game), 4, -7, 9
    found = after(one, floor, goal, rounds)
    by_round = found.ruin_by_round()
    for number in range(1, rounds + 1):
        true, _, _ = exact_stops(one, floor, goal, number)
        assert abs(Fraction(float(by_round[number - 1])) - true) <= found.ruin.error
    assert by_round[-1] == found.ruin.value


def test_ruin_by_round_goes_on_over_several_calls() -> None:
    one = one_round("casino-stud")
    whole = after(one, -40, None, 3000).ruin_by_round()
    purse = Purse(one, -40, None)
    for rounds in (1, 1030, 1969):
        purse.play(rounds, 1e9)
    assert len(whole) == 3000
    assert (purse.ruin_by_round() == whole).all()
    (median,) = [rounds_until(whole, 0.5)]
    assert median is not None
    assert whole[median - 2] < 0.5 <= whole[median - 1]
    assert rounds_until(whole, 1.0) is None
    assert len(Purse(one, -40, None).ruin_by_round()) == 0


@pytest.mark.parametrize("won", [Fraction(1, 4), Fraction(3, 10), Fraction(2, 5)])
def test_ruin_at_even_money_with_ties_is_the_gamblers(won: Fraction) -> None:
    lost, purse, goal = Fraction(3, 10), 8, 20
    one = even_money(won, lost)
    odds = lost / won
    true = 1 - Fraction(purse, goal) if odds == 1 else (odds**purse - odds**goal) / (1 - odds**goal)
    is_within_its_error(ruin_ever(one, 1 - purse, goal - purse), true)
    is_within_its_error(ruin_ever(one, 1 - purse, None), min(Fraction(1), odds) ** purse)


def test_ruin_at_pai_gow_is_the_gamblers() -> None:
    one = one_round("pai-gow", "house-way")
    lost, _, won = one.chances
    odds = lost / won
    is_within_its_error(ruin_ever(one, -9, 10), odds**10 / (1 + odds**10))


def test_a_game_that_is_never_lost_ruins_nobody() -> None:
    found = ruin_ever(
        round_law([(Fraction(0), Fraction(1, 2)), (Fraction(1), Fraction(1, 2))]), 0, 9
    )
    assert found == ruin.Bounded(0.0, 0.0)


def test_what_takes_too_long_without_time_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ruin_ever(one_round("casino-stud"), -50, 10**8) is None
    monkeypatch.setattr(ruin, "EVER_WORK_MAX", 10)
    assert ruin_ever(one_round("casino-stud"), -50, 50) is None


def test_too_much_work_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    one = one_round("casino-stud")
    wide = [(Fraction(bankroll.LATTICE_MAX), Fraction(1, 2)), (Fraction(-1), Fraction(1, 2))]
    monkeypatch.setattr(ruin, "WORK_MAX", 10)
    with pytest.raises(Refused, match="bankroll/too_large"):
        after(one, -3000, None, 2000)
    monkeypatch.setattr(ruin, "PURSES_MAX", 100)
    with pytest.raises(Refused, match="bankroll/too_large"):
        after(one, -3000, None, 2000)
    with pytest.raises(Refused, match="bankroll/too_large"):
        round_law(wide)
    monkeypatch.setattr(bankroll, "LATTICE_MAX", 300)
    with pytest.raises(Refused, match="bankroll/too_large"):
        law(one, 100)


@pytest.mark.parametrize("game", GAMES)
def test_probabilities_add_up_to_one_within_the_error(game: str) -> None:
    found = law(one_round(game), 1000)
    assert abs(float(found.chances.sum()) - 1) <= found.error < 1e-9
    assert found.cut > 0
    stopped = after(one_round(game), -60, 80, 300)
    parts = (stopped.ruin, stopped.goal, stopped.playing)
    total = sum(each.value for each in parts)
    assert abs(total - 1) <= sum(each.error for each in parts) < 1e-9


def ruins(one: RoundLaw) -> Iterator[list[float]]:
    """Give probabilities of ruin that may not fall, each list by its own reason."""
    yield [after(one, -40, None, rounds).ruin.value for rounds in (50, 100, 200, 201)]
    yield [after(one, floor, None, 200).ruin.value for floor in (-80, -41, -40, -10)]
    yield [after(one, -40, goal, 200).ruin.value for goal in (10, 30, 90, None)]


@pytest.mark.parametrize("game", GAMES)
def test_ruin_grows_with_rounds_and_without_goal_and_falls_with_the_purse(game: str) -> None:
    for chances in ruins(one_round(game)):
        assert chances == sorted(chances)
        assert chances[0] < chances[-1]


def test_quantiles_are_the_least_results_of_their_probability() -> None:
    found = law(one_round("casino-stud"), 500)
    for share in (0.01, 0.5, 0.99):
        (step,) = found.quantiles([share])
        assert found.at_most(step - 1) < share <= found.at_most(step)
    assert found.at_most(found.first - 1) == 0


def test_what_will_clearly_be_too_much_work_is_refused_early() -> None:
    purse = Purse(one_round("casino-stud"), -3000, None)
    assert not purse.play(10**6, 10**8)
    assert 0 < purse.rounds < 5000
    assert purse.playing.value == pytest.approx(1)
