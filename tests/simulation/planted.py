"""Bugs planted in a copy of the house; each must break the invariant its patch names.

    python tests/simulation/planted.py             find each within SEEDS_MAX seeds, without hints
    python tests/simulation/planted.py --write     and store the seed that finds it as its hint

Patches in `tests/planted/postgresql` change PostgreSQL's store, and run there.

A patch begins with `# invariant: <name>`, `# seed: <number>` and a sentence that describes the bug.
Unified diffs against `src/` follow.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src"
PATCHES = sorted((TESTS / "planted").glob("*.patch"))
POSTGRESQL_PATCHES = sorted((TESTS / "planted" / "postgresql").glob("*.patch"))
OPERATIONS, SEEDS_MAX = 150, 150
_HEADER = re.compile(r"# invariant: (\S+)\n# seed: (\d+)\n# (.+)\n")


@dataclass(frozen=True)
class Planted:
    """A patch: the invariant it breaks, the first seed that shows it, and its changes."""

    invariant: str
    seed: int
    what: str
    diff: str


def read_patch(path: Path) -> Planted:
    text = path.read_text(encoding="utf-8")
    header = _HEADER.match(text)
    assert header is not None, f"{path.name} has no header"
    return Planted(header[1], int(header[2]), header[3], text[header.end() :])


def plant(planted: Planted, folder: Path) -> Path:
    """Copy the house and apply a patch to the copy; return its path."""
    copy = folder / "src"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("static"))
    for name, before, after in hunks(planted.diff):
        file = folder / name
        text = file.read_text(encoding="utf-8")
        found = text.count(before)
        assert found == 1, f"the patch does not apply: {found} places in {name} read\n{before}"
        file.write_text(text.replace(before, after), encoding="utf-8")
    return copy


def simulate(copy: Path, *asked: str) -> str:
    """Run the simulator on a copy of the house; return its output."""
    return ran(copy, "run.py", "--operations", str(OPERATIONS), *asked)


def ran(copy: Path, script: str, *asked: str) -> str:
    """Run a simulator script on a copy of the house; return its output."""
    done = subprocess.run(
        [sys.executable, TESTS / "simulation" / script, *asked],
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert not done.stderr, done.stderr
    return done.stdout


def breaks(told: str, invariant: str) -> bool:
    """Tell whether a run reported this invariant as broken."""
    return f"\n  {invariant}: " in told


def engine_of(path: Path) -> str:
    """Return the database a bug belongs to."""
    return "postgresql" if path in POSTGRESQL_PATCHES else "sqlite"


def search(path: Path) -> int | None:
    """Return the first seed that breaks a planted bug's invariant."""
    planted, database = read_patch(path), ("--database", engine_of(path))
    with tempfile.TemporaryDirectory() as folder:
        copy = plant(planted, Path(folder))
        told = simulate(copy, *database, "--seeds", str(SEEDS_MAX), "--until", planted.invariant)
    if not breaks(told, planted.invariant):
        return None
    return int(re.findall(r"^seed (\d+): ", told, re.MULTILINE)[-1])


def hunks(diff: str) -> Iterator[tuple[str, str, str]]:
    """Yield the file of every hunk, and its lines before and after."""
    for part in re.split(r"^--- ", diff, flags=re.MULTILINE)[1:]:
        name = part.splitlines()[1].removeprefix("+++ b/")
        for hunk in re.split(r"^@@.*\n", part, flags=re.MULTILINE)[1:]:
            lines = hunk.splitlines(keepends=True)
            before = "".join(line[1:] for line in lines if line[0] in " -")
            yield name, before, "".join(line[1:] for line in lines if line[0] in " +")


def main() -> int:
    """Search for every planted bug; return 1 if one is not found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep the seeds as hints")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("names", nargs="*", help="only these")
    given = parser.parse_args()
    began, missed = time.monotonic(), 0
    every = (*PATCHES, *POSTGRESQL_PATCHES)
    paths = [path for path in every if not given.names or path.stem in given.names]
    with ThreadPoolExecutor(given.jobs) as threads:
        for path, seed in zip(paths, threads.map(search, paths), strict=True):
            invariant = read_patch(path).invariant
            missed += seed is None
            print(
                f"{path.stem}: {invariant}, {f'seed {seed}' if seed else 'NOT FOUND'}", flush=True
            )
            if given.write and seed:
                text = path.read_text(encoding="utf-8")
                path.write_text(re.sub(r"# seed: \d+", f"# seed: {seed}", text, count=1), "utf-8")
    print(f"{len(paths)} bugs, {missed} not found, {time.monotonic() - began:.1f} s")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
