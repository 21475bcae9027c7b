"""Metrics and access log: every request is counted, and no secret appears."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from houses import KEY, Guest
from rounds.house_with_operator import TABLES, Time, keeper_of
from tapisvert.web.access_log import NOWHERE, JsonLines
from web.office import Room
from web.scene import code_of

SEED = "of my own, 4711"
SAMPLE = re.compile(r"^(\w+(?:\{.*\})?) (\S+)$", re.MULTILINE)


def read(who: Guest) -> Any:
    return who.client.get("/metrics", headers=who.headers(None))


def told(clerk: Guest) -> dict[str, float]:
    answer = read(clerk)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return {name: float(value) for name, value in SAMPLE.findall(answer.text)}


@contextmanager
def listening() -> Iterator[StringIO]:
    """Capture the log as JSON lines."""
    heard = StringIO()
    handler = logging.StreamHandler(heard)
    handler.setFormatter(JsonLines())
    loggers = [logging.getLogger("tapisvert"), logging.getLogger("tapisvert.access")]
    loggers[0].addHandler(handler)
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.INFO)
    try:
        yield heard
    finally:
        loggers[0].removeHandler(handler)
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def requests(route: str, method: str = "GET", status: int = 200) -> str:
    return f'tapis_requests_total{{method="{method}",route="/api/v1{route}",status="{status}"}}'


def test_every_request_is_counted_by_its_pattern_and_its_outcome(room: Room) -> None:
    before = told(room.clerk)
    room.guest.open({"ante": 1000})
    room.guest.open({"ante": 1000})  # one is open already
    room.guest.get("/rounds/nobody-s")
    room.guest.get("/rounds/another-s")
    after = told(room.clerk)

    def grown(name: str) -> float:
        return after.get(name, 0) - before.get(name, 0)

    assert grown(requests("/rounds", "POST", 201)) == 1
    assert grown(requests("/rounds", "POST", 409)) == 1
    assert grown(requests("/rounds/{round_id}", status=404)) == 2
    assert grown('tapis_refusals_total{code="round/unknown"}') == 2
    assert grown('tapis_refusals_total{code="round/already_open"}') == 1
    timed = 'tapis_request_seconds_count{method="POST",route="/api/v1/rounds"}'
    assert grown(timed) == 2
    assert grown("tapis_rounds_open") == 1


def test_what_strangers_make_up_is_one_line_and_no_more(room: Room) -> None:
    told(room.clerk)  # to read them is a request of its own, counted from the next reading on
    before = told(room.clerk)
    for number in range(20):
        room.guest.client.get(f"/made/up/{number}")
        room.guest.client.get("/api/v1/health", headers={"Host": f"evil-{number}.example"})
    after = told(room.clerk)
    new = {name for name in after if name not in before and name.startswith("tapis_requests")}
    assert all(NOWHERE in name for name in new)
    assert not [name for name in after if "evil" in name or "made" in name]


def test_how_the_books_stand(room: Room) -> None:
    before = told(room.clerk)
    assert before["tapis_transfers_unsealed"] > 0
    assert before["tapis_dealing"] == 1
    time = Time()
    keeper_of(room.house, time).tick()
    room.house.clock = lambda: time.wall.now_ms + 7_000
    sealed = told(room.clerk)
    assert sealed["tapis_transfers_unsealed"] == 0
    assert sealed["tapis_seal_age_seconds"] == 7


@pytest.mark.parametrize("who", ["guest", "player"])
def test_only_an_operator_may_read_it(room: Room, who: str) -> None:
    assert code_of(read(getattr(room, who))) == (401, "operator/missing")


def test_nothing_secret_is_written_down(room: Room) -> None:
    with listening() as heard:
        for game, known in TABLES.items():
            round_id = room.guest.open(known.stakes, game=game, client_seed=SEED).json()["round"][
                "id"
            ]
            for step, choice in enumerate(known.choices):
                room.guest.choose(round_id, choice, step)
            proof = room.guest.get(f"/rounds/{round_id}/proof").json()
            assert proof["server_seed"] not in heard.getvalue()
        room.guest.post("/seats", {"game": "nonsense"})
        page = read(room.clerk).text
    written = heard.getvalue()
    lines = [msgspec.json.decode(line) for line in written.splitlines()]
    assert sum(line["event"] == "request" for line in lines) > 20
    assert {"at", "level", "event", "method", "route", "status", "code", "ms"} == set(lines[0])
    guest = room.guest
    secrets = (guest.token, room.clerk.token, room.player.token, KEY.hex(), SEED, "testclient")
    for text in (written, page):
        assert not [secret for secret in secrets if secret in text]
        assert "key-0" not in text  # an idempotency key


def test_a_crash_is_logged_with_its_trace_in_one_line() -> None:
    with listening() as heard:
        try:
            raise ValueError("two\nlines")
        except ValueError as error:
            logging.getLogger("tapisvert").error("it failed", exc_info=error)
    (line,) = heard.getvalue().splitlines()
    found = msgspec.json.decode(line)
    assert (found["level"], found["event"]) == ("error", "it failed")
    assert "ValueError: two\nlines" in found["trace"]


def test_several_processes_are_added_up(tmp_path: Path) -> None:
    """Two processes count in one folder; this process sums them."""
    program = "from tapisvert.web.metrics import count; count('GET', '/x', 200, '', 0.5)"
    env = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    started = [subprocess.Popen([sys.executable, "-c", program], env=env) for _ in range(2)]
    assert [each.wait() for each in started] == [0, 0]
    found = CollectorRegistry()
    MultiProcessCollector(found, str(tmp_path))
    shown = generate_latest(found).decode()
    assert 'tapis_requests_total{method="GET",route="/x",status="200"} 2.0' in shown
