"""G11: a round left open past its sheet's delay is void: refunded, revealed, recorded, counted."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path

import pytest

from rounds.guest_seat import Seated, conserved, read, refusal_of, rows_of, write
from rounds.house_with_operator import (
    DAY_MS,
    TABLES,
    Funded,
    Operator,
    Time,
    findings,
    finished,
    keeper_of,
    open_tables,
    opened,
)
from stores import both_at_length
from tapisvert.dealing import commitment
from tapisvert.history import player_history
from tapisvert.history.round_proof import check_proof, proof_of
from tapisvert.rounds import PlayerService
from web.scene import everything

pytestmark = both_at_length


def state_of(house: PlayerService, round_id: str) -> str:
    ((state,),) = rows_of(house, "SELECT state FROM rounds WHERE id = ?", round_id)
    return str(state)


def test_G11_at_its_delay_and_not_a_millisecond_before_a_round_is_void_and_refunded(
    house: PlayerService, time: Time
) -> None:
    keeper = keeper_of(house, time)
    for game, known in TABLES.items():
        guest = Seated(house)
        before, round_id = guest.purse(), opened(guest, game)
        time.passes(known.delay_ms - 1)
        assert (keeper.tick(), state_of(house, round_id)) == (0, "open"), game
        time.passes(1)
        assert (keeper.tick(), state_of(house, round_id)) == (1, "voided"), game
        assert guest.purse() == before
        shown = read(guest.shown(round_id)).round
        assert (shown.state, shown.ask) == ("voided", None)
        assert {line.outcome for line in shown.lines} == {"returned"}
        assert shown.returned_cents == shown.staked_cents == sum(known.stakes.values())
        late = refusal_of(partial(guest.choose, round_id, known.choices[0]))
        assert late.code == "round/ended"
    assert findings(house) == ()


def test_G11_a_voided_round_is_in_the_history_unseen_with_its_seed_and_proof(
    house: PlayerService, time: Time
) -> None:
    guest, keeper = Seated(house), keeper_of(house, time)
    promised = guest.seat().commitment
    round_id = opened(guest, "casino-stud")
    time.passes(31 * DAY_MS)
    keeper.tick()
    unseen = guest.ask(lambda desk: player_history.rounds(desk, "unseen", None))
    (line,) = unseen.rounds
    assert (line.id, line.state, line.staked_cents, line.returned_cents) == (
        round_id,
        "voided",
        1500,
        1500,
    )
    # The proof's deck is the seed's own, so this one is checked where decks are real.
    proof = guest.ask(lambda desk: proof_of(desk, round_id))
    assert commitment(bytes.fromhex(proof.server_seed)) == proof.commitment == promised
    assert proof.void_reason == "expired"
    assert check_proof(proof, "round.json").checks["settlement"]
    recall = guest.ask(lambda desk: player_history.recall(desk, round_id))
    assert (recall.balance_before_cents, recall.balance_after_cents) == (100_000, 100_000)


def test_G11_what_was_settled_stays_settled(house: PlayerService, time: Time) -> None:
    guest, keeper = Seated(house), keeper_of(house, time)
    round_id = opened(guest, "blackjack")
    guest.choose(round_id, "insure")  # the house has no blackjack: insurance is lost at once
    assert guest.purse() == (98_500, 1000)
    time.passes(DAY_MS)
    keeper.tick()
    assert guest.purse() == (99_500, 0)
    lines = {line.bet: line for line in read(guest.shown(round_id)).round.lines}
    assert (lines["insurance-1"].outcome, lines["insurance-1"].returned_cents) == ("lost", 0)
    assert (lines["hand-1"].outcome, lines["hand-1"].returned_cents) == ("returned", 1000)
    assert guest.moved() == [
        ("stake", "hand-1", 1000),
        ("stake", "insurance-1", 500),
        ("loss", "insurance-1", 500),
        ("return", "hand-1", 1000),
    ]
    assert findings(house) == ()


def test_G11_sweeping_again_changes_nothing(house: PlayerService, time: Time) -> None:
    guest, keeper = Seated(house), keeper_of(house, time)
    opened(guest, "casino-stud")
    time.passes(31 * DAY_MS)
    assert keeper.tick() == 1
    before = everything(house)
    assert [keeper.tick(), keeper.sweep(), keeper_of(house, time).tick()] == [0, 0, 0]
    assert everything(house) == before


def test_G11_a_player_may_finish_a_late_round_until_it_is_swept(
    house: PlayerService, time: Time
) -> None:
    guest, keeper = Seated(house), keeper_of(house, time)
    round_id = opened(guest, "casino-stud")
    time.passes(40 * DAY_MS)
    finished(guest, "casino-stud", round_id)
    assert (keeper.tick(), state_of(house, round_id)) == (0, "settled")
    assert guest.purse() == (102_500, 0)


def test_G11_voided_rounds_are_counted_per_player(house: PlayerService, time: Time) -> None:
    keeper = keeper_of(house, time)
    one, other = Seated(house), Funded(house)
    for _ in range(2):
        opened(one, "casino-stud")
        opened(one, "blackjack")
        time.passes(31 * DAY_MS)
        keeper.tick()
    opened(other, "casino-stud")
    views = [Operator(house).player(each.player_id) for each in (one, other)]
    assert [(view.open_rounds, view.voided_rounds) for view in views] == [(0, 4), (1, 0)]


def test_G11_a_round_that_cannot_be_voided_does_not_stop_the_others_and_is_tried_again(
    house: PlayerService, time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    keeper = keeper_of(house, time)
    stuck, free = Seated(house), Seated(house)
    broken, other = opened(stuck, "casino-stud"), opened(free, "casino-stud")
    write(house, "UPDATE rounds SET edition = 99 WHERE id = ?", broken)
    time.passes(31 * DAY_MS)
    with caplog.at_level(logging.ERROR, logger="tapisvert"):
        assert keeper.tick() == 1
    assert broken in caplog.text
    assert (state_of(house, broken), state_of(house, other)) == ("open", "voided")
    write(house, "UPDATE rounds SET edition = 1 WHERE id = ?", broken)
    assert keeper.tick() == 1
    assert conserved(house)


def test_G11_a_house_without_its_source_of_randomness_still_voids(
    house: PlayerService, time: Time
) -> None:
    round_id = opened(Seated(house), "casino-stud")
    house.dealer.working = False
    time.passes(31 * DAY_MS)
    assert keeper_of(house, time).tick() == 1
    assert state_of(house, round_id) == "voided"


def test_G11_after_a_restart_the_next_keeper_voids_what_is_due(tmp_path: Path, time: Time) -> None:
    path = tmp_path / "tapis.db"
    house = open_tables(path, time)
    guest = Seated(house)
    round_id = opened(guest, "blackjack")
    house.store.close()
    time.passes(DAY_MS)
    time.steady_ms = 7  # a steady clock begins anew with the machine
    guest.house = open_tables(path, time)
    assert keeper_of(guest.house, time).tick() == 1
    assert state_of(guest.house, round_id) == "voided"
    assert opened(guest, "blackjack") != round_id
    guest.house.store.close()
