"""A table in a real browser: the server behind it, what it did wrong, what axe says of it."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from playwright.sync_api import ConsoleMessage, Page

from not_run import not_run
from tapisvert.rounds import House
from tapisvert.web import create_app

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
AXE_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
PATIENCE_S = 30
_CSP = "csp-violation:"
# The page tells its own violations: not every one of them is an error of the console.
WATCH_CSP = f"""
addEventListener('securitypolicyviolation', (event) => console.error(
  '{_CSP}', event.effectiveDirective, event.blockedURI, event.sourceFile, event.lineNumber));
"""


def chromium() -> str:
    """Return where Chromium is; without one the test is told as not run."""
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    return found or not_run("browser tests", "no Chromium")


@contextmanager
def serving(house: House) -> Iterator[str]:
    """Serve a house on a free port from a thread; the address is good while the block runs."""
    config = uvicorn.Config(
        create_app(house),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as door:  # listens at once: nobody is refused
        address: tuple[str, int] = door.getsockname()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()
        try:
            _wait_until_started(server, thread)
            yield f"http://127.0.0.1:{address[1]}"
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)
    assert not thread.is_alive(), "the server did not stop"


def _wait_until_started(server: uvicorn.Server, thread: threading.Thread) -> None:
    until = time.monotonic() + PATIENCE_S
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < until, "the server did not start in time"
        time.sleep(0.005)


class Visit:
    """One visitor with one page, and everything about it that must not happen unnoticed."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.requests: list[str] = []
        self.page_errors: list[str] = []
        self._heard: list[tuple[str, str, str]] = []  # kind, text and place of console messages
        self._may_fail: list[str] = []
        # The context hears a window that the page opens, too.
        page.context.on("request", lambda request: self.requests.append(request.url))
        page.context.on("console", self._hear)
        page.context.on("weberror", lambda error: self.page_errors.append(str(error.error)))

    def may_fail(self, *parts: str) -> None:
        """Say that requests with this in their address may fail: the test is about that."""
        self._may_fail.extend(parts)

    def forget(self) -> None:
        """Start the record again: what went wrong so far was looked at."""
        for record in (self.requests, self.page_errors, self._heard):
            record.clear()

    @property
    def third_party(self) -> list[str]:
        """The requests that left the house."""
        home = urlsplit(self.url).netloc
        asked = ((urlsplit(request), request) for request in self.requests)
        return [url for parts, url in asked if parts.netloc != home and _goes_out(parts.scheme)]

    @property
    def warnings(self) -> list[str]:
        """The console's warnings. They fail no test by themselves."""
        return self._said("warning")

    @property
    def errors(self) -> list[str]:
        """The console's errors, without the failed requests that were announced."""
        return [said for said in self._said("error") if not said.startswith(_CSP)]

    @property
    def csp_violations(self) -> list[str]:
        """What the page tried that its policy forbids."""
        return [said for said in self._said("error") if said.startswith(_CSP)]

    def faults(self) -> dict[str, list[str]]:
        """Return what went wrong so far, by kind; nothing is what a good visit leaves."""
        if not self.page.is_closed():
            self.page.evaluate("0")  # an answer comes after all that was said before it
        found = {
            "requests to others": self.third_party,
            "console errors": self.errors,
            "page errors": self.page_errors,
            "CSP violations": self.csp_violations,
        }
        return {kind: told for kind, told in found.items() if told}

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            place = str(message.location.get("url", ""))
            self._heard.append((message.type, message.text, place))

    def _said(self, wanted: str) -> list[str]:
        return [
            f"{text} ({place})"
            for kind, text, place in self._heard
            if kind == wanted and not self._announced(text, place)
        ]

    def _announced(self, text: str, place: str) -> bool:
        failed = text.startswith("Failed to load resource")
        return failed and any(part in place for part in self._may_fail)


def _goes_out(scheme: str) -> bool:
    return scheme not in ("data", "blob", "about")


def axe(page: Page) -> list[str]:
    """Return what axe finds wrong with a page, one line per place, ready to read."""
    if not AXE.is_file():
        not_run("accessibility checks", "no node_modules, see `make test`")
    page.evaluate(AXE.read_text(encoding="utf-8") + "; undefined")
    found = page.evaluate(
        "(tags) => axe.run(document, {runOnly: tags, resultTypes: ['violations']})"
        ".then((result) => result.violations)",
        list(AXE_TAGS),
    )
    return [
        f"{violation['id']} ({violation['impact']}): {violation['help']}"
        f" at {' '.join(map(str, node['target']))}: {node['html'][:120]}"
        for violation in found
        for node in violation["nodes"]
    ]
