"""Tests that a machine cannot run are reported: an unnoticed skip looks like a pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NoReturn

import pytest

MARK = "NOT RUN: "


def not_run(what: str, why: str) -> NoReturn:
    """Skip this test, and report it at the end of the run."""
    pytest.skip(f"{MARK}{what} ({why})")


def told(skips: Iterable[object]) -> list[str]:
    """Return one line per reason of skipping, from the reports of skipped tests.

    >>> told([("file", 1, "Skipped: NOT RUN: browser tests (no Chromium)")] * 2)
    ['NOT RUN: browser tests (no Chromium): 2 tests']
    """
    reasons = (str(skip[2]) for skip in skips if isinstance(skip, tuple))
    lines = Counter(
        reason.removeprefix("Skipped: ")
        for reason in reasons
        if reason.removeprefix("Skipped: ").startswith(MARK)
    )
    return [f"{line}: {count} test{'s' * (count > 1)}" for line, count in lines.items()]
