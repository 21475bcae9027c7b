"""Figures: their computation from outcomes, their format, and their proof keys."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import keys, with_changes
from tapisvert.games.registry import GAMES as INSTALLED
from tapisvert.lab.proof_keys import key
from tapisvert.odds.figures import Outcome, counted, write_return
from tapisvert.refusal import Refused
from tapisvert.sheets import load

# Which bet each table of a sheet is about, from the rules; limits and delays are about none.
ABOUT: dict[str, dict[str, set[str]]] = {
    "casino-stud": {"main": {"house", "ante", "play"}, "bonus": {"bonus"}},
    "high-card-flush": {
        "main": {"house", "ante", "raise"},
        "flush": {"flush"},
        "straight-flush": {"straight-flush"},
    },
    "ultimate": {"main": {"house", "ante", "blind", "play"}, "trips": {"trips"}},
    "blackjack": {"main": {"house", "hand", "insurance"}, "royal": {"royal", "spots.royal"}},
    "pai-gow": {"main": {"house", "house_way", "main"}, "fortune": {"fortune"}},
}
OTHER_VALUES: tuple[object, ...] = ("9:2", 200, 4, 3, 1, ["K"], [1], [2], "high-card", "50")
OTHER_VALUES += ("8", "T", "5", "any", False, "1:2", "0.1")


def changed(sheet: Sheet, name: str) -> Sheet:
    """Return the sheet with another valid figure under a key."""
    for value in OTHER_VALUES:
        try:
            other = with_changes(sheet, {name: value})
        except Refused:
            continue
        if other.hash != sheet.hash:
            return other
    raise AssertionError(f"no other value for {name}")


@pytest.mark.parametrize("game", ABOUT)
def test_a_proof_is_kept_under_the_prices_of_its_bet_and_nothing_else(game: str) -> None:
    sheet = load(game)
    assert set(ABOUT[game]) == set(INSTALLED[game].bets)
    for name, _ in keys(sheet):
        other = changed(sheet, name)
        for bet, tables in ABOUT[game].items():
            matters = any(f"{name}.".startswith(f"{table}.") for table in tables)
            assert (key(other, bet) != key(sheet, bet)) == matters, name


def test_a_deal_that_is_not_counted_is_no_figure() -> None:
    ends = [Outcome("won", 1, Fraction(1)), Outcome("lost", 1, Fraction(-1))]
    for deals in (1, 3):
        with pytest.raises(AssertionError, match="2 deals counted"):
            counted("toss", "none", deals, ends)


def test_figures_are_the_mean_and_the_variance_of_deals_written_out() -> None:
    chance = Random(4)
    ends = [
        Outcome(f"end-{n}", chance.randint(1, 9), Fraction(chance.randint(-6, 6), 2), Fraction(n))
        for n in range(1, 9)
    ]
    deals = [(each.net, each.staked) for each in ends for _ in range(each.deals)]
    found = counted("main", "none", len(deals), ends)
    mean = sum(net for net, _ in deals) / len(deals)
    assert found.edge == mean
    assert found.variance == sum((net - mean) ** 2 for net, _ in deals) / len(deals)
    assert found.staked == sum(staked for _, staked in deals) / len(deals)
    assert found.hit == Fraction(sum(net > 0 for net, _ in deals), len(deals))
    assert found.returned == sum(net + staked for net, staked in deals) / sum(
        staked for _, staked in deals
    )


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(0), "0.000000000000"),
        (Fraction(1), "1.000000000000"),
        (Fraction(-1, 3), "-0.333333333333"),
        (Fraction(999_999_999_999_999, 10**15), "1.000000000000"),
        (Fraction(1, 2 * 10**12), "0.000000000000"),  # half to even
        (Fraction(3, 2 * 10**12), "0.000000000002"),
        (Fraction(-1, 3 * 10**12), "0.000000000000"),  # no minus before nothing
        (Fraction(10**30 + 1, 10**30), "1.000000000000"),
    ],
)
def test_returns_are_rounded_from_the_fraction_itself(value: Fraction, written: str) -> None:
    assert write_return(value) == written
