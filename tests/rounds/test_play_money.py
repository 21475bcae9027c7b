"""More play money: for a guest who cannot go on, and for no other player."""

from __future__ import annotations

import msgspec

from rounds.guest_seat import Seated, refusal_of
from rounds.house_with_operator import Funded, opened, played
from stores import both_at_length
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.history import player_history
from tapisvert.players.player import FIRST_GRANT_CENTS
from tapisvert.rounds import PlayerService
from tapisvert.rounds.play_money import needed_cents
from tapisvert.rounds.schemas import Wallet
from tapisvert.sheets import load

pytestmark = both_at_length

SMALLEST_STAKE = 100


def needed(guest: Seated) -> int:
    return guest.draft(needed_cents)


def test_without_a_round_the_smallest_stake_of_any_table_is_enough(house: PlayerService) -> None:
    guest = Seated(house)
    assert needed(guest) == SMALLEST_STAKE
    guest.leave(SMALLEST_STAKE)
    refused = refusal_of(guest.more)
    assert (refused.code, refused.details) == ("wallet/not_broke", {"balance_cents": 100})
    guest.leave(SMALLEST_STAKE - 1)
    given = msgspec.json.decode(guest.more(), type=Wallet)
    assert given == Wallet("FUN", FIRST_GRANT_CENTS + 99, 0)
    assert guest.wallet() == given
    (line, *_) = guest.ask(lambda desk: player_history.transfers(desk, None)).transfers
    assert (line.reason, line.round_id, line.bet) == ("grant", None, None)


DEAREST = {
    "casino-stud": 2000,  # to play is twice the ante
    "ultimate": 4000,  # to raise is up to four times
    "high-card-flush": 1000,  # a flush of three may not raise by two or three times
    "pai-gow": 100,  # nothing more is staked: the smallest stake of any table
}


def test_in_a_round_the_dearest_choice_that_may_be_made_is_needed(house: PlayerService) -> None:
    for game, dearest in DEAREST.items():
        guest = Seated(house)
        opened(guest, game)
        assert needed(guest) == dearest, game
        guest.leave(dearest)
        assert refusal_of(guest.more).code == "wallet/not_broke"
        guest.leave(dearest - 1)
        guest.more()
        assert guest.purse()[0] == dearest - 1 + FIRST_GRANT_CENTS
    assert needed(Seated(house)) == SMALLEST_STAKE  # the rounds of others do not count


def test_of_several_rounds_the_dearest_counts_and_one_that_is_over_does_not(
    house: PlayerService,
) -> None:
    guest = Seated(house)
    played(guest, "ultimate")
    opened(guest, "high-card-flush")
    opened(guest, "casino-stud")
    assert needed(guest) == 2000


def test_nobody_with_real_money_is_given_any(house: PlayerService) -> None:
    player = Funded(house, 0)
    assert refusal_of(player.more).code == "wallet/play_money_only"
    assert player.purse() == (0, 0)
    rich = Funded(house)  # this refusal takes precedence over a sufficient balance
    assert refusal_of(rich.more).code == "wallet/play_money_only"


def test_the_smallest_stake_is_that_of_a_main_bet_at_the_cheapest_table(
    house: PlayerService,
) -> None:
    def dearer(game: str) -> Sheet:
        """Make Casino Stud the cheapest table, from 3.00; its bonus of 1.00 needs an ante."""
        if game == "casino-stud":
            return with_changes(load(game), {"spots.ante.min_cents": 300})
        sheet = load(game)
        mains = [name for name, place in sheet.layout.items() if place.main]
        return with_changes(sheet, {f"spots.{name}.min_cents": 500 for name in mains})

    guest = Seated(house)
    house.sheet_of = dearer
    assert needed(guest) == 300
