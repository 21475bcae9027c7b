"""The coach's process: one per machine, exits without connections, never blocks play."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from coach.aside import run_aside
from tapisvert.coach import client, service
from tapisvert.coach.client import CoachClient
from tapisvert.coach.service import AdviceRequest, Answer, Service, answered
from tapisvert.coach.warm import SECONDS, CoachState, Warming
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.refusal import Refused
from tiers import long

pause = asyncio.sleep
STUD = {"game": "casino-stud", **GAMES["casino-stud"].position.example}
PATIENCE_S = 120


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the timeout: a busy machine may have to compile first."""
    monkeypatch.setattr(client, "PATIENCE_S", PATIENCE_S)


async def served(service: Service, path: Path) -> asyncio.Task[None]:
    """Start a service; return once its socket exists."""
    serving = asyncio.create_task(service.serve(path))
    while not path.exists():
        await pause(0.01)
    return serving


def test_a_question_is_answered_with_its_number() -> None:
    found = answered(AdviceRequest(7, STUD))
    assert (found.id, found.error) == (7, None)
    assert found.advice is not None
    assert found.advice.best == "play"


def test_a_refusal_is_an_answer() -> None:
    found = answered(AdviceRequest(7, {**STUD, "house": ["As"]}))
    assert found.error is not None
    assert (found.error.code, found.advice) == ("advice/impossible", None)


def test_it_says_that_it_is_warming_up_and_leaves_when_the_last_one_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, go = tmp_path / "coach.sock", threading.Event()

    async def whole() -> list[Answer]:
        connected = asyncio.Event()

        def stay(seconds: float) -> Coroutine[Any, Any, Any]:
            """Set the time a coach waits for its first connection."""
            return connected.wait() if seconds == service.GRACE_S else pause(seconds)

        monkeypatch.setattr(asyncio, "sleep", stay)
        serving = await served(Service(Warming(lambda name: waited(go))), path)
        reader, writer = await asyncio.open_unix_connection(path)
        found: list[Answer] = []
        while not found or found[-1].warming:
            writer.write(msgspec.json.encode(AdviceRequest(len(found), STUD)) + b"\n")
            found.append(msgspec.json.decode(await reader.readline(), type=Answer))
            connected.set()
            go.set()
        assert not serving.done()  # one connection is still open
        await hung_up(writer)
        await asyncio.wait_for(serving, PATIENCE_S)
        return found

    found = run_aside(whole)
    assert found[0] == Answer(0, warming=True)
    assert found[-1].advice is not None


def test_a_line_that_is_none_ends_its_own_connection_only(tmp_path: Path) -> None:
    path = tmp_path / "coach.sock"

    async def whole() -> bytes:
        serving = await served(Service(Warming(lambda name: None)), path)
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b"nonsense\n")
        assert await reader.read() == b""
        await hung_up(writer)
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(msgspec.json.encode(AdviceRequest(1, STUD)) + b"\n")
        line = await reader.readline()
        await hung_up(writer)
        serving.cancel()
        return line

    assert b'"id":1' in run_aside(whole)


def test_how_far_he_is_can_be_asked_and_a_game_that_is_warm_is_advised_while_others_are_not(
    tmp_path: Path,
) -> None:
    path, go = tmp_path / "coach.sock", threading.Event()

    def do(name: str) -> None:
        if name != "numba":
            go.wait(PATIENCE_S)

    async def said(line: CoachClient, state: str, game: str | None = None) -> CoachState:
        while (found := await line.state(game)).state != state:
            await pause(0.01)
        return found

    async def whole() -> None:
        serving = await served(Service(Warming(do)), path)
        line = CoachClient(path, start=lambda _: None)
        while (found := await line.state("pai-gow")).done == 0:
            await pause(0.01)
        # The library is loaded and the first game is on its way; Pai Gow comes after it.
        assert (found.state, found.done, found.of) == ("warming", 1, 3)
        assert (await line.state()).of == len(SECONDS)
        with pytest.raises(Refused, match="coach/warming"):
            await line.ask(STUD)
        go.set()
        assert await said(line, "ready") == CoachState("ready", len(SECONDS), len(SECONDS))
        assert (await line.ask(STUD))["best"] == "play"
        await line.close()
        serving.cancel()

    run_aside(whole)


def test_a_game_that_cannot_be_warmed_is_told_to_be_absent_and_the_others_are_advised(
    tmp_path: Path,
) -> None:
    path = tmp_path / "coach.sock"

    def do(name: str) -> None:
        if name == "blackjack":
            raise ValueError("no such kernel")

    async def whole() -> None:
        serving = await served(Service(Warming(do)), path)
        line = CoachClient(path, start=lambda _: None)
        while (await line.state("casino-stud")).state != "ready":
            await pause(0.01)
        while (await line.state("blackjack")).state != "absent":
            await pause(0.01)
        assert (await line.ask(STUD))["best"] == "play"
        with pytest.raises(Refused, match="coach/unavailable"):
            await line.ask({"game": "blackjack", **GAMES["blackjack"].position.example})
        await line.close()
        serving.cancel()

    run_aside(whole)


def waited(go: threading.Event) -> None:
    assert go.wait(PATIENCE_S)


async def hung_up(writer: asyncio.StreamWriter) -> None:
    writer.close()
    await writer.wait_closed()


async def until_warm(line: CoachClient, position: dict[str, Any]) -> dict[str, Any]:
    """Ask until the coach is warm; return its answer."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return await line.ask(position)
        except Refused as refused:
            if not refused.code.startswith("coach/") or time.monotonic() > deadline:
                raise
            await pause(0.1)


def coaches(path: Path) -> list[int]:
    """Return the ids of the coach processes of a socket."""
    found = subprocess.run(["pgrep", "-f", str(path)], capture_output=True, text=True, check=False)
    return [int(number) for number in found.stdout.split()]


@long
def test_killed_the_coach_is_started_again_and_there_is_only_one(tmp_path: Path) -> None:
    path = tmp_path / "coach.sock"

    started: list[subprocess.Popen[bytes]] = []

    def start(path: Path) -> None:
        started.append(client.start(path))

    async def whole() -> None:
        line, other = CoachClient(path, start=start), CoachClient(path, start=start)
        for position in SHIPPED:
            asked = {"game": position, **GAMES[position].position.example}
            assert (await until_warm(line, asked))["best"]
        assert (await until_warm(other, STUD))["best"] == "play"
        (first,) = coaches(path)
        again = subprocess.run(
            [sys.executable, "-m", "tapisvert.coach.service", str(path)], check=False
        )
        assert again.returncode == 0  # there is one already
        os.kill(first, signal.SIGKILL)
        assert (await until_warm(line, STUD))["best"] == "play"
        assert first not in coaches(path)
        await line.close()
        await other.close()

    run_aside(whole)
    for each in started:
        each.kill()
        each.wait()
