"""The two trees of a comparison: a copy of the current one, and a git worktree of a commit."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ratios import BASE, TODAY
from servers import environment

ROOT = Path(__file__).parents[1]


class Side(NamedTuple):
    """One of the two trees: its name, its commit for display, and the folder of its package."""

    name: str
    commit: str
    source: Path


def git(*words: str) -> str:
    """Run git here; return its output."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def commit_of(name: str) -> str:
    """Return the short hash of a commit by name; exit if it does not exist."""
    command = ["git", "rev-parse", "--short", "--verify", "--quiet", "--end-of-options"]
    done = subprocess.run(
        [*command, f"{name}^{{commit}}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"there is no commit {name} here")
    return done.stdout.strip()


@contextmanager
def sides(base: str) -> Iterator[list[Side]]:
    """Put both trees in a temporary folder; remove it at the end.

    The current tree is copied with uncommitted changes, so edits during the run have no effect.
    """
    commit = commit_of(base)
    changed = " with changes" if git("status", "--porcelain", "--", "src") else ""
    with tempfile.TemporaryDirectory(prefix="tapis-versus-trees-") as name:
        folder = Path(name)
        bytecode = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "src", folder / TODAY / "src", ignore=bytecode)
        with _worktree(folder / BASE, commit):
            both = [
                Side(TODAY, commit_of("HEAD") + changed, folder / TODAY / "src"),
                Side(BASE, commit, folder / BASE / "src"),
            ]
            for side in both:
                _check(side)
            yield both


@contextmanager
def _worktree(folder: Path, commit: str) -> Iterator[None]:
    try:
        git("worktree", "add", "--detach", str(folder), commit)
        yield
    finally:
        # --force twice: a worktree interrupted during creation is locked.
        command = ["git", "worktree", "remove", "--force", "--force", str(folder)]
        subprocess.run(command, cwd=ROOT, capture_output=True, check=False)


def _check(side: Side) -> None:
    """Exit if a process of this side would import another package than its own."""
    command = [sys.executable, "-c", "import tapisvert; print(tapisvert.__file__)"]
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=side.source.parent,
        env=environment(side.source),
    )
    if not Path(done.stdout.strip()).is_relative_to(side.source):
        raise SystemExit(f"{side.name} would import {done.stdout.strip()}")
