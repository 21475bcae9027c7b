"""The messages to PostgreSQL, each a way there and back: of a lone command and of a group of 32.

A message is a call of `Connection.execute`. In addition, psycopg prepares each statement once per
connection.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from rounds.guests_in_one_group import KINDS, MANY, Give, Tables, mixed
from rounds.house_with_operator import Operator
from stores import POSTGRESQL
from tapisvert.store import postgres

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)

# The statements of tests/rounds/test_statements.py, BEGIN in one message with the locks, and the
# tail in one with COMMIT.
MESSAGES = {"seat": 7, "open": 11, "choose": 10, "more": 8}
# Reads: sessions, locks, keys, rounds, accounts, switches. Writes: sheets, rounds that end or open,
# seats, accounts, transfers, keys.
MIXED = 6 + 6 + 1
CLAIM = 14 + 10 + 1  # alone: BEGIN, the player's lock and the savepoint are one message


class Line:
    """Tables with one connection that writes, and the messages it sends."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._sent: list[str] = []
        execute = psycopg.Connection.execute

        def recorded(line: psycopg.Connection[Any], query: Any, *given: Any, **named: Any) -> Any:
            self._sent.append(query)
            return execute(line, query, *given, **named)

        monkeypatch.setattr(psycopg.Connection, "execute", recorded)
        monkeypatch.setattr(postgres, "_WRITERS", 1)
        self.tables = Tables(path)

    def messages(self, *commands: Give) -> list[str]:
        """Return the messages that a group of commands takes."""
        self._sent.clear()
        for future in self.tables.given(commands):
            future.result()
        return list(self._sent)


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    made = Line(tmp_path / "tapis.db", monkeypatch)
    yield made
    made.tables.right()
    made.tables.store.close()


def test_a_group_of_32_sends_as_many_messages_as_its_kinds_of_commands_need(line: Line) -> None:
    for kind in KINDS:  # so that sheets, types of columns and the tail are known
        line.messages(line.tables.ready(kind)[1])
    for kind in KINDS:
        for many in (1, MANY):
            sent = line.messages(*(line.tables.ready(kind)[1] for _ in range(many)))
            assert (kind, many, len(sent)) == (kind, many, MESSAGES[kind])
    sent = line.messages(*(line.tables.ready(kind)[1] for kind in mixed()))
    assert len(sent) == MIXED
    assert not any("SAVEPOINT" in message for message in sent)


def test_a_claim_sends_the_messages_of_its_group_and_those_of_its_own_transaction(
    line: Line,
) -> None:
    Operator(line.tables.house).open_jackpot("blackjack", "CAD")
    line.messages(line.tables.ready("claim")[1])
    sent = line.messages(line.tables.ready("claim")[1])
    at = [place for place, message in enumerate(sent) if message.startswith("BEGIN")]
    assert (at, len(sent)) == ([1, 9], 8 + CLAIM)  # seven reads, COMMIT
    assert sum("SAVEPOINT" in message for message in sent) == 1
