"""The repository itself: sizes, names, and documents that must match the code (STYLE)."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "tapisvert"
SOURCES = sorted(
    path
    for folder in ("src", "tests", "benches", "tools")
    for path in (ROOT / folder).rglob("*.py")
)
MODULE_LINES_MAX = 300
FUNCTION_LINES_MAX = 60
FORBIDDEN_NAMES = {"utils", "util", "helpers", "manager", "common", "misc"}


def functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_small_enough_to_read_and_has_a_name_that_says_something(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MODULE_LINES_MAX
    assert path.stem not in FORBIDDEN_NAMES
    assert {name: lines for name, lines in functions(path) if lines > FUNCTION_LINES_MAX} == {}


def test_the_size_test_can_fail(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    path.write_text("def long():\n" + "    pass\n" * FUNCTION_LINES_MAX)
    assert dict(functions(path)) == {"long": FUNCTION_LINES_MAX + 1}


def pages() -> list[Path]:
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_target_the_pages_speak_of_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for page in pages():
        for target in re.findall(r"`make ([a-z-]+)`", page.read_text(encoding="utf-8")):
            assert target in targets, f"{page.name} speaks of make {target}"


def test_no_page_and_no_module_names_a_path_of_a_machine() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    private = re.compile(r"(?<![\w.])/(home|root|work|opt)/\w")
    for name in listed.stdout.split():
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".txt", ".sql", ""} and path.is_file():
            assert not private.search(path.read_text(encoding="utf-8")), name


def test_events_are_documented_one_by_one() -> None:
    from tapisvert.engine import events

    page = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    for event in events.AnyEvent.__args__:
        kind = event.__struct_config__.tag
        assert f"`{kind}`" in page
        for field in event.__struct_fields__:
            assert f"`{field}`" in page, f"{kind}.{field}"


def test_every_guarantee_of_the_page_has_a_test_named_after_its_row() -> None:
    page = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z]\d+) \| .* \| (.*) \|$", page, re.MULTILINE)
    assert {"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R9", "R10"} <= {row for row, _ in rows}
    assert {"G1", "G2", "G3", "G6", "G9", "G10"} <= {row for row, _ in rows}
    for row, places in rows:
        for place in re.findall(r"`(tests/[^`]*)`", places):
            path = ROOT / place
            files = path.rglob("*.py") if path.is_dir() else [path]
            tests = "".join(file.read_text(encoding="utf-8") for file in files)
            assert re.search(rf"def test_{row}_", tests), f"{row} has no test in {place}"


def room_of(path: Path) -> str:
    """Return the package of a module: its folder under `tapisvert`; each game is a package."""
    parts = path.relative_to(PACKAGE).parts
    return "/".join(parts[:2]) if parts[0] == "games" else parts[0]


def test_a_class_name_stands_for_one_thing_in_its_room() -> None:
    places: dict[tuple[str, str], list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault((room_of(path), node.name), []).append(path.name)
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
