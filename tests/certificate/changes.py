"""Every single change of a certificate's data, with the part that must be reported."""

from __future__ import annotations

import copy
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from tapisvert.engine.sheet_file import keys
from tapisvert.sheets import load

Data = dict[str, Any]


class Change(NamedTuple):
    """A changed certificate: the change, the false part, and the changed field."""

    what: str
    data: Data
    part: str  # part both programs report even with correct digests; "" if only digests reveal it
    field: str


def changes(data: Data, one_in: int = 1) -> Iterator[Change]:
    """Yield changes of one card, one digit, one stake, one choice, one amount, one figure.

    For each field, the first change and then one in `one_in`.
    """
    seen: Counter[str] = Counter()
    for change in chain(_record(data), _play(data), _sheet(data), _beside(data)):
        if seen[change.field] % one_in == 0:
            yield change
        seen[change.field] += 1


def _changed(data: Data, what: str, part: str, field: str, do: Callable[[Any], object]) -> Change:
    made = copy.deepcopy(data)
    do(made)
    assert made != data, what
    return Change(what, made, part, field)


def _put(data: Data, path: tuple[str | int, ...], value: object, part: str) -> Change:
    def do(made: Any) -> None:
        *outer, last = path
        for name in outer:
            made = made[name]
        made[last] = value

    field = str(path[1] if path[0] == "proof" else path[0])
    return _changed(data, ".".join(map(str, path)), part, field, do)


def _record(data: Data) -> Iterator[Change]:
    """Yield changes of the deal: each card, each digit, each letter."""
    proof = data["proof"]
    for place in range(len(proof["deck"])):
        yield _put(data, ("proof", "deck", place), proof["deck"][place - 1], "deck")
    parts = {"server_seed": "commitment", "commitment": "commitment", "client_seed": "deck"}
    parts |= {"sheet_hash": "sheet", "round_id": "deck"}
    for field, part in parts.items():
        for place, letter in enumerate(proof[field]):
            other = "0" if letter != "0" else "1"
            text = proof[field][:place] + other + proof[field][place + 1 :]
            yield _put(data, ("proof", field), text, part)
    yield _put(data, ("proof", "game"), "faro", "sheet or deck")
    yield _put(data, ("proof", "edition"), proof["edition"] + 1, "written")
    yield _put(data, ("proof", "format"), "tapisvert/round/2", "written")
    yield _put(data, ("proof", "void_reason"), "expired", "choices")


def _play(data: Data) -> Iterator[Change]:
    """Yield changes of stakes, choices and settlement."""
    proof = data["proof"]
    for bet, cents in proof["stakes"].items():
        for other in (cents + 100, cents - 100, 0, -cents, str(cents), 10**9):
            yield _put(data, ("proof", "stakes", bet), other, "settlement or choices")
    for place, answer in enumerate(proof["answers"]):
        options = data["values"][place]["options"] if isinstance(answer, str) else ()
        for other in {*options, "fold", "hit", "", "Jk Jk"} - {answer}:
            yield _put(data, ("proof", "answers", place), other, "")
        left_out = proof["answers"][:place] + proof["answers"][place + 1 :]
        yield _put(data, ("proof", "answers"), left_out, "")
    yield _put(data, ("proof", "answers"), [*proof["answers"], "stand"], "choices")
    for place, line in enumerate(proof["lines"]):
        for field, value in line.items():
            other = not value if field == "capped" else f"{value}x"
            other = value + 1 if field.endswith("cents") else other
            yield _put(data, ("proof", "lines", place, field), other, "settlement")
        left_out = proof["lines"][:place] + proof["lines"][place + 1 :]
        yield _put(data, ("proof", "lines"), left_out, "settlement")
    yield _put(data, ("proof", "lines"), [*proof["lines"], proof["lines"][0]], "settlement")


def _sheet(data: Data) -> Iterator[Change]:
    """Yield changes of each value of the sheet."""
    for key, value in keys(load(data["proof"]["game"])):
        other = f"{value}1" if isinstance(value, str) else value + 1 if value == 1 else [value]
        yield _put(data, ("proof", "sheet", *key.split(".")), other, "sheet")


def _beside(data: Data) -> Iterator[Change]:
    """Yield changes of the data beside the proof."""
    for step, value in enumerate(data["values"]):
        for option, worth in value["options"].items():
            other = worth[:-1] + ("0" if worth[-1] != "0" else "1")
            yield _put(data, ("values", step, "options", option), other, "")
        yield _put(data, ("values", step, "best"), "none", "values")
        yield _put(data, ("values", step, "unit_cents"), value["unit_cents"] + 1, "values")
        yield _put(data, ("values", step, "step"), step + 1, "values")
    yield _put(data, ("house", "opened_at"), "2026-01-01T00:00:00.000Z", "")
    for field in data["digests"]:
        yield _put(data, ("digests", field), "0" * 64, "written")


def with_digests(data: Data) -> Data:
    """Return a changed certificate with all digests recomputed, as a forger would."""
    record = data["proof"]
    beside = {name: data[name] for name in ("house", "values")}
    fields = {**beside, **record, "round.json": sorted(record)}
    digests = {
        field: hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()
        for field, value in fields.items()
    }
    return {**data, "digests": digests}
