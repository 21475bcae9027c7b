"""The figures of one bet under one strategy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from tapisvert.lab.proof_store import OutcomeView, StoredProof
from tapisvert.library.tables import Cell, Rows, Shown, html, rows_of
from tapisvert.par.figures import nets, picture
from tapisvert.words import catalogue


@dataclass(frozen=True, slots=True)
class Outcome(Shown):
    """One way a bet ends. `net` and `staked` are in units of the first stake."""

    name: str
    deals: int
    probability: Fraction
    net: Fraction
    staked: Fraction

    def cells(self) -> Mapping[str, Cell]:
        """Return the row of this outcome."""
        return {
            "outcome": self.name,
            "deals": self.deals,
            "probability": self.probability,
            "net": self.net,
            "staked": self.staked,
        }


@dataclass(frozen=True)
class BetProof:
    """The figures of a bet under a strategy.

    `edge`, `staked` and `variance` are per unit of the first stake; `returned` is per unit of
    money staked. All are exact unless `exact` is false; `error` then bounds the edge.
    """

    record: StoredProof
    """The record that `tapis prove --json` prints."""

    @property
    def bet(self) -> str:
        """The bet: `main`, or the name of a side bet."""
        return self.record.bet

    @property
    def strategy(self) -> str:
        """How it is played: `optimal`, `house-way`, `none` without a choice, or a named habit."""
        return self.record.strategy

    @property
    def exact(self) -> bool:
        """Whether every figure is exact."""
        return self.record.exact

    @property
    def error(self) -> float | None:
        """A bound on the error of the edge, where it is not exact."""
        return self.record.error

    @property
    def edge(self) -> Fraction:
        """The player's mean net result per first stake."""
        return Fraction(self.record.edge)

    @property
    def staked(self) -> Fraction:
        """The mean money staked per first stake."""
        return Fraction(self.record.staked)

    @property
    def element_of_risk(self) -> Fraction:
        """The player's mean net result per money staked."""
        return self.edge / self.staked

    @property
    def returned(self) -> Fraction:
        """The mean return per unit of money staked."""
        return 1 + self.element_of_risk

    @property
    def variance(self) -> Fraction:
        """The variance of the net result."""
        return Fraction(self.record.variance)

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the net result."""
        return sqrt(self.variance)

    @property
    def hit(self) -> Fraction:
        """How often more comes back than was staked."""
        return Fraction(self.record.hit)

    @property
    def deals(self) -> int:
        """How many deals were counted."""
        return sum(self.record.counts.values())

    @property
    def outcomes(self) -> Rows[Outcome]:
        """Every way the bet ends, with its number of deals."""
        deals = sum(each.deals for each in self.record.outcomes)
        return rows_of(_outcome(each, deals) for each in self.record.outcomes)

    def cells(self) -> Mapping[str, Cell]:
        """Return the row of this bet."""
        return {
            "bet": self.bet,
            "strategy": self.strategy,
            "deals": self.deals,
            "edge": self.edge,
            "staked": self.staked,
            "returned": self.returned,
            "standard_deviation": self.standard_deviation,
            "hit": self.hit,
            "exact": self.exact,
        }

    def __repr__(self) -> str:
        return (
            f"BetProof({self.bet}, {self.strategy}: edge {self.record.edge},"
            f" returned {self.record.returned})"
        )

    def _repr_html_(self) -> str:
        found = {name: [cell] for name, cell in self.cells().items()}
        return html(found) + self.svg()

    def svg(self) -> str:
        """Return a picture of the net results and how often each comes, as SVG.

        It is empty where the outcomes are not known.
        """
        if not self.record.outcomes:
            return ""
        title = f"{self.bet}, {self.strategy}"
        return picture(catalogue("en"), nets(self.record), title)


def _outcome(each: OutcomeView, deals: int) -> Outcome:
    return Outcome(
        each.name,
        each.deals,
        Fraction(each.deals, deals),
        Fraction(each.net),
        Fraction(each.staked),
    )
