"""Every crash point of every command, enumerated; and a write-ahead log cut at any place.

R10 and G10: killed before any statement, a command has left nothing at all behind, so the retry
deals the same cards from the sealed seed; killed after its commit, all of it is there.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bank.tables import check_books
from crash.points import COMMANDS, KEY, ask
from houses import make_house
from rounds.seated import PATIENCE_S, Seated, read

TESTS = Path(__file__).parents[1]


def prepare(folder: Path, command: str) -> dict[str, str]:
    """Bring a house to where the command comes next; return who gives it, and of what."""
    (folder / "base").mkdir()
    house = make_house(folder / "base" / "tapis.db")
    guest = Seated(house)
    facts = {"token": str(guest.token), "player_id": guest.player_id}
    if command in ("open", "choose", "more", "seen"):
        asked = guest.asking({"ante": 300, "bonus": 100})
        facts |= {"round_id": asked.round_id, "commitment": asked.commitment}
        if command != "open":
            guest.open(asked)
    if command == "more":
        guest.leave(0)
    if command == "seen":
        guest.choose(asked.round_id, "play")
    house.store.close()
    (folder / "facts.json").write_text(json.dumps(facts))
    return facts


def kill_everywhere(folder: Path, command: str) -> list[str]:
    """Run the command once per crash point; return the statements it was killed at."""
    ran = subprocess.run(
        [sys.executable, "-m", "crash.points", str(folder), command],
        cwd=TESTS,
        capture_output=True,
        timeout=PATIENCE_S,
        check=True,
    )
    told: list[str] = json.loads(ran.stdout)
    return told


def content(folder: Path) -> list[str]:
    """Return everything the database says; opened as a server would after a crash."""
    house = make_house(folder / "tapis.db")
    check_books(house.store)
    house.store.close()
    with closing(sqlite3.connect(folder / "tapis.db")) as file:
        return list(file.iterdump())


def retried(folder: Path, command: str, facts: dict[str, Any]) -> object:
    """Give the command again in a new house; return its outcome."""
    house = make_house(folder / "tapis.db", facts.get("first"))
    outcome: object = ask(house, command, facts).result(PATIENCE_S)
    check_books(house.store)
    house.store.close()
    return outcome


@pytest.mark.parametrize("command", COMMANDS)
def test_R10_G10_killed_at_any_statement_a_command_left_nothing_and_is_done_by_the_retry(
    tmp_path: Path, command: str
) -> None:
    facts = prepare(tmp_path, command)
    points = kill_everywhere(tmp_path, command)
    print(f"{command}: killed at {len(points)} points: {', '.join(points)}")
    assert (points[0], points[-1]) == ("BEGIN IMMEDIATE", "COMMIT")
    base = content(tmp_path / "base")
    for number in range(1, len(points) + 1):
        assert content(tmp_path / str(number)) == base, points[number - 1]
    survivor = tmp_path / str(len(points) + 1)
    assert content(survivor) != base

    first = retried(survivor, command, facts)
    for number in range(1, len(points) + 1):
        again = retried(tmp_path / str(number), command, facts)
        if command in ("open", "choose"):
            assert isinstance(first, bytes)
            assert isinstance(again, bytes)
            assert read(again).round == read(first).round  # the same cards, the same lines
            assert read(again).wallet == read(first).wallet
        elif command in ("more", "seen"):
            assert again == first
        # A seat or a guest that nobody was told of may be another one: nobody has seen it.


def prepare_royal(folder: Path) -> dict[str, Any]:
    """Bring a house to a deal of Blackjack that pays the whole demonstration pot (bj.5)."""
    (folder / "base").mkdir()
    first, stakes = "Ks Qs Js Ts As 5c", {"hand-1": 300, "hand-2": 200, "royal": 100}
    house = make_house(folder / "base" / "tapis.db", first)
    guest = Seated(house)
    asked = guest.asking(stakes, game="blackjack")
    house.store.close()
    facts = {"token": guest.token, "first": first, "stakes": stakes}
    facts |= {"round_id": asked.round_id, "commitment": asked.commitment}
    (folder / "facts.json").write_text(json.dumps(facts))
    return facts


def test_G10_a_deal_that_pays_the_pot_is_killed_at_any_statement_and_pays_once(
    tmp_path: Path,
) -> None:
    facts = prepare_royal(tmp_path)
    points = kill_everywhere(tmp_path, "open")
    print(f"a royal flush at the deal: killed at {len(points)} points")
    base = content(tmp_path / "base")
    for number in range(1, len(points) + 1):
        here = tmp_path / str(number)
        assert content(here) == base, points[number - 1]
        for _ in range(2):
            again = retried(here, "open", facts)
            assert isinstance(again, bytes)
            wallet = read(again).wallet
            assert (wallet.balance_cents, wallet.held_cents) == (100_000 - 600 + 2_000_000, 500)
        with closing(sqlite3.connect(here / "tapis.db")) as file:
            won = file.execute("SELECT units FROM transfers WHERE reason = 'win'").fetchall()
        assert won == [(1_999_900 * 100_000,)]


@pytest.mark.parametrize("command", ["open", "choose"])
def test_R10_after_a_commit_the_retry_gets_the_stored_reply(tmp_path: Path, command: str) -> None:
    facts = prepare(tmp_path, command)
    points = kill_everywhere(tmp_path, command)
    survivor = tmp_path / str(len(points) + 1)
    before = content(survivor)
    with closing(sqlite3.connect(survivor / "tapis.db")) as file:
        ((stored,),) = file.execute("SELECT reply FROM commands WHERE key = ?", (KEY,)).fetchall()
    assert retried(survivor, command, facts) == stored
    assert content(survivor) == before


@pytest.mark.parametrize("command", ["open", "choose"])
def test_a_write_ahead_log_cut_at_any_place_opens_at_a_commit(tmp_path: Path, command: str) -> None:
    """What a loss of power may leave of a log whose tail was not yet on disk."""
    prepare(tmp_path, command)
    points = kill_everywhere(tmp_path, command)
    survivor = tmp_path / str(len(points) + 1)
    log = (survivor / "tapis.db-wal").read_bytes()
    main = (survivor / "tapis.db").read_bytes()
    base, done, found = content(tmp_path / "base"), content(survivor), []
    for size in [*range(0, len(log), 509), len(log) - 1, len(log)]:
        cut = tmp_path / "cut"
        cut.mkdir()
        (cut / "tapis.db").write_bytes(main)
        (cut / "tapis.db-wal").write_bytes(log[:size])
        opened = content(cut)
        assert opened in (base, done), f"cut at {size}"
        found.append(opened == done)
        shutil.rmtree(cut)
    assert (found[0], found[-2], found[-1]) == (False, False, True)
    assert sorted(found) == found
    print(f"{command}: log of {len(log)} bytes cut at {len(found)} places")
