"""The bankroll chapter of a par sheet: results after many rounds, ruin, and the time to ruin."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor, log10

from tapisvert.lab.bankroll_store import MAIN, BankrollTable
from tapisvert.par.markup import raised, table, tag
from tapisvert.par.tables import NONE, amount, bet_name
from tapisvert.words import Catalogue

_LEAST = Fraction(1, 10**6)  # the least probability that is shown


def bankrolls(words: Catalogue, game: str, tables: Iterable[BankrollTable]) -> str:
    """Return the chapter: three tables for each strategy."""
    parts = [tag("p", words.write("par.bankroll-lead"))]
    for each in tables:
        parts += [
            tag("h3", title(words, game, each)),
            tag("p", n0_line(words, each)),
            _results(words, each),
            _ruin(words, each),
            _rounds_to_ruin(words, each),
            tag("p", bound_line(words, each)),
        ]
    return "".join(parts)


def title(words: Catalogue, game: str, found: BankrollTable) -> str:
    """Return the name of the main bet and how it is played."""
    played = words.write(f"strategy.{found.strategy}", {}, game)
    return words.write("par.distribution", {"bet": bet_name(words, game, MAIN), "strategy": played})


def n0_line(words: Catalogue, found: BankrollTable) -> str:
    """Return the sentences on N0, the bets before the deal, and ruin without a limit of rounds."""
    n0 = NONE if found.n0 is None else words.grouped(round(found.n0))
    opening = amount(words, found.opening, 2)
    said = words.write("par.bankroll-n0", {"n0": n0, "opening": opening})
    # A random walk without upward drift comes below every bound.
    certain = found.results[0].mean <= 0
    return f"{said} {words.write('par.bankroll-certain')}" if certain else said


def bound_line(words: Catalogue, found: BankrollTable) -> str:
    """Return the sentence on the error of the probabilities."""
    return words.write("par.bankroll-error", {"error": bound(found.error)})


def bound(value: float) -> str:
    """Write a bound in one digit, rounded up.

    >>> bound(7.73e-9), bound(9.2e-3)
    ('8 × 10⁻⁹', '1 × 10⁻²')
    """
    power = floor(log10(value))
    digit = ceil(value / 10**power)
    return f"{digit} × 10{raised(power)}" if digit < 10 else f"1 × 10{raised(power + 1)}"


def chance(words: Catalogue, value: float) -> str:
    """Write a probability; one too close to 0 or 1 to be shown as `< least` or `> 1 - least`."""
    if 0 <= value < _LEAST:
        return f"< {words.percent(_LEAST, 4)}"
    if 0 < 1 - value < _LEAST:
        return f"> {words.percent(1 - _LEAST, 4)}"
    return words.percent(Fraction(value), 4)


def _results(words: Catalogue, found: BankrollTable) -> str:
    shares = list(found.results[0].percentiles)
    heads = [
        *(words.write(f"par.{key}") for key in ("rounds", "bankroll-mean", "bankroll-deviation")),
        *(words.write("par.level", {"level": str(share)}) for share in shares),
        *(words.write(f"par.bankroll-{key}") for key in ("loss", "gain")),
    ]
    rows = [
        (
            words.grouped(each.rounds),
            amount(words, each.mean, 2),
            amount(words, Fraction(each.standard_deviation), 2),
            *(amount(words, result, 1) for result in each.percentiles.values()),
            chance(words, each.loss),
            chance(words, each.gain),
        )
        for each in found.results
    ]
    return table(words.write("par.bankroll-results"), heads, rows, kind="narrow")


def _ruin(words: Catalogue, found: BankrollTable) -> str:
    heads = [
        words.write("par.bankroll-purse"),
        *(
            words.write("par.bankroll-within", {"rounds": words.grouped(rounds)})
            for rounds in found.ruins[0].within
        ),
    ]
    rows = [
        (words.grouped(each.bankroll), *(chance(words, ruin) for ruin in each.within.values()))
        for each in found.ruins
    ]
    return table(words.write("par.bankroll-ruin"), heads, rows, kind="narrow")


def _rounds_to_ruin(words: Catalogue, found: BankrollTable) -> str:
    heads = [
        words.write("par.bankroll-purse"),
        *(
            words.write("par.level", {"level": str(share)})
            for share in found.ruins[0].rounds_to_ruin
        ),
    ]
    rows = [
        (
            words.grouped(each.bankroll),
            *(rounds_or_more(words, found, taken) for taken in each.rounds_to_ruin.values()),
        )
        for each in found.ruins
    ]
    return table(words.write("par.bankroll-time"), heads, rows, kind="narrow")


def rounds_or_more(words: Catalogue, found: BankrollTable, taken: int | None) -> str:
    """Write a number of rounds, or that it is more than the rounds computed."""
    if taken is None:
        return f"> {words.grouped(max(found.ruins[0].within))}"
    return words.grouped(taken)
