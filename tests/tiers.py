"""The two tiers of tests, and the order in which they start.

`make test` runs the first tier. A test marked `long`, or one case of it, belongs to the second,
which `make test-all` runs after the first. A test selected by name runs in any tier.

Long files start first, so that no worker is left alone with one at the end. seconds.toml has the
duration of each file; `--note-seconds` rewrites it. An outdated figure only costs time.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

FIRST, SECOND, BOTH = "first", "second", "both"
SECONDS = Path(__file__).with_name("seconds.toml")
NOTED_FROM_S = 2

Case = TypeVar("Case")

long = pytest.mark.long


def one_in(count: int, cases: Sequence[Case]) -> list[object]:
    """Return the cases for `parametrize`: one in `count` in the first tier, the rest in the second.

    >>> [getattr(case, "values", case) for case in one_in(3, "abcd")]
    ['a', ('b',), ('c',), 'd']
    """
    return [
        case if place % count == 0 else pytest.param(case, marks=long)
        for place, case in enumerate(cases)
    ]


def few_or_many(few: int, many: int) -> list[object]:
    """Return the sizes of a sample for `parametrize`: few in the first tier, many in the second.

    >>> [getattr(size, "values", size) for size in few_or_many(10, 200)]
    [10, (200,)]
    """
    return [few, pytest.param(many, marks=long)]


def not_of_this_tier(config: pytest.Config, items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return the tests of the other tier."""
    tier = config.getoption("--tier")
    if tier == BOTH or any("::" in asked for asked in config.args):
        return []
    return [item for item in items if ("long" in item.keywords) == (tier == FIRST)]


def file_of(nodeid: str) -> str:
    """Return the file of a test.

    >>> file_of("tests/bank/test_a.py::test_b[c::d]")
    'tests/bank/test_a.py'
    """
    return nodeid.partition("::")[0]


def seconds() -> dict[str, dict[str, int]]:
    """Return the durations of the long files, by tier."""
    return tomllib.loads(SECONDS.read_text(encoding="utf-8"))


def longest_first(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests of the longest files first; the others keep their order."""
    noted = seconds().get(config.getoption("--tier"), {})
    items.sort(key=lambda item: -noted.get(file_of(item.nodeid), 0))


def note_seconds(tier: str, reports: Iterable[pytest.TestReport]) -> None:
    """Write the duration of every file in this tier, from a second or two on."""
    taken = defaultdict[str, float](float)
    for report in reports:
        taken[file_of(report.nodeid)] += report.duration
    longest = sorted(taken.items(), key=lambda each: -each[1])
    here = {file: round(s) for file, s in longest if s >= NOTED_FROM_S}
    text = "# Seconds that the tests of a file take: what is long starts first (tiers.py).\n"
    for name, files in {**seconds(), tier: here}.items():
        text += f"\n[{name}]\n" + "".join(f'"{file}" = {s}\n' for file, s in files.items())
    SECONDS.write_text(text, encoding="utf-8")
