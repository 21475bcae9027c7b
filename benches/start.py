"""Time of `tapis play` from the command to its first page, and time of `tapis --help`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from commands import free_port

_TRIES = 5


def first_page(folder: str) -> float:
    """Start `tapis play` on a folder; return the seconds to its first served page."""
    port = free_port()
    begin = time.perf_counter()
    command = [sys.executable, "-m", "tapisvert.cli", "play", "--no-browser"]
    where = ["--port", str(port), "--data", folder]
    process = subprocess.Popen([*command, *where], stdout=subprocess.DEVNULL)
    try:
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
                    answer.read()
                return time.perf_counter() - begin
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.01)
    finally:
        process.terminate()
        process.wait()


def help_seconds() -> float:
    """Return the seconds of `tapis --help`."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "tapisvert.cli", "--help"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def run() -> list[tuple[str, str]]:
    """Return the rows to print."""
    with tempfile.TemporaryDirectory() as folder:
        new = first_page(folder)
        again = min(first_page(folder) for _ in range(_TRIES))
    return [
        ("first page, new database", f"{new:.2f} s"),
        (f"first page, warm, best of {_TRIES}", f"{again:.2f} s"),
        ("tapis --help", f"{min(help_seconds() for _ in range(_TRIES)):.2f} s"),
    ]


if __name__ == "__main__":
    for name, figure in run():
        print(f"{name:<40} {figure:>10}")
