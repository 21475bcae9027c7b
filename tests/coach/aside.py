"""Runs coroutines in a separate thread: Playwright's event loop may run in this one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_aside(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine; return its result."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()
