"""The proof cache: figures under a key of all the sheet values they depend on.

The proofs of the shipped sheets are in the package; others are in a folder. A figure is shown only
if its key matches the sheet, so a changed price never appears with an old return.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from tapisvert.decoding import read_json
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES
from tapisvert.lab.proof_keys import key
from tapisvert.lab.whole_files import write_files
from tapisvert.odds.figures import Figure, write_return

SHIPPED = "proofs.json"  # in a game's folder


class OutcomeView(Struct, frozen=True):
    """One outcome of a bet, as stored in a proof."""

    name: str
    deals: int
    net: str
    staked: str


class StoredProof(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The figures of a bet under a strategy, as stored and shown.

    Fractions are in lowest terms. `edge`, `staked` and `variance` are per unit of the first stake,
    `return` is per unit of money staked.
    """

    bet: str
    strategy: str
    exact: bool
    edge: str
    staked: str
    returned: str = msgspec.field(name="return")
    variance: str
    hit: str
    counts: dict[str, int]
    outcomes: tuple[OutcomeView, ...] = ()
    parts: dict[str, str] = {}
    error: float | None = None
    key: str = ""


def written(sheet: Sheet, figure: Figure) -> StoredProof:
    """Convert a figure to its stored form."""
    return StoredProof(
        bet=figure.bet,
        strategy=figure.strategy,
        exact=figure.exact,
        edge=ratio(figure.edge),
        staked=ratio(figure.staked),
        returned=write_return(figure.returned),
        variance=ratio(figure.variance),
        hit=ratio(figure.hit),
        counts=figure.counts,
        outcomes=tuple(
            OutcomeView(each.name, each.deals, ratio(each.net), ratio(each.staked))
            for each in figure.outcomes
        ),
        parts={name: ratio(value) for name, value in figure.parts.items()},
        error=figure.error,
        key=key(sheet, figure.bet),
    )


def ratio(value: Fraction) -> str:
    """Return a fraction as text, in lowest terms.

    >>> ratio(Fraction(-4, 2))
    '-2/1'
    """
    return f"{value.numerator}/{value.denominator}"


def fraction_from(kind: type, value: object) -> Fraction:
    """Read a fraction from its text: the `dec_hook` for types with fractions.

    >>> fraction_from(Fraction, "-2/1")
    Fraction(-2, 1)
    """
    if kind is Fraction and isinstance(value, str):
        return Fraction(value)
    raise NotImplementedError(kind)


def find(sheet: Sheet, folder: Path | None = None) -> list[StoredProof]:
    """Return the stored proofs of this sheet, in the order of the bets, the best play first."""
    game = GAMES[sheet.game]
    kept = {**_read(game.folder / SHIPPED)}
    if folder is not None:
        kept |= _read(folder / f"{sheet.game}.json")
    return [proof for bet in game.bets for proof in kept.get(key(sheet, bet), ())]


def keep(folder: Path, sheet: Sheet, proofs: Iterable[StoredProof]) -> None:
    """Add proofs to a folder; the proofs of other sheets stay."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / f"{sheet.game}.json", proofs)


def write(path: Path, proofs: Iterable[StoredProof]) -> None:
    """Add proofs to a file."""
    kept = dict(_read(path))
    by_key: dict[str, list[StoredProof]] = {}
    for proof in proofs:
        by_key.setdefault(proof.key, []).append(proof)
    kept |= {name: tuple(found) for name, found in by_key.items()}
    write_files({path: msgspec.json.format(msgspec.json.encode(kept, order="sorted"), indent=1)})
    _read_at.cache_clear()


def _read(path: Path) -> dict[str, tuple[StoredProof, ...]]:
    try:
        return _read_at(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return {}


@cache
def _read_at(path: Path, _changed_ns: int) -> dict[str, tuple[StoredProof, ...]]:
    return read_json(path.read_bytes(), dict[str, tuple[StoredProof, ...]])
