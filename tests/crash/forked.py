"""`tapis` commands in processes forked from one that has imported the program.

Such a process starts in a third of the time. Nothing of the program has run before the fork.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from tapisvert.cli import main

PATIENCE_S = 60
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["__main__", "tapisvert.cli.serve"])


def forked(words: list[str], log: Path) -> ForkServerProcess:
    """Start a command; its output goes to a file."""
    process = _FORKS.Process(target=_run, args=(words, log))
    process.start()
    return process


def done(words: list[str], log: Path) -> tuple[int | None, str]:
    """Run a command to its end; return its exit code and output."""
    process = forked(words, log)
    process.join(PATIENCE_S)
    return process.exitcode, log.read_text(encoding="utf-8")


def _run(words: list[str], log: Path) -> None:
    with log.open("ab") as told:
        os.dup2(told.fileno(), 1)
        os.dup2(told.fileno(), 2)
    sys.argv[:] = ["tapis", *words]
    main()
