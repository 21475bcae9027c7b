"""The schema as it must be: a table, trigger or index that is missing, changed or new is named."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import msgspec

from tapisvert.refusal import Refused

Schema = dict[str, str]  # what each object is, by its kind and name


def digest(schema: Mapping[str, str]) -> str:
    """Return what a seal says of a schema."""
    return hashlib.sha256(msgspec.json.encode(sorted(schema.items()))).hexdigest()


def first_difference(found: Mapping[str, str], wanted: Mapping[str, str]) -> str | None:
    """Name the first object that is not as it must be.

    >>> first_difference({"index a": "x"}, {"index a": "x", "trigger b": "y"})
    'trigger b is missing'
    """
    for name in sorted(found.keys() | wanted.keys()):
        if name not in found:
            return f"{name} is missing"
        if name not in wanted:
            return f"{name} is not ours"
        if found[name] != wanted[name]:
            return f"{name} was changed"
    return None


def must_be(found: Mapping[str, str], wanted: Mapping[str, str], file: str) -> None:
    """Refuse a database whose rules were changed: it would not keep what it promises."""
    wrong = first_difference(found, wanted)
    if wrong is not None:
        raise Refused("store/altered", file=file, what=wrong)
