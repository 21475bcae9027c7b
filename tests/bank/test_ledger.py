"""The ledger, as tables; and the database's own constraints, which do not depend on code."""

from __future__ import annotations

import pytest

from bank.tables import check_books, run_table
from store.spies import PATIENCE_S
from stores import VIOLATIONS, both, on_postgresql
from tapisvert.bank import ledger
from tapisvert.bank.money import Purse, Transfer, in_units
from tapisvert.refusal import Broken
from tapisvert.store import Store

pytestmark = both

OPENED = """
    account  player:7 FUN                               ok
    account  round:1 FUN                                ok
    grant    player:7 100.00                            ok
"""


def test_a_grant_reaches_the_player_and_only_in_play_money(store: Store) -> None:
    run_table(
        store,
        """
        account  player:7 FUN                           ok
        balance  player:7 0.00                          ok
        grant    player:7 1000.00                       ok
        grant    player:7 0.01                          ok
        balance  player:7 1000.01                       ok
        grant    player:7 5.00 CAD                      wallet/play_money_only
        grant    player:8 5.00                          no_such_account
        balance  player:7 1000.01                       ok
        account  player:7 FUN                           already_there
        """,
    )


def test_the_newest_transfer_has_the_highest_number_and_a_new_database_has_none(
    store: Store,
) -> None:
    assert store.read(ledger.newest_number).result(PATIENCE_S) == 0
    run_table(store, OPENED)
    assert store.read(ledger.newest_number).result(PATIENCE_S) == 1


def test_a_stake_is_held_by_its_round_until_it_is_settled(store: Store) -> None:
    run_table(
        store,
        f"""{OPENED}
        stake    player:7 round:1 ante 10.00 bonus 5.00 ok
        balance  player:7 85.00                         ok
        balance  round:1 15.00                          ok
        stake    player:7 round:1 play 20.00            ok
        balance  player:7 65.00                         ok
        balance  round:1 35.00                          ok
        """,
    )


def test_a_win_a_return_a_part_and_a_loss_each_close_their_bet(store: Store) -> None:
    run_table(
        store,
        f"""{OPENED}
        stake    player:7 round:1 won 10.00 back 10.00 part 10.00 lost 10.00    ok
        balance  player:7 60.00                         ok
        settle   player:7 round:1 won 10.00 25.00       ok
        balance  player:7 85.00                         ok
        balance  round:1 30.00                          ok
        settle   player:7 round:1 back 10.00 10.00      ok
        balance  player:7 95.00                         ok
        settle   player:7 round:1 part 10.00 5.00       ok
        balance  player:7 100.00                        ok
        settle   player:7 round:1 lost 10.00 0          ok
        balance  player:7 100.00                        ok
        balance  round:1 0.00                           ok
        """,
    )
    moved = store.read(
        lambda tx: tx.rows(
            "SELECT bet, reason, units / 100000 FROM transfers WHERE reason <> 'stake' AND bet"
            " IS NOT NULL ORDER BY id"
        )
    ).result(PATIENCE_S)
    assert moved == [
        ("won", "return", 1000),
        ("won", "win", 1500),
        ("back", "return", 1000),
        ("part", "return", 500),
        ("part", "loss", 500),
        ("lost", "loss", 1000),
    ]


def test_stakes_that_cannot_all_be_afforded_are_all_refused(store: Store) -> None:
    run_table(
        store,
        f"""{OPENED}
        stake    player:7 round:1 ante 100.01           wallet/insufficient_funds
        stake    player:7 round:1 ante 60.00 bonus 50.00    wallet/insufficient_funds
        balance  player:7 100.00                        ok
        balance  round:1 0.00                           ok
        stake    player:7 round:1 ante 60.00 bonus 40.00    ok
        balance  player:7 0.00                          ok
        stake    player:7 round:1 play 0.01             wallet/insufficient_funds
        """,
    )


def test_a_bet_cannot_be_closed_twice_with_money_the_round_does_not_hold(store: Store) -> None:
    run_table(
        store,
        f"""{OPENED}
        stake    player:7 round:1 ante 10.00            ok
        settle   player:7 round:1 ante 10.00 20.00      ok
        settle   player:7 round:1 ante 10.00 20.00      below_zero
        settle   player:7 round:1 ante 10.00 0          below_zero
        balance  player:7 110.00                        ok
        """,
    )


def test_the_database_refuses_a_balance_below_zero(store: Store) -> None:
    run_table(
        store,
        f"""{OPENED}
        account  jackpot:royal FUN                      ok
        transfer player:7 round:1 FUN 100.01            below_zero
        transfer player:7 house:casino-stud FUN 100.01  below_zero
        transfer round:1 player:7 FUN 0.01              below_zero
        transfer jackpot:royal player:7 FUN 0.01        below_zero
        transfer player:7 round:1 FUN 100.00            ok
        balance  player:7 0.00                          ok
        transfer house:casino-stud player:7 FUN 1000000 ok
        """,
    )


def test_the_database_refuses_a_part_of_a_cent_but_in_a_jackpot(store: Store) -> None:
    run_table(
        store,
        f"""{OPENED}
        account  jackpot:royal FUN                      ok
        transfer player:7 round:1 FUN 0.001             part_cent
        transfer player:7 round:1 FUN 0.0000001         part_cent
        transfer house:casino-stud player:7 FUN 1.005   part_cent
        transfer player:7 jackpot:royal FUN 0.0000001   part_cent
        transfer house:casino-stud jackpot:royal FUN 0.0000001    ok
        balance  jackpot:royal 0.0000001                ok
        """,
    )


