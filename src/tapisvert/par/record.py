"""The par sheet of a game as JSON: every measure, fractions in lowest terms."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from tapisvert import __version__
from tapisvert.decoding import read_json
from tapisvert.engine.sheet import Sheet
from tapisvert.lab.bankroll_store import BankrollTable
from tapisvert.lab.proof_store import StoredProof, fraction_from, ratio
from tapisvert.par.measures import Measures, measures


class ParRecord(Struct, frozen=True):
    """The par sheet of a game as data."""

    game: str
    sheet_hash: str
    version: str
    bets: tuple[Measures, ...]
    bankrolls: tuple[BankrollTable, ...] = ()


def par_json(
    sheet: Sheet, found: Iterable[StoredProof], bankrolls: Iterable[BankrollTable] = ()
) -> bytes:
    """Return the par sheet of a game as JSON, from its proofs and bankroll tables."""
    measured = measures(sheet, found)
    record = ParRecord(sheet.game, sheet.hash, __version__, measured, tuple(bankrolls))
    return msgspec.json.format(msgspec.json.encode(record, enc_hook=ratio), indent=1) + b"\n"


def read_par(written: bytes) -> ParRecord:
    """Read a par sheet from its JSON."""
    return read_json(written, ParRecord, fraction_from)
