"""The measures of a par sheet, each computed a second way."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from fractions import Fraction
from itertools import product
from math import isclose, sqrt

import pytest
from scipy.special import ndtri

import tapisvert
from tapisvert.cli.mathematics import bankroll as bankroll_command
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.lab import proof_store
from tapisvert.lab.proof_store import StoredProof
from tapisvert.odds.figures import Outcome, counted
from tapisvert.par.measures import Measures, measures
from tapisvert.par.record import par_json, read_par
from tapisvert.sheets import load

# How many deviations to each side hold a share of the normal distribution, typed out.
Z = {90: 1.6448536269514722, 95: 1.959963984540054, 99: 2.5758293035489004}
STUD = load("casino-stud")


def proofs_and_measures(game: str) -> list[tuple[StoredProof, Measures]]:
    sheet = load(game)
    found = proof_store.find(sheet)
    return list(zip(found, measures(sheet, found), strict=True))


def toss(strategy: str = "optimal", pays: int = 1, won: int = 1, of: int = 2) -> StoredProof:
    """A bet of one unit that pays `pays` to one in `won` deals of `of`."""
    ends = [Outcome("won", won, Fraction(pays)), Outcome("lost", of - won, Fraction(-1))]
    return proof_store.written(STUD, counted("main", strategy, of, ends))


def test_a_fair_coin_by_its_closed_form() -> None:
    (coin,) = measures(STUD, [toss()], 100)
    assert coin.cycle == 2
    assert [coin.edge, coin.variance, coin.staked] == [0, 1, 1]
    assert coin.return_first == coin.return_staked == 1
    assert coin.hit_anything == coin.hit_more == Fraction(1, 2)
    assert [row.share_of_return for row in coin.rows] == [1, 0]
    assert [row.share_of_variance for row in coin.rows] == [Fraction(1, 2)] * 2
    assert [row.one_in for row in coin.rows] == [2, 2]
    assert coin.standard_deviation == coin.standard_deviation_staked == 1
    assert coin.volatility_index == coin.index_z == pytest.approx(Z[90], abs=1e-12)
    assert coin.win_per_hour == 0
    assert coin.top is not None
    assert coin.top.names == ("won",)
    assert coin.top.net == coin.top.odds_against == 1
    first = coin.intervals[0]
    assert (first.rounds, first.level) == (1000, 90)
    assert first.high == pytest.approx(1 + Z[90] / sqrt(1000))


def test_a_roulette_number_by_its_closed_form() -> None:
    (number,) = measures(STUD, [toss(pays=35, won=1, of=37)], 40)
    assert number.edge == number.element_of_risk == Fraction(-1, 37)
    assert number.win_per_hour == Fraction(40, 37)
    assert number.variance == Fraction(36**2 * 36, 37**2)  # (36)^2 p (1 - p)
    assert number.top is not None
    assert [number.top.odds_against, number.top.mean_rounds] == [36, 37]


@pytest.mark.parametrize("game", SHIPPED)
def test_rows_are_the_outcomes_and_their_shares_sum_to_one(game: str) -> None:
    for proof, found in proofs_and_measures(game):
        deals: Counter[tuple[str, str, str]] = Counter()
        for each in proof.outcomes:
            deals[each.name, each.net, each.staked] += each.deals
        ends = [(name, n, Fraction(net), Fraction(s)) for (name, net, s), n in deals.items() if n]
        cycle = sum(n for _, n, _, _ in ends)
        assert found.cycle == cycle
        assert [(row.name, row.deals, row.net, row.staked) for row in found.rows] == [
            (name, n, net, staked) for name, n, net, staked in ends
        ]
        assert sum(row.probability for row in found.rows) == 1
        assert sum(row.share_of_return for row in found.rows) == 1
        apart = found.variance_of_jackpot
        assert sum(row.share_of_variance for row in found.rows) + apart == 1
        assert (apart > 0) == (found.progressive is not None)


@pytest.mark.parametrize("game", SHIPPED)
def test_every_exact_figure_by_another_sum(game: str) -> None:
    """In whole numbers: doubled nets and stakes in counts of deals, divided once at the end."""
    for proof, found in proofs_and_measures(game):
        if proof.bet == "royal":
            continue  # its prizes are no halves: test_royal_poker.py
        ends = [
            (each.deals, int(2 * Fraction(each.net)), int(2 * Fraction(each.staked)))
            for each in proof.outcomes
        ]
        cycle = sum(n for n, _, _ in ends)
        net, staked, square = (sum(n * x for n, x in xs) for xs in _sums(ends))
        assert found.edge == Fraction(net, 2 * cycle)
        assert found.staked == Fraction(staked, 2 * cycle)
        assert found.variance == Fraction(cycle * square - net**2, 4 * cycle**2)
        assert found.return_first == Fraction(2 * cycle + net, 2 * cycle)
        assert found.return_staked == Fraction(staked + net, staked)
        assert found.element_of_risk == Fraction(net, staked)
        assert found.hit_anything == 1 - Fraction(sum(n for n, x, s in ends if x == -s), cycle)
        assert found.hit_more == 1 - Fraction(sum(n for n, x, _ in ends if x <= 0), cycle)
        assert found.win_per_hour == Fraction(-40 * net, 2 * cycle)
        for row in found.rows:
            assert row.probability == Fraction(row.deals, cycle)
            assert row.one_in * row.deals == cycle
            back = row.deals * int(2 * row.net + 2 * row.staked)
            assert row.share_of_return == Fraction(back, staked + net)
            far = (int(2 * row.net) * cycle - net) ** 2 * row.deals
            assert row.share_of_variance == Fraction(far, cycle * (cycle * square - net**2))
        most = max(x for n, x, _ in ends if n)
        assert found.top is not None
        assert found.top.net == Fraction(most, 2)
        assert found.top.mean_rounds == Fraction(cycle, sum(n for n, x, _ in ends if x == most))
        assert found.top.probability * (1 + found.top.odds_against) == 1


def _sums(ends: list[tuple[int, int, int]]) -> list[list[tuple[int, int]]]:
    return [
        [(n, x) for n, x, _ in ends],
        [(n, s) for n, _, s in ends],
        [(n, x * x) for n, x, _ in ends],
    ]


@pytest.mark.parametrize("game", SHIPPED)
def test_deviations_index_and_intervals_by_scipy(game: str) -> None:
    for _, found in proofs_and_measures(game):
        mean, staked = float(found.return_staked), float(found.staked)
        deviation = float(found.variance) ** 0.5
        assert found.standard_deviation == pytest.approx(deviation, rel=1e-14)
        assert found.standard_deviation_staked == pytest.approx(deviation / staked, rel=1e-14)
        assert found.index_z == pytest.approx(ndtri(0.95), rel=1e-12)
        assert found.volatility_index == pytest.approx(ndtri(0.95) * deviation / staked)
        listed = [(each.rounds, each.level) for each in found.intervals]
        assert listed == list(product([10**n for n in range(3, 9)], [90, 95, 99]))
        for each in found.intervals:
            reach = ndtri(0.5 + each.level / 200) * deviation / staked / each.rounds**0.5
            assert isclose(each.low, mean - reach, rel_tol=1e-12)
            assert isclose(each.high, mean + reach, rel_tol=1e-12)


def test_the_interval_of_a_biased_coin_holds_as_often_as_it_says() -> None:
    """The binomial distribution after 1,000 rounds, summed exactly."""
    (coin,) = measures(STUD, [toss(won=9, of=20)])
    (interval,) = [each for each in coin.intervals if (each.rounds, each.level) == (1000, 95)]
    n, p = 1000, Fraction(9, 20)
    chance, within = float((1 - p) ** n), 0.0
    for wins in range(n + 1):
        if interval.low <= 2 * wins / n <= interval.high:
            within += chance
        chance *= (n - wins) / (wins + 1) * float(p / (1 - p))
    assert within == pytest.approx(0.95, abs=0.005)


# Skill --------------------------------------------------------------------------------------------


def test_skill_has_a_level_and_a_cost_against_the_best_play() -> None:
    found = {each.strategy: each for _, each in proofs_and_measures("casino-stud")}
    levels = {name: each.skill for name, each in found.items()}
    assert levels == {
        "optimal": "optimal",
        "as-the-house": "named",
        "pair-or-better": "named",
        "always-play": "blind",
        "none": "none",
    }
    assert found["optimal"].cost_of_play == found["none"].cost_of_play == 0
    cost = found["always-play"].cost_of_play
    assert cost == found["optimal"].edge - found["always-play"].edge
    assert measures(STUD, [toss("always-play")])[0].cost_of_play is None


@pytest.mark.parametrize("game", SHIPPED)
def test_no_strategy_gains_on_the_best_play_and_blind_ones_are_strategies(game: str) -> None:
    assert set(GAMES[game].blind) <= set(GAMES[game].strategies)
    for _, found in proofs_and_measures(game):
        assert found.cost_of_play is not None
        assert found.cost_of_play >= 0


# Caps ---------------------------------------------------------------------------------------------


def test_shipped_caps_equal_the_largest_return_and_cost_nothing() -> None:
    for game in SHIPPED:
        for _, found in proofs_and_measures(game):
            for cap in found.caps:
                assert cap.cap_cents == cap.largest_cents
                assert cap.cost == 0
                assert cap.complete


def test_a_lower_cap_costs_what_it_takes_from_the_rows_above_it() -> None:
    caps = {"caps_cents.play": 1_020_000, "caps_cents.bonus": 2_010_000}
    sheet = with_changes(STUD, {**caps, "caps_cents.round": 3_050_000})
    main, bonus = (
        each
        for each in measures(sheet, proof_store.find(sheet))
        if each.strategy in ("optimal", "none")
    )
    play = {cap.id: cap for cap in main.caps}
    # A royal returns 200 + 200 x 100 antes on play: the cap takes a million cents of it.
    royal = {row.name: row.probability for row in main.rows}["won-royal-flush"]
    assert play["play"].cost == royal * 1_000_000 / 10_000
    assert play["ante"].cost == play["round"].cost == 0
    own = {cap.id: cap for cap in bonus.caps}["bonus"]
    chances = {row.name: row.probability for row in bonus.rows}
    assert own.cost == chances["royal-flush"] * 8_000_000 / 10_000  # 1001 x 100 down to 20,100
    assert own.complete


def test_a_cap_on_the_round_is_counted_for_each_bet_alone() -> None:
    sheet = with_changes(STUD, {"caps_cents.round": 5_000_000})
    found = [each for each in measures(sheet, proof_store.find(sheet)) if each.bet == "bonus"]
    (cap,) = [each for each in found[0].caps if each.id == "round"]
    chances = {row.name: row.probability for row in found[0].rows}
    assert cap.cost == chances["royal-flush"] * 5_010_000 / 10_000
    assert not cap.complete


def test_a_cap_below_a_single_price_is_left_out_and_said_to_be() -> None:
    sheet = with_changes(STUD, {"caps_cents.ante": 15_000})
    main = measures(sheet, proof_store.find(sheet))[0]
    (cap,) = [each for each in main.caps if each.id == "ante"]
    assert [cap.cost, cap.largest_cents] == [0, 20_000]
    assert not cap.complete


# JSON and library ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SHIPPED)
def test_json_reads_back_as_the_same_values(game: str) -> None:
    sheet = load(game)
    found = proof_store.find(sheet)
    record = read_par(par_json(sheet, found))
    assert (record.game, record.sheet_hash) == (game, sheet.hash)
    assert record.bets == measures(sheet, found)


def test_json_has_one_in_and_the_jackpots_share() -> None:
    sheet = load("blackjack")
    bets = json.loads(par_json(sheet, proof_store.find(sheet)))["bets"]
    (royal,) = [each for each in bets if each["bet"] == "royal"]
    assert {row["name"]: row["one_in"] for row in royal["rows"]}["royal-flush"] == "649740/1"
    parts = {name: Fraction(value) for name, value in royal["progressive"].items()}
    assert parts["share"] == parts["reset"] + parts["contribution"]
    assert all(row["one_in"] for each in bets for row in each["rows"])


def test_one_pace_for_par_sheets_and_bankrolls() -> None:
    asked = inspect.signature(tapisvert.bankroll).parameters["rounds_per_hour"].default
    assert asked == inspect.signature(tapisvert.Proof.par).parameters["rounds_per_hour"].default
    (typed,) = [each.default for each in bankroll_command.params if each.name == "pace"]
    assert typed == asked == 40


def test_the_library_gives_them_at_any_pace() -> None:
    proof = tapisvert.prove("casino-stud")
    par = proof.par(rounds_per_hour=30)
    assert [(each.bet, each.strategy) for each in par] == [
        (each.bet, each.strategy) for each in proof.bets
    ]
    assert par[0].win_per_hour == -30 * proof.main.edge
    assert par.columns()["return_staked"][0] == proof.main.returned
    with pytest.raises(tapisvert.Refused, match="request/malformed"):
        proof.par(rounds_per_hour=0)


def test_a_proof_without_outcomes_has_no_rows_and_no_top_award() -> None:
    bare = StoredProof(
        bet="main", strategy="optimal", exact=False, edge="-1/100", staked="1/1",
        returned="0.99", variance="4/1", hit="1/3", counts={"won": 1, "lost": 2},
    )  # fmt: skip
    (found,) = measures(STUD, [bare])
    assert (found.rows, found.top, found.cycle) == ((), None, 3)
    assert found.variance_of_jackpot == 0
    assert (found.standard_deviation, found.exact) == (2.0, False)
