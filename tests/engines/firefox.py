"""Debian's Firefox through WebDriver BiDi, which it supports natively: no driver is needed."""

from __future__ import annotations

import base64
import json
import shutil
import tempfile
from contextlib import ExitStack, closing
from typing import Any

from engines.engine import PATIENCE_S, SIZE, Engine, Program
from engines.wire import Wire
from not_run import not_run

NAMES = ("firefox-esr", "firefox")


class Firefox(Engine):
    """A Firefox with a profile of its own."""

    def __init__(self) -> None:
        where = next(filter(None, map(shutil.which, NAMES)), None)
        if where is None:
            not_run("rounds in Firefox", "no firefox-esr, see `make engines`")
        with ExitStack() as started:
            self._start(started, where)
            self._started = started.pop_all()

    def _start(self, started: ExitStack, where: str) -> None:
        home = started.enter_context(
            tempfile.TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True)
        )
        command = [where, "--headless", "--no-remote", "--profile", home]
        program = Program(
            [*command, "--remote-debugging-port", "0"],
            r"BiDi listening on (ws://\S+)",
            {"HOME": home},
        )
        started.callback(program.close)
        self._wire = started.enter_context(closing(Wire(f"{program.place}/session", PATIENCE_S)))
        self._sent = 0
        self._told: list[str] = []
        self._say("session.new", capabilities={})
        self._say("session.subscribe", events=["log.entryAdded"])
        self._page = self._say("browsingContext.getTree")["contexts"][0]["context"]
        width, height = SIZE
        self._say(
            "browsingContext.setViewport",
            context=self._page,
            viewport={"width": width, "height": height},
        )

    def goto(self, url: str) -> None:
        self._say("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        answer = self._say(
            "script.evaluate",
            expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()",
            target={"context": self._page},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])

    def press(self, x: float, y: float) -> None:
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        hand = {"type": "pointer", "id": "mouse", "actions": moves}
        self._say("input.performActions", context=self._page, actions=[hand])

    def picture(self) -> bytes:
        return base64.b64decode(
            self._say("browsingContext.captureScreenshot", context=self._page)["data"]
        )

    def heard(self) -> list[str]:
        """Return the errors of the console and of scripts."""
        return list(self._told)

    def close(self) -> None:
        self._started.close()

    def _say(self, method: str, **params: Any) -> Any:
        """Send a command and return its answer; events that arrive meanwhile are stored."""
        self._sent += 1
        self._wire.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while True:
            told = json.loads(self._wire.receive())
            if told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
                self._told.append(str(told["params"]["text"]))
            if told.get("id") == self._sent:
                assert told["type"] == "success", told
                return told["result"]
