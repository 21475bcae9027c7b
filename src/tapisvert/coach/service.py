"""The coach's own process: positions in, advice out, over a socket on this machine.

One coach serves all servers of a machine. A server holds its connection open; when the last
connection closes, the coach exits. Play does not depend on the coach.

    python -m tapisvert.coach.service SOCKET

A request line is {"id": n, "folder": path or null, "position": {...}}. The answer has the same id
and `advice` with the `rules` of the strategy cards that apply, `error` or, while the mathematics of
that game is being loaded, `warming`. A request without a position asks for the warm-up state of one
`game` or of all; the answer has `state`.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from tapisvert.coach.advice import advise, rules
from tapisvert.coach.warm import CoachState, Warming
from tapisvert.decoding import read_json
from tapisvert.odds.mathematics import Advice
from tapisvert.refusal import Arg, Refused
from tapisvert.strategies.card_store import Applied

GRACE_S = 20  # without connections, before it exits
LINE_BYTES_MAX = 64 * 1024
_ASIDE = 5  # niceness: play has priority


class AdviceRequest(msgspec.Struct, frozen=True):
    """One request line."""

    id: int
    position: dict[str, Any] | None = None
    folder: str | None = None
    game: str | None = None


class Failed(msgspec.Struct, frozen=True):
    """A refusal, passed on to the client."""

    code: str
    details: dict[str, Arg]


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer line, with exactly one of the other four fields set; `rules` go with `advice`."""

    id: int
    advice: Advice | None = None
    rules: list[Applied] | None = None
    error: Failed | None = None
    warming: bool = False
    state: CoachState | None = None


class Service:
    """Answers the requests of all connections."""

    def __init__(self, warming: Warming | None = None) -> None:
        self._warming = warming or Warming()
        self._connected = 0
        self._alone = asyncio.Event()
        # The kernels release the GIL; requests beyond the number of cores queue.
        self._cores = ThreadPoolExecutor(os.cpu_count())

    async def serve(self, path: Path) -> None:
        """Serve until no client has been connected for a while."""
        server = await asyncio.start_unix_server(self._connection, path, limit=LINE_BYTES_MAX)
        os.chmod(path, 0o600)
        warming = asyncio.get_running_loop().run_in_executor(self._cores, self._warming.run)
        async with server:
            while True:
                self._alone.clear()
                await asyncio.sleep(GRACE_S)
                if not self._connected:
                    break
                await self._alone.wait()
        warming.cancel()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connected += 1
        busy: set[asyncio.Task[None]] = set()
        try:
            while line := await reader.readline():
                task = asyncio.create_task(self._answer(line, writer))
                busy.add(task)
                task.add_done_callback(busy.discard)
        except (ConnectionError, ValueError):  # connection lost, or line too long
            pass
        finally:
            self._connected -= 1
            if not self._connected:
                self._alone.set()
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        try:
            asked = read_json(line, AdviceRequest)
        except msgspec.DecodeError:
            writer.close()  # not our protocol
            return
        game = asked.game if asked.position is None else str(asked.position.get("game"))
        if game is not None:
            self._warming.want(game)
        state = self._warming.state(game)
        if asked.position is None:
            answer = Answer(asked.id, state=state)
        elif state.state == "warming":
            answer = Answer(asked.id, warming=True)
        elif state.state == "absent":
            answer = Answer(asked.id, error=Failed("coach/unavailable", {}))
        else:
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self._cores, answered, asked)
        writer.write(msgspec.json.encode(answer) + b"\n")
        await writer.drain()


def answered(asked: AdviceRequest) -> Answer:
    """Answer one request."""
    assert asked.position is not None
    folder = Path(asked.folder) if asked.folder else None
    try:
        found = advise(asked.position, folder)
        return Answer(asked.id, advice=found, rules=rules(asked.position))
    except Refused as refusal:
        return Answer(asked.id, error=Failed(refusal.code, refusal.details))


def main(path: Path) -> int:
    """Run the coach of this machine, unless one is running."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return 0
        path.unlink(missing_ok=True)  # the socket of a coach that was killed
        os.nice(_ASIDE)
        asyncio.run(Service().serve(path))
        path.unlink(missing_ok=True)
    os._exit(0)  # without waiting for running computations


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
