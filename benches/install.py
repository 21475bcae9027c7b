"""Install the wheel in bare environments, by pip and by uv: seconds, megabytes, and the start.

    python benches/install.py [--write docs/performance.md]

Packages come from the index that pip and uv are set up for. The first installation of each kind
starts with an empty cache, and the second one uses what the first downloaded.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import page
from commands import free_port

ROOT = Path(__file__).parents[1]
CHAPTER = "install"
STARTS = 3  # after the first
PATIENCE_S = 120


class Installed(NamedTuple):
    """What one way of installing costs."""

    empty_s: float
    cached_s: float
    megabytes: float
    first_s: float
    next_s: float


def environment(folder: Path) -> dict[str, str]:
    """Return an environment with caches below a folder and nothing of this repository."""
    hidden = ("PYTHONPATH", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    caches = {"PIP_CACHE_DIR": "pip", "UV_CACHE_DIR": "uv", "XDG_CACHE_HOME": "caches"}
    return kept | {name: str(folder / place) for name, place in caches.items()}


def build_wheel(folder: Path) -> Path:
    """Build the wheel as `make dist` does."""
    build = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(tool: str, wheel: Path, extra: str, python: Path, env: dict[str, str]) -> float:
    """Install the wheel into an environment; return the seconds."""
    asked = f"{wheel}{extra}"
    commands: dict[str, list[str]] = {
        "pip": [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"],
        "uv": [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", str(python)],
    }
    begin = time.perf_counter()
    subprocess.run([*commands[tool], asked], env=env, check=True)
    return time.perf_counter() - begin


def megabytes(folder: Path) -> float:
    """Return what the files of a folder take on the disk."""
    return sum(path.lstat().st_blocks for path in folder.rglob("*")) / 2048


def bare(folder: Path, tool: str) -> tuple[Path, Path]:
    """Make an environment, with pip only for pip; return its scripts and its packages."""
    venv.create(folder, with_pip=tool == "pip")
    (packages,) = (folder / "lib").glob("python*/site-packages")
    return folder / "bin", packages


def lobby(scripts: Path, folder: Path, env: dict[str, str]) -> float:
    """Start the tables on a new folder; return the seconds until the lobby answers."""
    port = free_port()
    words = ("play", "--no-browser", "--port", str(port), "--data", str(folder))
    begin = time.perf_counter()
    server = subprocess.Popen([scripts / "tapisvert", *words], env=env, stdout=subprocess.DEVNULL)
    try:
        while time.perf_counter() < begin + PATIENCE_S:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
                    if re.search(rb"<html", answer.read()):
                        return time.perf_counter() - begin
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.01)
        raise SystemExit("the lobby does not answer")
    finally:
        server.terminate()
        server.wait()


def measured(tool: str, extra: str, wheel: Path, folder: Path) -> Installed:
    """Install twice, and start the second installation several times."""
    env = environment(folder)
    scripts, _ = bare(folder / "empty", tool)
    empty_s = install(tool, wheel, extra, scripts / "python", env)
    scripts, packages = bare(folder / "cached", tool)
    before = megabytes(packages)
    cached_s = install(tool, wheel, extra, scripts / "python", env)
    added = megabytes(packages) - before
    first, *others = (
        lobby(scripts, folder / f"house-{number}", env) for number in range(1 + STARTS)
    )
    return Installed(empty_s, cached_s, added, first, min(others))


def main() -> None:
    """Measure, print and write the chapter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="the page whose chapter is replaced")
    asked = parser.parse_args()
    if asked.write:
        page.require(asked.write, [CHAPTER])
    rows: list[list[str]] = []
    with TemporaryDirectory() as made:
        wheel = build_wheel(Path(made) / "dist")
        for extra in ("", "[all]"):
            for tool in ("pip", "uv"):
                folder = Path(made) / f"{tool}{extra}"
                folder.mkdir()
                found = measured(tool, extra, wheel, folder)
                seconds = (found.empty_s, found.cached_s, found.first_s, found.next_s)
                told = [f"{each:.1f}" for each in seconds]
                rows.append([f"`tapisvert{extra}`", tool, f"{found.megabytes:.0f}", *told])
                print(*rows[-1], flush=True)
    heads = [
        *("installed", "by", "MB added", "s, empty cache", "s, from cache"),
        *("s to the lobby, first start", f"s to the lobby, best of {STARTS} more"),
    ]
    if asked.write:
        page.write(asked.write, CHAPTER, page.table(heads, rows))


if __name__ == "__main__":
    main()
