"""The jackpot stream: one reader, any number of subscribers, and its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from coach.aside import run_aside
from houses import Clock
from rounds.guest_seat import refusal_of
from rounds.house_with_operator import Funded, act
from rounds.house_with_pot import GAME, START, dealt, played, players, potted
from serving import PATIENCE_S, served
from tapisvert.cli.serve import Serving
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.operations.jackpot_views import JackpotList
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.store import SqliteStore
from tapisvert.web import create_app
from tapisvert.web import jackpots as streaming
from tapisvert.web.jackpots import Board, WonView
from web.shapes import events_in

CENTS = START // 100_000


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PlayerService]:
    made = potted(tmp_path / "tapis.db")
    yield made
    made.store.close()


class Watching:
    """A subscriber of a board."""

    def __init__(self, board: Board) -> None:
        self._events = board.join()

    async def next(self) -> Any:
        block = await asyncio.wait_for(anext(self._events), PATIENCE_S)
        (event,) = events_in(block.decode())
        kind = {"jackpots": JackpotList, "won": WonView}[event["event"]]
        return msgspec.json.decode(event["data"], type=kind)

    async def leave(self) -> None:
        assert isinstance(self._events, AsyncGenerator)
        await self._events.aclose()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "EVERY_S", 0.01)


async def apart(work: Callable[[], Any]) -> Any:
    """Run blocking work in a thread."""
    return await asyncio.to_thread(work)


def test_a_stream_tells_at_once_then_every_change_and_every_win(house: PlayerService) -> None:
    player, winner = players(house, 2)

    async def work() -> None:
        watching = Watching(Board(house))
        assert (await watching.next()).jackpots[0].amount_cents == CENTS
        await apart(lambda: played(player, "nothing"))
        await apart(Housekeeping(house).fold)
        assert (await watching.next()).jackpots[0].amount_cents == CENTS + 20
        await apart(lambda: dealt(winner, "royal-flush"))
        won = await watching.next()
        assert isinstance(won, WonView)
        assert (won.id, won.win.trigger, won.win.amount_cents) == (GAME, 1, CENTS + 40)
        assert (won.now.amount_cents, won.now.epoch) == (CENTS, 2)
        assert (await watching.next()).jackpots == (won.now,)
        await apart(lambda: act(house, lambda operator: operator.stop("jackpot:blackjack", "why")))
        assert (await watching.next()).jackpots[0].state == "closed"
        await watching.leave()

    run_aside(work)


def test_nothing_new_is_told_again_after_a_while_with_its_age(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "QUIET_S", 0.05)
    clock = Clock()
    house = potted(tmp_path / "tapis.db", clock=clock)

    async def work() -> None:
        watching = Watching(Board(house))
        assert (await watching.next()).jackpots[0].age_ms == 0
        clock.now_ms += 7000
        while (age_ms := (await watching.next()).jackpots[0].age_ms) != 7000:
            assert age_ms == 0  # told before the clock was moved
        await watching.leave()

    run_aside(work)
    house.store.close()


def test_who_comes_later_hears_of_later_wins_only(house: PlayerService) -> None:
    first, second = players(house, 2)

    async def work() -> None:
        board = Board(house)
        early = Watching(board)
        await early.next()
        await apart(lambda: dealt(first, "straight-flush"))
        assert (await early.next()).win.trigger == 1
        await early.next()
        late = Watching(board)
        assert (await late.next()).jackpots[0].last_win.trigger == 1
        await apart(lambda: dealt(second, "straight-flush"))
        assert (await late.next()).win.trigger == 2
        assert (await early.next()).win.trigger == 2
        for each in (early, late):
            await each.leave()

    run_aside(work)


def test_one_reader_looks_however_many_watch_and_stops_when_nobody_does(
    house: PlayerService, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, reads = SqliteStore.read, 0

    def counted(store: SqliteStore, work: Any) -> Any:
        nonlocal reads
        reads += 1
        return read(store, work)

    async def work() -> None:
        nonlocal reads
        monkeypatch.setattr(streaming, "EVERY_S", 3600)
        board = Board(house)
        watching = [Watching(board) for _ in range(20)]
        for each in watching:
            await each.next()
        await apart(lambda: dealt(winner, "straight-flush"))
        reads = 0
        await board._look()  # what the reader does once a second
        for each in watching:
            assert isinstance(await each.next(), WonView)
        assert reads == 1
        for each in watching:
            await each.leave()
        assert len(board._watchers) == 0

    async def ending() -> None:
        board = Board(house)
        watching = Watching(board)
        await watching.next()
        await watching.leave()
        assert board._task is not None
        await asyncio.wait_for(board._task, PATIENCE_S)

    (winner,) = players(house, 1)
    monkeypatch.setattr(SqliteStore, "read", counted)
    run_aside(work)
    monkeypatch.setattr(streaming, "EVERY_S", 0)
    run_aside(ending)


def test_only_so_many_may_watch_and_whoever_leaves_makes_room(house: PlayerService) -> None:
    async def work() -> None:
        board = Board(house, streams_max=2)
        first, second = Watching(board), Watching(board)
        for each in (first, second):
            await each.next()
        refused = refusal_of(lambda: Watching(board))
        assert (refused.code, refused.details) == ("request/too_many", {"retry_after_s": 10})
        await first.leave()
        third = Watching(board)
        await third.next()
        await second.leave()
        await third.leave()

    run_aside(work)


def test_a_board_that_is_closed_ends_its_streams_and_opens_no_more(house: PlayerService) -> None:
    async def work() -> None:
        board = Board(house)
        watching = Watching(board)
        await watching.next()
        board.close()
        with pytest.raises(StopAsyncIteration):
            await watching.next()
        assert refusal_of(lambda: Watching(board)).code == "request/too_many"

    run_aside(work)


def test_a_database_that_cannot_be_read_leaves_the_old_figure_to_age(house: PlayerService) -> None:
    async def work() -> None:
        board = Board(house)
        watching = Watching(board)
        await watching.next()

        class Gone:
            def read(self, work: Any) -> Any:
                raise Refused("store/unavailable")

        store, house.store = house.store, Gone()  # type: ignore[assignment]
        await board._look()
        house.store = store
        assert board._shown[0].amount_cents == CENTS
        await watching.leave()

    run_aside(work)


def test_a_server_that_is_stopped_ends_its_streams_first(tmp_path: Path) -> None:
    house = potted(tmp_path / "tapis.db")
    Funded(house)
    app = create_app(house)
    with served(app, lambda config: Serving(config, app.state.board)) as (server, port):
        address = f"http://127.0.0.1:{port}/api/v1/jackpots/stream"
        headers = {"Last-Event-ID": "anything"}  # which changes nothing
        with httpx.stream("GET", address, headers=headers, timeout=PATIENCE_S) as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: jackpots"
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert stream.headers["cache-control"] == "no-store"
            server.should_exit = True
            assert list(lines)  # the stream has an end
