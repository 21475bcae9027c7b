"""The browser interface of the tests, independent of the engine."""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

PATIENCE_S = 20
SIZE = (1280, 800)  # of the page

# Tells whether an element can be clicked, and where its centre is.
_PLACE = """(() => {
  const [found, ...more] = document.querySelectorAll(%s);
  if (!found || more.length || found.disabled) return null;
  found.scrollIntoView({ block: 'nearest' });
  const { left, top, width, height } = found.getBoundingClientRect();
  const at = [left + width / 2, top + height / 2];
  return found.contains(document.elementFromPoint(...at)) ? at : null;
})()"""


class Engine(ABC):
    """A browser with one page."""

    @abstractmethod
    def goto(self, url: str) -> None:
        """Open an address, and wait until it is loaded."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page; wait for a promise."""

    @abstractmethod
    def press(self, x: float, y: float) -> None:
        """Click at a position in the window with the engine's pointer."""

    @abstractmethod
    def picture(self) -> bytes:
        """Return the page as a PNG."""

    @abstractmethod
    def close(self) -> None:
        """End the browser."""

    def heard(self) -> list[str]:
        """Return errors that the engine itself reports."""
        return []

    def errors(self) -> list[str]:
        """Return the errors of this tab's pages so far."""
        kept: list[str] = self.evaluate("JSON.parse(sessionStorage.getItem('wrong') ?? '[]')")
        return [*kept, *self.heard()]

    def click(self, selector: str) -> None:
        """Click an element once it is visible, enabled and not covered."""
        place = _PLACE % json.dumps(selector)
        at = self.until(lambda: self.evaluate(place), f"{selector} can be pressed")
        self.press(*at)

    def wait(self, selector: str) -> None:
        """Wait until an element exists."""
        there = f"document.querySelector({json.dumps(selector)}) !== null"
        self.until(lambda: self.evaluate(there), f"{selector} is there")

    def text(self, selector: str) -> str:
        """Return the text of an element, with single spaces."""
        found = self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")
        return " ".join(str(found).split())

    def until(self, ask: Callable[[], Any], what: str) -> Any:
        """Poll the page until an expression is true."""
        end = time.monotonic() + PATIENCE_S
        while not (found := ask()):
            told = f"{what}: in vain. Errors: {self.errors()}" if time.monotonic() > end else ""
            assert not told, told
            time.sleep(0.02)
        return found


class Program:
    """A helper program that prints its address in a line."""

    def __init__(
        self, command: Sequence[str], wanted: str, env: Mapping[str, str] | None = None
    ) -> None:
        self._process = subprocess.Popen(
            command,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.place = self._told(wanted) if wanted else ""

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._lines.put(line)

    def _told(self, wanted: str) -> str:
        said = []
        with suppress(queue.Empty):
            while True:
                said.append(self._lines.get(timeout=PATIENCE_S))
                if found := re.search(wanted, said[-1]):
                    return found[1]
        self.close()
        raise AssertionError(f"{wanted}: not told by {self._process.args!r}: {said}")

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(PATIENCE_S)
