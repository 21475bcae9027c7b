"""docs/mutants.md and left.toml keep up with the modules (run by `make check`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from mutants import page
from mutants.mutant import Mutant, mutants_of
from mutants.run import MODULES
from mutants.selection import ROOT

PAGE = ROOT / "docs" / "mutants.md"


@lru_cache
def all_mutants() -> list[Mutant]:
    return [each for path in MODULES for each in mutants_of(path)]


def differences(text: str, modules: Iterable[str]) -> list[str]:
    """Return the modules without a row on the page, and the rows without a module."""
    rows = set(re.findall(r"^\| (\S+\.py) \|", text, re.MULTILINE))
    wanted = set(modules)
    missing = [f"no row for {name}" for name in sorted(wanted - rows)]
    return missing + [f"no module for the row {name}" for name in sorted(rows - wanted)]


def test_the_page_has_a_row_for_every_module_with_mutants_and_no_other() -> None:
    found = differences(PAGE.read_text(encoding="utf-8"), {each.file for each in all_mutants()})
    assert found == [], "run `make mutants`"


def test_a_missing_row_and_a_row_too_many_are_found() -> None:
    text = "| module | mutants |\n|---|--:|\n| bank/money.py | 3 |\n| rounds/desk.py | 2 |\n"
    assert differences(text, ["bank/money.py", "rounds/desk.py"]) == []
    assert differences(text, ["bank/money.py", "sealing.py"]) == [
        "no row for sealing.py",
        "no module for the row rounds/desk.py",
    ]


def test_every_reason_names_a_mutant_that_exists() -> None:
    assert page.reasons().keys() - {each.name for each in all_mutants()} == set()
