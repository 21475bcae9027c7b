"""The jackpot meters: as one reply, and as a stream of server-sent events.

One task per process polls the database once a second while there are subscribers, so all processes
show the same figures. A stream carries no player data.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from weakref import WeakSet

import msgspec
from litestar import Response, Router, get
from litestar.openapi import ResponseSpec
from litestar.response import Stream
from msgspec import Struct
from msgspec.structs import replace

from tapisvert.operations.jackpot_views import JackpotList, JackpotView, WinView, meters, wins_after
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.store import Tx
from tapisvert.web.api import answers, reply
from tapisvert.web.head import IS_HEAD
from tapisvert.web.session import Call, done, house

STREAMS_MAX = 500
LIFE_S = 3600.0  # of a stream; a browser then reconnects by itself
QUIET_S = 10.0  # between two events, at most
EVERY_S = 1.0
_WINS_KEPT = 100
_EVENT_STREAM = "text/event-stream"


class WonView(Struct, frozen=True):
    """A pot that was just won: the win, and the meter after it."""

    id: str
    win: WinView
    now: JackpotView


class StreamEvent(Struct, frozen=True):
    """One event of the stream: `jackpots` or `won`, and a message in JSON."""

    event: str
    data: str


class _Watcher:
    """A subscriber; it is dropped when its connection ends."""


class Board:
    """The meters and the subscribers of their stream."""

    def __init__(
        self, house: PlayerService, *, streams_max: int = STREAMS_MAX, life_s: float = LIFE_S
    ) -> None:
        self._house = house
        self._streams_max, self._life_s = streams_max, life_s
        self._watchers: WeakSet[_Watcher] = WeakSet()
        self._task: asyncio.Task[None] | None = None
        self._looking = asyncio.Lock()
        self._bell = asyncio.Event()
        self._closed = False
        self._shown: tuple[JackpotView, ...] = ()
        self._read_at_ms = 0
        self._wins: deque[tuple[int, WonView]] = deque(maxlen=_WINS_KEPT)
        self._changes = 0
        self._won = 0  # wins seen since this process started

    def join(self) -> AsyncIterator[bytes]:
        """Add a subscriber and return its events; refuse if there are too many."""
        if len(self._watchers) >= self._streams_max or self._closed:
            raise Refused("request/too_many", retry_after_s=int(QUIET_S))
        watcher = _Watcher()
        self._watchers.add(watcher)
        return self._events(watcher)

    def close(self) -> None:
        """End every stream: the server is about to stop."""
        self._closed = True
        self._ring()

    async def _events(self, watcher: _Watcher) -> AsyncIterator[bytes]:
        """Yield the meters at once, at each change, and after `QUIET_S` without a change."""
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + self._life_s
        try:
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._watch())
            await self._look()
            told = self._won
            while True:
                seen = self._changes
                yield _event("jackpots", JackpotList(self._aged()))
                left_s = ends_at - loop.time()
                if self._closed or left_s <= 0:
                    return
                if self._changes == seen:  # no change while the last event was sent
                    await self._rings(min(QUIET_S, left_s))
                for number, won in [each for each in self._wins if each[0] > told]:
                    yield _event("won", won)
                    told = number
        finally:
            self._watchers.discard(watcher)

    async def _watch(self) -> None:
        """Poll once a second while there are subscribers."""
        while self._watchers and not self._closed:
            await asyncio.sleep(EVERY_S)
            await self._look()

    async def _look(self) -> None:
        """Read the meters; notify subscribers of changes. In an outage the last values age."""
        async with self._looking:
            await self._read()

    async def _read(self) -> None:
        known = {view.id: _trigger(view) for view in self._shown}

        def read(tx: Tx) -> tuple[JackpotList, dict[str, list[WinView]]]:
            new = {pot: wins_after(tx, pot, trigger) for pot, trigger in known.items()}
            return meters(tx, self._house.clock()), new

        try:
            found, wins = await done(self._house.store.read(read))
        except Refused:
            return
        before = [_still(view) for view in self._shown]
        self._shown, self._read_at_ms = found.jackpots, self._house.clock()
        for view in found.jackpots:
            for win in wins.get(view.id, ()):
                self._won += 1
                self._wins.append((self._won, WonView(view.id, win, view)))
        if [_still(view) for view in self._shown] != before:
            self._ring()

    def _aged(self) -> tuple[JackpotView, ...]:
        since = max(0, self._house.clock() - self._read_at_ms)
        return tuple(replace(view, age_ms=view.age_ms + since) for view in self._shown)

    def _ring(self) -> None:
        self._changes += 1
        self._bell.set()
        self._bell = asyncio.Event()

    async def _rings(self, patience_s: float) -> None:
        try:
            await asyncio.wait_for(self._bell.wait(), patience_s)
        except TimeoutError:
            return


def _still(view: JackpotView) -> JackpotView:
    """Return a meter without its age, for comparison: a new age alone is no change."""
    return replace(view, as_of="", age_ms=0)


def _trigger(view: JackpotView) -> int:
    return view.last_win.trigger if view.last_win else 0


def _event(name: str, data: Struct) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))


@get("/jackpots", responses=answers(JackpotList))
async def jackpots(request: Call) -> Response[bytes]:
    """Show every progressive jackpot: its amount, and the age of that figure."""
    here = house(request)
    found = await done(here.store.read(lambda tx: meters(tx, here.clock())))
    return reply(msgspec.json.encode(found), 200)


@get(
    "/jackpots/stream",
    media_type=_EVENT_STREAM,
    responses={
        200: ResponseSpec(
            StreamEvent, generate_examples=False, description="Events.", media_type=_EVENT_STREAM
        )
    },
)
async def stream(request: Call) -> Stream:
    """Watch the jackpots: an event at once, on each change, and at least every ten seconds."""
    board: Board = request.app.state.board
    events: AsyncIterator[bytes] | tuple[()] = board.join()
    if IS_HEAD in request.scope:
        events = ()
    # A buffering proxy would delay the events.
    return Stream(events, media_type=_EVENT_STREAM, headers={"X-Accel-Buffering": "no"})


JACKPOT_API = Router("/api/v1", route_handlers=[jackpots, stream])
