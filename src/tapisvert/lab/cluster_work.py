"""The functions that the workers of a cluster run; their arguments and results are plain values.

Each takes the hash of the caller's code. A worker with other code refuses, so that the results of
two versions are never mixed.
"""

from __future__ import annotations

import hashlib
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import load_body, with_changes
from tapisvert.games.registry import GAMES, known
from tapisvert.lab import mathematics, proof_store
from tapisvert.lab.proof_store import StoredProof, ratio
from tapisvert.lab.simulated_rounds import simulate_block
from tapisvert.odds.figures import Figure
from tapisvert.odds.parallel import no_progress
from tapisvert.refusal import Refused

if TYPE_CHECKING:
    from tapisvert.odds.tally import Tally

_PACKAGE = Path(__file__).parents[1]
_CODE = (".py", ".toml")
_COUNT: dict[tuple[str, str], Any] = {}  # the last shared count, by game and group


class SweptBet(Struct, frozen=True, array_like=True):
    """The exact figures of a bet of one sheet, as fractions in text (see `StoredProof`)."""

    bet: str
    strategy: str
    exact: bool
    edge: str
    staked: str
    variance: str
    hit: str
    error: float | None = None


@cache
def code_id(game: str) -> str:
    """Return a hash of all code and figures of this package and of a game outside it."""
    folders = {_PACKAGE, GAMES[known(game)].folder}
    found = hashlib.sha256()
    for folder in sorted(each for each in folders if not _inside(each)):
        for path in sorted(folder.rglob("*")):
            if path.suffix in _CODE:
                found.update(f"\0{path.relative_to(folder).as_posix()}\0".encode())
                found.update(path.read_bytes())
    return found.hexdigest()


def prove_sheets(code: str, game: str, body: bytes, changes: bytes) -> bytes:
    """Prove a sheet with each of the changes (JSON); return their bets as MessagePack."""
    _check(code, game)
    sheet = _sheet(game, body)
    found = (figures_of(with_changes(sheet, each)) for each in msgspec.json.decode(changes))
    return msgspec.msgpack.encode([list(map(swept, figures)) for figures in found])


def prove_sheet(code: str, game: str, body: bytes) -> tuple[float, list[StoredProof]]:
    """Prove one sheet; return the seconds it took, and its figures as they are stored."""
    _check(code, game)
    sheet = _sheet(game, body)
    started = time.perf_counter()
    figures = mathematics.prove(sheet)
    seconds = time.perf_counter() - started
    return seconds, [proof_store.written(sheet, figure) for figure in figures]


def play_rounds(
    code: str, game: str, body: bytes, strategy: str, seed: int, first: int, rounds: int
) -> Tally:
    """Play rounds `first`, `first` + 1, ... of a seed."""
    _check(code, game)
    return simulate_block(_sheet(game, body), strategy, seed, first, rounds)


def figures_of(sheet: Sheet) -> list[Figure]:
    """Prove a sheet; cache the count that it shares with other sheets."""
    shared = mathematics.mathematics_of(sheet).shared_count
    if shared is None:
        return mathematics.prove(sheet)
    key = sheet.game, shared.group(sheet)
    count = _COUNT.get(key)
    if count is None:
        _COUNT.clear()  # a count takes hundreds of megabytes
        count = _COUNT[key] = shared.count(sheet, no_progress)
    return shared.figures(count, sheet)


def swept(figure: Figure) -> SweptBet:
    """Return the figures of a bet as a sweep stores them."""
    return SweptBet(
        figure.bet,
        figure.strategy,
        figure.exact,
        ratio(figure.edge),
        ratio(figure.staked),
        ratio(figure.variance),
        ratio(figure.hit),
        figure.error,
    )


def _sheet(game: str, body: bytes) -> Sheet:
    return load_body(body, GAMES[known(game)].sheet_type)


def _check(code: str, game: str) -> None:
    if code != code_id(game):  # a worker that joined after `Cluster.check`
        from distributed import get_worker

        raise Refused("cluster/version", worker=get_worker().address)


def _inside(folder: Path) -> bool:
    """Tell whether a folder is below the package's own."""
    return folder != _PACKAGE and folder.is_relative_to(_PACKAGE)
