"""The figures of a bet, computed from the outcomes of all deals.

A proof is the list of a bet's outcomes, each with its number of deals. Edge, money staked, variance
and hit frequency are sums over it. Amounts are fractions, in units of the first stake (ante, main,
hand). No float is involved.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

RETURN_DIGITS = 12


class Outcome(NamedTuple):
    """One way a bet ends: the number of deals, the player's net result, and the money staked."""

    name: str
    deals: int
    net: Fraction
    staked: Fraction = Fraction(1)


class Figure(Struct, frozen=True, kw_only=True):
    """The exact figures of one bet under one strategy, per unit of its first stake."""

    bet: str
    strategy: str  # optimal, house-way, none, or the name of a simple strategy
    edge: Fraction  # the player's mean net result
    staked: Fraction  # the mean money staked
    variance: Fraction  # of the net result
    hit: Fraction  # frequency of a return above the stake
    counts: dict[str, int]  # number of deals; all of them together
    outcomes: tuple[Outcome, ...] = ()  # every way the bet ends under this strategy
    parts: dict[str, Fraction] = {}  # the parts of a composite figure
    exact: bool = True
    error: float | None = None  # bound on the error of the edge, if it is not exact

    @property
    def returned(self) -> Fraction:
        """Return the return per unit of money staked."""
        return 1 + self.edge / self.staked


def counted(bet: str, strategy: str, deals: int, outcomes: Sequence[Outcome]) -> Figure:
    """Compute a figure from its outcomes; their counts must add up to all deals.

    >>> coin = counted("toss", "none", 2, [Outcome("won", 1, Fraction(1)),
    ...                                    Outcome("lost", 1, Fraction(-1))])
    >>> coin.edge, coin.variance, coin.hit, write_return(coin.returned)
    (Fraction(0, 1), Fraction(1, 1), Fraction(1, 2), '1.000000000000')
    """
    found = sum(each.deals for each in outcomes)
    if found != deals:
        raise AssertionError(f"{bet}: {found:,} deals counted of {deals:,}")
    edge = sum((each.deals * each.net for each in outcomes), Fraction(0)) / deals
    squares = sum((each.deals * each.net**2 for each in outcomes), Fraction(0)) / deals
    counts: dict[str, int] = {}
    for each in outcomes:
        counts[each.name] = counts.get(each.name, 0) + each.deals
    return Figure(
        bet=bet,
        strategy=strategy,
        edge=edge,
        staked=sum((each.deals * each.staked for each in outcomes), Fraction(0)) / deals,
        variance=squares - edge**2,
        hit=Fraction(sum(each.deals for each in outcomes if each.net > 0), deals),
        counts=counts,
        outcomes=tuple(outcomes),
    )


def write_return(value: Fraction, digits: int = RETURN_DIGITS) -> str:
    """Format a fraction in decimals, rounded half to even, without a float.

    >>> write_return(Fraction(2, 3)), write_return(Fraction(-1, 8), 2)
    ('0.666666666667', '-0.12')
    """
    scaled = round(value * 10**digits)
    whole, part = divmod(abs(scaled), 10**digits)
    return f"{'-' if scaled < 0 else ''}{whole}.{part:0{digits}}"
