"""Voids at their edges: not before the delay, not of a deal that waits, and down to the cent."""

from __future__ import annotations

import pytest

from rounds.operated import DAY_MS, Funded, Time, opened
from rounds.seated import PATIENCE_S, STUD, Seated, rows_of
from stores import both
from tapisvert.bank.ledger import Purse
from tapisvert.players import Player
from tapisvert.refusal import Broken
from tapisvert.rounds import House
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.records import Round, load_round
from tapisvert.rounds.voiding import Reversal, _reverse, expire
from tapisvert.store import Tx
from tapisvert.table import Transcript
from tapisvert.table.settlement import Line

pytestmark = both


def expire_at(house: House, guest: Seated, round_id: str, now_ms: int) -> Round:
    """Void a round for its delay at a given time."""

    def work(tx: Tx) -> Round:
        player = Player(guest.player_id, "FUN")
        desk = Desk(tx, player, house.dealer, house.sheet_of, now_ms)
        return expire(desk, load_round(tx, guest.player_id, round_id))

    return house.store.write(work).result(PATIENCE_S)


def test_G11_whoever_expires_a_round_too_early_breaks_a_promise(house: House, time: Time) -> None:
    guest = Seated(house)
    round_id = opened(guest, STUD)
    delay_ms = time.wall.now_ms + 30 * DAY_MS
    with pytest.raises(Broken) as broken:
        expire_at(house, guest, round_id, delay_ms - 1)
    assert str(broken.value) == "the delay is over"
    assert rows_of(house, "SELECT state FROM rounds WHERE id = ?", round_id) == [("open",)]
    ended = expire_at(house, guest, round_id, delay_ms)
    assert (ended.state, ended.void_reason, ended.ended_at_ms) == ("voided", "expired", delay_ms)
    assert ended.balance_after_cents == 100_000


def reversed_by(house: House, player: Seated, *lines: tuple[str, int, int]) -> Reversal:
    """Reverse results: bet, staked, returned."""
    found = {bet: Line(bet, staked, returned, "") for bet, staked, returned in lines}
    played = Transcript((), None, {}, found, ())
    purse = Purse(player.player_id, "CAD", 0, "some-round")
    work = house.store.write(lambda tx: _reverse(tx, purse, STUD, played))
    return work.result(PATIENCE_S)


def test_a_single_cent_is_reversed_and_a_bet_without_a_net_result_is_not(house: House) -> None:
    player = Funded(house, 10)
    assert reversed_by(house, player, ("ante", 5, 4), ("play", 7, 7)) == Reversal(1, 0, 0)
    assert player.purse() == (11, 0)
    assert reversed_by(house, player, ("ante", 5, 6), ("play", 7, 7)) == Reversal(0, 1, 0)
    assert player.purse() == (10, 0)
    assert player.moved() == [("reversal", "ante", 1)] * 2


def test_what_is_given_back_comes_first_and_pays_for_what_is_taken(house: House) -> None:
    player = Funded(house, 10)
    # 10 there, 30 given, 20 + 25 to be taken: 5 are owed.
    lines = (("a", 0, 20), ("b", 30, 0), ("c", 0, 25))
    assert reversed_by(house, player, *lines) == Reversal(30, 40, 5)
    assert player.purse() == (0, 0)
    assert player.moved() == [
        ("reversal", "b", 30),
        ("reversal", "a", 20),
        ("reversal", "c", 20),
        ("debt", "c", 5),
    ]
