"""The cashier: real money comes in and goes out, for players an operator has created."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from rounds.operated import Funded, act, findings, open_tables, opened, played, recorded
from rounds.seated import Seated, conserved, refusal_of, rows_of
from stores import both
from tapisvert.bank.cashier import AMOUNT_CENTS_MAX
from tapisvert.rounds import House, showing
from tapisvert.rounds.office import NewPlayer, PlayerView

pytestmark = both


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = open_tables(tmp_path / "tapis.db")
    yield made
    assert conserved(made)
    assert findings(made) == ()
    made.store.close()


def deposit(guest: Seated, cents: int, reference: str = "wire") -> PlayerView:
    work = (guest.player_id, cents, reference)
    return act(guest.house, lambda office, tx: office.deposit(tx, *work))


def withdraw(guest: Seated, cents: int, reference: str = "wire") -> PlayerView:
    work = (guest.player_id, cents, reference)
    return act(guest.house, lambda office, tx: office.withdraw(tx, *work))


def statement(guest: Seated) -> list[tuple[str, int]]:
    shown = guest.house.query(guest.token, lambda desk: showing.transfers(desk, None)).result()
    return [(line.reason, line.cents) for line in shown.transfers]


def test_a_new_player_has_an_empty_account_in_their_currency_and_a_token(house: House) -> None:
    player = Funded(house, 0, "EUR")
    wallet = player.wallet()
    assert (wallet.currency, wallet.balance_cents, wallet.held_cents) == ("EUR", 0, 0)
    view = act(house, lambda office, tx: office.player(tx, player.player_id))
    assert (view.kind, view.currency, view.debt_cents, view.stopped) == ("account", "EUR", 0, None)
    assert refusal_of(lambda: played(player, "casino-stud")).code == "wallet/insufficient_funds"


def test_only_a_hash_of_a_token_is_kept_and_a_new_one_replaces_it(
    house: House, tmp_path: Path
) -> None:
    player = Funded(house)
    old = str(player.token)
    new: NewPlayer = act(house, lambda office, tx: office.new_token(tx, player.player_id))
    assert (new.player_id, new.currency) == (player.player_id, "CAD")
    assert refusal_of(player.purse).code == "session/missing"
    player.token = new.token
    assert player.purse() == (100_000, 0)
    for file in tmp_path.glob("tapis.db*"):
        content = file.read_bytes()
        assert old.encode() not in content
        assert new.token.encode() not in content


@pytest.mark.parametrize("currency", ["FUN", "cad", "CA", "CADX", "", "C$D", "CAD\n", "ÇAD"])
def test_a_currency_that_is_none_is_refused(house: House, currency: str) -> None:
    refusal = refusal_of(lambda: Funded(house, 0, currency))
    assert refusal.code == "player/currency"
    assert rows_of(house, "SELECT COUNT(*) FROM players") == [(0,)]


def test_money_comes_in_and_goes_out(house: House) -> None:
    player = Funded(house, 0)
    assert deposit(player, 10_000).balance_cents == 10_000
    assert withdraw(player, 2_550).balance_cents == 7_450
    assert deposit(player, 1).balance_cents == 7_451
    assert withdraw(player, 7_451).balance_cents == 0
    assert statement(player) == [
        ("withdrawal", -7_451),
        ("deposit", 1),
        ("withdrawal", -2_550),
        ("deposit", 10_000),
    ]
    accounts = rows_of(house, "SELECT debit, credit, currency FROM transfers ORDER BY id LIMIT 2")
    mine = f"player:{player.player_id}"
    assert accounts == [("cashier:CAD", mine, "CAD"), (mine, "cashier:CAD", "CAD")]


def test_more_than_the_balance_is_never_paid_out(house: House) -> None:
    player = Funded(house, 10_000)
    refusal = refusal_of(lambda: withdraw(player, 10_001))
    assert refusal.code == "wallet/insufficient_funds"
    assert refusal.details == {"needed_cents": 10_001, "balance_cents": 10_000}
    opened(player, "casino-stud")  # what a round holds is not there to be paid out
    assert refusal_of(lambda: withdraw(player, 8_501)).code == "wallet/insufficient_funds"
    withdraw(player, 8_500)
    assert player.purse() == (0, 1500)


@pytest.mark.parametrize("cents", [0, -1, -100, AMOUNT_CENTS_MAX + 1, 10**30])
def test_an_amount_that_is_none_is_refused(house: House, cents: int) -> None:
    player = Funded(house)
    assert refusal_of(lambda: deposit(player, cents)).code == "cashier/amount"
    assert refusal_of(lambda: withdraw(player, cents)).code in (
        "cashier/amount",
        "wallet/insufficient_funds",
    )
    assert player.purse() == (100_000, 0)


def test_the_largest_amount_goes_in_and_out(house: House) -> None:
    assert AMOUNT_CENTS_MAX == 100_000_000_000
    player = Funded(house, AMOUNT_CENTS_MAX)
    assert withdraw(player, AMOUNT_CENTS_MAX).balance_cents == 0


def test_play_money_does_not_pass_the_cashier_nor_real_money_the_grant(house: House) -> None:
    guest, player = Seated(house), Funded(house, 0)
    for command in (deposit, withdraw):
        refusal = refusal_of(partial(command, guest, 100))
        assert refusal.code == "cashier/play_money"
    assert refusal_of(player.more).code == "wallet/play_money_only"
    assert (guest.purse(), player.purse()) == ((100_000, 0), (0, 0))


@pytest.mark.parametrize("player_id", ["nobody", "", "player:7"])
def test_a_player_nobody_knows_is_refused(house: House, player_id: str) -> None:
    for refusal in (
        refusal_of(lambda: act(house, lambda o, tx: o.deposit(tx, player_id, 100, ""))),
        refusal_of(lambda: act(house, lambda o, tx: o.withdraw(tx, player_id, 100, ""))),
        refusal_of(lambda: act(house, lambda o, tx: o.pay_debt(tx, player_id))),
        refusal_of(lambda: act(house, lambda o, tx: o.new_token(tx, player_id))),
        refusal_of(lambda: act(house, lambda o, tx: o.player(tx, player_id))),
    ):
        assert (refusal.code, refusal.details) == ("player/unknown", {"player_id": player_id})


def test_S3_every_movement_at_the_cashier_is_one_event_with_who_and_the_reference(
    house: House,
) -> None:
    player = Funded(house, 0)
    deposit(player, 500, "wire 4711")
    withdraw(player, 200, "")
    (came,), (went,) = recorded(house, "deposit"), recorded(house, "withdrawal")
    assert (came["by"], came["reason"], came["before"], came["after"]) == (
        "anne",
        "wire 4711",
        {"cents": 0},
        {"cents": 500},
    )
    assert (went["reason"], went["before"], went["after"]) == (None, {"cents": 500}, {"cents": 300})
    assert {came["player_id"], went["player_id"]} == {player.player_id}


@pytest.mark.parametrize("name", ["", "a b", "x" * 65, "a/b", "anne\n"])
def test_an_operators_name_is_plain(house: House, name: str) -> None:
    refusal = refusal_of(lambda: act(house, lambda o, tx: o.create_operator(tx, name)))
    assert refusal.code == "operator/name"


def test_an_operator_is_created_once(house: House) -> None:
    made = act(house, lambda office, tx: office.create_operator(tx, "ben"))
    assert (made["name"], len(made["token"])) == ("ben", 64)
    refusal = refusal_of(lambda: act(house, lambda o, tx: o.create_operator(tx, "ben")))
    assert (refusal.code, refusal.details) == ("operator/exists", {"name": "ben"})
    assert rows_of(house, "SELECT name FROM operators") == [("ben",)]
