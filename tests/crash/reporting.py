"""Enumerations in processes of their own, and how they are told.

A process that forks must have one thread, which neither pytest nor a pool of workers has.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import msgspec

from crash.enumeration import Report

TESTS = Path(__file__).parents[1]
PATIENCE_S = 3600


def enumerated(
    folder: Path, *parts: str, without: str | None = None, every: bool = False
) -> list[Report]:
    """Kill every command of these parts at every point; return what came of it."""
    options = [*(["--without", without] if without else []), *(["--every"] if every else [])]
    with tempfile.TemporaryDirectory(dir=folder) as here:
        ran = subprocess.run(
            [sys.executable, "-m", "crash.enumeration", *parts, "--folder", here, *options],
            cwd=TESTS,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr.decode()
    return msgspec.json.decode(ran.stdout, type=list[Report])


def told(reports: Iterable[Report]) -> str:
    """Return the points of every command as a table, and their sum."""
    rows: dict[tuple[str, str], list[int]] = defaultdict(list)
    for report in reports:
        rows[report.scene.partition(": ")[0], report.command].append(len(report.points))
    lines = [
        f"{part:<16} {command:<24} {len(points):>3} scenes {sum(points):>6,} points"
        for (part, command), points in rows.items()
    ]
    total = sum(sum(points) for points in rows.values())
    scenes = sum(map(len, rows.values()))
    return "\n".join([*lines, f"{'F2':<41} {scenes:>3} scenes {total:>6,} points"])


def complaints(reports: Iterable[Report], kind: str | None = None) -> list[str]:
    """Return what was wrong, of one kind or of all."""
    return [
        f"{report.scene}, killed at {each.point}: {each.kind}: {each.what}"
        for report in reports
        for each in report.complaints
        if kind in (None, each.kind)
    ]
