"""Idempotency: a repeated key gets the same reply byte for byte, also for refusals, but not for
failures of the house.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest

from houses import PLAYER_WINS, Clock, make_house
from rounds.guest_seat import ANTE, Seated, conserved, granted, read, refusal_of, rows_of
from store.spies import Spy
from stores import both, sqlite_only
from tapisvert.rounds import PlayerService
from tapisvert.rounds.command_records import key_records
from tapisvert.rounds.schemas import OpenRequest

pytestmark = both

DISK = sqlite3.OperationalError("disk I/O error")


class Table:
    """A guest at a house whose clock advances with every command."""

    def __init__(self, path: Path) -> None:
        self.clock = Clock()
        self.house: PlayerService = make_house(path, PLAYER_WINS, clock=self.tick)
        self.guest = Seated(self.house)

    def tick(self) -> int:
        self.clock.now_ms += 1_000
        return self.clock.now_ms

    def kept(self) -> int:
        """Count the stored commands."""
        ((count,),) = rows_of(self.house, "SELECT COUNT(*) FROM commands")
        return int(count)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "tapis.db")


def test_the_same_command_again_gets_the_same_bytes_and_has_one_effect(table: Table) -> None:
    guest, asked = table.guest, table.guest.asking()
    opened = guest.open(asked, "open")
    assert guest.open(asked, "open") == opened
    round_id = read(opened).round.id
    ended = guest.choose(round_id, "play", key="choose")
    moved = guest.moved()
    for _ in range(3):
        assert guest.open(asked, "open") == opened  # although the round is over by now
        assert guest.choose(round_id, "play", key="choose") == ended
    assert (guest.moved(), table.kept()) == (moved, 2)
    assert guest.purse() == (100_300, 0)


def test_more_play_money_is_given_once_for_one_key(table: Table) -> None:
    table.guest.leave(99)
    first = table.guest.more("more")
    assert table.guest.more("more") == first
    assert table.guest.purse() == (100_099, 0)
    assert refusal_of(table.guest.more).code == "wallet/not_broke"


def test_a_stored_reply_outlives_the_house_that_gave_it(table: Table, tmp_path: Path) -> None:
    guest, asked = table.guest, table.guest.asking()
    opened = guest.open(asked, "open")
    guest.house.store.close()
    guest.house = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    assert guest.open(asked, "open") == opened
    guest.house.store.close()


def test_a_refusal_is_kept_with_its_key_and_another_key_is_another_try(table: Table) -> None:
    guest, asked = table.guest, table.guest.asking()
    guest.leave(99)
    refusal = refusal_of(lambda: guest.open(asked, "poor"))
    assert refusal.code == "wallet/insufficient_funds"
    guest.more()
    again = refusal_of(lambda: guest.open(asked, "poor"))
    assert (again.code, again.details) == (refusal.code, refusal.details)
    assert guest.moved() == []
    assert read(guest.open(asked, "rich")).round.state == "open"


def test_a_refused_command_leaves_its_record_and_nothing_else(table: Table) -> None:
    guest, asked = table.guest, table.guest.asking()
    guest.leave(99)
    tables = ("rounds", "accounts", "transfers", "significant_events", "sheets")
    before = [rows_of(table.house, f"SELECT * FROM {name}") for name in tables]
    refusal_of(lambda: guest.open(asked))
    assert [rows_of(table.house, f"SELECT * FROM {name}") for name in tables] == before
    assert table.kept() == 1


def other_commands(table: Table, asked: OpenRequest) -> dict[str, Callable[[], bytes]]:
    """Return commands that differ from `asked`, all under the key "k"."""
    guest, change = table.guest, msgspec.structs.replace
    return {
        "stake": lambda: guest.open(change(asked, stakes={"ante": 200}), "k"),
        "type": lambda: guest.open(change(asked, stakes={"ante": 100.0}), "k"),
        "more": lambda: guest.open(change(asked, stakes={"ante": 100, "bonus": 100}), "k"),
        "seed": lambda: guest.open(change(asked, client_seed="other"), "k"),
        "round": lambda: guest.open(change(asked, round_id="other"), "k"),
        "choice": lambda: guest.choose(asked.round_id, "play", key="k"),
        "money": lambda: guest.more("k"),
    }


def test_the_same_key_for_another_command_is_refused_and_the_first_reply_stays(
    table: Table,
) -> None:
    asked = table.guest.asking()
    opened = table.guest.open(asked, "k")
    for name, command in other_commands(table, asked).items():
        assert refusal_of(command).code == "idempotency/reused", name
    assert table.guest.open(asked, "k") == opened
    assert table.guest.purse() == (99_900, 100)


def test_the_key_of_a_refused_command_cannot_be_used_for_another_either(table: Table) -> None:
    asked = table.guest.asking()
    poor = msgspec.structs.replace(asked, stakes={"ante": 150})
    assert refusal_of(lambda: table.guest.open(poor, "k")).code == "stake/off_step"
    assert refusal_of(lambda: table.guest.open(asked, "k")).code == "idempotency/reused"


def test_two_choices_of_two_steps_or_rounds_are_two_commands(table: Table) -> None:
    guest = table.guest
    first = read(guest.open()).round.id
    ended = guest.choose(first, "fold", key="k")
    second = read(guest.open()).round.id
    assert refusal_of(lambda: guest.choose(second, "fold", key="k")).code == "idempotency/reused"
    assert refusal_of(lambda: guest.choose(first, "fold", 1, key="k")).code == "idempotency/reused"
    assert guest.choose(first, "fold", key="k") == ended


def test_the_order_of_the_stakes_and_the_events_wanted_do_not_make_another_command(
    table: Table,
) -> None:
    guest = table.guest
    asked = guest.asking({"ante": 100, "bonus": 200})
    opened = guest.open(asked, "k")
    turned = msgspec.structs.replace(asked, stakes={"bonus": 200, "ante": 100})
    assert guest.open(turned, "k") == opened
    ended = guest.choose(asked.round_id, "fold", key="c", since=3)
    assert guest.choose(asked.round_id, "fold", key="c", since=0) == ended


def test_the_keys_of_two_players_never_meet(table: Table) -> None:
    one, other = table.guest, Seated(table.house)
    mine, theirs = one.open(key="k"), other.open(key="k")
    assert read(mine).round.id != read(theirs).round.id
    asked = one.asking()
    assert refusal_of(lambda: other.open(asked, "x")).code == "seat/unknown"
    in_one_group = [(one.player_id, "x"), (other.player_id, "y")]
    assert table.house.store.read(lambda tx: key_records(tx, in_one_group)).result() == {}
    assert refusal_of(lambda: one.open(asked, "x")).code == "round/already_open"


def test_a_command_without_a_usable_key_is_refused_and_not_kept(table: Table) -> None:
    asked = table.guest.asking()
    for key in (None, "", "k" * 256, "clé", "a\nb", "a\tb", "\x7f"):
        outcome = table.house.open(table.guest.token, key, asked)
        assert refusal_of(partial(granted, outcome)).code == "idempotency/missing"
        stranger = table.house.open("nobody", key, asked)  # the session is checked first
        assert refusal_of(partial(granted, stranger)).code == "session/missing"
    assert table.kept() == 0
    assert table.guest.open(asked, "k" * 255)


def test_a_stranger_has_no_commands(table: Table) -> None:
    asked = table.guest.asking()
    for token in (None, "", "nobody", "\udcff"):
        refused = table.house.open(token, "k", asked)
        assert refusal_of(partial(granted, refused)).code == "session/missing"
    assert table.kept() == 0


@sqlite_only  # as on PostgreSQL in tests/store/test_postgres_faults.py
@pytest.mark.parametrize("fault", ["BEGIN IMMEDIATE", "COMMIT"])
def test_a_failure_of_the_disk_is_not_kept_and_the_same_key_works_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    spy = Spy(monkeypatch)
    table = Table(tmp_path / "tapis.db")
    asked = table.guest.asking()
    spy.before[fault] = [DISK, DISK]
    for _ in range(2):
        assert refusal_of(lambda: table.guest.open(asked, "k")).code == "store/unavailable"
    assert (table.kept(), table.guest.purse()) == (0, (100_000, 0))
    opened = table.guest.open(asked, "k")
    assert table.guest.open(asked, "k") == opened
    assert table.guest.purse() == (99_900, 100)


@sqlite_only
def test_a_commit_of_unknown_outcome_has_one_effect_after_the_retry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = Spy(monkeypatch)
    table = Table(tmp_path / "tapis.db")
    asked = table.guest.asking()
    spy.after["COMMIT"] = [DISK]  # it is on disk, but the disk says no
    assert refusal_of(lambda: table.guest.open(asked, "k")).code == "store/unavailable"
    opened = table.guest.open(asked, "k")
    spy.after["COMMIT"] = [DISK]
    round_id = read(opened).round.id
    refusal_of(lambda: table.guest.choose(round_id, "play", key="c"))
    assert read(table.guest.choose(round_id, "play", key="c")).round.state == "settled"
    assert table.guest.purse() == (100_000 + 3 * ANTE["ante"], 0)
    assert conserved(table.house)


def test_a_fault_of_ours_is_not_kept_and_leaves_nothing_behind(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = table.guest.asking()
    with monkeypatch.context() as broken:
        broken.setattr("tapisvert.rounds.draft.Draft.wallet", lambda draft: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            table.guest.open(asked, "k")
    assert (table.kept(), table.guest.purse()) == (0, (100_000, 0))
    assert read(table.guest.open(asked, "k")).round.state == "open"
