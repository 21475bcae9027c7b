"""The figures of a par sheet, computed from a proof.

Everything is an exact fraction, in units of the first stake, except what a square root or a normal
quantile enters. Those fields are floats, and named in `Measures`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from msgspec import Struct

from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES
from tapisvert.lab.proof_store import StoredProof
from tapisvert.par.caps import Cap, caps_of, largest_returns, spot_of

MEASURES = ("optimal", "house-way", "none")  # the strategies that are shown in full
ROUNDS_PER_HOUR = 40  # also the default pace of `bankroll`
INDEX_LEVEL = 90  # percent, of the volatility index
LEVELS = (90, 95, 99)  # percent, of the intervals
ROUNDS = tuple(10**power for power in range(3, 9))

Cell = str | int | float | bool | Fraction | None


class PayRow(Struct, frozen=True):
    """One way a bet ends. The outcomes of one name, net result and stake are one row."""

    name: str
    deals: int
    probability: Fraction
    one_in: Fraction
    """The mean number of rounds to this row: 1 / probability."""
    net: Fraction
    staked: Fraction
    share_of_return: Fraction
    share_of_variance: Fraction


class Interval(Struct, frozen=True):
    """Where the actual return lies after some rounds, by the normal approximation (floats)."""

    rounds: int
    level: int  # percent
    low: float
    high: float


class TopAward(Struct, frozen=True):
    """The largest net result of a bet, and how rare it is."""

    names: tuple[str, ...]
    net: Fraction
    probability: Fraction
    odds_against: Fraction  # to one
    mean_rounds: Fraction


class Progressive(Struct, frozen=True):
    """The return of a bet on a progressive jackpot, by its parts, per money staked."""

    fixed: Fraction  # the prizes that never change
    reset: Fraction  # the starting value, paid by the house
    contribution: Fraction  # the share of the stakes that comes back
    share: Fraction  # the part of the return that the jackpot pays: reset + contribution


class Measures(Struct, frozen=True, kw_only=True):
    """The figures of a par sheet for one bet under one strategy.

    Amounts are in units of the first stake. `standard_deviation`, `standard_deviation_staked`,
    `volatility_index`, `index_z` and `intervals` are floats; all else is exact.
    """

    bet: str
    strategy: str
    skill: str
    """`optimal`, `house-way`, `none` (no decision exists), `blind` (one answer, always), `named`"""
    exact: bool
    cycle: int
    """The number of deals counted."""
    rows: tuple[PayRow, ...]
    hit_anything: Fraction
    """How often anything comes back."""
    hit_more: Fraction
    """How often more comes back than was staked."""
    staked: Fraction
    """The mean money staked."""
    edge: Fraction
    """The player's mean net result."""
    element_of_risk: Fraction
    """The same per money staked."""
    return_first: Fraction
    """The return per first stake: 1 + edge."""
    return_staked: Fraction
    """The return per money staked: 1 + edge / staked."""
    progressive: Progressive | None
    cost_of_play: Fraction | None
    """The loss per first stake against the best play; None if that is not proved."""
    variance: Fraction
    variance_of_jackpot: Fraction
    """The share of the variance that belongs to no row: the jackpot is not always the same."""
    standard_deviation: float
    standard_deviation_staked: float
    """The same per unit of mean stake."""
    index_level: int
    index_z: float
    volatility_index: float
    """`index_z` times `standard_deviation_staked`."""
    intervals: tuple[Interval, ...]
    top: TopAward | None
    caps: tuple[Cap, ...]
    rounds_per_hour: int
    win_per_hour: Fraction
    """The house's mean win in an hour, at this pace."""
    stake_min_cents: int
    stake_max_cents: int

    def cells(self) -> Mapping[str, Cell]:
        """Return the row of this bet."""
        return {
            "bet": self.bet,
            "strategy": self.strategy,
            "skill": self.skill,
            "cycle": self.cycle,
            "return_first": self.return_first,
            "return_staked": self.return_staked,
            "hit_anything": self.hit_anything,
            "hit_more": self.hit_more,
            "standard_deviation": self.standard_deviation,
            "volatility_index": self.volatility_index,
            "win_per_hour": self.win_per_hour,
        }


def measures(
    sheet: Sheet, proofs: Iterable[StoredProof], rounds_per_hour: int = ROUNDS_PER_HOUR
) -> tuple[Measures, ...]:
    """Return the measures of each proof of a sheet, in their order."""
    found = list(proofs)
    best = {each.bet: Fraction(each.edge) for each in found if each.strategy in ("optimal", "none")}
    largest = largest_returns(sheet, found)
    return tuple(
        _measure(sheet, each, best.get(each.bet), caps_of(sheet, each, largest), rounds_per_hour)
        for each in found
    )


