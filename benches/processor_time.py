"""Processor time of a process and all its descendants, ended ones included (Linux).

The time of a live process comes from its CPU clock, in nanoseconds, ended threads included. The
time of ended children comes from their parent's account, in hundredths of a second.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_SCHEDULED = 2  # CPUCLOCK_SCHED: user and system time together
_TRIES = 100


class _Process(NamedTuple):
    pid: int
    parent: int
    ended_children_ticks: int


def processor_time_s(pid: int) -> float:
    """Return the processor time that a process and its descendants have used, in seconds."""
    for _ in range(_TRIES):
        tree = _tree(pid)
        try:
            clocks = sum(time.clock_gettime(_clock_of(each.pid)) for each in tree)
        except OSError:  # it ended meanwhile
            continue
        if _tree(pid) == tree:
            ticks = sum(each.ended_children_ticks for each in tree)
            return clocks + ticks / _TICKS_PER_S
    raise RuntimeError(f"the processes under {pid} come and go too fast to be counted")


def _clock_of(pid: int) -> int:
    """Return the id of a process's CPU clock, as clock_getcpuclockid(3) does."""
    return (~pid << 3) | _SCHEDULED


def _tree(root: int) -> list[_Process]:
    """Return a process and its descendants."""
    children = defaultdict[int, list[_Process]](list)
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and (process := _stat(int(name))):
            children[process.parent].append(process)
            if process.pid == root:
                found.append(process)
    for process in found:  # grows while it is walked
        found += children[process.pid]
    if not found:
        raise ProcessLookupError(f"no process {root}")
    return found


def _stat(pid: int) -> _Process | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # a name may hold spaces; fields from the third on
    return _Process(pid, int(fields[1]), int(fields[13]) + int(fields[14]))
