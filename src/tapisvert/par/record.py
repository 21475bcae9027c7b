"""The par sheet of a game as JSON: every measure, fractions in lowest terms."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec
from msgspec import Struct

from tapisvert import __version__
from tapisvert.engine.sheet import Sheet
from tapisvert.lab.proof_store import StoredProof, ratio
from tapisvert.par.measures import Measures, measures


class ParRecord(Struct, frozen=True):
    """The par sheet of a game as data."""

    game: str
    sheet_hash: str
    version: str
    bets: tuple[Measures, ...]


def par_json(sheet: Sheet, found: Iterable[StoredProof]) -> bytes:
    """Return the par sheet of a game as JSON, from its proofs."""
    record = ParRecord(sheet.game, sheet.hash, __version__, measures(sheet, found))
    return msgspec.json.format(msgspec.json.encode(record, enc_hook=_fraction), indent=1) + b"\n"


def read_par(written: bytes) -> ParRecord:
    """Read a par sheet from its JSON."""
    return msgspec.json.decode(written, type=ParRecord, dec_hook=_from_text)


def _fraction(value: object) -> str:
    if isinstance(value, Fraction):
        return ratio(value)
    raise NotImplementedError(type(value))


def _from_text(kind: type, value: object) -> Fraction:
    if kind is Fraction and isinstance(value, str):
        return Fraction(value)
    raise NotImplementedError(kind)
