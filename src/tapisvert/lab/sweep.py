"""Exact proofs over a grid of sheets: every combination of the values of some keys.

The blocks of a grid depend on its sheets alone. Finished blocks are stored on disk, so that an
interrupted sweep resumes where it stopped.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from operator import getitem
from typing import Any, NamedTuple

import msgspec

from tapisvert.decoding import read_json, read_msgpack
from tapisvert.engine.sheet import Sheet, write_odds
from tapisvert.engine.sheet_file import keys, with_changes
from tapisvert.lab import mathematics
from tapisvert.lab.cluster import Cluster
from tapisvert.lab.cluster_work import SweptBet, code_id, prove_sheets
from tapisvert.lab.sweep_blocks import FinishedBlocks
from tapisvert.odds.parallel import Progress
from tapisvert.refusal import Refused

SHEETS_MAX = 100_000
BLOCK = 128  # sheets proved from one shared count; without one, a block is a single sheet
_FORM = 1  # increment when the content of blocks or of the file changes
_NUMBER = re.compile(r"\d{1,9}(\.\d{1,6}|/[1-9]\d{0,5})?", re.ASCII)

Values = Mapping[str, Sequence[Any]]  # by key, as the sheet writes them


class Point(NamedTuple):
    """A sheet of the grid: its values in the order of the keys, its id, and its shared count."""

    values: tuple[Any, ...]
    sheet_hash: str
    group: str


class Plan(NamedTuple):
    """A sweep: the sheets of its grid, cut into blocks of their numbers."""

    sheet: Sheet
    keys: tuple[str, ...]
    points: list[Point]
    blocks: list[list[int]]
    id: str  # a hash of everything that the result depends on

    def part(self, block: int) -> tuple[str, str, bytes, bytes]:
        """Return the arguments of `prove_sheets` for a block."""
        points = (self.points[number] for number in self.blocks[block])
        changes = [dict(zip(self.keys, each.values, strict=True)) for each in points]
        game = self.sheet.game
        return code_id(game), game, self.sheet.body, msgspec.json.encode(changes)


def read_values(sheet: Sheet, written: str) -> tuple[str, list[Any]]:
    """Read `KEY=LOW:HIGH[:STEP]`, or `KEY=[...]` with the values in JSON.

    >>> from tapisvert.sheets import load
    >>> read_values(load("casino-stud"), "play.pays.flush=4:5:1/2")
    ('play.pays.flush', ['4:1', '9:2', '5:1'])
    >>> read_values(load("casino-stud"), "play.times_ante=1:3")
    ('play.times_ante', [1, 2, 3])
    """
    readable = written.encode(errors="replace").decode()  # undecodable bytes became surrogates
    key, equals, text = readable.partition("=")
    if not equals:
        raise _wrong(readable, "expected KEY=LOW:HIGH or KEY=LOW:HIGH:STEP")
    known = dict(keys(sheet))
    if key not in known:
        raise Refused("sheet/unknown_key", key=key)
    if text.startswith("["):
        return key, _listed(readable, text)
    numbers = text.split(":")
    if len(numbers) not in (2, 3) or not all(map(_NUMBER.fullmatch, numbers)):
        raise _wrong(readable, "expected KEY=LOW:HIGH or KEY=LOW:HIGH:STEP, as 4:8 or 4:8:1/2")
    low, high, step = map(Fraction, (*numbers, "1")[:3])
    if step <= 0 or low > high:
        raise _wrong(readable, "LOW must not exceed HIGH, and STEP must be above 0")
    count = (high - low) // step + 1
    if count > SHEETS_MAX:
        raise Refused("sweep/too_many", sheets=count, max=SHEETS_MAX)
    return key, [_as_written(readable, known[key], low + n * step) for n in range(count)]


def plan(sheet: Sheet, values: Values) -> Plan:
    """Return the sweep of a grid; refuse one that is too large or has an invalid sheet."""
    sheets = prod(map(len, values.values()))
    if not values or not sheets:
        raise _wrong(", ".join(values), "name at least one key, with at least one value")
    if sheets > SHEETS_MAX:
        raise Refused("sweep/too_many", sheets=sheets, max=SHEETS_MAX)
    shared = mathematics.mathematics_of(sheet).shared_count
    points = []
    for combination in product(*values.values()):
        one = with_changes(sheet, dict(zip(values, combination, strict=True)))
        figures = msgspec.json.decode(one.body)
        written = tuple(reduce(getitem, key.split("."), figures) for key in values)
        points.append(Point(written, one.hash, shared.group(one) if shared else ""))
    if len({point.sheet_hash for point in points}) < len(points):
        raise _wrong(", ".join(values), "two sheets of the grid are the same")
    by_group: dict[str, list[int]] = {}
    for number, point in enumerate(points):
        by_group.setdefault(point.group, []).append(number)
    size = BLOCK if shared else 1
    blocks = [
        group[first : first + size]
        for group in by_group.values()
        for first in range(0, len(group), size)
    ]
    content = [_FORM, code_id(sheet.game), sheet.hash, list(values)]
    content.append([point.sheet_hash for point in points])
    identity = hashlib.sha256(msgspec.json.encode(content)).hexdigest()
    return Plan(sheet, tuple(values), points, blocks, identity)


def run(
    asked: Plan, finished: FinishedBlocks | None, cluster: Cluster | None, tell: Progress
) -> list[list[SweptBet]]:
    """Prove every sheet of a sweep; return the bets of each, in the order of the grid."""
    found: dict[int, list[list[SweptBet]]] = {}
    if finished is not None:
        for number, block in enumerate(asked.blocks):
            content = finished.read(number)
            bets = None if content is None else _read(content, len(block))
            if bets is not None:
                found[number] = bets
    done = sum(len(asked.blocks[number]) for number in found)
    tell(done / len(asked.points))
    missing = [number for number in range(len(asked.blocks)) if number not in found]
    parts = map(asked.part, missing)
    if missing and cluster is not None:
        cluster.check(asked.sheet.game)
    ended = _alone(prove_sheets, parts) if cluster is None else cluster.run(prove_sheets, parts)
    for place, content in ended:
        number = missing[place]
        if finished is not None:
            finished.write(number, content)
        bets = _read(content, len(asked.blocks[number]))
        assert bets is not None
        found[number] = bets
        done += len(bets)
        tell(done / len(asked.points))
    by_point = {
        point: bets
        for number, block in enumerate(asked.blocks)
        for point, bets in zip(block, found[number], strict=True)
    }
    return [by_point[point] for point in range(len(asked.points))]


def _alone(
    work: Callable[..., bytes], parts: Iterable[tuple[Any, ...]]
) -> Iterator[tuple[int, bytes]]:
    """Run the parts in this process, as `Cluster.run` does on workers."""
    for number, part in enumerate(parts):
        yield number, work(*part)


def _read(content: bytes, sheets: int) -> list[list[SweptBet]] | None:
    """Return the bets of the sheets of a block; None if it is not a block of this size."""
    try:
        found = read_msgpack(content, list[list[SweptBet]])
    except msgspec.DecodeError:
        return None
    return found if len(found) == sheets else None


def _listed(written: str, text: str) -> list[Any]:
    try:
        values: list[Any] = read_json(text.encode(), list)
    except (msgspec.DecodeError, RecursionError):
        raise _wrong(written, "the list of values is not JSON") from None
    return values


def _as_written(written: str, current: object, value: Fraction) -> Any:
    """Write a number as the sheet writes the value of this key."""
    if isinstance(current, str) and re.fullmatch(r"\d+:\d+", current):
        return write_odds(value)
    if isinstance(current, bool) or not isinstance(current, int):
        raise _wrong(
            written, "the value of this key is not a number: list values as JSON, KEY=[...]"
        )
    if value.denominator != 1:
        raise _wrong(written, "the value of this key is a whole number")
    return int(value)


def _wrong(written: str, reason: str) -> Refused:
    return Refused("sweep/vary", vary=written[:64], reason=reason)
