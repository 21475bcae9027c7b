"""Proofs: the exact figures of every bet, from the outcome of every deal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from tapisvert.engine.sheet import Sheet
from tapisvert.extras import need
from tapisvert.games.registry import GAMES
from tapisvert.lab import bankroll_store, mathematics, proof_store
from tapisvert.lab.bankroll_store import BankrollTable
from tapisvert.lab.cluster import Cluster
from tapisvert.lab.cluster_jobs import prove_on
from tapisvert.lab.proof_store import StoredProof
from tapisvert.library.advising import strategy
from tapisvert.library.bet_proof import BetProof
from tapisvert.library.refusals import check_whole, explained, words_in
from tapisvert.library.sheets import sheet_of
from tapisvert.library.tables import Rows, rows_of
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.par.measures import ROUNDS_PER_HOUR, Measures, measures
from tapisvert.par.page import par_sheet
from tapisvert.par.record import par_json
from tapisvert.refusal import Refused

PACE_MAX = 10**6  # rounds in an hour


@dataclass(frozen=True)
class Proof:
    """The proof of a sheet: every bet under every strategy, the best play of each bet first."""

    sheet: Sheet
    bets: Rows[BetProof]
    record: tuple[StoredProof, ...] = field(repr=False)
    """The records that `tapis prove --json` prints, in the order of the game's mathematics."""

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

        The tables of shipped sheets are stored; others take seconds and need the extra `prove`.
        """
        found = bankrolls_of(self.sheet, self.record, progress)
        best = self.main.strategy
        return rows_of(sorted(found, key=lambda each: each.strategy != best))

    @explained
    def page(self, language: str = "en") -> str:
        """Return the par sheet as a page of HTML that needs no other file, in `en` or `fr`.

        For a sheet that is not shipped, the first call also computes the chart and the bankroll
        tables, which takes as long as `strategy` and `bankrolls`.
        """
        words_in(language)
        return par_sheet(self.sheet, language, list(self.record), self._chart, self._tables)

    @explained
    def par_json(self) -> bytes:
        """Return the par sheet as JSON: every measure of every bet, and the bankroll tables."""
        return par_json(self.sheet, self.record, self._tables)

    @explained
    def workbook(self, language: str = "en") -> bytes:
        """Return the par sheet as an XLSX file with live formulas, in `en` or `fr`."""
        words_in(language)
        need("prove")
        from tapisvert.par.workbook import par_workbook

        return par_workbook(self.sheet, self.record, language, self._tables)

    @cached_property
    def _chart(self) -> Any:
        return strategy(self.sheet).data

    @cached_property
    def _tables(self) -> tuple[BankrollTable, ...]:
        return bankrolls_of(self.sheet, self.record)

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
    counts even if figures are stored. `progress` gets the part that is done, from 0 to 1.
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
    record = tuple(found)
    return Proof(sheet, rows_of(BetProof(each) for each in best_first(record)), record)
