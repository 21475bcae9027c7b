"""The expected schema: a missing, changed or extra table, trigger or index is named."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import msgspec

from tapisvert.refusal import Refused

Schema = dict[str, str]  # definitions by kind and name of object


def digest(schema: Mapping[str, str]) -> str:
    """Return the digest of a schema, as a seal stores it."""
    return hashlib.sha256(msgspec.json.encode(sorted(schema.items()))).hexdigest()


def first_difference(found: Mapping[str, str], wanted: Mapping[str, str]) -> str | None:
    """Name the first object that differs from the expected schema.

    >>> first_difference({"index a": "x"}, {"index a": "x", "trigger b": "y"})
    'trigger b is missing'
    """
    for name in sorted(found.keys() | wanted.keys()):
        if name not in found:
            return f"{name} is missing"
        if name not in wanted:
            return f"{name} is not in the migrations"
        if found[name] != wanted[name]:
            return f"{name} was changed"
    return None


def must_be(found: Mapping[str, str], wanted: Mapping[str, str], file: str) -> None:
    """Refuse a database whose schema was changed: its constraints may no longer hold."""
    wrong = first_difference(found, wanted)
    if wrong is not None:
        raise Refused("store/altered", file=file, what=wrong)
