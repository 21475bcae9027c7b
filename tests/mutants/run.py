"""F8: mutation testing of the packages for money and rounds.

    python tests/mutants/run.py --write docs/mutants.md

Nothing on disk is changed: a mutant exists in the memory of a process that is about to end. With
`--results FILE`, outcomes are stored there; killed mutants, and survivors with a reason, are not
tried again. This serves to write missing tests. A run for the page starts afresh.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
from mutants.mutant import SOURCE, Mutant, mutants_of
from mutants.plan import Outcome, Plan
from mutants.selection import Reach, measure
from mutants.trying import Desk, forked, say, try_functions, try_imports

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
BUDGET_S = 10.0
_HOURS_S = 6 * 3600
# Python 3.11 may fail to trace a thread that begins while another one does: the tests of races.
_MEASURED_AT_MOST = 3
_LOADED = (cryptography, httpx, hypothesis, litestar)


class Kept:
    """Outcomes, one line each, in a file that outlives the process."""

    def __init__(self, path: Path, total: int) -> None:
        self._path, self._total, self._began = path, total, time.monotonic()
        path.touch()

    def read(self) -> dict[str, Outcome]:
        """Return the outcomes so far by the names of mutants."""
        lines = map(msgspec.json.decode, self._path.read_bytes().splitlines())
        return {name: Outcome(kind, by) for name, kind, by in lines}

    def told(self, mutant: Mutant, outcome: Outcome) -> None:
        """Store an outcome, and show the progress."""
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode((mutant.name, outcome.kind, outcome.by)) + b"\n")
        done = len(self._path.read_bytes().splitlines())
        if not outcome.killed:
            say(f"\r{mutant.file}:{mutant.line} {mutant.before} -> {mutant.after}\n")
        say(f"\rF8: {done:,} of {self._total:,}, {time.monotonic() - self._began:.0f} s ")


@contextmanager
def scratch() -> Iterator[Path]:
    """Return a folder for all files of the tests, in memory if possible."""
    with tempfile.TemporaryDirectory(dir=memory.folder()) as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = f"{folder}/hypothesis"
        sys.dont_write_bytecode = True
        yield Path(folder)


def measured(folder: Path, out: Path) -> Reach:
    """Return the coverage of every test; stored measurements are reused."""
    printed = folder / "measuring"
    work = partial(measure, MODULES, folder / "files", out)
    for _ in range(_MEASURED_AT_MOST):
        if out.exists() or not forked(work, _HOURS_S, printed):
            break
    else:
        raise SystemExit(f"{printed.read_text()}F8: the tests fail without any mutant")
    return msgspec.json.decode(out.read_bytes(), type=Reach)


def try_all(mutants: list[Mutant], kept: Kept, folder: Path, reach: Reach) -> None:
    """Try every mutant that is new, or survived without a reason."""
    before, why = kept.read(), page.reasons()
    done = {name for name, outcome in before.items() if outcome.killed or name in why}
    left = [each for each in mutants if each.name not in done]
    desk = Desk(Plan(reach, BUDGET_S), folder, kept.told)
    inside = [each for each in left if each.planted_in is not None]
    printed = folder / "trying"
    if forked(partial(try_functions, desk, inside), _HOURS_S, printed):
        raise SystemExit(f"{printed.read_text()}F8: the driver failed")
    try_imports(desk, [each for each in left if each.planted_in is None])


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
    parser.add_argument("names", nargs="*", help="only modules whose path ends so")
    given = parser.parse_args()
    paths = [path for path in MODULES if not given.names or str(path).endswith(tuple(given.names))]
    mutants = [each for path in paths for each in sampled(mutants_of(path), given.one_in)]
    with scratch() as folder:
        kept = Kept(given.results or folder / "results", len(mutants))
        reach = measured(folder, given.reach or folder / "reach")
        try_all(mutants, kept, folder, reach)
        told = page.Told(mutants, kept.read(), page.reasons(), given.one_in)
    say(f"\n{told.figures()}\n")
    if given.write:
        given.write.write_text(told.page(), encoding="utf-8")
    for problem in told.problems():
        say(f"F8: {problem}\n")
    return int(bool(told.problems()))


if __name__ == "__main__":
    sys.exit(main())
