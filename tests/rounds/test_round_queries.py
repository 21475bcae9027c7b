"""The read models' queries against a plain search through all rows (history/round_queries.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from bank.tampering import Forger
from tapisvert.history import round_queries
from tapisvert.store.sqlite_tx import SqliteTx

Rows = list[dict[str, Any]]
SIDE_BETS = {"bonus", "flush", "straight-flush", "fortune", "trips", "royal"}


@pytest.fixture(scope="module")
def forger(forger: Forger) -> Forger:
    """Return a database with every game and state, two voided rounds, and some rounds seen."""
    forger.file.execute("UPDATE rounds SET seen = (seq % 3 = 0)")
    return forger


def table(forger: Forger, name: str) -> Rows:
    names = forger.columns(name)
    return [dict(zip(names, row, strict=True)) for row in forger.rows(f"SELECT * FROM {name}")]


@pytest.fixture
def rounds(forger: Forger) -> Rows:
    return table(forger, "rounds")


@pytest.fixture
def players(forger: Forger) -> list[str]:
    return [str(player) for (player,) in forger.rows("SELECT id FROM players")]


@pytest.fixture
def tx(forger: Forger) -> SqliteTx:
    return SqliteTx(forger.file)


def counted(forger: Forger, rounds: Rows, player: str) -> Rows:
    """Return the rounds that count: settled, and not reversed."""
    reversed_ = {row["round_id"] for row in table(forger, "reversals")}
    return [
        row
        for row in rounds
        if row["player_id"] == player and row["state"] == "settled" and row["id"] not in reversed_
    ]


@pytest.mark.parametrize("status", [None, "open", "unseen"])
def test_a_page_has_a_players_rounds_of_a_kind_the_newest_first(
    forger: Forger, tx: SqliteTx, rounds: Rows, players: list[str], status: str | None
) -> None:
    reversed_ = {row["round_id"] for row in table(forger, "reversals")}
    kinds: dict[str | None, Callable[[dict[str, Any]], bool]] = {
        None: lambda row: row["opened_at_ms"] is not None,
        "open": lambda row: row["state"] == "open",
        "unseen": lambda row: not row["seen"] and row["state"] in ("settled", "voided"),
    }
    lengths = []
    for player in players:
        mine = [row for row in rounds if row["player_id"] == player and kinds[status](row)]
        meant = [
            (
                *(row[name] for name in ("seq", "id", "game", "state", "opened_at_ms")),
                *(row[name] for name in ("ended_at_ms", "staked_cents", "returned_cents", "seen")),
                row["id"] in reversed_,
                None,  # by the rules of the house
            )
            for row in mine[::-1]
        ]
        assert round_queries.page(tx, player, status, 1000, 50) == meant
        assert round_queries.page(tx, player, status, 1000, 1) == meant[:1]
        for row in meant[:1]:
            assert round_queries.page(tx, player, status, row[0], 50) == meant[1:]
        lengths.append(len(meant))
    assert max(lengths) > 1


def test_results_and_counts_are_of_rounds_that_count(
    forger: Forger, tx: SqliteTx, rounds: Rows, players: list[str]
) -> None:
    left_out = 0
    for player in players:
        mine = counted(forger, rounds, player)
        nets = [(row["seq"], row["returned_cents"] - row["staked_cents"]) for row in mine]
        assert round_queries.nets(tx, player) == nets
        over = [
            row
            for row in rounds
            if row["player_id"] == player and row["state"] in ("settled", "voided")
        ]
        assert round_queries.ended(tx, player) == len(over)
        left_out += len(over) - len(mine)
        meant = [(row["id"], row["game"]) for row in mine[::-1]]
        assert round_queries.newest(tx, player, 50) == meant
        assert round_queries.newest(tx, player, 2) == meant[:2]
        for game in {row["game"] for row in rounds}:
            of_game = [each for each in meant if each[1] == game]
            assert round_queries.newest(tx, player, 50, game) == of_game
    assert left_out >= 3
    for row in rounds:
        assert round_queries.numbered(tx, row["seq"]) == (row["id"], row["game"])
    assert round_queries.numbered(tx, 0) is None


def test_stakes_and_returns_are_summed_by_game_and_bet(
    forger: Forger, tx: SqliteTx, rounds: Rows, players: list[str]
) -> None:
    transfers = table(forger, "transfers")
    with forger.trying():
        # Rounds with the same stakes are one row; a side bet that won is a sum of its own.
        alike_in = "game = 'ultimate', edition = 1, sheet_hash = 'x', stakes = '{}'"
        settled = "state = 'settled' AND seq > 3"
        forger.file.execute(f"UPDATE rounds SET {alike_in} WHERE {settled}")
        forger.file.execute("UPDATE transfers SET bet = 'trips' WHERE reason IN ('win', 'return')")
        rounds = table(forger, "rounds")
        won = []
        for player in players:
            mine = counted(forger, rounds, player)
            alike: dict[tuple[object, ...], list[int]] = {}
            for row in mine:
                key = (row["game"], row["edition"], row["sheet_hash"], row["stakes"])
                sums = alike.setdefault(key, [0, 0, 0])
                sums[0] += 1
                sums[1] += row["staked_cents"]
                sums[2] += row["returned_cents"]
            found = sorted(round_queries.stakes_alike(tx, player))
            assert found == sorted((*key, *sums) for key, sums in alike.items())
            games = {row["id"]: row["game"] for row in mine}
            units: Counter[tuple[str, str]] = Counter()
            for each in transfers:
                if each["round_id"] in games and each["reason"] in ("win", "return"):
                    units[games[each["round_id"]], "trips"] += each["units"]
            sides = sorted(round_queries.side_returns(tx, player))
            assert sides == sorted((*key, total) for key, total in units.items())
            won += sides
        assert len(won) > 1
    assert not {bet for _, bet, _ in round_queries.side_returns(tx, players[0])} - SIDE_BETS
