"""Proofs: the exact figures of every bet, from the outcome of every deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from tapisvert.engine.sheet import Sheet
from tapisvert.extras import need
from tapisvert.games.registry import GAMES
from tapisvert.lab import bankroll_store, mathematics, proof_store
from tapisvert.lab.bankroll_store import BankrollTable
from tapisvert.lab.cluster import Cluster
from tapisvert.lab.clustered import prove_on
from tapisvert.lab.proof_store import OutcomeView, StoredProof
from tapisvert.library.refusals import check_whole, explained
from tapisvert.library.sheets import sheet_of
from tapisvert.library.tables import Cell, Rows, Shown, html, rows_of
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.par.figures import nets, picture
from tapisvert.par.measures import ROUNDS_PER_HOUR, Measures, measures
from tapisvert.refusal import Refused
from tapisvert.words import catalogue

PACE_MAX = 10**6  # rounds in an hour


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
    """The same as `tapis prove --json` prints it."""

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
        """What comes back per money staked."""
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


@dataclass(frozen=True)
class Proof:
    """The proof of a sheet: every bet under every strategy, the best play of each bet first."""

    sheet: Sheet
    bets: Rows[BetProof]

    @property
    def main(self) -> BetProof:
        """The main bet by the best play that is proved."""
        return self.bets[0]

    @explained
    def bet(self, bet: str, strategy: str | None = None) -> BetProof:
        """Return a bet by its name, under a strategy or the best play that is proved."""
        for each in self.bets:
            if each.bet == bet and strategy in (None, each.strategy):
                return each
        known = ", ".join(f"{each.bet} {each.strategy}" for each in self.bets)
        asked = bet if strategy is None else f"{bet} {strategy}"
        raise Refused("proof/unknown_bet", bet=asked[:64], known=known)

    @explained
    def par(self, *, rounds_per_hour: int = ROUNDS_PER_HOUR) -> Rows[Measures]:
        """Return the figures of a par sheet for each bet, in the order of `bets`.

        The house's win per hour is at the given pace.
        """
        check_whole("rounds_per_hour", rounds_per_hour, 1, PACE_MAX)
        return rows_of(measures(self.sheet, (each.record for each in self.bets), rounds_per_hour))

    @explained
    def bankrolls(self, *, progress: Progress = no_progress) -> Rows[BankrollTable]:
        """Return the bankroll tables of the par sheet, one for each best play of the main bet.

        Those of shipped sheets come at once; others take seconds and need the extra `prove`.
        """
        found = bankrolls_of(self.sheet, (each.record for each in self.bets), progress)
        best = self.main.strategy
        return rows_of(sorted(found, key=lambda each: each.strategy != best))

    def __repr__(self) -> str:
        return f"Proof({self.sheet.game}, sheet {self.sheet.hash[:12]}, {len(self.bets)} figures)"

    def _repr_html_(self) -> str:
        return self.bets._repr_html_() + self.main.svg()


@explained
def prove(
    game: str | Sheet,
    *,
    kept: bool = True,
    cluster: Cluster | None = None,
    progress: Progress = no_progress,
) -> Proof:
    """Return the exact figures of every bet of a game or of a sheet.

    Those of shipped sheets are in the package and are returned at once. Others are counted from
    every deal, which takes seconds to minutes, here or on a worker of a `cluster`. `kept=False`
    counts in any case. `progress` is called with the part that is done, from 0 to 1.
    """
    asked = sheet_of(game)
    found = stored(asked) if kept else []
    if not found and cluster is not None:
        ((_, found),) = prove_on(cluster, [asked])
    elif not found:
        found = counted(asked, progress)
    return proof_of(asked, found)


def counted(sheet: Sheet, progress: Progress = no_progress) -> list[StoredProof]:
    """Count every deal; return the figures in the order of the game's mathematics."""
    return [proof_store.written(sheet, each) for each in mathematics.prove(sheet, progress)]


def stored(sheet: Sheet) -> list[StoredProof]:
    """Return the stored figures of a sheet; empty unless every bet has some."""
    found = proof_store.find(sheet)
    return found if {each.bet for each in found} == set(GAMES[sheet.game].bets) else []


def best_first(found: Iterable[StoredProof]) -> list[StoredProof]:
    """Order figures: of each bet the one with the highest edge, then the other strategies."""
    by_bet: dict[str, list[StoredProof]] = {}
    for each in found:
        by_bet.setdefault(each.bet, []).append(each)
    # Of equal edges the first is the best: a game puts its optimal strategy before its habits.
    best = {bet: max(ways, key=lambda each: Fraction(each.edge)) for bet, ways in by_bet.items()}
    others = [each for bet, ways in by_bet.items() for each in ways if each is not best[bet]]
    return [*best.values(), *others]


def bankrolls_of(
    sheet: Sheet, found: Iterable[StoredProof], progress: Progress = no_progress
) -> tuple[BankrollTable, ...]:
    """Return the bankroll tables of a sheet: the stored ones, or else those of its figures."""
    kept = bankroll_store.find(sheet)
    if kept:
        return kept
    need("prove")
    from tapisvert.lab.bankroll_table import bankroll_tables

    return bankroll_tables(found, progress)


def proof_of(sheet: Sheet, found: Iterable[StoredProof]) -> Proof:
    """Return stored figures as a proof."""
    return Proof(sheet, rows_of(BetProof(each) for each in best_first(found)))
