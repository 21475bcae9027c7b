"""Messages about mistakes in a strategy file: each names the place and the values allowed there.

One message reports all mistakes found together, as far as it has room.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

import msgspec

from tapisvert.refusal import Refused

PAGE = "docs/strategies.md"
LISTED_MAX = 170  # characters of names in one message
ALSO_MAX = 250  # a refusal cuts longer texts
_KINDS = {
    "str": "a text in quotes",
    "int": "a whole number",
    "float": "a decimal number",
    "bool": "true or false",
    "object": "a table",
    "array": "a list",
    "date": "a date without quotes",
    "time": "a time without quotes",
    "datetime": "a date without quotes",
}
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_EXPECTED = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")


class Fault(NamedTuple):
    """A mistake: its place, such as `play, rule 2`, and a sentence."""

    place: str
    reason: str


def invalid(file: str, faults: Sequence[Fault]) -> Refused:
    """Return the refusal of a file: the first mistake, and the others as far as there is room."""
    first, *others = faults
    also = room_for(f"At {each.place}: {each.reason}." for each in others)
    return Refused("strategy/invalid", file=file, key=first.place, reason=first.reason, also=also)


def room_for(sentences: Iterable[str]) -> str:
    """Join further sentences; say how many more there are where they do not fit.

    >>> room_for(["One.", "Two."])
    ' One. Two.'
    >>> room_for(["x" * 200 + ".", "y" * 200 + "."]).endswith("x. There is one more mistake.")
    True
    """
    told, left = "", 0
    for sentence in sentences:
        if left or len(told) + len(sentence) > ALSO_MAX - 40:
            left += 1
        else:
            told += f" {sentence}"
    if left:
        many = "is one more mistake" if left == 1 else f"are {left} more mistakes"
        told += f" There {many}."
    return told


def one_of(names: Collection[str], asked: object = "") -> str:
    """List the names that are allowed; of many, those most similar to the one that was written.

    >>> one_of(["play", "fold"])
    'play, fold'
    """
    listed = ", ".join(names)
    if len(listed) <= LISTED_MAX:
        return listed
    near = get_close_matches(str(asked), names, n=5, cutoff=0.4) or list(names)[:5]
    return f"{', '.join(near)} and others ({PAGE} has all)"


def quoted(value: object) -> str:
    """Write a value as in a file, shortened.

    >>> quoted(["A", "K"]), quoted(True)
    ('["A", "K"]', 'true')
    """
    try:
        text = msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
    except (TypeError, ValueError, OverflowError):  # what JSON cannot write
        text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def plain(error: msgspec.ValidationError, keys: Mapping[str, Collection[str]]) -> Fault:
    """Explain which value is allowed instead of a wrong one; `keys` has the keys of each table."""
    said, _, path = str(error).partition(" - at `$")
    place, _, inside = path.rstrip("`").removeprefix(".").partition("[")
    known = one_of(keys.get(place, ()))
    if found := _UNKNOWN.fullmatch(said):
        return Fault(place, f"{quoted(found[1])} is not a key here; the keys are {known}")
    if found := _MISSING.fullmatch(said):
        return Fault(place, f"the key {quoted(found[1])} is missing; the keys are {known}")
    if found := _EXPECTED.fullmatch(said):
        got = _kinds(found[2]).removesuffix(" in quotes")
        subject = f"each value in {place}" if inside else place.rpartition(".")[2] or "this"
        return Fault(place, f"{subject} must be {_kinds(found[1])}, not {got}")
    return Fault(place, said)


def _kinds(written: str) -> str:
    """Name the kinds of values that the library lists."""
    kinds = [_KINDS.get(kind, kind) for kind in written.split(" | ") if kind != "null"]
    *most, last = sorted(kinds, key=list(_KINDS.values()).index)
    return f"{', '.join(most)} or {last}" if most else last
