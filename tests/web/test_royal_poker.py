"""Blackjack's Royal Poker over HTTP: a claim on the demonstration pot (bj.5, docs/rules).

With play money the pot is fixed at 20,000.00: a royal flush wins all of it, a straight flush a
tenth. The bank's answer is stored with the round and not computed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from bank.tables import check_books
from houses import Guest, opening
from rounds.guest_seat import rows_of
from stores import both_at_length
from tapisvert.cards import parse
from tapisvert.engine import Claim, replay
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import current
from tapisvert.history.round_proof import Proof, check_proof
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.sheets import load
from tapisvert.store import Tx
from web.scene import GRANT, Seating, proof_from

pytestmark = both_at_length

BLACKJACK = "blackjack"
STAKES = {"hand-1": 1000, "hand-2": 600, "royal": 100}
AT_THE_DEAL = GRANT - sum(STAKES.values())
# Both hands, the up card, the hole card and what is drawn: K-Q and J-T under an ace, 9-8 and 7-6
# under a ten. The house has no blackjack in either.
ROYAL_FLUSH = "Ks Qs Js Ts As 5c 2c 3d"
STRAIGHT_FLUSH = "9s 8s 7s 6s Ts 5c 2c 3d"
POT = 2_000_000
PRIZES = {ROYAL_FLUSH: POT, STRAIGHT_FLUSH: POT // 10}
each_prize = pytest.mark.parametrize(("first", "prize"), PRIZES.items(), ids=["royal", "straight"])


def opened(guest: Guest) -> dict[str, Any]:
    """Open a round with both hands and Royal Poker."""
    answer = guest.open(STAKES, game=BLACKJACK)
    assert answer.status_code == 201, answer.text
    reply: dict[str, Any] = answer.json()
    return reply


def stand_to_the_end(guest: Guest, round_: Mapping[str, Any]) -> dict[str, Any]:
    """Decline and stand until the round is over; return the last reply."""
    ask = round_["ask"]
    while True:
        choice = "decline" if ask["key"] == "insurance" else "stand"
        reply: dict[str, Any] = guest.choose(round_["id"], choice, ask["step"]).json()
        if not reply["round"]["ask"]:
            return reply
        ask = reply["round"]["ask"]


def line_of(round_: Mapping[str, Any], bet: str) -> dict[str, Any]:
    (found,) = [line for line in round_["lines"] if line["bet"] == bet]
    line: dict[str, Any] = found
    return line


def stored_answers(house: PlayerService, round_id: str) -> list[object]:
    ((written,),) = rows_of(house, "SELECT answers FROM rounds WHERE id = ?", round_id)
    answers: list[object] = msgspec.json.decode(written)
    return answers


def failing(proof: Proof) -> set[str]:
    """Return the failed checks, except `deck`: the test's deck comes from no seed."""
    return {name for name, holds in check_proof(proof, "f").checks.items() if not holds} - {"deck"}


@each_prize
def test_the_prize_is_paid_at_the_deal_by_the_house_and_the_hands_are_still_held(
    seating: Seating, first: str, prize: int
) -> None:
    house, guest = seating(first)
    reply = opened(guest)
    round_ = reply["round"]
    royal = {"bet": "royal", "staked_cents": 100, "returned_cents": prize, "outcome": "won"}
    assert round_["lines"] == [{**royal, "capped": False}]
    wallet = {"currency": "FUN", "balance_cents": AT_THE_DEAL + prize, "held_cents": 1600}
    assert reply["wallet"] == guest.get("/wallet").json() == wallet
    assert round_["state"] == "open"
    claims = [event for event in round_["events"] if event["kind"] == "claimed"]
    assert [(event["bet"], event["cents"]) for event in claims] == [("royal", prize)]
    won = rows_of(
        house, "SELECT debit, credit, units / 100000, bet FROM transfers WHERE reason = 'win'"
    )
    ((player_id,),) = rows_of(house, "SELECT id FROM players")
    assert won == [("house:blackjack", f"player:{player_id}", prize - 100, "royal")]
    check_books(house.store)


