"""An operator voids a round, open or over: all results are reversed and no balance is negative.

An amount that cannot be taken back becomes a debt.
"""

from __future__ import annotations

from functools import partial

import pytest

from rounds.guest_seat import Seated, read, refusal_of, rows_of, write
from rounds.house_with_operator import (
    DAY_MS,
    TABLES,
    Funded,
    Operator,
    Time,
    keeper_of,
    opened,
    played,
    recorded,
)
from stores import both_at_length
from tapisvert.bank import ledger
from tapisvert.history import player_history
from tapisvert.history.round_proof import check_proof, proof_of
from tapisvert.operations.operator_views import PlayerView
from tapisvert.operations.voiding import Voided
from tapisvert.rounds import PlayerService
from tapisvert.rounds.round import Round

pytestmark = [both_at_length, pytest.mark.usefixtures("audited")]  # whatever was voided

WHY = "the display froze"


def void(house: PlayerService, round_id: str, reason: str = WHY) -> Voided:
    done: Voided = Operator(house).void(round_id, reason)
    return done


def view_of(guest: Seated) -> PlayerView:
    view: PlayerView = Operator(guest.house).player(guest.player_id)
    return view


def money(guest: Seated) -> tuple[int, int, int]:
    """Return balance, held and debt."""
    seen = view_of(guest)
    return seen.balance_cents, seen.held_cents, seen.debt_cents


def cash_out(guest: Seated, left: int = 0) -> None:
    """Withdraw all but this amount."""
    Operator(guest.house).withdraw(guest.player_id, guest.purse()[0] - left, "")


@pytest.mark.parametrize("answered", [0, 1, 2])
def test_a_void_at_any_step_leaves_the_player_with_what_they_had(
    house: PlayerService, answered: int
) -> None:
    for game, known in TABLES.items():
        guest = Funded(house)
        round_id = opened(guest, game)
        for step, choice in enumerate(known.choices[:answered]):
            guest.choose(round_id, choice, step)
        over, held = answered >= len(known.choices), guest.purse()[1]
        assert over == (held == 0)
        done = void(house, round_id)
        assert done.refunded_cents == held
        assert money(guest) == (100_000, 0, 0), game
        if over:
            assert done.taken_cents - done.given_cents == known.net_cents, game
        shown = read(guest.shown(round_id)).round
        assert shown.state == ("settled" if over else "voided"), game
        assert shown.reversal is not None
        assert shown.reversal.reason == WHY


def test_an_open_round_is_broken_off_revealed_and_its_settled_bets_are_reversed(
    house: PlayerService,
) -> None:
    guest = Funded(house)
    round_id = opened(guest, "blackjack")
    guest.choose(round_id, "insure")
    assert void(house, round_id) == Voided(500, 0, 0, refunded_cents=1000)
    assert guest.moved()[-2:] == [("return", "hand-1", 1000), ("reversal", "insurance-1", 500)]
    proof = guest.ask(lambda desk: proof_of(desk, round_id))
    assert proof.void_reason == "operator"
    checks = check_proof(proof, "round.json").checks
    assert (checks["commitment"], checks["settlement"]) == (True, True)
    assert refusal_of(lambda: guest.choose(round_id, "stand", 1)).code == "round/ended"
    assert view_of(guest).voided_rounds == 1


def test_a_settled_rounds_own_record_stays_as_it_was(house: PlayerService) -> None:
    guest = Funded(house)
    round_id = played(guest, "casino-stud")
    house.mark_seen(guest.token, round_id).result()
    names = [*Round.__struct_fields__, "staked_cents", "returned_cents"]

    def record() -> dict[str, object]:
        (row,) = rows_of(house, f"SELECT {', '.join(names)} FROM rounds WHERE id = ?", round_id)
        return dict(zip(names, row, strict=True))

    before = record()
    void(house, round_id)
    assert record() == {**before, "seen": 0}  # the player sees it on return
    unseen = guest.ask(lambda desk: player_history.rounds(desk, "unseen", None))
    assert [(line.id, line.state, line.reversed) for line in unseen.rounds] == [
        (round_id, "settled", True)
    ]


def test_winnings_that_are_gone_become_a_debt_and_no_balance_is_below_zero(
    house: PlayerService,
) -> None:
    guest = Funded(house)
    round_id = played(guest, "casino-stud")  # 25.00 won
    cash_out(guest)
    assert void(house, round_id) == Voided(500, 500, 2500, refunded_cents=0)
    assert money(guest) == (0, 0, 2500)
    assert refusal_of(lambda: cash_out(guest, -1)).code == "cashier/in_debt"
    assert money(Funded(house)) == (100_000, 0, 0)  # another player owes nothing


def test_what_is_left_is_taken_first_and_the_rest_is_owed(house: PlayerService) -> None:
    guest = Funded(house)
    round_id = played(guest, "casino-stud")  # ante +10.00, play +20.00, bonus -5.00
    cash_out(guest, left=800)
    assert void(house, round_id) == Voided(500, 1300, 1700, refunded_cents=0)
    assert money(guest) == (0, 0, 1700)
    assert guest.moved()[-3:] == [
        ("reversal", "ante", 1000),
        ("reversal", "play", 300),
        ("debt", "play", 1700),
    ]


