"""PostgreSQL outages and conflicting units: one effect, or a clear refusal."""

from __future__ import annotations

import signal
import threading
from functools import partial
from pathlib import Path

import psycopg
import pytest
from psycopg import errors

from houses import PLAYER_WINS, make_house
from postgres import own_server
from rounds.guest_seat import ANTE, Seated, conserved, read, refusal_of, rows_of
from store.postgres_lines import LineSpy
from store.spies import PATIENCE_S, code_of, facts, insert, put
from stores import POSTGRESQL, store_at, url_of
from tapisvert.refusal import Refused
from tapisvert.store import Store, Tx, postgres, postgres_tx
from tapisvert.store.postgres import PostgresStore
from tiers import long, one_in

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)


# Lost connections ---------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("statement", [postgres_tx.BEGIN, "INSERT INTO commands", "COMMIT"])
def test_a_command_whose_connection_is_lost_anywhere_has_one_effect_and_its_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str, before: bool
) -> None:
    """After a lost COMMIT the outcome is unknown: the second run finds the stored key."""
    spy = LineSpy(monkeypatch)
    house = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    guest = Seated(house)
    asked = guest.asking()
    for command in (
        partial(guest.open, asked, "k"),
        partial(guest.choose, asked.round_id, "play", key="c"),
    ):
        lost = sum(line.lost for line in spy.lines)
        (spy.lose_before if before else spy.lose_after).append(statement)
        reply = command()
        assert sum(line.lost for line in spy.lines) == lost + 1
        assert command() == reply
    assert read(reply).round.state == "settled"
    assert guest.purse() == (100_000 + 3 * ANTE["ante"], 0)
    assert rows_of(house, "SELECT COUNT(*) FROM commands") == [(2,)]
    assert conserved(house)


def test_control_a_unit_without_a_key_is_done_twice_when_its_commit_was_kept_after_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command that moves money has an idempotency key for this reason."""
    spy = LineSpy(monkeypatch)
    spy.lose_after = ["COMMIT"]
    double = "INSERT INTO facts SELECT 'fact ' || COUNT(*), '' FROM facts"
    store.write(lambda tx: tx.run(double)).result(PATIENCE_S)
    assert facts(store) == ["fact 0", "fact 1"]


def test_guests_players_and_keepers_may_be_run_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest created twice is a second guest whose token is lost; the money adds up."""
    spy = LineSpy(monkeypatch)
    house = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    spy.lose_after = ["COMMIT"]
    guest = Seated(house)
    assert guest.purse() == (100_000, 0)
    assert rows_of(house, "SELECT COUNT(*) FROM players") == [(2,)]
    spy.lose_after = ["COMMIT"]
    assert guest.seat() == guest.seat()
    assert conserved(house)


def test_a_connection_that_is_lost_again_and_again_is_refused_and_nothing_happened(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = LineSpy(monkeypatch)
    spy.lose_before = ["COMMIT"] * postgres._CONNECTIONS_MAX
    assert code_of(put(store, "lost")) == "store/unavailable"
    assert (spy.lose_before, facts(store)) == ([], [])
    assert put(store, "next").result(PATIENCE_S) == "next"


def test_a_reader_whose_connection_is_lost_looks_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "there").result(PATIENCE_S)
    spy = LineSpy(monkeypatch)
    spy.lose_after = [postgres.READ]
    assert facts(store) == ["there"]
    assert [line.lost for line in spy.lines] == [True, False]


def test_a_backend_that_an_operator_ends_in_the_middle_is_replaced(store: Store) -> None:
    attempts: list[int] = []

    def work(tx: Tx) -> None:
        attempts.append(len(attempts))
        insert(tx, f"attempt {len(attempts)}")
        if len(attempts) == 1:
            tx.row("SELECT pg_terminate_backend(pg_backend_pid())")

    store.write(work).result(PATIENCE_S)
    assert (attempts, facts(store)) == ([0, 1], ["attempt 2"])


@pytest.mark.parametrize("how", one_in(3, [signal.SIGKILL, signal.SIGINT, signal.SIGQUIT]))
def test_a_server_that_is_gone_is_told_and_found_again_by_itself(how: signal.Signals) -> None:
    own = own_server()
    store = PostgresStore(own.fresh())
    put(store, "before").result(PATIENCE_S)
    assert facts(store) == ["before"]
    own.stop(how)
    kept = ["before", *_until_refused(store)]
    assert code_of(store.read(lambda tx: tx.rows("SELECT 1"))) == "store/unavailable"
    assert code_of(store.barrier()) == "store/unavailable"
    own.start()
    assert put(store, "after").result(PATIENCE_S) == "after"
    assert facts(store) == sorted([*kept, "after"])
    store.close()
    own.stop()