@each_prize
def test_the_banks_answer_is_recorded_once_and_goes_on_before_the_players(
    seating: Seating, first: str, prize: int
) -> None:
    house, guest = seating(first)
    round_ = opened(guest)["round"]
    assert stored_answers(house, round_["id"]) == [prize]
    assert round_["ask"]["step"] == 0  # the bank's answer is no step of the player's
    end = stand_to_the_end(guest, round_)["round"]
    recall = guest.get(f"/rounds/{end['id']}/recall").json()
    assert stored_answers(house, end["id"]) == [prize, *recall["choices"]]
    assert "claimed" not in [event["kind"] for event in end["events"][len(round_["events"]) :]]
    proof = proof_from(guest, end["id"])
    assert proof.answers == [prize, *recall["choices"]]
    assert failing(proof) == set()


@each_prize
def test_a_repeated_open_is_answered_with_the_same_bytes_and_paid_once(
    seating: Seating, first: str, prize: int
) -> None:
    _, guest = seating(first)
    body = opening(guest.seat(BLACKJACK), STAKES)
    answers = [guest.post("/rounds", body, "once") for _ in range(3)]
    assert len({answer.content for answer in answers}) == 1
    assert guest.balance() == (AT_THE_DEAL + prize, 1600)


@each_prize
def test_a_pot_that_is_changed_later_changes_no_round_that_was_dealt(
    seating: Seating, first: str, prize: int
) -> None:
    sheets: dict[str, Sheet] = {game: load(game) for game in (BLACKJACK, "casino-stud")}
    house, guest = seating(first, sheet_of=lambda game: sheets.get(game) or load(game))
    round_ = opened(guest)["round"]
    before = guest.get(f"/rounds/{round_['id']}").content
    sheets[BLACKJACK] = with_changes(load(BLACKJACK), {"royal.jackpot.reset_cents": 700_000})
    assert guest.get(f"/rounds/{round_['id']}").content == before
    end = stand_to_the_end(guest, round_)["round"]
    assert line_of(end, "royal")["returned_cents"] == prize
    assert stored_answers(house, end["id"])[0] == prize
    proof = proof_from(guest, end["id"])
    assert (failing(proof), proof.answers[0]) == (set(), prize)
    # The next round is played by the new figures.
    assert line_of(opened(guest)["round"], "royal")["returned_cents"] == prize * 700_000 // POT
    check_books(house.store)


@each_prize
def test_a_replay_takes_the_recorded_answer_whatever_the_pot_would_be_now(
    seating: Seating, first: str, prize: int
) -> None:
    def asked_again(claim: Claim) -> int:
        raise AssertionError(f"the bank was asked again for {claim.bet}")

    _, guest = seating(first)
    end = stand_to_the_end(guest, opened(guest)["round"])["round"]
    proof = proof_from(guest, end["id"])
    deck = [parse(card) for card in proof.deck]
    script = current(BLACKJACK).script
    for reset in (1, 700_000, 10**9):
        sheet = with_changes(load(BLACKJACK), {"royal.jackpot.reset_cents": reset})
        for bank in (None, asked_again):
            again = replay(script, sheet, deck, proof.stakes, proof.answers, bank=bank)
            assert msgspec.json.decode(msgspec.json.encode(again.events)) == end["events"]
            assert again.lines["royal"].returned_cents == prize


def test_the_demonstration_pot_does_not_move_and_every_winner_gets_the_same(
    seating: Seating,
) -> None:
    house, first = seating(ROYAL_FLUSH)
    shown = first.get(f"/games/{BLACKJACK}").content
    for guest in (first, Guest(first.client)):
        for times in (1, 2):
            before = guest.balance()[0]
            round_ = opened(guest)["round"]
            assert line_of(round_, "royal")["returned_cents"] == POT, times
            end = stand_to_the_end(guest, round_)
            back = end["round"]["returned_cents"] - end["round"]["staked_cents"]
            assert guest.balance() == (before + back, 0)
    assert first.get(f"/games/{BLACKJACK}").content == shown
    paid = rows_of(house, "SELECT DISTINCT debit FROM transfers WHERE reason = 'win'")
    assert paid == [("house:blackjack",)]
    check_books(house.store)


