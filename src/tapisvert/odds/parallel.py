"""Parallel work on threads: the kernels release the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

T = TypeVar("T")
Progress = Callable[[float], None]  # the fraction done, from 0 to 1


def no_progress(_: float) -> None:
    """Discard progress reports."""


def spread(
    work: Callable[[int, int], T], items: int, tell: Progress = no_progress, pieces: int = 64
) -> list[T]:
    """Run `work(first, end)` over all items in pieces, on threads; return the results in order.

    >>> spread(lambda first, end: sum(range(first, end)), 10, pieces=3)
    [3, 12, 30]
    """
    pieces = max(1, min(pieces, items))
    edges = [items * n // pieces for n in range(pieces + 1)]
    with ThreadPoolExecutor(os.cpu_count()) as cores:
        futures = [cores.submit(work, *edges[n : n + 2]) for n in range(pieces)]
        for done, future in enumerate(as_completed(futures), start=1):
            future.result()  # raise a failure at once
            tell(done / pieces)
    return [future.result() for future in futures]


def part(tell: Progress, begin: float, end: float) -> Progress:
    """Return a progress callback for one part of the work.

    >>> told = []
    >>> part(told.append, 0.5, 1.0)(0.5)
    >>> told
    [0.75]
    """
    return lambda done: tell(begin + (end - begin) * done)
