"""Debian's WebKitGTK through its driver (W3C WebDriver over HTTP), on its own display."""

from __future__ import annotations

import base64
import json
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx

from crash.server import free_port
from engines.engine import PATIENCE_S, SIZE, Engine, Program
from not_run import not_run

BROWSERS = "*/webkit2gtk-4.*/MiniBrowser"  # beside the driver's own library
SCREEN = "1400x1100x24"
_EVALUATE = """const done = arguments[arguments.length - 1];
(async () => JSON.stringify((await (%s)) ?? null))().then(done, (why) => done(`!${why}`));"""


class WebKit(Engine):
    """The small browser that comes with WebKitGTK."""

    def __init__(self) -> None:
        driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
        browser = next(iter(sorted(Path("/usr/lib").glob(BROWSERS))), None)
        if driver is None or browser is None or screen is None:
            not_run("rounds in WebKitGTK", "no webkit2gtk-driver or no xvfb, see `make engines`")
        with ExitStack() as started:
            self._start(started, driver, screen, browser)
            self._started = started.pop_all()

    def _start(self, started: ExitStack, driver: str, screen: str, browser: Path) -> None:
        shown = [screen, "-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp"]
        display = Program(shown, r"^(\d+)$")
        started.callback(display.close)
        port = free_port()
        # It says nothing when it listens: its first answer does.
        drives = Program([driver, f"--port={port}"], "", {"DISPLAY": f":{display.place}"})
        started.callback(drives.close)
        self._http = started.enter_context(
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S)
        )
        self.until(self._listens, "the driver listens")
        wanted = {
            "browserName": "MiniBrowser",
            "webkitgtk:browserOptions": {"binary": str(browser), "args": ["--automation"]},
        }
        session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._at = f"/session/{session['sessionId']}"
        self._call("POST", f"{self._at}/timeouts", {"script": PATIENCE_S * 1000})
        self._resize(*SIZE)

    def _resize(self, width: int, height: int) -> None:
        """Resize the window so that the page has this size."""
        rect = {"width": width, "height": height}
        self._call("POST", f"{self._at}/window/rect", rect)
        bars = [width - self.evaluate("innerWidth"), height - self.evaluate("innerHeight")]
        rect = {"width": width + bars[0], "height": height + bars[1]}
        self._call("POST", f"{self._at}/window/rect", rect)

    def goto(self, url: str) -> None:
        self._call("POST", f"{self._at}/url", {"url": url})

    def evaluate(self, expression: str) -> Any:
        asked = {"script": _EVALUATE % expression, "args": []}
        answer = str(self._call("POST", f"{self._at}/execute/async", asked))
        assert not answer.startswith("!"), answer
        return json.loads(answer)

    def press(self, x: float, y: float) -> None:
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        hand = {"type": "pointer", "id": "mouse", "actions": moves}
        self._call("POST", f"{self._at}/actions", {"actions": [hand]})

    def picture(self) -> bytes:
        return base64.b64decode(self._call("GET", f"{self._at}/screenshot"))

    def close(self) -> None:
        """Close the browser, its driver and its display."""
        with self._started:
            self._call("DELETE", self._at)

    def _listens(self) -> bool:
        try:
            return bool(self._call("GET", "/status")["ready"])
        except httpx.TransportError:
            return False

    def _call(self, method: str, path: str, body: object = None) -> Any:
        answer = self._http.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer.json()["value"]