@pytest.mark.parametrize(
    ("five", "prize"),
    {
        "9s 9h 9d 9c 2s": 50_000,
        "9s 9h 9d Kc Ks": 10_000,
        "Qs 9s 7s 4s 2s": 5_000,
        "Ts 9h 8d 7c 6s": 2_500,
        "9s 9h 9d Kc 5s": 500,
        "9s 9h 8d 8c 5s": 0,
    }.items(),
)
def test_what_does_not_claim_on_the_pot_is_paid_its_prize_at_the_deal(
    seating: Seating, five: str, prize: int
) -> None:
    house, guest = seating(f"{five} 3h")
    reply = opened(guest)
    assert line_of(reply["round"], "royal")["returned_cents"] == prize
    assert reply["wallet"]["balance_cents"] == AT_THE_DEAL + prize
    assert stored_answers(house, reply["round"]["id"]) == []


def voided(house: PlayerService, round_id: str) -> None:
    """Void an open round in its record, as an expiry does."""

    def work(tx: Tx) -> None:
        row = tx.row("SELECT sealed_seed FROM rounds WHERE id = ?", (round_id,))
        assert row is not None
        tx.run(
            "UPDATE rounds SET state = 'voided', void_reason = 'expired', ended_at_ms = 2,"
            " server_seed = ?, returned_cents = 0, balance_after_cents = 0 WHERE id = ?",
            (house.dealer.unseal(row[0], round_id), round_id),
        )

    house.store.write(work).result()


@each_prize
def test_a_void_gives_back_the_hands_and_leaves_royal_poker_as_it_was_settled(
    seating: Seating, first: str, prize: int
) -> None:
    house, guest = seating(first)
    round_ = opened(guest)["round"]
    royal = line_of(round_, "royal")
    if round_["ask"]["key"] == "insurance":
        round_ = guest.choose(round_["id"], "insure", 0).json()["round"]
    voided(house, round_["id"])
    shown = guest.get(f"/rounds/{round_['id']}").json()["round"]
    assert (shown["state"], shown["ask"]) == ("voided", None)
    assert line_of(shown, "royal") == royal
    assert royal["returned_cents"] == prize
    for line in shown["lines"]:
        if line["bet"] != "royal":
            assert line["outcome"] == "returned", line
            assert line["staked_cents"] == line["returned_cents"]
    assert shown["events"][: len(round_["events"])] == round_["events"]
    proof = proof_from(guest, round_["id"])
    assert (proof.answers[0], proof.void_reason) == (prize, "expired")
    assert failing(proof) == set()
    assert failing(msgspec.structs.replace(proof, void_reason=None)) == {"settlement"}
    won = rows_of(house, "SELECT COUNT(*) FROM transfers WHERE bet = 'royal' AND reason = 'win'")
    assert won == [(1,)]


@pytest.mark.parametrize("written", [POT + 1, POT // 10, 0, None, "stand", str(POT), -1], ids=repr)
def test_a_proof_whose_claim_was_changed_is_false_or_refused_and_no_crash(
    seating: Seating, written: str | int | None
) -> None:
    _, guest = seating(ROYAL_FLUSH)
    end = stand_to_the_end(guest, opened(guest)["round"])["round"]
    proof = proof_from(guest, end["id"])
    assert failing(proof) == set()
    answers = [*([] if written is None else [written]), *proof.answers[1:]]
    try:
        found = failing(msgspec.structs.replace(proof, answers=answers))
    except Refused:
        return
    assert "settlement" in found