def _until_refused(store: Store) -> list[str]:
    """Write until refused; return the acknowledged writes.

    A backend whose server was killed may still complete work before it notices.
    """
    kept: list[str] = []
    while (error := put(store, f"meanwhile {len(kept)}").exception(PATIENCE_S)) is None:
        kept.append(f"meanwhile {len(kept)}")
    assert isinstance(error, Refused)
    assert error.code == "store/unavailable"
    while store.read(lambda tx: tx.rows("SELECT 1")).exception(PATIENCE_S) is None:
        pass  # the reader's backend, too
    return kept


# Units in each other's way ------------------------------------------------------------------------


def test_a_deadlock_is_tried_again_and_both_units_are_done(store: Store) -> None:
    both_hold, tries = threading.Barrier(2), {"ab": 0, "ba": 0}

    def unit(order: str, tx: Tx) -> None:
        tries[order] += 1
        tx.lock("facts", order[0])
        if tries[order] == 1:
            both_hold.wait(PATIENCE_S)  # each has one, and wants the other
        tx.lock("facts", order[1])
        insert(tx, order)

    jobs = [store.write(partial(unit, order)) for order in tries]
    for job in jobs:
        job.result(PATIENCE_S)
    assert facts(store) == ["ab", "ba"]
    assert sum(tries.values()) >= 3


def test_a_unit_that_never_gets_through_is_refused_in_the_end(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_pause_s", lambda attempt: 0)
    tries: list[str] = []

    def unlucky(tx: Tx) -> None:
        insert(tx, "lost")
        tries.append("lost")
        raise errors.SerializationFailure

    assert code_of(store.write(unlucky)) == "store/unavailable"
    assert (len(tries), facts(store)) == (postgres._TRIES_MAX, [])


def test_pauses_grow_and_end() -> None:
    assert all(0 <= postgres._pause_s(attempt) <= 0.2 for attempt in range(postgres._TRIES_MAX))


@long  # it waits the five seconds that a caller waits
def test_a_command_that_waits_too_long_for_another_is_told_and_not_kept(tmp_path: Path) -> None:
    url = f"{url_of(tmp_path / 'tapis.db')}&options=-clock_timeout%3D50ms"
    house = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    guest, holding, done = Seated(house), threading.Event(), threading.Event()
    asked = guest.asking()

    def hold(tx: Tx) -> None:
        tx.lock("players", guest.player_id)
        holding.set()
        done.wait(PATIENCE_S)

    held = house.store.write(hold)
    assert holding.wait(PATIENCE_S)
    patient, house.store = house.store, PostgresStore(url)
    assert refusal_of(lambda: guest.open(asked, "k")).code == "request/in_flight"
    done.set()
    held.result(PATIENCE_S)
    assert read(guest.open(asked, "k")).round.state == "open"
    house.store.close()
    house.store = patient


def test_a_server_that_has_stopped_in_the_middle_loses_its_locks(tmp_path: Path) -> None:
    """Its connection is closed; when it resumes, its unit runs again after the other."""
    url = f"{url_of(tmp_path / 'tapis.db')}&options=-cidle_in_transaction_session_timeout%3D500ms"
    sleeper, other = PostgresStore(url), store_at(tmp_path / "tapis.db")
    holding, passed, order = threading.Event(), threading.Event(), list[str]()

    def sleep(tx: Tx) -> None:
        tx.lock("players", "one")
        holding.set()
        passed.wait(PATIENCE_S)
        insert(tx, f"sleeper {len(order)}")

    def go(tx: Tx) -> None:
        tx.lock("players", "one")
        insert(tx, "other")
        order.append("other")

    sleeping = sleeper.write(sleep)
    assert holding.wait(PATIENCE_S)
    other.write(go).result(PATIENCE_S)
    passed.set()
    sleeping.result(PATIENCE_S)
    assert facts(other) == ["other", "sleeper 1"]
    sleeper.close()


# What is not acknowledged -------------------------------------------------------------------------


def test_a_failure_that_the_work_has_hidden_is_not_acknowledged(store: Store) -> None:
    """PostgreSQL answers such a COMMIT without an error, but it has rolled back."""

    def hiding(tx: Tx) -> str:
        insert(tx, "once")
        with pytest.raises(psycopg.IntegrityError):
            insert(tx, "once")
        return "done"

    assert code_of(store.write(hiding)) == "store/unavailable"
    assert facts(store) == []


def test_a_text_that_cannot_be_stored_is_malformed_and_spoils_nothing_else(store: Store) -> None:
    def work(tx: Tx) -> Refused:
        insert(tx, "kept")
        with pytest.raises(Refused) as refused:
            insert(tx, "a\0b")
        return refused.value

    assert store.write(work).result(PATIENCE_S).code == "request/malformed"
    assert facts(store) == ["kept"]
