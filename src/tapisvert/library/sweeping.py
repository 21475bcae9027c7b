"""Sweeps: exact proofs over a grid of sheets; and the clusters that run them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tapisvert.engine.sheet import Sheet
from tapisvert.extras import need
from tapisvert.lab import sweep as lab
from tapisvert.lab import sweep_file
from tapisvert.lab.cluster import Cluster, tls_of
from tapisvert.lab.cluster_work import SweptBet
from tapisvert.lab.sweep_blocks import FinishedBlocks
from tapisvert.library.kinds import check_kind
from tapisvert.library.refusals import explained
from tapisvert.library.sheets import sheet_of
from tapisvert.library.tables import Cell, Rows, Shown, rows_of
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.refusal import Refused


@dataclass(frozen=True, slots=True)
class SweptFigure(Shown):
    """A bet of one sheet of a grid under a strategy. The fractions are those of `BetProof`."""

    values: Mapping[str, Any]
    """The varied keys, as this sheet writes them."""

    sheet_hash: str
    record: SweptBet

    @property
    def bet(self) -> str:
        """The bet: `main`, or the name of a side bet."""
        return self.record.bet

    @property
    def strategy(self) -> str:
        """How it is played."""
        return self.record.strategy

    @property
    def edge(self) -> Fraction:
        """The player's mean net result per first stake."""
        return Fraction(self.record.edge)

    @property
    def staked(self) -> Fraction:
        """The mean money staked per first stake."""
        return Fraction(self.record.staked)

    @property
    def returned(self) -> Fraction:
        """The return per money staked."""
        return 1 + self.edge / self.staked

    @property
    def variance(self) -> Fraction:
        """The variance of the net result."""
        return Fraction(self.record.variance)

    @property
    def hit(self) -> Fraction:
        """The probability of a positive net result."""
        return Fraction(self.record.hit)

    def cells(self) -> Mapping[str, Cell]:
        """Return the row of this figure."""
        given = self.values.items()
        return {
            **{key: each if isinstance(each, int) else str(each) for key, each in given},
            "bet": self.bet,
            "strategy": self.strategy,
            "edge": self.edge,
            "staked": self.staked,
            "returned": self.returned,
            "variance": self.variance,
            "hit": self.hit,
            "exact": self.record.exact,
        }


@explained
def cluster(
    address: str,
    *,
    tls_ca: str | Path | None = None,
    tls_cert: str | Path | None = None,
    tls_key: str | Path | None = None,
) -> Cluster:
    """Connect to the scheduler of a Dask cluster, `tcp://HOST:PORT`; use it in a `with` statement.

    With TLS the address is `tls://HOST:PORT`, and all three files are given. A cluster is trusted:
    without TLS use one that only this machine reaches.
    """
    return Cluster(address, tls_of(tls_ca, tls_cert, tls_key))


@explained
def sweep(
    game: str | Sheet,
    vary: Mapping[str, Iterable[Any]],
    *,
    out: str | Path | None = None,
    cluster: Cluster | None = None,
    progress: Progress = no_progress,
) -> Rows[SweptFigure]:
    """Prove every combination of the values of some keys; return a row for each bet and strategy.

    `out` is a Parquet file to write. Sheets that are proved before an interruption are kept beside
    it, and are not proved again by the next call with the same arguments.
    """
    for key, values in vary.items():
        check_kind(str(key), values, Iterable)
    asked = lab.plan(sheet_of(game), {key: list(values) for key, values in vary.items()})
    if out is None:
        found = lab.run(asked, None, cluster, progress)
    else:
        found = _to_file(asked, Path(out), cluster, progress)
    return rows_of(
        SweptFigure(dict(zip(asked.keys, point.values, strict=True)), point.sheet_hash, bet)
        for point, bets in zip(asked.points, found, strict=True)
        for bet in bets
    )


def _to_file(
    asked: lab.Plan, path: Path, cluster: Cluster | None, tell: Progress
) -> list[list[SweptBet]]:
    need("lab")
    try:
        if sweep_file.is_complete(path, asked):
            tell(1.0)
            return sweep_file.read_sweep(path, asked)
        finished = FinishedBlocks(path, asked.id)
        found = lab.run(asked, finished, cluster, tell)
        sweep_file.write_sweep(path, asked, found)
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise Refused("store/unwritable", file=str(path), reason=reason) from None
    finished.remove()
    return found
