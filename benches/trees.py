"""The two trees of a comparison: a copy of today's, and another commit's in a git worktree."""

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
    """One of the two: its name, its commit as it is shown, and the folder of its package."""

    name: str
    commit: str
    source: Path


def git(*words: str) -> str:
    """Run git here; return what it says."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def commit_of(name: str) -> str:
    """Return the commit that a name stands for, short; end the program if there is none."""
    command = ["git", "rev-parse", "--short", "--verify", "--quiet", "--end-of-options"]
    done = subprocess.run(
        [*command, f"{name}^{{commit}}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"there is no commit {name} here")
    return done.stdout.strip()


@contextmanager
def sides(base: str) -> Iterator[list[Side]]:
    """Put both trees under a temporary folder; nothing of them is left at the end.

    Today's is a copy, changes that are not committed included: edits during the run do no harm.
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
        # Twice: one that was interrupted while it was made is locked.
        command = ["git", "worktree", "remove", "--force", "--force", str(folder)]
        subprocess.run(command, cwd=ROOT, capture_output=True, check=False)


def _check(side: Side) -> None:
    """End the program if a process of this side would import another package than its own."""
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
