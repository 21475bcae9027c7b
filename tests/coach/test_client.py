"""The client of the coach: whatever happens to the coach, requests get a prompt answer."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from coach.aside import run_aside
from tapisvert.coach import client
from tapisvert.coach.client import CoachClient
from tapisvert.coach.warm import CoachState
from tapisvert.refusal import Refused

POSITION = {"game": "casino-stud"}
Reply = Callable[[dict[str, Any]], dict[str, Any] | None]


@asynccontextmanager
async def coach(path: Path, reply: Reply) -> AsyncIterator[list[dict[str, Any]]]:
    """Run a coach with these replies; None closes the connection."""
    heard: list[dict[str, Any]] = []

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while said := await reader.readline():
            heard.append(msgspec.json.decode(said))
            answer = reply(heard[-1])
            if answer is None:
                break
            writer.write(msgspec.json.encode(answer | {"id": heard[-1]["id"]}) + b"\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_unix_server(connection, path)
    async with server:
        yield heard


async def refusal_of(asking: Awaitable[object]) -> Refused:
    with pytest.raises(Refused) as told:
        await asking
    return told.value


def run(test: Callable[[CoachClient, Path], Awaitable[None]], tmp_path: Path, **given: Any) -> None:
    async def whole() -> None:
        line = CoachClient(tmp_path / "coach.sock", **{"start": lambda _: None, **given})
        await test(line, tmp_path / "coach.sock")
        await line.close()

    run_aside(whole)


def test_where_no_coach_is_one_is_started_once_and_who_asks_is_told(tmp_path: Path) -> None:
    started: list[Path] = []

    async def test(line: CoachClient, path: Path) -> None:
        for _ in range(3):
            refused = await refusal_of(line.ask(POSITION))
            assert (refused.code, refused.details) == ("coach/warming", {"retry_after_s": 2})
        assert started == [path]

    run(test, tmp_path, start=started.append)


def test_a_coach_that_never_came_is_started_again_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "START_AGAIN_S", 0.0)
    started: list[Path] = []

    async def test(line: CoachClient, path: Path) -> None:
        for _ in range(2):
            await refusal_of(line.ask(POSITION))
        assert started == [path, path]

    run(test, tmp_path, start=started.append)


def test_advice_comes_back_to_whoever_asked_for_it(tmp_path: Path) -> None:
    async def test(line: CoachClient, path: Path) -> None:
        async with coach(path, lambda said: {"advice": {"best": said["position"]["game"]}}):
            asked = [line.ask({"game": str(number)}) for number in range(20)]
            assert [each["best"] for each in await asyncio.gather(*asked)] == [
                str(number) for number in range(20)
            ]

    run(test, tmp_path)


def test_the_folder_of_kept_charts_goes_with_the_question(tmp_path: Path) -> None:
    async def test(line: CoachClient, path: Path) -> None:
        async with coach(path, lambda _: {"advice": {}}) as heard:
            await line.ask(POSITION)
            assert heard == [{"id": 0, "position": POSITION, "folder": str(tmp_path / "proofs")}]

    run(test, tmp_path, folder=tmp_path / "proofs")


def test_how_far_he_is_is_told_and_never_refused(tmp_path: Path) -> None:
    said = {"state": "warming", "done": 1, "of": 3, "seconds_left": 20}

    async def test(line: CoachClient, path: Path) -> None:
        assert await line.state("blackjack") == CoachState("warming")  # none is there yet
        async with coach(
            path, lambda asked: None if asked["id"] == 2 else {"state": said}
        ) as heard:
            assert await line.state("blackjack") == CoachState("warming", 1, 3, 20)
            await line.state()
            assert heard == [{"id": 0, "game": "blackjack"}, {"id": 1}]
            assert await line.state() == CoachState("warming")  # he hangs up

    run(test, tmp_path)


def test_coaches_that_end_before_they_can_be_reached_are_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "START_AGAIN_S", 0.0)

    def start(path: Path) -> subprocess.Popen[bytes]:
        broken = subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])
        broken.wait()
        return broken

    async def test(line: CoachClient, path: Path) -> None:
        assert [(await line.state()).state for _ in range(3)] == ["warming", "warming", "absent"]
        async with coach(
            path, lambda asked: {"state": {"state": "ready"}} if not asked["id"] else None
        ):
            assert await line.state() == CoachState("ready")
            await line.state()

    run(test, tmp_path, start=start)


def test_without_the_extra_no_coach_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "installed", lambda extra: extra != "prove")
    started = list[Path]()

    async def test(line: CoachClient, path: Path) -> None:
        for asking in (line.ask(POSITION), line.state(), line.state("blackjack")):
            assert (await refusal_of(asking)).code == "coach/not_installed"

    run(test, tmp_path, start=started.append)
    assert started == []


def test_what_the_coach_refuses_is_refused_and_warming_up_is_said(tmp_path: Path) -> None:
    answers: Iterator[dict[str, Any]] = iter(
        [
            {"error": {"code": "advice/impossible", "details": {"reason": "a card twice"}}},
            {"warming": True},
            {"advice": {"best": "fold"}},
        ]
    )

    async def test(line: CoachClient, path: Path) -> None:
        async with coach(path, lambda _: next(answers)):
            refused = await refusal_of(line.ask(POSITION))
            assert (refused.code, refused.details) == (
                "advice/impossible",
                {"reason": "a card twice"},
            )
            assert (await refusal_of(line.ask(POSITION))).code == "coach/warming"
            assert await line.ask(POSITION) == {"best": "fold"}

    run(test, tmp_path)


def test_a_coach_that_dies_leaves_nobody_waiting_and_another_is_found(tmp_path: Path) -> None:
    async def test(line: CoachClient, path: Path) -> None:
        async with coach(path, lambda _: None):
            asked = await asyncio.gather(*(refusal_of(line.ask(POSITION)) for _ in range(3)))
            assert {each.code for each in asked} == {"coach/unavailable"}
        path.unlink(missing_ok=True)
        async with coach(path, lambda _: {"advice": {"best": "play"}}):
            assert await line.ask(POSITION) == {"best": "play"}

    run(test, tmp_path)


def test_a_coach_that_does_not_answer_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PATIENCE_S", 0.05)

    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()

    async def test(line: CoachClient, path: Path) -> None:
        async with await asyncio.start_unix_server(deaf, path):
            assert (await refusal_of(line.ask(POSITION))).code == "coach/unavailable"
            await line.close()

    run(test, tmp_path)
