"""The progressive jackpot at the tables: rows J1 to J4 (docs/guarantees.md)."""

from __future__ import annotations

import pytest

from rounds.guest_seat import Seated, read, refusal_of, rows_of
from rounds.house_with_operator import Funded, Time, keeper_of
from rounds.house_with_pot import (
    CENT,
    GAME,
    HANDS,
    PART,
    PRIZES,
    STAKES,
    START,
    dealt,
    meter,
    played,
    players,
    pot_of,
    report,
    stood,
    won_cents,
)
from stores import both_at_length
from tapisvert.engine import events as ev
from tapisvert.operations.housekeeping import EVERY_S, Housekeeping
from tapisvert.rounds import PlayerService

pytestmark = both_at_length


@pytest.fixture
def house(pot_house: PlayerService) -> PlayerService:
    return pot_house


# J1: the display ----------------------------------------------------------------------------------


def test_J1_a_fold_every_five_seconds_shows_what_was_put_in_and_when(
    house: PlayerService, time: Time
) -> None:
    keeper, player = keeper_of(house, time), Funded(house)
    assert EVERY_S <= 5
    for number in range(1, 6):
        played(player, "nothing")
        time.passes(EVERY_S * 1000)
        keeper.tick()
        assert meter(house).age_ms == 0
        assert meter(house).amount_cents == (START + PART * number) // CENT
        time.passes(1000)
        assert meter(house).age_ms == 1000


def test_J1_a_keeper_that_stalls_is_seen_by_the_age_and_catches_up_at_once(
    house: PlayerService, time: Time
) -> None:
    played(Funded(house), "nothing")
    time.passes(45_000)
    assert (meter(house).amount_cents, meter(house).age_ms) == (2_000_000, 45_000)
    keeper_of(house, time).fold()
    assert (meter(house).amount_cents, meter(house).age_ms) == (2_000_020, 0)
    time.is_set(-60_000)  # a clock that is set back gives no age below zero
    assert meter(house).age_ms == 0


# J2: what goes in ---------------------------------------------------------------------------------


def test_J2_every_real_stake_puts_in_its_share_once_whatever_it_wins(house: PlayerService) -> None:
    put_in = "SELECT kind, price_cents, units, rate_id FROM contributions WHERE round_id = ?"
    for hand in HANDS:
        reply = played(Funded(house), hand)
        assert rows_of(house, put_in, reply.round.id) == [("stake", 100, PART, None)], hand
    Housekeeping(house).fold()
    assert pot_of(house).gathered_units == len(HANDS) * PART
    assert rows_of(house, "SELECT COUNT(*) FROM contributions WHERE fold IS NULL") == [(0,)]


def test_J2_a_refused_or_repeated_bet_puts_in_nothing_more(house: PlayerService) -> None:
    player, poor = Funded(house), Funded(house, 2099)
    asked = player.asking(STAKES, GAME, client_seed="nothing")
    assert player.open(asked, "once") == player.open(asked, "once")
    refused = refusal_of(lambda: poor.open(poor.asking(STAKES, GAME, client_seed="nothing")))
    assert refused.code == "wallet/insufficient_funds"
    assert rows_of(house, "SELECT COUNT(*) FROM contributions") == [(1,)]
    assert report(house).waiting_units == PART


def test_J2_play_money_neither_feeds_nor_wins_the_pot(house: PlayerService) -> None:
    """G13: the demonstration pot is fixed, and the house pays its prizes."""
    for _ in range(2):
        reply = played(Seated(house), "royal-flush")
        assert won_cents(reply) == 2_000_000
    assert pot_of(house).units == START
    assert rows_of(house, "SELECT COUNT(*) FROM contributions") == [(0,)]
    assert rows_of(house, "SELECT COUNT(*) FROM awards") == [(0,)]
    paid = rows_of(house, "SELECT DISTINCT debit FROM transfers WHERE reason = 'win'")
    assert paid == [("house:blackjack",)]


def test_J2_hands_without_the_side_bet_put_in_nothing(house: PlayerService) -> None:
    player = Funded(house)
    asked = player.asking({"hand-1": 1000, "hand-2": 1000}, GAME, client_seed="royal-flush")
    stood(player, read(player.open(asked)))
    assert rows_of(house, "SELECT COUNT(*) FROM contributions") == [(0,)]


# J3 and J4: who wins what -------------------------------------------------------------------------


def test_J3_the_winners_own_part_is_in_what_is_won_and_a_rest_below_a_cent_stays(
    house: PlayerService,
) -> None:
    first, second = players(house, 2)
    for _ in range(3):
        played(first, "nothing")
    assert won_cents(dealt(second, "royal-flush")) == (START + 4 * PART) // CENT == 2_000_081
    assert pot_of(house).units == START + (4 * PART) % CENT


def test_J3_a_straight_flush_takes_a_tenth_and_nothing_is_refilled(house: PlayerService) -> None:
    (player,) = players(house, 1)
    tenth = (START + PART) // 10 // CENT
    assert won_cents(played(player, "straight-flush")) == tenth == 200_002
    pot = pot_of(house)
    assert (pot.units, pot.epoch, pot.triggers) == (START + PART - tenth * CENT, 1, 1)


def test_J4_the_winner_is_told_the_amount_with_the_deal_and_the_pot_shows_its_start(
    house: PlayerService,
) -> None:
    (player,) = players(house, 1)
    reply = dealt(player, "royal-flush")
    claims = [event.cents for event in reply.round.events if isinstance(event, ev.Claimed)]
    assert claims == [won_cents(reply)] == [2_000_020]
    assert reply.wallet.balance_cents == 1_000_000 - 2100 + 2_000_020 + 2500  # and a blackjack
    shown = meter(house)
    assert (shown.amount_cents, shown.epoch) == (2_000_000, 2)
    assert shown.last_win is not None
    assert (shown.last_win.trigger, shown.last_win.amount_cents) == (1, 2_000_020)
    stood(player, reply)
    assert player.moved().count(("award", "royal", 2_000_020)) == 1


def test_J4_a_fixed_prize_is_the_houses_and_leaves_the_pot_alone(house: PlayerService) -> None:
    for hand, cents in {**PRIZES, "nothing": 0}.items():
        (player,) = players(house, 1)
        assert won_cents(played(player, hand)) == cents, hand
        assert (pot_of(house).triggers, pot_of(house).awarded_units) == (0, 0)
