"""Every query on rounds against a plain search through all rows, and over a house's every state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from bank.tampering import Forger
from rounds.guest_seat import refusal_of
from tapisvert.rounds import repository
from tapisvert.rounds.draft import Change
from tapisvert.store.sqlite_tx import SqliteTx

Rows = list[dict[str, Any]]


@pytest.fixture
def tx(forger: Forger) -> Iterator[SqliteTx]:
    with forger.trying():
        yield SqliteTx(forger.file)


@pytest.fixture
def rows(forger: Forger) -> Rows:
    names = forger.columns("rounds")
    return [dict(zip(names, row, strict=True)) for row in forger.rows("SELECT * FROM rounds")]


@pytest.mark.parametrize("anew", [True, False])
def test_rounds_to_mark_are_all_but_seats_or_those_without_a_mark(
    tx: SqliteTx, rows: Rows, anew: bool
) -> None:
    tx.run("UPDATE rounds SET mark = NULL WHERE seq IN (1, 2, 3, 7)")
    without = {1, 2, 3, 7}
    meant = [
        row["seq"] for row in rows if row["state"] != "seated" and (anew or row["seq"] in without)
    ]
    assert [each.seq for each in repository.rounds_to_mark(tx, anew=anew)] == meant
    assert meant[0] == 1


def test_seeds_rows_and_counts_are_those_of_the_table(tx: SqliteTx, rows: Rows) -> None:
    assert repository.sealed_seeds(tx) == [(row["id"], row["sealed_seed"]) for row in rows]
    opened = [row for row in rows if row["state"] == "open"]
    assert repository.open_count(tx) == len(opened) > 1
    assert repository.count_by_game(tx) == sorted(Counter(row["game"] for row in rows).items())
    ids = sorted(row["id"] for row in rows)
    assert [row[0] for row in repository.round_rows(tx, "", 100)] == ids
    assert [row[0] for row in repository.round_rows(tx, ids[3], 2)] == ids[4:6]


def test_a_player_has_the_balance_the_stakes_and_the_rounds_of_nobody_else(
    forger: Forger, tx: SqliteTx, rows: Rows
) -> None:
    units: dict[str, int] = dict(forger.rows("SELECT id, units FROM accounts"))
    held = set()
    for (player,) in forger.rows("SELECT id FROM players"):
        mine = [row for row in rows if row["player_id"] == player]
        kinds = Counter(row["state"] for row in mine)
        assert repository.counts_of(tx, player) == (kinds["open"], kinds["voided"])
        stakes = sum(units[f"round:{row['id']}"] for row in mine if row["state"] == "open")
        assert repository.balance_and_held(tx, player) == (units[f"player:{player}"], stakes)
        held.add(stakes)
    assert len(held) > 2


def test_due_rounds_are_open_past_their_delay_and_the_oldest_come_first(
    tx: SqliteTx, rows: Rows
) -> None:
    opened = [row["id"] for row in rows if row["state"] == "open"]
    tx.run("UPDATE rounds SET void_at_ms = 100 - seq")
    oldest_first = opened[::-1]
    last = 100 - next(row["seq"] for row in rows if row["id"] == opened[0])
    assert repository.due(tx, last, 9) == oldest_first
    assert repository.due(tx, last - 1, 9) == oldest_first[:-1]
    assert repository.due(tx, last, 1) == oldest_first[:1]


def test_a_round_is_found_by_its_player_only_and_loaded_only_if_it_was_opened(
    tx: SqliteTx, rows: Rows
) -> None:
    for row in rows:
        found = repository.find_any(tx, row["id"])
        assert found is not None
        assert found == repository.find_round(tx, row["player_id"], row["id"])
        assert (found.id, found.seq, found.state) == (row["id"], row["seq"], row["state"])
        assert found.seen is bool(row["seen"])
        owner = repository.owner_of(tx, row["id"])
        assert owner is not None
        assert owner.id == row["player_id"]
        assert repository.find_round(tx, "another", row["id"]) is None
        assert repository.totals(tx, row["id"]) == (row["staked_cents"], row["returned_cents"])
        load = partial(repository.load_round, tx, row["player_id"], row["id"])
        if row["state"] in ("seated", "retired"):
            refused = refusal_of(load)
            assert (refused.code, refused.details) == ("round/unknown", {"round_id": row["id"]})
            assert repository.is_bare(tx, found)
        else:
            assert load() == found
    assert repository.find_any(tx, "none") is None
    assert repository.owner_of(tx, "none") is None
    assert refusal_of(partial(repository.load_round, tx, "x", "none")).code == "round/unknown"


SEAT_IS_BARE = (
    *("staked_cents", "returned_cents", "stakes", "answers", "server_seed", "client_seed"),
    *("opened_at_ms", "ended_at_ms", "void_reason", "balance_before_cents"),
    *("balance_after_cents", "void_at_ms", "mark"),
)


@pytest.mark.parametrize("state", ["seated", "retired"])
def test_a_seat_with_anything_more_is_not_bare(
    forger: Forger, tx: SqliteTx, rows: Rows, state: str
) -> None:
    seat = next(row["id"] for row in rows if row["state"] == state)
    found = repository.find_any(tx, seat)
    assert found is not None
    more = SEAT_IS_BARE if state == "seated" else SEAT_IS_BARE[:2]
    for column in more:
        value = b"x" if column in ("server_seed", "mark") else 0
        was = forger.value(f"SELECT {column} FROM rounds WHERE id = ?", seat)
        tx.run(f"UPDATE rounds SET {column} = ? WHERE id = ?", (value, seat))
        assert not repository.is_bare(tx, found), column
        tx.run(f"UPDATE rounds SET {column} = ? WHERE id = ?", (was, seat))
    assert repository.is_bare(tx, found)
    repository.set_seen(tx, seat, seen=True)
    assert not repository.is_bare(tx, found)
    repository.set_seen(tx, seat, seen=False)
    assert repository.is_bare(tx, found)


def test_what_is_set_is_set_on_one_round(forger: Forger, tx: SqliteTx, rows: Rows) -> None:
    one = rows[4]["id"]
    repository.set_mark(tx, one, b"mark")
    repository.set_sealed_seed(tx, one, b"seed")
    assert forger.rows("SELECT id FROM rounds WHERE mark = ?", b"mark") == [(one,)]
    assert forger.rows("SELECT id FROM rounds WHERE sealed_seed = ?", b"seed") == [(one,)]


def test_a_group_loads_seats_open_rounds_what_they_replace_and_the_rounds_named(
    forger: Forger, tx: SqliteTx, rows: Rows
) -> None:
    by_id = {row["id"]: row for row in rows}
    players = [str(player) for (player,) in forger.rows("SELECT id FROM players")]
    for named in ("", "none", *by_id):
        for wanted in ([(player, named)] for player in players):
            meant = []
            for row in rows:
                if row["player_id"] != wanted[0][0]:
                    continue
                if row["state"] in ("seated", "open") or row["id"] == named:
                    meant.append(row["id"])
                if row["state"] == "seated" and row["replaces"]:
                    meant.append(row["replaces"])
            found = [each.id for each in repository.rounds_for(tx, wanted)]
            assert sorted(found) == sorted(meant)
    every = repository.rounds_for(tx, [(player, "") for player in players])
    seats = [row["id"] for row in rows if row["state"] in ("seated", "open")]
    replaced = [row["replaces"] for row in rows if row["state"] == "seated" and row["replaces"]]
    assert sorted(each.id for each in every) == sorted(seats + replaced)
    assert replaced


def test_a_round_that_is_no_longer_in_the_state_it_was_loaded_in_is_not_changed(
    tx: SqliteTx, rows: Rows
) -> None:
    row = next(row for row in rows if row["state"] == "settled")
    stored = repository.find_any(tx, row["id"])
    assert stored is not None
    repository.change_rounds(tx, [Change(stored, "settled", 5, 7)])
    assert repository.totals(tx, row["id"]) == (5, 7)
    with pytest.raises(AssertionError, match=r"^a round must be in the state it was loaded in$"):
        repository.change_rounds(tx, [Change(stored, "open", 1, 1)])


def test_a_retired_seat_has_neither_stakes_nor_answers(rows: Rows) -> None:
    retired = [row for row in rows if row["state"] == "retired"]
    assert [(row["stakes"], row["answers"]) for row in retired] == [(None, None)] * len(retired)
    settled = [row for row in rows if row["state"] == "settled"]
    assert all(row["stakes"] and row["answers"] for row in settled)


def test_the_database_of_these_tests_has_every_state(rows: Rows) -> None:
    assert {row["state"] for row in rows} == {"open", "retired", "seated", "settled", "voided"}