def test_a_debt_is_paid_from_the_balance_as_far_as_it_goes(
    house: PlayerService, anne: Operator
) -> None:
    guest = Funded(house)
    round_id = played(guest, "casino-stud")
    cash_out(guest)
    void(house, round_id)

    anne.deposit(guest.player_id, 1000, "")
    assert anne.pay_debt(guest.player_id).debt_cents == 1500
    assert money(guest) == (0, 0, 1500)
    anne.deposit(guest.player_id, 2000, "")
    assert anne.pay_debt(guest.player_id).balance_cents == 500
    assert money(guest) == (500, 0, 0)
    anne.pay_debt(guest.player_id)  # nothing is owed
    cash_out(guest)
    assert money(guest) == (0, 0, 0)
    told = [(event["before"], event["after"]) for event in recorded(house, "debt_paid")]
    assert told == [({"cents": 2500}, {"cents": 1500}), ({"cents": 1500}, {"cents": 0})]


def test_a_debt_stands_in_the_way_of_cash_not_of_play(house: PlayerService) -> None:
    guest = Funded(house)
    round_id = played(guest, "casino-stud")
    cash_out(guest)
    void(house, round_id)
    Operator(house).deposit(guest.player_id, 10_000, "")
    assert refusal_of(lambda: cash_out(guest)).details == {"debt_cents": 2500}
    played(guest, "casino-stud")
    assert money(guest) == (12_500, 0, 2500)


def test_what_other_rounds_hold_is_not_taken(house: PlayerService) -> None:
    guest = Funded(house)
    round_id = played(guest, "casino-stud")
    other = opened(guest, "ultimate")
    cash_out(guest)
    assert void(house, round_id).debt_cents == 2500
    assert money(guest) == (0, 2000, 2500)
    void(house, other)
    assert money(guest) == (2000, 0, 2500)


def test_a_round_is_voided_once(house: PlayerService) -> None:
    guest = Funded(house)
    rounds = {
        played(guest, "casino-stud"): Voided(500, 3000, 0, refunded_cents=0),
        opened(guest, "ultimate"): Voided(0, 0, 0, refunded_cents=2000),
    }
    for round_id, told in rounds.items():
        assert void(house, round_id) == told
        moved = guest.moved()
        refusal = refusal_of(partial(void, house, round_id))
        assert (refusal.code, refusal.details) == ("round/already_voided", {"round_id": round_id})
        assert guest.moved() == moved
    assert len(recorded(house, "round_voided")) == 2


def test_a_round_that_expired_can_still_be_voided_for_what_it_had_settled(
    house: PlayerService, time: Time
) -> None:
    guest, keeper = Funded(house), keeper_of(house, time)
    round_id = opened(guest, "blackjack")
    guest.choose(round_id, "insure")
    time.passes(DAY_MS)
    keeper.tick()
    assert money(guest) == (99_500, 0, 0)
    assert void(house, round_id).given_cents == 500
    assert money(guest) == (100_000, 0, 0)
    assert read(guest.shown(round_id)).round.state == "voided"
    assert keeper.tick() == 0


def test_play_money_is_reversed_in_the_same_way(house: PlayerService) -> None:
    guest = Seated(house)
    round_id = played(guest, "high-card-flush")  # 20.00 won
    guest.leave(0)
    assert void(house, round_id).debt_cents == 2000
    assert money(guest) == (0, 0, 2000)
    assert house.store.read(lambda tx: ledger.debt_cents(tx, guest.player_id)).result() == 2000


def test_only_a_round_that_was_opened_can_be_voided(house: PlayerService) -> None:
    for nothing in (Funded(house).seat().round_id, "0123456789" * 7, ""):
        refused = refusal_of(partial(void, house, nothing))
        assert (refused.code, refused.details) == ("round/unknown", {"round_id": nothing[:64]})
    assert recorded(house, "round_voided") == []


def test_a_void_without_a_reason_is_refused(house: PlayerService) -> None:
    guest = Funded(house)
    round_id = opened(guest, "casino-stud")
    for reason in ("", "  \n", "x" * 501):
        assert refusal_of(partial(void, house, round_id, reason)).code == "operator/reason"
    assert guest.purse() == (98_500, 1500)


def test_a_round_that_cannot_be_replayed_is_not_voided_by_halves(house: PlayerService) -> None:
    guest = Funded(house)
    round_id = opened(guest, "casino-stud")
    write(house, "UPDATE rounds SET edition = 99 WHERE id = ?", round_id)
    assert refusal_of(lambda: void(house, round_id)).code == "round/unknown_edition"
    assert guest.purse() == (98_500, 1500)
    write(house, "UPDATE rounds SET edition = 1 WHERE id = ?", round_id)
