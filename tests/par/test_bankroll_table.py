"""The bankroll tables of par sheets: every number computed a second way, on page and as data."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from html import unescape
from math import comb
from pathlib import Path

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

import tapisvert
from par.test_measures import toss
from tapisvert import extras
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import SHIPPED
from tapisvert.lab import bankroll_store, proof_store
from tapisvert.lab.bankroll_store import BankrollTable, ResultAfter, RuinFrom
from tapisvert.lab.bankroll_table import bankroll_tables
from tapisvert.lab.proof_store import StoredProof
from tapisvert.par.bankrolls import bankrolls, bound, chance
from tapisvert.par.page import kept_par_sheet, par_sheet
from tapisvert.par.record import par_json, read_par
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES, catalogue
from tiers import long

NEAR = 1e-8  # more than both errors; every stated bound is smaller
TABLES = [(game, place) for game in SHIPPED for place in range(2 if game == "pai-gow" else 1)]
IDS = [f"{game}-{place}" for game, place in TABLES]


def table_and_proof(game: str, place: int = 0) -> tuple[BankrollTable, StoredProof]:
    sheet = load(game)
    table = bankroll_store.find(sheet)[place]
    mains = {each.strategy: each for each in proof_store.find(sheet) if each.bet == "main"}
    return table, mains[table.strategy]


def half_stakes(proof: StoredProof) -> dict[int, float]:
    """Return the probability of each net result, in half stakes."""
    deals = sum(each.deals for each in proof.outcomes)
    found: dict[int, float] = {}
    for each in proof.outcomes:
        net = int(2 * Fraction(each.net))
        found[net] = found.get(net, 0.0) + each.deals / deals
    return found


# A second way -------------------------------------------------------------------------------------


def law_by_transform(one: dict[int, float], rounds: int) -> tuple[NDArray[np.float64], int]:
    """Return the law of a sum by its characteristic function, and the result of entry 0."""
    size = 2**18
    least = min(one)
    spread = np.zeros(size)
    for net, part in one.items():
        spread[net - least] = part
    middle = round(rounds * sum(net * part for net, part in one.items()))
    law = np.fft.irfft(np.fft.rfft(spread) ** rounds, size)
    # The transform wraps around; half of its length on each side of the mean is far enough.
    first = middle - size // 2
    return np.roll(law, rounds * least - first), first


def disagreements(found: ResultAfter, law: NDArray[np.float64], first: int) -> list[str]:
    """Name what of a result differs from a law in half stakes."""
    below = np.cumsum(law)

    def at_most(result: Fraction) -> float:
        return float(below[int(2 * result) - first])

    wrong = [
        f"percentile {share}"
        for share, result in found.percentiles.items()
        if not at_most(result - Fraction(1, 2)) - NEAR < share / 100 <= at_most(result) + NEAR
    ]
    if abs(at_most(Fraction(-1, 2)) - found.loss) > NEAR:
        wrong.append("loss")
    if abs(1 - at_most(Fraction(0)) - found.gain) > NEAR:
        wrong.append("gain")
    return wrong


def ruin_backwards(
    one: dict[int, float], opening: int, purses: list[int], rounds: int
) -> NDArray[np.float64]:
    """Return the ruin of purses within 1, 2, ... rounds, from the last round to the first.

    Entry x of the vector is the ruin of a purse of x half stakes within the rounds so far: it is
    the mean of the ruin after the next round. Above the vector no purse is ruined.
    """
    deviation = sum(net * net * part for net, part in one.items()) ** 0.5
    size = max(purses) + int(9 * deviation * rounds**0.5) + 200
    low, high = -min(one), max(one)
    found = np.zeros((rounds, len(purses)))
    now = np.zeros(low + size + high)  # entry `low` is an empty purse
    now[: low + opening] = 1.0
    for number in range(rounds):
        then = sum(part * now[low + net : low + net + size] for net, part in one.items())
        now[low : low + size] = then
        now[: low + opening] = 1.0
        found[number] = [now[low + purse] for purse in purses]
    return found


def differences(found: RuinFrom, by_round: NDArray[np.float64]) -> list[str]:
    """Name what of a ruin differs from the ruin by round."""
    wrong = [
        f"within {rounds}"
        for rounds, ruin in found.within.items()
        if abs(by_round[rounds - 1] - ruin) > NEAR
    ]
    for share, taken in found.rounds_to_ruin.items():
        before = by_round[-1] if taken is None else by_round[taken - 2] if taken > 1 else 0.0
        reached = 1.0 if taken is None else by_round[taken - 1]
        if not before - NEAR < share / 100 <= reached + NEAR:
            wrong.append(f"rounds to ruin {share}")
    return wrong


@pytest.mark.parametrize(("game", "place"), TABLES, ids=IDS)
def test_results_are_those_of_the_characteristic_function(game: str, place: int) -> None:
    table, proof = table_and_proof(game, place)
    assert [each.rounds for each in table.results] == [100, 1_000, 10_000, 100_000]
    for each in table.results:
        assert disagreements(each, *law_by_transform(half_stakes(proof), each.rounds)) == []
        assert 0 < each.error < NEAR
        assert each.mean == each.rounds * Fraction(proof.edge)
        assert each.standard_deviation == pytest.approx(
            (each.rounds * float(Fraction(proof.variance))) ** 0.5, rel=1e-12
        )


@pytest.mark.parametrize(
    ("game", "place"),
    [pytest.param(*each, marks=long if each[0] == "ultimate" else ()) for each in TABLES],
    ids=IDS,
)
def test_ruin_is_that_of_the_recursion_backwards(game: str, place: int) -> None:
    table, proof = table_and_proof(game, place)
    purses = [each.bankroll for each in table.ruins]
    assert purses == [20, 50, 100, 200, 500]
    opening = 4 if game == "ultimate" else 2  # ante and blind; half stakes
    by_round = ruin_backwards(half_stakes(proof), opening, [2 * each for each in purses], 10_000)
    for column, each in enumerate(table.ruins):
        assert list(each.within) == [100, 1_000, 10_000]
        assert differences(each, by_round[:, column]) == []
        assert 0 < each.error < NEAR


def test_a_wrong_number_is_noticed_by_both() -> None:
    """The control of the two tests above."""
    table, proof = table_and_proof("casino-stud")
    one = half_stakes(proof)
    result, ruin = table.results[0], table.ruins[0]
    law = law_by_transform(one, result.rounds)
    further = {share: value + 1 for share, value in result.percentiles.items()}
    planted = msgspec.structs.replace(result, percentiles=further, loss=result.loss + 2e-8)
    assert len(disagreements(planted, *law)) == len(further) + 1
    by_round = ruin_backwards(one, 2, [40], 10_000)[:, 0]
    later = {share: (taken or 0) + 1 for share, taken in ruin.rounds_to_ruin.items()}
    moved = {rounds: value - 2e-8 for rounds, value in ruin.within.items()}
    wrong = msgspec.structs.replace(ruin, within=moved, rounds_to_ruin=later)
    assert len(differences(wrong, by_round)) == len(moved) + len(later)


@pytest.mark.parametrize(("game", "place"), TABLES, ids=IDS)
def test_exact_figures_and_the_bound_follow_from_the_proof(game: str, place: int) -> None:
    table, proof = table_and_proof(game, place)
    assert table.n0 == Fraction(proof.variance) / Fraction(proof.edge) ** 2
    assert table.opening == (2 if game == "ultimate" else 1)
    assert table.exact is False
    errors = [*(each.error for each in table.results), *(each.error for each in table.ruins)]
    assert table.error == max(errors)


# What is computed ---------------------------------------------------------------------------------


def test_a_fair_coin_has_no_n0_and_its_ruin_is_the_reflection_principles() -> None:
    (table,) = bankroll_tables([toss(), toss("always-play")])
    assert (table.n0, table.strategy) == (None, "optimal")
    for purse, rounds in ((20, 100), (50, 1_000), (100, 10_000)):
        # A path that came to -purse ends below it as often as above it.
        ways = [comb(rounds, wins) for wins in range((rounds - purse) // 2 + 1)]
        within = Fraction(2 * sum(ways) - ways[-1], 2**rounds)
        (ruin,) = [each for each in table.ruins if each.bankroll == purse]
        assert abs(Fraction(ruin.within[rounds]) - within) <= ruin.error


def test_outcomes_too_far_apart_or_not_known_have_no_table() -> None:
    bare = msgspec.structs.replace(toss(), outcomes=())
    assert bankroll_tables([toss(pays=10**6), bare]) == ()


def near(found: object) -> object:
    """Return data for comparison: the last digits of a sum of doubles depend on the machine."""
    if isinstance(found, dict):
        return {name: near(each) for name, each in found.items()}
    if isinstance(found, tuple):
        return tuple(near(each) for each in found)
    return pytest.approx(found, abs=NEAR) if isinstance(found, float) else found


def test_a_changed_sheet_is_computed_and_a_shipped_one_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proof = tapisvert.prove("casino-stud")
    other = replace(proof, sheet=with_changes(proof.sheet, {"play.pays.flush": "6:1"}))
    told: list[float] = []
    (computed,) = other.bankrolls(progress=told.append)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)
    (kept,) = proof.bankrolls()
    as_data = partial(msgspec.to_builtins, enc_hook=str)
    assert as_data(computed) == near(as_data(kept))
    assert proof.bankrolls().columns()["ruin_20_100"] == [kept.ruins[0].within[100]]
    monkeypatch.setattr(extras, "_found", "numba".__ne__)
    assert proof.bankrolls() == (kept,)
    with pytest.raises(tapisvert.Refused, match="extra/missing"):
        other.bankrolls()


def test_tables_are_kept_for_the_sheet_they_are_of_and_no_other(tmp_path: Path) -> None:
    stud = load("casino-stud")
    sheets = [with_changes(stud, {"play.pays.flush": f"{price}:1"}) for price in (6, 7)]
    (kept,) = bankroll_store.find(stud)
    planted = msgspec.structs.replace(kept, strategy="house-way")
    bankroll_store.keep(tmp_path, sheets[0], [kept])
    bankroll_store.keep(tmp_path, sheets[1], [planted])
    assert bankroll_store.find(sheets[0], tmp_path) == (kept,)
    assert bankroll_store.find(sheets[1], tmp_path) == (planted,)
    assert bankroll_store.find(sheets[0]) == ()
    assert [path.name for path in tmp_path.iterdir()] == ["casino-stud-bankrolls.json"]


# Page and JSON ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_the_page_has_the_chapter_with_every_number(game: str, language: str) -> None:
    words, page = catalogue(language), unescape(kept_par_sheet(load(game), language))
    assert f"<h2>{words.write('par.bankroll')}</h2>" in page
    for table in bankroll_store.find(load(game)):
        assert table.n0 is not None
        assert words.grouped(round(table.n0)) in page
        assert bound(table.error) in page
        for result in table.results:
            assert f"<td>{chance(words, result.loss)}</td>" in page
        for ruin in table.ruins:
            for value in ruin.within.values():
                assert f"<td>{chance(words, value)}</td>" in page
            for taken in ruin.rounds_to_ruin.values():
                shown = f"> {words.grouped(10_000)}" if taken is None else words.grouped(taken)
                assert f"<td>{shown}</td>" in page


def test_without_tables_the_page_has_no_chapter() -> None:
    sheet = load("casino-stud")
    page = par_sheet(sheet, "en", proof_store.find(sheet), None)
    assert "<h2>Bankroll</h2>" not in page


def test_ruin_is_not_called_certain_in_a_game_that_gains() -> None:
    (gains,), (fair,) = bankroll_tables([toss(pays=2)]), bankroll_tables([toss()])
    words = catalogue("en")
    certain = words.write("par.bankroll-certain")
    assert certain not in bankrolls(words, "casino-stud", [gains])
    assert certain in bankrolls(words, "casino-stud", [fair])


def test_a_probability_that_rounds_to_nothing_or_all_says_so() -> None:
    words = catalogue("en")
    shown = [chance(words, value) for value in (0.0, 9e-7, 1.2e-6, 0.5, 1 - 9e-7, 1.0)]
    assert shown == ["< 0.0001%", "< 0.0001%", "0.0001%", "50.0000%", "> 99.9999%", "100.0000%"]


@pytest.mark.parametrize("game", SHIPPED)
def test_json_has_the_tables_marked_as_not_exact(game: str) -> None:
    sheet = load(game)
    tables = bankroll_store.find(sheet)
    written = par_json(sheet, proof_store.find(sheet), tables)
    assert read_par(written).bankrolls == tables
    for each in msgspec.json.decode(written)["bankrolls"]:
        assert each["exact"] is False
        assert 0 < each["error"] < 1e-8
    assert read_par(par_json(sheet, proof_store.find(sheet))).bankrolls == ()
