"""The server's client of the coach: connects, starts a coach if there is none, times out.

It imports no mathematics. Every failure is a refusal with its own code; rounds do not depend on it.
"""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from tapisvert.coach.warm import CoachState
from tapisvert.decoding import convert
from tapisvert.extras import installed
from tapisvert.refusal import Refused

PATIENCE_S = 20.0  # timeout of an answer; the slowest takes less than a second
START_AGAIN_S = 5.0
FAILURES_MAX = 2  # after these the coach is reported unavailable, not warming
_LINE_BYTES_MAX = 1024 * 1024


def start(path: Path) -> subprocess.Popen[bytes]:
    """Start the coach of this machine; a second one exits at once."""
    return subprocess.Popen(
        [sys.executable, "-m", "tapisvert.coach.service", str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


class CoachClient:
    """One server's connection to the coach."""

    def __init__(
        self, path: Path, folder: Path | None = None, start: Callable[[Path], object] = start
    ) -> None:
        self._path, self._folder, self._start = path, folder, start
        self._installed = installed("prove")
        self._coach: object = None  # the process, if started here: its exit is polled
        self._started = -START_AGAIN_S
        self._failures = 0  # consecutive coaches that exited before a connection
        self._ids = itertools.count()
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None
        self._connecting = asyncio.Lock()

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        """Return advice for a position as JSON, with the `rules` of cards, or refuse."""
        self._must_be_installed()
        folder = {} if self._folder is None else {"folder": str(self._folder)}
        found = await self._said({"position": position, **folder})
        if found.get("warming"):
            raise Refused("coach/warming", retry_after_s=2)
        if "error" in found:
            raise Refused(found["error"]["code"], **found["error"]["details"])
        advice: dict[str, Any] = found["advice"]
        return {**advice, "rules": found["rules"]} if "rules" in found else advice

    async def state(self, game: str | None = None) -> CoachState:
        """Return the warm-up state of a game, or of all; start a coach if none is running.

        Refuse if the server lacks the extra `prove`.
        """
        self._must_be_installed()
        try:
            found = await self._said({} if game is None else {"game": game})
            return convert(found["state"], CoachState)
        except Refused:
            return CoachState("absent" if self._failures >= FAILURES_MAX else "warming")

    def _must_be_installed(self) -> None:
        """Refuse without the extra, so that no process is started which cannot count."""
        if not self._installed:
            raise Refused("coach/not_installed")

    async def _said(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return the answer, or refuse."""
        writer = await self._connected()
        number = next(self._ids)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            writer.write(msgspec.json.encode({"id": number, **asked}) + b"\n")
            return await asyncio.wait_for(answer, PATIENCE_S)
        except (OSError, TimeoutError):
            raise Refused("coach/unavailable") from None
        finally:
            self._waiting.pop(number, None)

    async def close(self) -> None:
        """Close the connection; a coach without connections ends."""
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
            self._listening = None

    async def _connected(self) -> asyncio.StreamWriter:
        async with self._connecting:
            if self._writer is not None:
                return self._writer
            try:
                reader, writer = await asyncio.open_unix_connection(
                    self._path, limit=_LINE_BYTES_MAX
                )
            except OSError:
                self._wake()
                raise Refused("coach/warming", retry_after_s=2) from None
            self._writer, self._failures = writer, 0
            self._listening = asyncio.create_task(self._listen(reader, writer))
            return writer

    def _wake(self) -> None:
        """Start a coach, unless one is starting."""
        now = time.monotonic()
        if now - self._started >= START_AGAIN_S:
            self._started = now
            if isinstance(self._coach, subprocess.Popen) and self._coach.poll():
                self._failures += 1
            self._coach = self._start(self._path)

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                answer = msgspec.json.decode(line)
                waiting = self._waiting.get(answer["id"])
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
        except (OSError, ValueError):
            pass
        finally:  # connection lost: fail the pending requests; the next one starts a new coach
            self._writer = None
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(OSError("the coach has gone"))
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
