"""F8: mutation testing of the packages for money and rounds.

    python tests/mutants/run.py --write docs/mutants.md

Nothing on disk is changed: a mutant exists in the memory of a process that is about to end. With
`--results FILE`, outcomes are stored there, and a run goes on from them: killed mutants, and
survivors with a reason, are not tried again while their function or class is the same. `--reach
FILE` does the same for what tests reach. After a change, `run.py --results FILE --reach FILE
--write docs/mutants.md` tries the changed functions only.
"""

from __future__ import annotations

import argparse
import datetime
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

# Everything heavy that is not the house's own, so that a process that tries a mutant has it.
import cryptography.hazmat.primitives.ciphers.aead
import httpx
import hypothesis
import litestar.testing
import msgspec

import memory
from mutants import page
from mutants.mutant import SOURCE, Mutant, definition_version, mutants_of
from mutants.plan import SURVIVED, Outcome, Plan
from mutants.selection import Reach, all_files, measure, read_reach, version
from mutants.trying import Desk, awaited, forked, say, started, try_functions, try_imports

HOUSE = SOURCE / "tapisvert"
MODULES = (
    *sorted((HOUSE / "bank").glob("*.py")),
    HOUSE / "dealing.py",
    HOUSE / "sealing.py",
    HOUSE / "key_file.py",
    *sorted((HOUSE / "rounds").glob("*.py")),
    *sorted((HOUSE / "history").glob("*.py")),
    *sorted((HOUSE / "operations").glob("*.py")),
)
QUICK_S, BUDGET_S = 1.5, 10.0  # of tests for a mutant: first in all modules, then for the survivors
_HOURS_S = 6 * 3600
# Python 3.11 may fail to trace a thread that begins while another one does, and the test hangs.
_MEASURED_AT_MOST, _MEASURED_S = 4, 240
_LOADED = (cryptography, httpx, hypothesis, litestar)


class OutcomeFile:
    """Stored outcomes, one line each.

    An outcome is valid while the mutant's function or class is the same, even if tests are added.
    """

    def __init__(self, path: Path, mutants: list[Mutant]) -> None:
        self._path, self._began = path, time.monotonic()
        self._versions = {each.name: definition_version(each) for each in mutants}
        path.touch()

    def read(self) -> dict[str, Outcome]:
        """Return the outcomes so far by the names of mutants."""
        lines = map(msgspec.json.decode, self._path.read_bytes().splitlines())
        return {
            name: Outcome(kind, by)
            for name, kind, by, of in lines
            if self._versions.get(name) == of
        }

    def add(self, mutant: Mutant, outcome: Outcome) -> None:
        """Store an outcome, and show the progress."""
        with self._path.open("ab") as file:
            line = (mutant.name, outcome.kind, outcome.by, self._versions[mutant.name])
            file.write(msgspec.json.encode(line) + b"\n")
        done = len(self.read())
        if not outcome.killed:
            say(f"\r{mutant.file}:{mutant.line} {mutant.before} -> {mutant.after}\n")
        say(f"\rF8: {done:,} of {len(self._versions):,}, {time.monotonic() - self._began:.0f} s ")


@contextmanager
def scratch() -> Iterator[Path]:
    """Return a folder for all files of the tests, in memory if possible."""
    with tempfile.TemporaryDirectory(dir=memory.folder()) as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = f"{folder}/hypothesis"
        sys.dont_write_bytecode = True
        yield Path(folder)


def measured(folder: Path, out: Path, workers: int) -> Reach:
    """Return the coverage of every test. Stored measurements are reused while a test's file is the
    same.
    """
    reach = read_reach(out)
    if not reach.files:
        reach = Reach({}, {}, {str(path): version(path) for path in MODULES})
    left = [file for file in all_files() if reach.files.get(file) != version(Path(file))]
    for place in range(0, len(left), workers):
        for file, found in _measured_at_once(left[place : place + workers], folder):
            reach = reach.with_file(file, found)
        out.write_bytes(msgspec.json.encode(reach))
        say(f"\rF8: measured {place + workers} of {len(left)} test files ")
    return reach


def _measured_at_once(files: list[str], folder: Path) -> Iterator[tuple[str, Reach]]:
    """Measure files, each in its process, again if one hangs."""
    for _ in range(_MEASURED_AT_MOST):
        parts = {file: folder / f"{Path(file).stem}-reach" for file in files}
        children = {
            file: started(partial(measure, MODULES, file, folder / f"{part.name}-files", part))
            for file, part in parts.items()
        }
        ended = {file for file, child in children.items() if awaited(child, _MEASURED_S) == 0}
        yield from ((file, read_reach(parts[file])) for file in ended)
        files = [file for file in files if file not in ended]
        if not files:
            return
    raise SystemExit(f"F8: cannot be measured: {', '.join(files)}")