def _measure(
    sheet: Sheet,
    proof: StoredProof,
    best: Fraction | None,
    caps: tuple[Cap, ...],
    rounds_per_hour: int,
) -> Measures:
    """Return the measures of one proof; `best` is the edge of the best play, where known."""
    edge, staked, variance = map(Fraction, (proof.edge, proof.staked, proof.variance))
    rows = rows_of_proof(proof)
    deviation = sqrt(variance)
    z = quantile(INDEX_LEVEL)
    spot = sheet.spots[spot_of(sheet, proof.bet)]
    return Measures(
        bet=proof.bet,
        strategy=proof.strategy,
        skill=skill_of(sheet.game, proof.strategy),
        exact=proof.exact,
        cycle=sum(row.deals for row in rows) or sum(proof.counts.values()),
        rows=rows,
        hit_anything=sum((row.probability for row in rows if row.net + row.staked > 0), Fraction()),
        hit_more=Fraction(proof.hit),
        staked=staked,
        edge=edge,
        element_of_risk=edge / staked,
        return_first=1 + edge,
        return_staked=1 + edge / staked,
        progressive=progressive(proof),
        cost_of_play=None if best is None else best - edge,
        variance=variance,
        variance_of_jackpot=1 - sum((row.share_of_variance for row in rows), Fraction())
        if variance and rows
        else Fraction(),
        standard_deviation=deviation,
        standard_deviation_staked=deviation / float(staked),
        index_level=INDEX_LEVEL,
        index_z=z,
        volatility_index=z * deviation / float(staked),
        intervals=intervals(1 + edge / staked, deviation / float(staked)),
        top=top_award(rows),
        caps=caps,
        rounds_per_hour=rounds_per_hour,
        win_per_hour=-edge * rounds_per_hour,
        stake_min_cents=spot.min_cents,
        stake_max_cents=spot.max_cents,
    )


def skill_of(game: str, strategy: str) -> str:
    """Return the level of skill a strategy stands for."""
    if strategy in MEASURES:
        return strategy
    return "blind" if strategy in GAMES[game].blind else "named"


def rows_of_proof(proof: StoredProof) -> tuple[PayRow, ...]:
    """Return the rows of a bet that occur, in the order of the proof."""
    found: Counter[tuple[str, Fraction, Fraction]] = Counter()
    for each in proof.outcomes:
        if each.deals:
            found[each.name, Fraction(each.net), Fraction(each.staked)] += each.deals
    cycle = found.total()
    edge, variance = Fraction(proof.edge), Fraction(proof.variance)
    returned = (edge + Fraction(proof.staked)) * cycle
    return tuple(
        PayRow(
            name=name,
            deals=deals,
            probability=Fraction(deals, cycle),
            one_in=Fraction(cycle, deals),
            net=net,
            staked=staked,
            share_of_return=deals * (net + staked) / returned if returned else Fraction(),
            share_of_variance=deals * (net - edge) ** 2 / (variance * cycle)
            if variance
            else Fraction(),
        )
        for (name, net, staked), deals in found.items()
    )


def quantile(level: int) -> float:
    """Return z: a normal variable is within z deviations of its mean in `level` % of cases.

    >>> [round(quantile(level), 4) for level in (90, 95, 99)]
    [1.6449, 1.96, 2.5758]
    """
    return NormalDist().inv_cdf((1 + level / 100) / 2)


def intervals(returned: Fraction, deviation: float) -> tuple[Interval, ...]:
    """Return the intervals of the actual return; `deviation` is per unit of mean stake."""
    mean = float(returned)
    reach = [(n, level, quantile(level) * deviation / sqrt(n)) for n in ROUNDS for level in LEVELS]
    return tuple(Interval(n, level, mean - far, mean + far) for n, level, far in reach)


def top_award(rows: Iterable[PayRow]) -> TopAward | None:
    """Return the largest net result; None without rows."""
    listed = list(rows)
    if not listed:
        return None
    net = max(row.net for row in listed)
    best = [row for row in listed if row.net == net]
    chance = sum((row.probability for row in best), Fraction())
    names = tuple(dict.fromkeys(row.name for row in best))
    return TopAward(names, net, chance, (1 - chance) / chance, 1 / chance)


def progressive(proof: StoredProof) -> Progressive | None:
    """Return the parts of the return of a bet on a jackpot; None for other bets."""
    parts = proof.parts
    if not {"fixed", "reset", "contribution"} <= parts.keys():
        return None
    fixed, reset, contribution = (
        Fraction(parts[name]) for name in ("fixed", "reset", "contribution")
    )
    return Progressive(fixed, reset, contribution, reset + contribution)
