"""Runs the `tapis` command as typed: in a separate process, or in this one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from games.stud import TAPIS
from tapisvert.cli.app import main
from tapisvert.rounds import PlayerService
from tiers import long

PATIENCE_S = 120
WIDTH = {"COLUMNS": "200"}
Run = Callable[..., CompletedProcess[str]]


def tapis(*words: object, **environment: str) -> CompletedProcess[str]:
    """Run the real command in a separate process."""
    return subprocess.run(
        [TAPIS, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        env={**os.environ, **WIDTH, **environment},
    )


def typed(*words: object) -> CompletedProcess[str]:
    """Run the command in this process, which saves the start of an interpreter."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    argv = ["tapis", *map(str, words)]
    code: object = 0
    with (
        patch.object(sys, "argv", argv),
        patch.dict(os.environ, WIDTH),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    assert isinstance(code, int), code
    out.seek(0)
    return CompletedProcess(argv, code, out.read(), err.getvalue())


# For `parametrize`: the command in this process, and in the second tier the real one too.
WAYS = [typed, pytest.param(tapis, marks=long)]


def refused(done: CompletedProcess[str]) -> tuple[str, str]:
    """Assert that a command was refused in one sentence; return the sentence and its code."""
    assert (done.returncode, done.stdout) == (2, ""), (done.stdout, done.stderr)
    (line,) = done.stderr.splitlines()
    assert line.startswith("tapis: "), line
    sentence, _, code = line.removeprefix("tapis: ").removesuffix("]").rpartition(" [")
    return sentence, code


@dataclass
class Desk:
    """An open house on disk, with its key file."""

    house: PlayerService
    path: Path
    way: Run

    def really(self) -> Desk:
        """Return the same desk with commands in separate processes."""
        return replace(self, way=tapis)

    def run(self, *words: str, code: int = 0) -> CompletedProcess[str]:
        done = self.way(*words, "--database", f"sqlite:///{self.path}")
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == code, (done.stdout, done.stderr)
        return done

    def say(self, *words: str) -> Any:
        """Run a command; return its JSON output."""
        return msgspec.json.decode(self.run(*words).stdout)

    def refused(self, *words: str) -> str:
        """Run a command that is refused; return the code."""
        return refused(self.run(*words, code=2))[1]