def try_all(
    mutants: list[Mutant], stored: OutcomeFile, folder: Path, plan: Plan, workers: int
) -> None:
    """Try the mutants that are left in several processes, each with modules of its own."""
    known = stored.read()
    for each in mutants:
        plan.learn(each, known.get(each.name, Outcome(SURVIVED)))
    left = left_of(mutants, stored)
    with tempfile.TemporaryDirectory(dir=folder) as inner:
        printed = [Path(inner) / f"trying-{number}" for number in range(workers)]
        children = [
            started(
                partial(try_some, share, Desk(plan, Path(f"{out}-files"), stored.add), out), out
            )
            for share, out in zip(shares(left, workers), printed, strict=True)
        ]
        for child, out in zip(children, printed, strict=True):
            if awaited(child, _HOURS_S):
                raise SystemExit(f"{out.read_text()}F8: the driver failed")


def try_some(mutants: list[Mutant], desk: Desk, printed: Path) -> int:
    """Try mutants in this process; return an exit status."""
    desk.scratch.mkdir()
    mutants = [
        replace(each, planted_in=None) if at_import(each, desk) else each for each in mutants
    ]
    inside = [each for each in mutants if each.planted_in is not None]
    if inside and forked(partial(try_functions, desk, inside), _HOURS_S, printed):
        return 1
    try_imports(desk, [each for each in mutants if each.planted_in is None])
    return 0


def at_import(mutant: Mutant, desk: Desk) -> bool:
    """Tell whether a mutant is tried in a process that has not imported the house.

    A function that no test reaches may run at import. A function without its `super()` has another
    closure, and cannot take the place of the one that is loaded.
    """
    without_super = "super()" in mutant.before and "super()" not in mutant.after
    return without_super or not desk.plan.tests(mutant)


def shares(mutants: list[Mutant], workers: int) -> list[list[Mutant]]:
    """Divide mutants into as many shares, about equal, a module's in one of them."""
    divided: list[list[Mutant]] = [[] for _ in range(workers)]
    files = [[each for each in mutants if each.path == path] for path in MODULES]
    for file in sorted(files, key=len, reverse=True):
        min(divided, key=len).extend(file)
    return divided


def left_of(mutants: list[Mutant], stored: OutcomeFile) -> list[Mutant]:
    """Return the mutants that are new, or survived without a reason."""
    before, why = stored.read(), page.reasons()
    done = {name for name, outcome in before.items() if outcome.killed or name in why}
    return [each for each in mutants if each.name not in done]


def sampled(mutants: list[Mutant], one_in: int) -> list[Mutant]:
    """Return one in so many of a module's mutants, spread over the module."""
    return mutants[one_in // 2 :: one_in] or mutants[:1]


def main() -> int:
    """Try all mutants and report; return 1 if one survives without a reason."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", type=Path, help="write the page here")
    parser.add_argument("--results", type=Path, help="keep outcomes here, and go on from them")
    parser.add_argument("--reach", type=Path, help="keep what tests reach here, or take it from it")
    parser.add_argument("--one-in", type=int, default=1, help="try one in so many of each module")
    parser.add_argument("--budget", type=float, default=BUDGET_S, help="seconds of tests a mutant")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("names", nargs="*", help="try only modules whose path ends so")
    given = parser.parse_args()
    mutants = [each for path in MODULES for each in sampled(mutants_of(path), given.one_in)]
    ends = tuple(given.names) or ("",)
    with scratch() as folder:
        stored = OutcomeFile(given.results or folder / "results", mutants)
        chosen = [each for each in mutants if str(each.path).endswith(ends)]
        if left_of(chosen, stored):
            reach = measured(folder, given.reach or folder / "reach", given.workers)
            for budget_s in dict.fromkeys((min(QUICK_S, given.budget), given.budget)):
                try_all(chosen, stored, folder, Plan(reach, budget_s), given.workers)
        why, note = page.reasons(), made(given.budget)
        written = page.Page(mutants, stored.read(), why, given.one_in, note)
    say(f"\n{written.figures()}\n")
    if given.write:
        given.write.write_text(written.text(), encoding="utf-8")
    for problem in written.problems():
        say(f"F8: {problem}\n")
    return int(bool(written.problems()))


def made(budget_s: float) -> str:
    """Say when and how the page was made."""
    today = datetime.datetime.now(datetime.UTC)
    return (
        f"Made on {today.day} {today:%B %Y} by the first tier of the tests"
        " ([selection.py](../tests/mutants/selection.py)),\non SQLite where a test runs on both"
        f" databases: at most {QUICK_S:g} s of tests for a mutant, then\nat most {budget_s:g} s for"
        " the survivors. An outcome of an earlier run counts while its function or class is the"
        " same.\n"
    )


if __name__ == "__main__":
    sys.exit(main())
