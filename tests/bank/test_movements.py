"""What the bank's own functions promise to whoever calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from rounds.operated import Funded, act, open_tables, played
from rounds.seated import PATIENCE_S, Seated
from stores import both
from tapisvert.bank import audit, cashier, chain, ledger, seals
from tapisvert.bank.ledger import Purse, Transfer
from tapisvert.bank.seals import Seal
from tapisvert.refusal import Broken
from tapisvert.rounds import House
from tapisvert.store import Tx

pytestmark = both

T = TypeVar("T")
NOW_MS = 1_700_000_000_000


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = open_tables(tmp_path / "tapis.db")
    yield made
    made.store.close()


@pytest.mark.parametrize("cents", [0, -1])
def test_a_transfer_that_moves_nothing_breaks_a_promise(house: House, cents: int) -> None:
    guest = Seated(house)
    purse = Purse(guest.player_id, "FUN", NOW_MS)
    mine = ledger.player_account(guest.player_id)
    wrong = Transfer("cashier:FUN", mine, cents, "grant")
    error = house.store.write(lambda tx: ledger.move(tx, purse, wrong)).exception(PATIENCE_S)
    assert isinstance(error, Broken)
    assert str(error) == "a transfer moves something"
    assert guest.purse() == (100_000, 0)


def test_an_account_nobody_has_holds_nothing(house: House) -> None:
    held = house.store.read(lambda tx: ledger.balance_cents(tx, "player:nobody")).result(PATIENCE_S)
    assert held == 0


def test_money_that_only_touched_accounts_without_a_row_sums_to_zero(house: House) -> None:
    guest = Seated(house)
    purse = Purse(guest.player_id, "XTS", NOW_MS)

    def work(tx: Tx) -> dict[str, int]:
        ledger.move(tx, purse, Transfer("cashier:XTS", "house:casino-stud", 7, "deposit"))
        return ledger.total_units(tx)

    assert house.store.write(work).result(PATIENCE_S) == {"FUN": 0, "XTS": 0}


def run_into_debt(player: Funded) -> None:
    """Have a player win, take almost everything out, and the round reversed."""
    round_id = played(player, "casino-stud")
    rest = player.purse()[0] - 1000
    act(player.house, lambda office, tx: office.withdraw(tx, player.player_id, rest, ""))
    act(player.house, lambda office, tx: office.void(tx, round_id, "froze"))


def test_the_cashier_tells_the_balance_after_and_what_is_still_owed(house: House) -> None:
    player, other = Funded(house, 10_000), Funded(house, 10_000)
    purse = Purse(player.player_id, "CAD", NOW_MS)

    def deposit(tx: Tx) -> int:
        return cashier.deposit(tx, purse, 500, by="anne", reference="wire")

    def withdraw(tx: Tx) -> int:
        return cashier.withdraw(tx, purse, 500, by="anne", reference="wire")

    def pay(tx: Tx) -> int:
        return cashier.pay_debt(tx, purse, by="anne")

    def owed(tx: Tx) -> tuple[int, int]:
        ids = (player.player_id, other.player_id)
        return cashier.debt_cents(tx, ids[0]), cashier.debt_cents(tx, ids[1])

    def do(work: Callable[[Tx], T]) -> T:
        return house.store.write(work).result(PATIENCE_S)

    assert do(deposit) == 10_500
    assert do(withdraw) == 10_000
    assert do(pay) == 0
    for each in (player, other):
        run_into_debt(each)
    assert do(owed) == (1500, 1500)
    assert do(pay) == 1500
    act(house, lambda office, tx: office.deposit(tx, player.player_id, 600, ""))
    assert do(pay) == 900
    assert do(owed) == (900, 1500)
    assert player.purse() == (0, 0)


def _seal(tx: Tx, at_ms: int) -> bool:
    """Seal what there is while nobody else writes."""
    upto = seals.unsealed(tx)
    return upto is not None and seals.seal(tx, at_ms, upto)


def test_a_seal_covers_what_is_new_and_there_is_none_when_nothing_is(house: House) -> None:
    def seal() -> Seal:
        assert house.store.write(lambda tx: _seal(tx, NOW_MS + 5)).result(PATIENCE_S) is False
        return house.store.read(seals.last_seal).result(PATIENCE_S)

    guest = Seated(house)
    first = seal()
    assert (first.id, first.at_ms, first.last_transfer, first.last_event) == (1, NOW_MS + 5, 1, 0)
    assert seal() == first
    played(guest, "pai-gow")
    assert house.store.read(audit.unsealed).result(PATIENCE_S) == 3
    second = seal()
    assert (second.id, second.last_transfer, second.last_event) == (2, 4, 0)
    assert house.store.read(audit.unsealed).result(PATIENCE_S) == 0


def test_a_seal_says_whether_there_is_more_than_it_may_cover(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seals, "ROWS_MAX", 2)
    played(Seated(house), "pai-gow")  # four transfers

    def seal() -> bool:
        return house.store.write(lambda tx: _seal(tx, NOW_MS)).result(PATIENCE_S)

    assert [seal(), seal(), seal()] == [True, False, False]
    assert house.store.read(audit.unsealed).result(PATIENCE_S) == 0


@pytest.mark.parametrize("page", [1, 2, 3, 5, 100])
def test_chained_rows_come_in_pages_none_twice_and_none_left_out(
    house: House, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(Seated(house), "casino-stud")
    monkeypatch.setattr(chain, "_PAGE", page)

    def numbers(after: int | None = None, last: int | None = None) -> list[int]:
        limits = {} if after is None or last is None else {"after": after, "last": last}
        rows = house.store.read(
            lambda tx: list(chain.rows(tx, "transfers", chain.TRANSFER, **limits))
        )
        return [row[0] for row in rows.result(PATIENCE_S)]

    assert numbers() == list(range(1, 10))
    assert numbers(2, 7) == [3, 4, 5, 6, 7]
    assert numbers(7, 7) == []
