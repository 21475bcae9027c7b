"""The pages with figures: their chapters, and the files and commits they name."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "benches"))

from page import machine, names, replaced, require, table, write

ROOT = Path(__file__).parents[1]
sys.path.remove(str(ROOT / "benches"))  # a module there has the name of a folder of tests

PERFORMANCE = ROOT / "docs" / "performance.md"
CHAPTERS = [
    "ranking",
    "commands",
    "load",
    "growth",
    "start",
    "install",
    "proofs",
    "beside",
    "simulation",
    "decisions",
    "billion",
    "cluster",
    "advice",
    "browser",
]

PAGE = """# By hand

<!-- one: written by make one -->

1

<!-- end -->

Between.

<!-- two: written by make two -->
<!-- end -->

After.
"""


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("one", "\n1\n\n<!-- end", "\nnew \\1\n\n<!-- end"),
        ("two", "two -->\n", "two -->\n\nnew \\1\n\n"),
    ],
)
def test_replacing_a_chapter_leaves_everything_else(name: str, before: str, after: str) -> None:
    assert replaced(PAGE, name, "new \\1\n") == PAGE.replace(before, after)


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("# By hand\n", 0), (PAGE.replace("two:", "one:"), 2)]
)
def test_a_page_without_a_single_chapter_of_the_name_is_refused(
    text: str, count: int, tmp_path: Path
) -> None:
    path = tmp_path / "page.md"
    path.write_text(text)
    with pytest.raises(ValueError, match="one"):
        replaced(text, "one", "new")
    with pytest.raises(SystemExit, match=f"{count} chapters named one"):
        require(path, ["one"])


def test_a_written_chapter_holds_the_machine_and_the_table(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    write(path, "two", table(("what", "figure"), [("a", "1")]))
    chapter = f"{machine()}\n\n| what | figure |\n| --- | --- |\n| a | 1 |"
    assert path.read_text() == replaced(PAGE, "two", chapter)


def test_the_performance_page_has_every_chapter_and_lists_it() -> None:
    assert names(PERFORMANCE.read_text(encoding="utf-8")) == CHAPTERS
    programs = "".join(path.read_text() for path in (ROOT / "benches").glob("*.py"))
    assert all(f'"{name}"' in programs for name in CHAPTERS)


CHECKED = ("check-game", "design", "guarantees", "mathematics", "mutants", "performance", "testing")
PACKAGE = ROOT / "src" / "tapisvert"
PLACES = (ROOT, ROOT / "docs", PACKAGE, PACKAGE / "games" / "casino_stud")  # any game will do
OURS = ("src", "tests", "benches", "tools", "docs", "examples")
ELSEWHERE = {"docs/rules.md"}  # of a package with one game of its own (check-game.md)

# A path with a folder, or alone in the first cell of a row. `games/<game>/...` is no path.
PATH = re.compile(r"(?<![\w/.<>~-])\w[\w-]*(?:/[\w.-]*\w)+/?|(?<=^\| )\w+\.py(?= \|)", re.MULTILINE)
SOURCE = re.compile(r"\.(py|js|css|toml|sql|md|sh)$")
COMMIT = re.compile(r"(?<![\w/#.-])(?=\w*[0-9])(?=\w*[a-f])[0-9a-f]{7,40}(?!\w)")


def missing_files(text: str) -> set[str]:
    """Return the files of this project that a text names and that do not exist."""
    found = set()
    for path in PATH.findall(text):
        parts = path.rstrip("/").split("/")
        placeholder = any(re.fullmatch(r"[A-Z]+(\.md)?", part) for part in parts)
        ours = parts[0] in OURS or SOURCE.search(path)
        if ours and not placeholder and path not in ELSEWHERE:
            found |= set() if any((place / path).exists() for place in PLACES) else {path}
    return found


def git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)


def unknown_commits(text: str) -> set[str]:
    """Return the commits a text names that this repository does not have."""
    return {
        commit
        for commit in set(COMMIT.findall(text))
        if git("cat-file", "-e", f"{commit}^{{commit}}").returncode != 0
    }


def whole_history() -> bool:
    """Tell whether this folder is a repository with all its commits."""
    top, shallow = git("rev-parse", "--show-toplevel"), git("rev-parse", "--is-shallow-repository")
    return Path(top.stdout.strip() or "/") == ROOT and shallow.stdout.strip() == "false"


@pytest.mark.parametrize("page", CHECKED)
def test_a_page_with_figures_names_files_that_exist(page: str) -> None:
    assert missing_files((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("page", CHECKED)
def test_a_page_with_figures_names_commits_that_exist(page: str) -> None:
    if not whole_history():
        pytest.skip("not a git repository with all its commits: commits are not checked")
    assert unknown_commits((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("`rounds/gate.py` decides", {"rounds/gate.py"}),
        ("| rounds/gate.py | 16 | 16 |\n| dealer.py | 3 |", {"rounds/gate.py", "dealer.py"}),
        ("- rounds/desk.py:85 `0`", {"rounds/desk.py"}),
        ("`tests/nowhere/` and benches/nothing.py", {"tests/nowhere/", "benches/nothing.py"}),
        ("`rounds/decide.py`, `tests/races/`, `benches/load.py`, `docs/rules/ID.md`", set()),
        ("`games/<game>/felt.js`, p50 / p99, and/or, `/proc/x.py`, https://a.example/b.py", set()),
    ],
)
def test_the_check_of_files_can_fail(text: str, files: set[str]) -> None:
    assert missing_files(text) == files


@pytest.mark.parametrize(
    ("text", "commits"),
    [
        ("against `badc0ffee0ddf00d`, of commit 0badc0de", {"badc0ffee0ddf00d", "0badc0de"}),
        ("154143080 defaced 1.69e-6 " + "0a" * 32, set()),
    ],
)
def test_the_check_of_commits_can_fail(text: str, commits: set[str]) -> None:
    assert set(COMMIT.findall(text)) == commits
    if whole_history():
        assert unknown_commits(text) == commits
