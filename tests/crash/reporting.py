"""Enumerations in separate processes, and their reports.

A process that forks must have one thread; pytest and worker pools have more.
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
    folder: Path, *parts: str, without: str | None = None, one_in: int = 1
) -> list[Report]:
    """Kill every command of these parts at one in n points; return the reports."""
    options = ["--one-in", str(one_in), *(["--without", without] if without else [])]
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
    """Format the points of every command as a table, with the sum."""
    rows: dict[str, list[Report]] = defaultdict(list)
    for report in reports:
        rows[f"{report.scene.partition(': ')[0]:<16} {report.command:<24}"].append(report)
        rows[f"{'F2':<41}"].append(report)
    rows[f"{'F2':<41}"] = rows.pop(f"{'F2':<41}")  # the sum comes last
    return "\n".join(
        f"{name} {len(of):>3} scenes {sum(len(each.points) for each in of):>6,} points"
        f" {sum(len(each.killed_at) for each in of):>6,} kills"
        for name, of in rows.items()
    )


def complaints(reports: Iterable[Report], kind: str | None = None) -> list[str]:
    """Return the complaints of one kind, or all."""
    return [
        f"{report.scene}, killed at {each.point}: {each.kind}: {each.what}"
        for report in reports
        for each in report.complaints
        if kind in (None, each.kind)
    ]