def test_the_database_never_mixes_currencies_nor_invents_an_account(store: Store) -> None:
    run_table(
        store,
        f"""{OPENED}
        account  player:8 CAD                           ok
        transfer cashier:CAD player:8 CAD 10.00         ok
        transfer player:8 player:7 CAD 1.00             between_players
        transfer player:8 player:7 FUN 1.00             between_players
        transfer player:7 player:8 FUN 1.00             between_players
        transfer player:7 round:1 CAD 1.00              no_such_account
        transfer cashier:CAD player:7 CAD 1.00          no_such_account
        transfer player:7 player:9 FUN 1.00             between_players
        transfer player:9 player:7 FUN 1.00             between_players
        transfer player:7 Cashier:FUN FUN 1.00          no_such_account
        balance  player:7 100.00                        ok
        balance  player:8 10.00                         ok
        """,
    )


def test_the_database_refuses_a_transfer_that_moves_nothing(store: Store) -> None:
    run_table(
        store,
        f"""{OPENED}
        transfer player:7 player:7 FUN 1.00             same_account
        transfer house:casino-stud house:casino-stud FUN 1.00    same_account
        transfer player:7 round:1 FUN 0                 moves_nothing
        transfer player:7 round:1 FUN -1.00             moves_nothing
        transfer house:casino-stud player:7 FUN 922337203600.00  ledger/overflow
        balance  player:7 100.00                        ok
        """,
    )


_ALL = "at_ms, debit, credit, currency, units, 'win', player_id, round_id, bet, hash FROM transfers"
WAYS = (
    "UPDATE transfers SET units = units + 100000",
    "UPDATE transfers SET reason = 'win'",
    "DELETE FROM transfers",
    "DELETE FROM transfers WHERE id = 1",
)
SQLITE_WAYS = (
    "UPDATE OR REPLACE transfers SET id = 2",
    f"INSERT OR REPLACE INTO transfers SELECT id, {_ALL}",
)
POSTGRESQL_WAYS = (
    "TRUNCATE transfers",
    f"INSERT INTO transfers OVERRIDING SYSTEM VALUE SELECT id, {_ALL}"
    " ON CONFLICT (id) DO UPDATE SET reason = 'win'",
)


def test_the_database_never_changes_a_transfer(store: Store) -> None:
    run_table(store, OPENED)
    before = store.read(lambda tx: tx.rows("SELECT * FROM transfers")).result(PATIENCE_S)
    for sql in (*WAYS, *(POSTGRESQL_WAYS if on_postgresql() else SQLITE_WAYS)):
        with pytest.raises(VIOLATIONS):
            done(store, sql)
        after = store.read(lambda tx: tx.rows("SELECT * FROM transfers")).result(PATIENCE_S)
        assert after == before, sql
    check_books(store)


def test_a_balance_moved_without_a_transfer_shows_in_the_total(store: Store) -> None:
    run_table(store, OPENED)
    for sql, undo in (
        (
            "UPDATE accounts SET units = units + 100000 WHERE id = 'player:7'",
            "UPDATE accounts SET units = units - 100000 WHERE id = 'player:7'",
        ),
        (
            "INSERT INTO accounts (id, currency, units) VALUES ('player:9', 'FUN', 100000)",
            "DELETE FROM accounts WHERE id = 'player:9'",
        ),
        (
            "UPDATE accounts SET currency = 'CAD' WHERE id = 'player:7'",
            "UPDATE accounts SET currency = 'FUN' WHERE id = 'player:7'",
        ),
        ("DELETE FROM accounts WHERE id = 'player:7'", ""),
    ):
        assert store.read(ledger.total_units).result(PATIENCE_S) == {"FUN": 0}
        done(store, sql)
        assert any(store.read(ledger.total_units).result(PATIENCE_S).values()), sql
        with pytest.raises(AssertionError):
            check_books(store)  # the tables' own check can fail
        if undo:
            done(store, undo)


def done(store: Store, sql: str) -> None:
    store.write(lambda tx: tx.run(sql)).result(PATIENCE_S)


def test_a_transfer_belongs_to_a_player_who_exists(store: Store) -> None:
    run_table(store, OPENED)
    move = Transfer("player:7", "round:1", 100, "stake")
    error = store.write(lambda tx: ledger.move(tx, Purse("nobody", "FUN", 0), move)).exception(
        PATIENCE_S
    )
    assert isinstance(error, VIOLATIONS)
    check_books(store)


@pytest.mark.parametrize("units", [-1, 0, 1, 2])
def test_a_transfer_moves_something(store: Store, units: int) -> None:
    one = in_units("house:x", "contributed:x", units, "contribution")

    def move() -> None:
        store.write(lambda tx: ledger.move(tx, Purse("", "CAD", 1), one)).result(PATIENCE_S)

    if units < 1:
        with pytest.raises(Broken, match=r"^a transfer must move more than 0 units$"):
            move()
    else:
        move()
    written = store.read(lambda tx: tx.rows("SELECT units FROM transfers")).result(PATIENCE_S)
    assert written == [(units,)] * (units > 0)
    nothing = store.read(lambda tx: ledger.balance_units(tx, "player:none")).result(PATIENCE_S)
    assert nothing == 0
