"""Node, which `make test` installs: runs browser code in tests without a browser."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from not_run import not_run

TESTS = Path(__file__).parent
NODE = Path(sys.executable).with_name("node")
WEB = TESTS.parent / "src/tapisvert/web"


def run(script: str, *args: Path | str, lines: Iterable[bytes] = ()) -> list[bytes]:
    """Send lines to a test script and return the lines it writes."""
    if not NODE.exists():
        not_run("the certificate's program against ours", "no node in the environment")
    done = subprocess.run(
        [NODE, TESTS / script, *args],
        input=b"".join(line + b"\n" for line in lines),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.splitlines()
