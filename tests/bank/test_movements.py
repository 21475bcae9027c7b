"""The contracts of the bank's functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from houses import KEY
from rounds.guest_seat import PATIENCE_S, Seated
from rounds.house_with_operator import Funded, Operator, played
from stores import both
from tapisvert.bank import covered_tables, ledger, money, seal_audit, seals
from tapisvert.bank.money import Purse, Transfer
from tapisvert.bank.seals import Seal
from tapisvert.operations.operator_views import PlayerView
from tapisvert.rounds import PlayerService
from tapisvert.sealing import Sealer
from tapisvert.store import Tx

pytestmark = both

Do = Callable[[Callable[[Tx], Any]], Any]
NOW_MS = 1_700_000_000_000


@pytest.fixture
def do(house: PlayerService) -> Do:
    """Run work as one transaction."""
    return lambda work: house.store.write(work).result(PATIENCE_S)


def test_units_are_cents_and_what_is_left_over() -> None:
    moved = money.in_units("contributed:royal", "jackpot:royal", 250_001, "fold")
    assert moved == Transfer("contributed:royal", "jackpot:royal", 2, "fold", None, 50_001)
    assert moved.units == 250_001


def test_an_account_nobody_has_holds_nothing(do: Do) -> None:
    assert do(lambda tx: ledger.balance_cents(tx, "player:nobody")) == 0


def test_money_that_only_touched_accounts_without_a_row_sums_to_zero(
    house: PlayerService, do: Do
) -> None:
    purse = Purse(Seated(house).player_id, "XTS", NOW_MS)
    do(lambda tx: ledger.move(tx, purse, Transfer("cashier:XTS", "house:x", 7, "deposit")))
    assert do(ledger.total_units) == {"FUN": 0, "XTS": 0}


def test_the_cashier_tells_the_balance_after_and_what_is_still_owed(
    house: PlayerService, anne: Operator, do: Do
) -> None:
    player, other = Funded(house, 10_000), Funded(house, 10_000)

    def pay() -> int:
        seen: PlayerView = anne.pay_debt(player.player_id)
        return seen.debt_cents

    def owed(tx: Tx) -> list[int]:
        return [ledger.debt_cents(tx, each.player_id) for each in (player, other)]

    assert anne.deposit(player.player_id, 500, "wire").balance_cents == 10_500
    assert anne.withdraw(player.player_id, 500, "wire").balance_cents == 10_000
    assert pay() == 0
    for each in (player, other):  # wins, takes almost everything out, and the round is reversed
        round_id = played(each, "casino-stud")
        anne.withdraw(each.player_id, each.purse()[0] - 1000, "")
        anne.void(round_id, "froze")
    assert do(owed) == [1500, 1500]
    assert pay() == 1500
    anne.deposit(player.player_id, 600, "")
    assert pay() == 900
    assert do(owed) == [900, 1500]
    assert player.purse() == (0, 0)


def _seal(tx: Tx) -> bool:
    """Seal all rows while no other transaction writes."""
    upto = seals.unsealed(tx)
    sign = Sealer(KEY).sign
    return upto is not None and seals.seal(tx, NOW_MS + 5, upto, "", sign)


def test_a_seal_covers_what_is_new_and_there_is_none_when_nothing_is(
    house: PlayerService, do: Do
) -> None:
    def seal() -> Seal:
        assert do(_seal) is False
        return house.store.read(seals.last_seal).result(PATIENCE_S)

    guest = Seated(house)
    first = seal()
    assert (first.id, first.at_ms, first.last_transfer, first.last_event) == (2, NOW_MS + 5, 1, 0)
    assert seal() == first
    played(guest, "pai-gow")
    assert do(seal_audit.unsealed) == 3
    second = seal()
    assert (second.id, second.last_transfer, second.last_event) == (3, 4, 0)
    assert do(seal_audit.unsealed) == 0


def test_a_seal_says_whether_there_is_more_than_it_may_cover(
    house: PlayerService, do: Do, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seals, "ROWS_MAX", 2)
    played(Seated(house), "pai-gow")  # four transfers
    assert [do(_seal), do(_seal), do(_seal)] == [True, False, False]
    assert do(seal_audit.unsealed) == 0


COLUMNS = {
    "sqlite": "SELECT name FROM pragma_table_info(?)",
    "postgresql": "SELECT column_name FROM information_schema.columns WHERE table_name = ?",
}


def columns_of(tx: Tx, *, engine: str, table: str) -> set[str]:
    return {row[0] for row in tx.rows(COLUMNS[engine], (table,))}


def test_a_covered_table_is_hashed_where_it_has_a_column_for_it(engine: str, do: Do) -> None:
    for table in covered_tables.TABLES:
        columns = do(partial(columns_of, engine=engine, table=table.name))
        assert set(table.content) < columns
        assert table.hashed == ("hash" in columns)


def test_chained_rows_come_in_pages_none_twice_and_none_left_out(
    house: PlayerService, do: Do, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(Seated(house), "casino-stud")

    def numbers(**limits: int) -> list[int]:
        table = covered_tables.TRANSFERS
        rows = do(lambda tx: list(covered_tables.rows(tx, table, table.content, **limits)))
        return [row[0] for row in rows]

    for page in (1, 2, 3, 5, 100):
        monkeypatch.setattr(covered_tables, "_PAGE", page)
        assert numbers() == list(range(1, 10)), page
        assert numbers(after=2, last=7) == [3, 4, 5, 6, 7], page
        assert numbers(after=7, last=7) == [], page
