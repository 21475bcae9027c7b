"""A file of simulated rounds: JSON or Parquet, with the tally from which a later run resumes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tapisvert.decoding import read_json
from tapisvert.engine.sheet import Sheet
from tapisvert.extras import need
from tapisvert.lab.cluster_work import code_id
from tapisvert.refusal import Refused

if TYPE_CHECKING:
    from tapisvert.odds.tally import Summary, Tally

JSON, PARQUET = ".json", ".parquet"
_RUN = b"tapisvert"  # key of the metadata of a Parquet file


class Run(Struct, frozen=True):
    """The inputs that determine the rounds of a simulation."""

    game: str
    sheet_hash: str
    strategy: str
    seed: int
    code: str = ""  # a hash of all code and figures; files of older versions have none


class _Stored(Struct, frozen=True):
    """A run and its rounds so far; `tally` is decoded when NumPy is there."""

    run: Run
    tally: msgspec.Raw


def run_of(sheet: Sheet, strategy: str, seed: int) -> Run:
    """Return the run of a simulation."""
    return Run(sheet.game, sheet.hash, strategy, seed, code_id(sheet.game))


def check_file(path: Path) -> None:
    """Refuse a file that no simulation can be written to, before the work starts."""
    if path.suffix not in (JSON, PARQUET):
        raise Refused(
            "simulate/file", file=str(path), reason="its name ends in neither .json nor .parquet"
        )
    if path.suffix == PARQUET:
        need("lab")
    if not path.parent.is_dir():
        raise Refused("simulate/file", file=str(path), reason="its folder does not exist")


def kept(path: Path, run: Run, rounds: int) -> Tally | None:
    """Return the rounds that a file holds; refuse one of another simulation or more rounds."""
    from tapisvert.odds.tally import Tally

    if not path.exists():
        return None
    try:
        stored = read_json(_READ[path.suffix](path), _Stored)
        tally = read_json(stored.tally, Tally)
    except (OSError, ValueError, KeyError, TypeError, msgspec.MsgspecError):
        raise Refused("simulate/file", file=str(path), reason="it holds no simulation") from None
    if not _is_whole(tally):
        raise Refused("simulate/file", file=str(path), reason="it is damaged")
    if stored.run.code != run.code and replace(stored.run, code=run.code) == run:
        reason = "it was written by another version of tapisvert or of the game: name another file"
        raise Refused("simulate/file", file=str(path), reason=reason)
    if stored.run != run:
        raise Refused("simulate/file", file=str(path), reason="it holds another simulation")
    if tally.rounds > rounds:
        raise Refused("simulate/file", file=str(path), reason=f"it holds {tally.rounds} rounds")
    return tally


def _is_whole(tally: Tally) -> bool:
    """Tell whether a tally begins at the first round and its numbers agree."""
    if tally.first or tally.unit < 1 or tally.rounds < 1 or not tally.bets:
        return False
    return all(
        sum(count for *_, count in bet.ends) == tally.rounds
        and sum(net * count for net, _, count in bet.ends) == bet.path.net
        for bet in tally.bets
    )


def keep(path: Path, run: Run, tally: Tally) -> None:
    """Write the rounds so far; replace the file atomically."""
    from tapisvert.odds.tally import summaries

    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        _WRITE[path.suffix](unfinished, run, tally, summaries(tally))
        unfinished.replace(path)
    except OSError as error:
        reason = error.strerror or "it cannot be written"
        raise Refused("simulate/file", file=str(path), reason=reason) from None
    finally:
        unfinished.unlink(missing_ok=True)


def entry(each: Summary) -> dict[str, Any]:
    """Return the summary of a bet as `tapis simulate --json` prints it."""
    return {**each._asdict(), "nets": list(each.nets.items())}


def _stored(run: Run, tally: Tally) -> dict[str, object]:
    return {"run": run, "tally": tally}


def _write_json(path: Path, run: Run, tally: Tally, found: list[Summary]) -> None:
    content = {**_stored(run, tally), "rounds": tally.rounds, "bets": list(map(entry, found))}
    path.write_bytes(msgspec.json.encode(content) + b"\n")


def _write_parquet(path: Path, run: Run, tally: Tally, found: list[Summary]) -> None:
    """Write a row for each bet; `ends` has how often each net result and stake came."""
    import pyarrow as pa
    from pyarrow import parquet

    rows = []
    for each, bet in zip(found, tally.bets, strict=True):
        ends = [
            {"net": net / tally.unit, "staked": staked / tally.unit, "rounds": count}
            for net, staked, count in bet.ends
        ]
        figures = {key: value for key, value in each._asdict().items() if key != "nets"}
        rows.append({**msgspec.to_builtins(run), **figures, "ends": ends})
    table = pa.Table.from_pylist(rows)
    written = {_RUN: msgspec.json.encode(_stored(run, tally))}
    parquet.write_table(table.replace_schema_metadata(written), path)


def _read_parquet(path: Path) -> bytes:
    from pyarrow import parquet

    content: bytes = parquet.read_schema(path).metadata[_RUN]
    return content


_READ: dict[str, Callable[[Path], bytes]] = {JSON: Path.read_bytes, PARQUET: _read_parquet}
_WRITE: dict[str, Callable[[Path, Run, Tally, list[Summary]], None]] = {
    JSON: _write_json,
    PARQUET: _write_parquet,
}
