"""Amounts beyond 64 bits in units of 10^-7 are refused with a code, and nothing moves."""

from __future__ import annotations

from functools import partial

import pytest

from bank.feeding import award
from rounds.guest_seat import PATIENCE_S, read, refusal_of
from rounds.house_with_operator import TABLES, Funded, Operator, findings, opened
from rounds.house_with_pot import GAME, dealt, pot_of
from stores import both_at_length
from tapisvert.bank import ledger, money
from tapisvert.bank.cashier import AMOUNT_CENTS_MAX, BALANCE_CENTS_MAX
from tapisvert.bank.money import UNITS_PER_CENT, Purse, Transfer
from tapisvert.rounds import PlayerService
from tapisvert.store import Tx
from tapisvert.web.problems import STATUS
from web.scene import everything

pytestmark = [both_at_length, pytest.mark.usefixtures("audited")]

UNITS_MAX = 2**63 - 1
COUNTED_CENTS = UNITS_MAX // UNITS_PER_CENT


def given(player: Funded, cents: int) -> None:
    """Give a player money directly: the cashier would refuse it."""
    purse = Purse(player.player_id, "CAD", player.house.clock())
    mine = money.player_account(player.player_id)

    def work(tx: Tx) -> None:
        ledger.move(tx, purse, Transfer("cashier:CAD", mine, cents, "deposit"))

    player.house.store.write(work).result(PATIENCE_S)


def test_deposits_fill_an_account_up_to_a_limit_and_no_further(house: PlayerService) -> None:
    player, anne = Funded(house, 0), Operator(house)
    assert BALANCE_CENTS_MAX == 10_000_000_000_000  # docs/http.md
    for _ in range(BALANCE_CENTS_MAX // AMOUNT_CENTS_MAX):
        anne.deposit(player.player_id, AMOUNT_CENTS_MAX, "")
    assert player.purse() == (BALANCE_CENTS_MAX, 0)
    before = everything(house)
    for cents in (1, AMOUNT_CENTS_MAX):
        refusal = refusal_of(partial(anne.deposit, player.player_id, cents, ""))
        assert (refusal.code, refusal.details) == (
            "cashier/balance",
            {"max_cents": BALANCE_CENTS_MAX},
        )
    assert everything(house) == before
    anne.withdraw(player.player_id, 1, "")
    assert anne.deposit(player.player_id, 1, "").balance_cents == BALANCE_CENTS_MAX


def test_what_a_column_can_hold_is_counted_and_one_unit_more_is_refused() -> None:
    assert money.countable(UNITS_MAX) == UNITS_MAX
    assert refusal_of(lambda: money.countable(UNITS_MAX + 1)).code == "ledger/overflow"


def test_a_full_account_has_room_for_wins(house: PlayerService) -> None:
    player = Funded(house, 0)
    given(player, BALANCE_CENTS_MAX)
    round_id = opened(player, "casino-stud")
    player.choose(round_id, "play")
    assert player.purse() == (BALANCE_CENTS_MAX + TABLES["casino-stud"].net_cents, 0)


def test_a_win_beyond_what_is_counted_is_refused_and_its_round_stays_open(
    house: PlayerService,
) -> None:
    player = Funded(house, 0)
    given(player, COUNTED_CENTS)
    round_id = opened(player, "casino-stud")
    before = everything(house)
    for _ in range(2):  # the second time from the record of its key
        refusal = refusal_of(lambda: player.choose(round_id, "play", key="key"))
        assert (refusal.code, STATUS[refusal.code]) == ("ledger/overflow", 422)
    assert everything(house) == before
    Operator(house).withdraw(player.player_id, AMOUNT_CENTS_MAX, "")
    assert read(player.choose(round_id, "play")).round.state == "settled"


def test_a_transfer_beyond_what_is_counted_is_refused(house: PlayerService) -> None:
    player = Funded(house, 0)
    for cents in (COUNTED_CENTS + 1, 10**30):
        assert refusal_of(partial(given, player, cents)).code == "ledger/overflow"
    assert player.purse() == (0, 0)


def test_turnover_may_be_more_than_is_counted(house: PlayerService) -> None:
    """The balance of an account must fit, its turnover need not: player and cashier."""
    player = Funded(house, 0)
    purse = Purse(player.player_id, "CAD", house.clock())
    mine = money.player_account(player.player_id)
    large = COUNTED_CENTS // 2
    both_ways = [
        Transfer("cashier:CAD", mine, large, "deposit"),
        Transfer(mine, "cashier:CAD", large, "withdrawal"),
    ]
    house.store.write(lambda tx: ledger.move(tx, purse, *both_ways * 5)).result(PATIENCE_S)
    sums = house.store.read(ledger.total_units).result(PATIENCE_S)
    assert set(sums.values()) <= {0}
    assert [found for found in findings(house) if found.table == "accounts"] == []


# The pot ------------------------------------------------------------------------------------------


def test_an_award_that_no_account_can_take_is_refused_and_the_pot_stays(
    pot_house: PlayerService,
) -> None:
    """At a rate of 10^-8 the prizes are a hundred million times the pot."""
    Operator(pot_house).set_rate(GAME, "XXX", "0.00000001")
    player = Funded(pot_house, 0, "XXX")
    for _ in range(10):
        Operator(pot_house).deposit(player.player_id, AMOUNT_CENTS_MAX, "")
    price = 100 * 10**8
    before, pot = everything(pot_house), pot_of(pot_house)
    refusal = refusal_of(lambda: dealt(player, "royal-flush", price))
    assert refusal.code == "ledger/overflow"
    after = everything(pot_house)
    assert (after["transfers"], after["accounts"]) == (before["transfers"], before["accounts"])
    assert pot_of(pot_house) == pot


def test_a_pot_that_was_filled_up_too_often_is_refused_its_next_start(
    pot_house: PlayerService,
) -> None:
    """The sum of the house's funding over the years must fit too."""
    player = Funded(pot_house)
    pot, round_id = pot_of(pot_house), player.seat(GAME).round_id
    more = UNITS_MAX - pot.funded_units

    def work(tx: Tx) -> None:
        tx.run(
            "UPDATE jackpots SET funded_units = funded_units + ?,"
            " awarded_units = awarded_units + ?",
            (more, more),
        )
        purse = Purse(player.player_id, "CAD", pot_house.clock(), round_id)
        award(tx, purse, GAME, "royal", pot.figures.contribution, restarts=True)

    assert refusal_of(lambda: pot_house.store.write(work).result(PATIENCE_S)).code == (
        "ledger/overflow"
    )
    assert pot_of(pot_house) == pot
