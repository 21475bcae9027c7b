"""F5: the answers to many concurrent clients are those of a single-threaded house.

`make test` records 600 operations, the second tier 2,800 more. `make soak` records 100,000 and
judges every planted bug (run.py, planted.py).
"""

from __future__ import annotations

import itertools
import re
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from history.check import Verdict, check
from history.planted import INVISIBLE, judge
from history.record import record_house
from history.records import Operation, read_history
from history.refusals import KINDS, REFUSALS
from history.tamper import TAMPERED
from history.wire import record_http
from races.at_once import UnprotectedStore, ungrouped
from simulation.planted import PATCHES
from tapisvert.store import sqlite
from tiers import long, one_in

OPERATIONS, FEW = 2_800, 600
# What comes up in any recording of this length, however the threads take turns.
SURE = {
    *("wallet/insufficient_funds", "wallet/not_broke", "round/already_open", "round/stale_step"),
    *("seat/unknown", "dealing/unavailable", "idempotency/reused", "round/unknown"),
    *("never answered", "granted"),
}
MODEL = ("books", "tables", "model", "shown", "play_rules", "office_rules", "rules")
PLANTED = ("win-paid-twice", "any-step-answered", "seat-drawn-again")


def recorded(path: Path, operations: int, **given: Any) -> list[Operation]:
    assert record_house(path, operations, **given) == []
    return list(read_history(path))


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> list[Operation]:
    return recorded(tmp_path_factory.mktemp("history") / "short.jsonl", FEW)


def accepted(history: list[Operation]) -> Verdict:
    """Check a history, which must be accepted as a whole."""
    verdict = check(history)
    assert verdict.accepted, verdict.reason
    assert verdict.as_a_whole
    return verdict


def test_F5_a_history_of_many_clients_is_one_of_a_single_threaded_house(
    history: list[Operation],
) -> None:
    verdict = accepted(history)
    assert verdict.operations >= FEW
    assert verdict.at_once > 2


@long
def test_F5_a_history_in_which_everything_comes_up_is_one_too(tmp_path: Path) -> None:
    verdict = accepted(recorded(tmp_path / "history.jsonl", OPERATIONS))
    assert verdict.operations >= OPERATIONS
    assert verdict.at_once > 2
    assert KINDS - verdict.kinds.keys() <= {"new-token", "stops", "pay-debt"}
    assert SURE <= verdict.codes.keys() <= {*REFUSALS, *SURE}
    assert len(REFUSALS & verdict.codes.keys()) > 20


@long
def test_F5_a_history_over_http_with_a_server_that_dies_is_one_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("history.wire.KILL_EVERY", 120)
    done = record_http(tmp_path / "http.jsonl", 220)
    assert done.broken == []
    assert done.kills > 0
    assert accepted(list(read_history(tmp_path / "http.jsonl"))).lost > 0


@pytest.mark.parametrize("name", TAMPERED)
def test_F5_a_history_that_was_tampered_with_is_rejected(
    history: list[Operation], name: str
) -> None:
    assert rejects(check(TAMPERED[name](history)))


@pytest.mark.parametrize("name", one_in(3, PLANTED))
def test_F5_a_planted_bug_is_rejected(name: str) -> None:
    path = next(path for path in PATCHES if path.stem == name)
    assert judge(path, operations=FEW).rejected


def test_F5_what_no_client_can_see_is_named_with_its_reason() -> None:
    assert INVISIBLE.keys() <= {path.stem for path in PATCHES}
    assert len(PATCHES) - len(INVISIBLE) >= 20


def test_F5_an_answer_before_the_commit_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: nothing is lost, but a read right after the answer sees the state before."""
    commit, commits = sqlite._commit_group, itertools.count()

    class Slow:
        def __init__(self, connection: sqlite3.Connection, group: Sequence[Any]) -> None:
            self._connection, self._group = connection, group

        def execute(self, sql: str, params: Sequence[object] = ()) -> sqlite3.Cursor:
            if sql == "COMMIT" and next(commits):  # not when the books are opened
                for job in self._group:
                    job.answer()
                time.sleep(0.005)
            return self._connection.execute(sql, params)

        def executemany(self, sql: str, rows: Sequence[Sequence[object]]) -> sqlite3.Cursor:
            return self._connection.executemany(sql, rows)

    def early(connection: sqlite3.Connection, group: Sequence[Any], *rest: Any) -> None:
        commit(Slow(connection, group), group, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(sqlite, "_commit_group", early)
    assert rejects(check(recorded(tmp_path / "early.jsonl", FEW)))


def test_F5_commands_that_are_not_atomic_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: the same house on a store that does not serialise commands."""
    ungrouped(monkeypatch)

    class Kept(UnprotectedStore):
        def close(self) -> None:
            """Stay open for the next day."""

    store = Kept(tmp_path / "tapis.db", schema_too=True)
    record_house(tmp_path / "races.jsonl", FEW, open_store=lambda _: store)
    assert rejects(check(list(read_history(tmp_path / "races.jsonl"))))


def test_F5_the_model_shares_nothing_with_rounds_bank_players_or_store() -> None:
    told = [Path(__file__).with_name(f"{name}.py").read_text("utf-8") for name in MODEL]
    rooms = set(re.findall(r"^from tapisvert\.(\w+)", "".join(told), re.MULTILINE))
    assert rooms == {"cards", "dealing", "engine", "games", "refusal", "sheets"}


def rejects(verdict: Verdict) -> bool:
    """Tell whether a history was rejected conclusively."""
    print(verdict.reason)
    return not verdict.accepted and not verdict.undecided
