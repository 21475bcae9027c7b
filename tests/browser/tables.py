"""A table in a real browser: the server behind it, what it did wrong, what axe says of it."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from playwright.sync_api import ConsoleMessage, Page

from houses import KEY, Indifferent, deck_of
from not_run import not_run
from tapisvert.cards import Card
from tapisvert.cli.serving import Serving
from tapisvert.dealing import Deal, shuffle
from tapisvert.rounds import Dealer, House
from tapisvert.rounds.house import system_clock
from tapisvert.sealing import Sealer
from tapisvert.sheets import Sheet, load
from tapisvert.store import SqliteStore
from tapisvert.web import create_app
from tapisvert.web.advice import Coach

GAMES = ("pai-gow", "casino-stud", "high-card-flush", "blackjack", "ultimate")  # as the doors
TABLE = "/table/casino-stud"
DOOR = f".door[href='{TABLE}']"  # the way there from the lobby

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM_ARGS = (
    *("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
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
def serving(house: House, coach: Coach | None = None) -> Iterator[str]:
    """Serve a house on a free port from a thread; the address is good while the block runs."""
    app = create_app(house, coach=coach or Indifferent())
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=5,
    )
    server = Serving(config, app.state.board)
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
        inside = ("data", "blob", "about")
        return [url for at, url in asked if at.netloc != home and at.scheme not in inside]

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


def axe(page: Page) -> list[str]:
    """Return what axe finds wrong with a page, one line per place, ready to read."""
    if not AXE.is_file():
        not_run("accessibility checks", "no node_modules, see `make test`")
    if not page.evaluate("'axe' in window"):
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


class Shoe:
    """The shoe of one house for many tests: each stacks the deck of its rounds, or leaves it."""

    def __init__(self) -> None:
        self.url = ""
        self.first: str | None = None
        self.sheets: dict[str, Sheet] = {}  # tables that play by other figures

    def sheet_of(self, game: str) -> Sheet:
        """Return the figures a game is played by."""
        return self.sheets.get(game) or load(game)

    def shuffled(self, seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        """Return the stacked deck, or an honest one."""
        return shuffle(seed, deal, cards) if self.first is None else deck_of(self.first, cards)

    def table(self, first: str | None = None, game: str = "casino-stud") -> str:
        """Stack the deck and return the address of a table."""
        self.first = first
        return f"{self.url}/table/{game}"


@contextmanager
def shoe(path: Path) -> Iterator[Shoe]:
    """Serve a house whose deck the test can change between rounds."""
    made = Shoe()
    dealer = Dealer(Sealer(KEY), os.urandom, made.shuffled)
    house = House(SqliteStore(path), dealer, sheet_of=made.sheet_of, clock=system_clock)
    with serving(house) as made.url:
        yield made


class Player:
    """A player at a table, with a pointer (a finger on a phone) or with the keyboard alone."""

    def __init__(self, page: Page, *, keys: bool = False) -> None:
        self.page = page
        self.keys = keys
        self.touch = page.evaluate("navigator.maxTouchPoints > 0")
        self.wait("bet")

    def wait(self, phase: str, *, ready: bool = True) -> None:
        """Wait for a phase, and for free hands in it."""
        self.page.wait_for_selector(f"main[data-phase={phase}]" + "[data-ready]" * ready)

    def press(self, selector: str) -> None:
        """Press something with the pointer."""
        place = self.page.locator(selector)
        place.tap() if self.touch else place.click()

    def go_to(self, selector: str) -> None:
        """Go somewhere with Tab alone."""
        here = "(wanted) => Boolean(document.activeElement?.matches(wanted))"
        for _ in range(40):
            if self.page.evaluate(here, selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {selector}")

    def bet(self, stakes: Mapping[str, int]) -> None:
        """Put chips on the spots, the ante first: amounts in cents, whole dollars."""
        for spot, cents in stakes.items():
            left = cents
            for number, chip in ((4, 100_00), (3, 25_00), (2, 5_00), (1, 1_00)):
                times, left = divmod(left, chip)
                if times and self.keys:
                    self.page.keyboard.press(str(number))
                    self.go_to(f"button.spot.{spot}")
                elif times:
                    self.press(f".chip >> nth={number - 1}")
                for _ in range(times):
                    self.page.keyboard.press("Enter") if self.keys else self.press(f".spot.{spot}")

    def deal(self, then: str = "decide") -> None:
        """Press the gold button before the deal, and wait for what comes."""
        if self.keys:
            self.go_to(".acts .primary")
        self.page.keyboard.press(" ") if self.keys else self.press(".acts .primary")
        self.wait(then)

    def choose(self, option: int, key: str | None = None, then: str = "settled") -> None:
        """Take a decision button by its place, with its letter or with another key."""
        button = self.page.locator(".acts .option").nth(option)
        if self.keys:
            self.page.keyboard.press(key or button.get_attribute("aria-keyshortcuts") or "")
        else:
            button.tap() if self.touch else button.click()
        self.wait(then)

    def figures(self) -> dict[str, str]:
        """Return the amounts of the rail by their names."""
        found: dict[str, str] = self.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('.rail dl > div')]"
            ".map((row) => [...row.children].map((each) => each.textContent)))"
        )
        return {plain(name): plain(amount) for name, amount in found.items()}

    def message(self) -> str:
        """Return the sentence in the middle of the table."""
        return plain(self.page.locator(".message > p").inner_text())

    def wallet(self) -> dict[str, Any]:
        """Ask the house itself what this guest has."""
        home = "{0.scheme}://{0.netloc}".format(urlsplit(self.page.url))
        found: dict[str, Any] = self.page.request.get(home + "/api/v1/wallet").json()
        return found


def plain(text: str) -> str:
    """Return a text with single ordinary spaces, to be compared."""
    return " ".join(text.split())
