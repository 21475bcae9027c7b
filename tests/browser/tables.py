"""A table in a real browser: the page, its faults, and its axe findings."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Locator, Page

from not_run import not_run

Language = Literal["fr", "en"]
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
_CSP = "csp-violation:"
# Records the policy violations of the page: the console does not show all of them.
WATCH_CSP = f"""
addEventListener('securitypolicyviolation', (event) => console.error(
  '{_CSP}', event.effectiveDirective, event.blockedURI, event.sourceFile, event.lineNumber));
"""


def chromium() -> str:
    """Return the path of Chromium; skip the test without one."""
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    return found or not_run("browser tests", "no Chromium")


class Visit:
    """A page and the record of its faults: console, errors, failed requests, violations."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.requests: list[str] = []
        self.page_errors: list[str] = []
        self._heard: list[tuple[str, str, str]] = []  # kind, text and place of console messages
        self._may_fail: list[str] = []
        # Events of the context include windows that the page opens.
        page.context.on("request", lambda request: self.requests.append(request.url))
        page.context.on("console", self._hear)
        page.context.on("weberror", lambda error: self.page_errors.append(str(error.error)))

    def may_fail(self, *parts: str) -> None:
        """Allow requests to fail whose URL contains one of these texts."""
        self._may_fail.extend(parts)

    def let_in(self) -> None:
        """Wait until the house knows its guest."""
        while not self.page.context.cookies():
            self.page.wait_for_timeout(20)

    def forget(self) -> None:
        for record in (self.requests, self.page_errors, self._heard):
            record.clear()

    @property
    def third_party(self) -> list[str]:
        """The requests to other origins."""
        home = urlsplit(self.url).netloc
        asked = ((urlsplit(request), request) for request in self.requests)
        inside = ("data", "blob", "about")
        return [url for at, url in asked if at.netloc != home and at.scheme not in inside]

    @property
    def warnings(self) -> list[str]:
        """The console's warnings; they do not fail a test."""
        return self._said("warning")

    @property
    def errors(self) -> list[str]:
        """The console's errors, without the allowed failed requests."""
        return [said for said in self._said("error") if not said.startswith(_CSP)]

    @property
    def csp_violations(self) -> list[str]:
        """The violations of the page's Content-Security-Policy."""
        return [said for said in self._said("error") if said.startswith(_CSP)]

    def faults(self) -> dict[str, list[str]]:
        """Return the faults so far, by kind; empty if there are none."""
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
        # A choice may end the round before the house reads the request for advice.
        round_, _, asked = place.rpartition("/")
        chosen = any(request.startswith(f"{round_}/choices") for request in self.requests)
        overtaken = asked == "advice" and chosen and "409 (Conflict)" in text
        return failed and (overtaken or any(part in place for part in self._may_fail))


def axe(page: Page) -> list[str]:
    """Return axe's findings on a page, one line per element."""
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


class Player:
    """A player at a table, with the pointer (touch on a phone) or with the keyboard only."""

    def __init__(self, page: Page, *, keys: bool = False) -> None:
        self.page = page
        self.keys = keys
        self.touch = page.evaluate("navigator.maxTouchPoints > 0")
        self.wait("bet")

    def wait(self, phase: str, *, ready: bool = True) -> None:
        """Wait for a phase; with `ready`, until the page accepts input."""
        self.page.wait_for_selector(f"main[data-phase={phase}]" + "[data-ready]" * ready)

    def tap(self, what: Locator) -> None:
        """Click an element, or tap it on a phone."""
        what.tap() if self.touch else what.click()

    def press(self, selector: str) -> None:
        self.tap(self.page.locator(selector))

    def go_to(self, selector: str) -> None:
        """Move the focus to an element with Tab only."""
        here = "(wanted) => Boolean(document.activeElement?.matches(wanted))"
        for _ in range(40):
            if self.page.evaluate(here, selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {selector}")

    def bet(self, stakes: Mapping[str, int]) -> None:
        """Place chips on the spots, the ante first; amounts in cents, whole dollars."""
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
        """Press Deal, and wait for a phase."""
        if self.keys:
            self.go_to(".acts .primary")
        self.page.keyboard.press(" ") if self.keys else self.press(".acts .primary")
        self.wait(then)

    def choose(self, option: int, key: str | None = None, then: str = "settled") -> None:
        """Press a decision button by its index, by its letter or by another key."""
        button = self.page.locator(".acts .option").nth(option)
        if self.keys:
            self.page.keyboard.press(key or button.get_attribute("aria-keyshortcuts") or "")
        else:
            self.tap(button)
        self.wait(then)

    def figures(self) -> dict[str, str]:
        """Return the amounts on the rail, by name."""
        found: dict[str, str] = self.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('.rail dl > div')]"
            ".map((row) => [...row.children].map((each) => each.textContent)))"
        )
        return {plain(name): plain(amount) for name, amount in found.items()}

    def chips(self) -> dict[str, str]:
        found: dict[str, str] = self.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('.spot:has(.stack)')]"
            ".map((spot) => [spot.classList[1], spot.querySelector('.stack').textContent]))"
        )
        return found

    def message(self) -> str:
        """Return the sentence in the middle of the table."""
        return plain(self.page.locator(".message > p").inner_text())

    def told(self) -> str:
        """Return all the text in the middle of the table."""
        return plain(self.page.locator(".message").inner_text())

    def ask(self, path: str) -> Any:
        """Ask the house as the guest of this page."""
        home = "{0.scheme}://{0.netloc}".format(urlsplit(self.page.url))
        return self.page.request.get(f"{home}/api/v1{path}").json()

    def wallet(self) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("/wallet")
        return found


def open_panel(page: Page, name: str) -> None:
    """Open the menu, and an item of it."""
    page.locator(".bar nav button").last.click()
    if name != "menu":
        page.click(f"dialog .menu [data-panel={name}] button")
    page.wait_for_selector(f"dialog.{name}")


def choose_setting(page: Page, name: str, value: str) -> None:
    """Choose a setting in its panel, and close it."""
    open_panel(page, "settings")
    page.locator(f"[name={name}][value={value}]").check()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def sign_in(page: Page, token: str) -> None:
    """Give the token of a real-money player in the settings."""
    open_panel(page, "settings")
    page.locator("input[name=token]").fill(token)
    page.locator(".entrance .act").click()


def plain(text: str) -> str:
    """Return a text with white space normalized to single spaces."""
    return " ".join(text.split())
