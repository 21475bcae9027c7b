"""Bankroll tables of par sheets, stored under the proof key of a sheet's main bet.

A server shows them without NumPy: `bankroll_table.py` computes them in advance, and this module
reads them. The tables of shipped sheets are in the package, those of other sheets in a folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path

import msgspec
from msgspec import Struct

from tapisvert.decoding import read_json
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES
from tapisvert.lab.proof_keys import key
from tapisvert.lab.proof_store import fraction_from, ratio
from tapisvert.lab.whole_files import write_files

SHIPPED = "bankrolls.json"  # in a game's folder
MAIN = "main"

Cell = str | int | float | bool | Fraction | None


class ResultAfter(Struct, frozen=True):
    """The distribution of the net result after some rounds, in first stakes, without ruin."""

    rounds: int
    mean: Fraction
    standard_deviation: float
    percentiles: dict[int, Fraction]
    """The percentiles of the result, by percentage."""
    loss: float
    """The probability of a result below 0."""
    gain: float
    """The probability of a result above 0."""
    error: float
    """Bounds the error of each probability."""


class RuinFrom(Struct, frozen=True):
    """The probabilities of ruin of one bankroll, given in first stakes."""

    bankroll: int
    within: dict[int, float]
    """The probability of ruin within each number of rounds."""
    rounds_to_ruin: dict[int, int | None]
    """By percentage: the least number of rounds after which this share of all players is ruined;
    None if it is more than the rounds computed.
    """
    error: float
    """Bounds the error of each probability."""


class BankrollTable(Struct, frozen=True, kw_only=True):
    """The results and the ruin of many rounds of the main bet under one strategy, in first stakes.

    `opening`, `n0` and the means are exact. The other figures are doubles; `error` is the largest
    bound on the error of a probability.
    """

    strategy: str
    opening: Fraction
    """The bets placed before the deal. A player whose purse is smaller is ruined."""
    n0: Fraction | None
    """The rounds after which the mean equals the standard deviation; None if the mean is 0."""
    results: tuple[ResultAfter, ...]
    ruins: tuple[RuinFrom, ...]
    exact: bool = False
    error: float

    def cells(self) -> Mapping[str, Cell]:
        """Return the row of this strategy."""
        return {
            "strategy": self.strategy,
            "opening": self.opening,
            "n0": self.n0,
            **{f"median_{each.rounds}": each.percentiles[50] for each in self.results},
            **{
                f"ruin_{each.bankroll}_{rounds}": chance
                for each in self.ruins
                for rounds, chance in each.within.items()
            },
            "exact": self.exact,
            "error": self.error,
        }


_Kept = dict[str, tuple[BankrollTable, ...]]


def find(sheet: Sheet, folder: Path | None = None) -> tuple[BankrollTable, ...]:
    """Return the stored tables of this sheet, one for each strategy; empty if there are none."""
    name = key(sheet, MAIN)
    shipped = GAMES[sheet.game].folder / SHIPPED
    for path in (shipped, *([folder / _file(sheet)] if folder else ())):
        kept = _read(path)
        if name in kept:
            return kept[name]
    return ()


def keep(folder: Path, sheet: Sheet, tables: Iterable[BankrollTable]) -> None:
    """Add the tables of a sheet to a folder; those of other sheets stay."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / _file(sheet), sheet, tables)


def write(path: Path, sheet: Sheet, tables: Iterable[BankrollTable]) -> None:
    """Add the tables of a sheet to a file."""
    kept = {**_read(path), key(sheet, MAIN): tuple(tables)}
    written = msgspec.json.encode(dict(sorted(kept.items())), enc_hook=ratio)
    write_files({path: msgspec.json.format(written, indent=1) + b"\n"})


def _read(path: Path) -> _Kept:
    try:
        return read_json(path.read_bytes(), _Kept, fraction_from)
    except FileNotFoundError:
        return {}


def _file(sheet: Sheet) -> str:
    return f"{sheet.game}-bankrolls.json"
