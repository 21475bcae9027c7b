"""The end of a failed run: a few lines per failure, the rest in a file, and how to run it alone.

Reports may be long: a page's data URL, the transcript of a night, the log of a server. They go to
`build/failures/`, one file per failed test, rewritten by the next run.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

FOLDER = Path("build", "failures")  # under the root of the project
HEAD, TAIL = 10, 20  # lines of a report that are shown
COLUMNS_MAX = 200
_NAME_MAX = 120


def file_for(nodeid: str, phase: str) -> Path:
    """Return the path of a failed test's full report.

    >>> file_for("tests/bank/test_a.py::test_b[c/d e]", "call").name
    'bank-test_a-test_b-c-d-e.txt'
    """
    plain = nodeid.removeprefix("tests/").replace(".py::", "-")
    phases = "" if phase == "call" else f"-{phase}"
    name = re.sub(r"\W+", "-", plain)[:_NAME_MAX].strip("-")
    return FOLDER / f"{name}{phases}.txt"


def shortened(text: str, whole: Path) -> str:
    """Return the beginning and end of a report, and the path of the full one."""
    lines = [
        line if len(line) <= COLUMNS_MAX else f"{line[:COLUMNS_MAX]} ..."
        for line in text.splitlines()
    ]
    left = len(lines) - HEAD - TAIL
    if left > 0:
        between = [
            f"... {left} lines, with the error:",
            f"E   {error_in(text)[:COLUMNS_MAX]}",
            "...",
        ]
        lines = [*lines[:HEAD], *between, *lines[-TAIL:]]
    return "\n".join([*lines, f"The whole report: {whole}"])


def put_aside(report: pytest.TestReport, root: Path) -> None:
    """Write a failure's full report to its file, and shorten the one shown."""
    whole = file_for(report.nodeid, report.when or "call")
    text = report.longreprtext
    parts = [text, *(f"---- {title} ----\n{said}" for title, said in report.sections)]
    (root / FOLDER).mkdir(parents=True, exist_ok=True)
    (root / whole).write_text("\n".join(parts), encoding="utf-8")
    report.longrepr = shortened(text, whole)
    report.sections = []


def forget(root: Path) -> None:
    """Delete the reports of earlier runs."""
    shutil.rmtree(root / FOLDER, ignore_errors=True)


def listed(reports: Iterable[pytest.TestReport]) -> list[str]:
    """Return two lines for each failed test: the command that runs it alone, and its error."""
    return [
        line
        for report in reports
        for line in (f".venv/bin/pytest '{report.nodeid}'", f"    {error_in(report.longreprtext)}")
    ]


def error_in(text: str) -> str:
    r"""Return the line of a report that has the error.

    >>> error_in("def test():\n>   assert a == b\nE   assert 1 == 2\nE    where ...")
    'assert 1 == 2'
    >>> error_in("E   AssertionError\nE   round 3, deals")  # with a note
    'AssertionError round 3, deals'
    >>> error_in("+ Exception Group Traceback ...\n  | Group: 2 errors\n    | KeyError: 'a'")
    "KeyError: 'a'"
    """
    told = re.findall(r"^E +(\S.*)$", text, re.MULTILINE)
    if told:
        return " ".join(told[: 2 if told[0].isidentifier() else 1])
    grouped = re.search(r"^[ |]+(\w*(?:Error|Exception)\b.*)$", text, re.MULTILINE)
    return grouped[1] if grouped else text.strip().partition("\n")[0]
