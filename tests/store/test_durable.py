"""A commit on PostgreSQL is durable or refused, even if settings change under a running house."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from rounds.guest_seat import PATIENCE_S, rows_of
from rounds.house_with_operator import Funded, findings
from stores import POSTGRESQL, url_of
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)
Setting = Callable[[str, str], None]


@pytest.fixture
def turn(house: PlayerService, tmp_path: Path) -> Iterator[Setting]:
    """Change a setting of the whole server, and wait until it is in force."""
    with psycopg.connect(url_of(tmp_path / "tapis.db"), autocommit=True) as line:

        def turn(name: str, value: str) -> None:
            line.execute(f"ALTER SYSTEM SET {name} = {value}")
            line.execute("SELECT pg_reload_conf()")
            asked = "SELECT setting FROM pg_file_settings WHERE name = %s AND applied"
            assert line.execute(asked, (name,)).fetchone() == (value,)
            while line.execute(f"SHOW {name}").fetchone() != (value,):
                pass  # the next statement of a session sees it

        try:
            yield turn
        finally:
            for name in ("fsync", "synchronous_commit"):
                line.execute(f"ALTER SYSTEM RESET {name}")
            line.execute("SELECT pg_reload_conf()")


def outcome(house: PlayerService) -> str:
    """Create a player; return the code of the refusal, or None."""
    try:
        Funded(house, 0)
    except Refused as refused:
        return refused.code
    return ""


def test_with_fsync_off_no_commit_is_acknowledged_and_none_is_made(
    house: PlayerService, turn: Setting
) -> None:
    Funded(house)
    turn("fsync", "off")
    # Each connection hears of it before its next statement: one commit of each may come before.
    outcomes = [outcome(house) for _ in range(8 + 20)]
    assert outcomes[8:] == ["store/unavailable"] * 20
    before = rows_of(house, "SELECT COUNT(*) FROM players")
    assert before == [(1 + outcomes.count(""),)]
    turn("fsync", "on")
    while True:
        try:
            Funded(house)
            break
        except Refused:
            continue  # a connection that has not heard of it yet
    assert rows_of(house, "SELECT COUNT(*) FROM players") == [(before[0][0] + 1,)]
    assert findings(house) == ()


def test_a_running_house_keeps_synchronous_commit_whatever_the_server_says(
    house: PlayerService, turn: Setting
) -> None:
    Funded(house)
    turn("synchronous_commit", "off")
    kept = 0
    for _ in range(16):
        shown = house.store.write(lambda tx: tx.row("SHOW synchronous_commit"))
        try:
            assert shown.result(PATIENCE_S) == ("on",)
            kept += 1
        except Refused:
            continue  # a new connection: the server it meets is not durable
    assert kept
