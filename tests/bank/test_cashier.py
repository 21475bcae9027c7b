"""The cashier: deposits and withdrawals of real money, for players an operator has created."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from rounds.guest_seat import Seated, refusal_of, rows_of
from rounds.house_with_operator import Funded, Operator, opened, played, recorded
from stores import both_at_length
from tapisvert.bank.cashier import AMOUNT_CENTS_MAX
from tapisvert.history import player_history
from tapisvert.operations.operator_views import NewPlayer, PlayerView
from tapisvert.rounds import PlayerService

pytestmark = [both_at_length, pytest.mark.usefixtures("audited")]


def deposit(guest: Seated, cents: int) -> int:
    """Deposit; return the balance."""
    paid: PlayerView = Operator(guest.house).deposit(guest.player_id, cents, "wire")
    return paid.balance_cents


def withdraw(guest: Seated, cents: int) -> int:
    """Withdraw; return the balance."""
    paid: PlayerView = Operator(guest.house).withdraw(guest.player_id, cents, "wire")
    return paid.balance_cents


def statement(guest: Seated) -> list[tuple[str, int]]:
    shown = guest.ask(lambda desk: player_history.transfers(desk, None))
    return [(line.reason, line.cents) for line in shown.transfers]


def test_a_new_player_has_an_empty_account_in_their_currency_and_a_token(
    house: PlayerService,
) -> None:
    player = Funded(house, 0, "EUR")
    wallet = player.wallet()
    assert (wallet.currency, wallet.balance_cents, wallet.held_cents) == ("EUR", 0, 0)
    view = Operator(house).player(player.player_id)
    assert (view.kind, view.currency, view.debt_cents, view.stopped) == ("account", "EUR", 0, None)
    assert refusal_of(lambda: played(player, "casino-stud")).code == "wallet/insufficient_funds"


def test_only_a_hash_of_a_token_is_kept_and_a_new_one_replaces_it(
    house: PlayerService, tmp_path: Path
) -> None:
    player = Funded(house)
    old = str(player.token)
    new: NewPlayer = Operator(house).new_token(player.player_id)
    assert (new.player_id, new.currency) == (player.player_id, "CAD")
    assert refusal_of(player.purse).code == "session/missing"
    player.token = new.token
    assert player.purse() == (100_000, 0)
    for file in tmp_path.glob("tapis.db*"):
        content = file.read_bytes()
        assert old.encode() not in content
        assert new.token.encode() not in content


def test_a_currency_that_is_none_is_refused(house: PlayerService) -> None:
    for currency in ("FUN", "cad", "CA", "CADX", "", "C$D", "CAD\n", "ÇAD"):
        refusal = refusal_of(partial(Funded, house, 0, currency))
        assert refusal.code == "player/currency", currency
    assert rows_of(house, "SELECT COUNT(*) FROM players") == [(0,)]


def test_money_comes_in_and_goes_out(house: PlayerService) -> None:
    player = Funded(house, 0)
    assert deposit(player, 10_000) == 10_000
    assert withdraw(player, 2_550) == 7_450
    assert deposit(player, 1) == 7_451
    assert withdraw(player, 7_451) == 0
    moved = [("deposit", 10_000), ("withdrawal", -2_550), ("deposit", 1), ("withdrawal", -7_451)]
    assert statement(player) == moved[::-1]
    accounts = rows_of(house, "SELECT debit, credit, currency FROM transfers ORDER BY id LIMIT 2")
    mine = f"player:{player.player_id}"
    assert accounts == [("cashier:CAD", mine, "CAD"), (mine, "cashier:CAD", "CAD")]
    (paid,) = recorded(house, "withdrawal")[:1]
    assert paid["before"] == {"cents": 10_000}
    assert paid["after"] == {"cents": 7_450}
    assert paid["reason"] == "wire"


def test_more_than_the_balance_is_never_paid_out(house: PlayerService) -> None:
    player = Funded(house, 10_000)
    refusal = refusal_of(lambda: withdraw(player, 10_001))
    assert refusal.code == "wallet/insufficient_funds"
    assert refusal.details == {"needed_cents": 10_001, "balance_cents": 10_000}
    opened(player, "casino-stud")  # what a round holds is not there to be paid out
    assert refusal_of(lambda: withdraw(player, 8_501)).code == "wallet/insufficient_funds"
    withdraw(player, 8_500)
    assert player.purse() == (0, 1500)


def test_an_amount_that_is_none_is_refused(house: PlayerService) -> None:
    player = Funded(house)
    for cents in (0, -1, -100, AMOUNT_CENTS_MAX + 1, 10**30):
        assert refusal_of(partial(deposit, player, cents)).code == "cashier/amount"
        codes = ("cashier/amount", "wallet/insufficient_funds")
        assert refusal_of(partial(withdraw, player, cents)).code in codes
    assert player.purse() == (100_000, 0)


def test_the_largest_amount_goes_in_and_out(house: PlayerService) -> None:
    assert AMOUNT_CENTS_MAX == 100_000_000_000
    player = Funded(house, AMOUNT_CENTS_MAX)
    assert withdraw(player, AMOUNT_CENTS_MAX) == 0


def test_play_money_does_not_pass_the_cashier_nor_real_money_the_grant(
    house: PlayerService,
) -> None:
    guest, player = Seated(house), Funded(house, 0)
    for command in (deposit, withdraw):
        refusal = refusal_of(partial(command, guest, 100))
        assert refusal.code == "cashier/play_money"
    assert refusal_of(player.more).code == "wallet/play_money_only"
    assert (guest.purse(), player.purse()) == ((100_000, 0), (0, 0))


def test_a_player_nobody_knows_is_refused(anne: Operator) -> None:
    for player_id in ("nobody", "", "player:7"):
        for command in (
            partial(anne.deposit, player_id, 100, ""),
            partial(anne.withdraw, player_id, 100, ""),
            partial(anne.pay_debt, player_id),
            partial(anne.new_token, player_id),
            partial(anne.player, player_id),
        ):
            refused = refusal_of(command)
            assert (refused.code, refused.details) == ("player/unknown", {"player_id": player_id})


def test_an_operator_has_a_plain_name_and_is_created_once(
    house: PlayerService, anne: Operator
) -> None:
    for name in ("", "a b", "x" * 65, "a/b", "anne\n"):
        assert refusal_of(partial(anne.create_operator, name)).code == "operator/name"
    made = anne.create_operator("ben")
    assert (made["name"], len(made["token"])) == ("ben", 64)
    refusal = refusal_of(lambda: anne.create_operator("ben"))
    assert (refusal.code, refusal.details) == ("operator/exists", {"name": "ben"})
    assert rows_of(house, "SELECT name FROM operators") == [("ben",)]
