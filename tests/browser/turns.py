"""Selects the variants of a browser test: one in `make test`, all in `make browser-all`.

A variant is a language, a width and an input device. `make test` runs most tests in one variant, so
that all tests together cover every variant. The choice depends on the name and position of the
test, so it is the same on every machine. Tests marked `every_way` run in all variants, and so do
tests selected by name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar
from zlib import crc32

import pytest

from tiers import long

ALL = os.environ.get("TAPIS_BROWSER") == "all"
T = TypeVar("T")
_WAYS = frozenset({"language", "width", "height", "keys", "motion"})


def first_of(cases: Iterable[T], *chosen: T) -> list[object]:
    """Return cases for `parametrize`: the chosen ones, or else the first, are in the first tier."""
    every = list(cases)
    first = chosen or every[:1]
    parts = [(case, case if isinstance(case, tuple) else (case,)) for case in every]
    return [pytest.param(*part, marks=() if case in first else long) for case, part in parts]


def for_another_day(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the browser tests to deselect."""
    tests: dict[str, dict[str, list[pytest.Item]]] = {}  # by function, by what it is about
    for item in items:
        called = getattr(item, "callspec", None)
        here = item.nodeid.startswith("tests/browser/") and "every_way" not in item.keywords
        if called is not None and here and _WAYS.intersection(called.params):
            about = {name: each for name, each in called.params.items() if name not in _WAYS}
            test = tests.setdefault(item.nodeid.partition("[")[0], {})
            test.setdefault(repr(about), []).append(item)
    return [
        item
        for test, groups in tests.items()
        for turn, ways in enumerate(groups.values(), crc32(test.encode()))
        for place, item in enumerate(ways)
        if place != turn % len(ways)
    ]
