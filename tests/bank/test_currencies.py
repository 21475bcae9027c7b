"""Currencies never mix, and no transfer ever has two players (P9)."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from bank.tables import check_books
from bank.tampering import fill
from rounds.guest_seat import PATIENCE_S, Seated, rows_of
from rounds.house_with_operator import TABLES, Funded, open_tables, opened, played
from stores import VIOLATIONS, both_at_length
from tapisvert.bank import ledger, money
from tapisvert.rounds import PlayerService

pytestmark = [both_at_length, pytest.mark.usefixtures("audited")]

KINDS = ("player", "round", "house", "cashier", "debt")


def test_every_movement_of_a_player_is_in_their_own_currency(house: PlayerService) -> None:
    players: dict[str, Seated] = {"FUN": Seated(house)}
    players |= {currency: Funded(house, 100_000, currency) for currency in ("CAD", "EUR")}
    for player in players.values():
        for game in TABLES:
            played(player, game)
        opened(player, "ultimate")
    for currency, player in players.items():
        moved = rows_of(
            house, "SELECT DISTINCT currency FROM transfers WHERE player_id = ?", player.player_id
        )
        assert moved == [(currency,)]
        assert player.wallet().currency == currency
        assert player.purse() == (98_000, 2_000)  # the same cards, the same money
    assert house.store.read(ledger.total_units).result() == dict.fromkeys(("CAD", "EUR", "FUN"), 0)
    check_books(house.store)


def refused_by_the_database(player: Seated, debit: str, credit: str, currency: str) -> None:
    purse = money.Purse(player.player_id, currency, 0)
    transfer = money.Transfer(debit, credit, 100, "return")
    moving = player.house.store.write(lambda tx: ledger.move(tx, purse, transfer))
    assert isinstance(moving.exception(PATIENCE_S), VIOLATIONS), (debit, credit, currency)


def test_the_database_refuses_any_transfer_that_mixes_currencies(house: PlayerService) -> None:
    cad, fun = Funded(house), Seated(house)
    open_cad, open_fun = opened(cad, "casino-stud"), opened(fun, "casino-stud")
    accounts = {
        "CAD": [f"player:{cad.player_id}", f"round:{open_cad}"],
        "FUN": [f"player:{fun.player_id}", f"round:{open_fun}"],
    }
    pairs = [
        (one, other, currency)
        for one, other in itertools.product(accounts["CAD"], accounts["FUN"])
        for currency in ("CAD", "FUN", "EUR")
    ]
    pairs += [
        (account, outside, other)
        for currency, other in (("CAD", "FUN"), ("FUN", "CAD"))
        for account in accounts[currency]
        for outside in ("house:casino-stud", f"cashier:{other}", f"debt:{cad.player_id}")
    ]
    for one, another, currency in pairs:
        refused_by_the_database(cad, one, another, currency)
        refused_by_the_database(cad, another, one, currency)
    assert (cad.purse(), fun.purse()) == ((98_500, 1500), (98_500, 1500))


def test_P9_the_database_refuses_a_transfer_between_players_in_any_currency(
    house: PlayerService,
) -> None:
    one, other, third = Funded(house), Funded(house), Seated(house)
    accounts = [money.player_account(each.player_id) for each in (one, other, third)]
    for debit, credit in itertools.permutations(accounts, 2):
        for currency in ("CAD", "FUN"):
            refused_by_the_database(one, debit, credit, currency)


def test_P9_whatever_was_done_no_transfer_has_the_money_of_two_players(tmp_path: Path) -> None:
    """Rounds, voids, debts, deposits: each transfer touches accounts of its own player only."""
    fill(tmp_path / "filled.db")
    house = open_tables(tmp_path / "filled.db")
    owners: dict[str, str] = dict(rows_of(house, "SELECT id, player_id FROM rounds"))
    rows = rows_of(house, "SELECT player_id, debit, credit FROM transfers")
    touched = set()
    for player_id, *accounts in rows:
        for kind, _, name in (account.partition(":") for account in accounts):
            touched.add(kind)
            if kind in ("player", "debt"):
                assert name == player_id
            elif kind == "round":
                assert owners[name] == player_id
    assert touched == set(KINDS)
    check_books(house.store)
    house.store.close()
