"""The engine that runs scripts (DESIGN section 1), on toy scripts and on Casino Stud."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import get_args

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.toy import (
    DECK,
    Toy,
    everything,
    never_settled,
    pot,
    set_whole,
    settled_twice,
    settled_twice_apart,
    silent,
    staked_too_late,
    too_many_cards,
    toy,
    two_questions,
)
from games.stud import is_royal
from tapisvert.cards import STANDARD
from tapisvert.engine import AnyEvent, Claim, GameScript, Transcript, replay, view
from tapisvert.engine import events as ev
from tapisvert.games.registry import current
from tapisvert.refusal import Broken, Refused
from tapisvert.sheets import load

STAKES = {"main": 1000, "side": 500}


def run(
    game: GameScript[Toy], *answers: str | int, caps: dict[str, int] | None = None
) -> Transcript:
    """Replay a toy round."""
    return replay(game, toy(caps), DECK, STAKES, answers)


def code_of(game: GameScript[Toy], *answers: str | int) -> str:
    """Return the code a toy round is refused with."""
    with pytest.raises(Refused) as caught:
        run(game, *answers)
    assert caught.value.details["game"] == "toy"
    return caught.value.code


# Questions ----------------------------------------------------------------------------------------


def test_a_question_is_logged_numbered_and_waited_for() -> None:
    first, second = run(two_questions), run(two_questions, "check")
    assert isinstance(first.waiting, ev.Asked)
    assert isinstance(second.waiting, ev.Asked)
    assert (first.waiting.step, first.waiting.hand) == (0, "main")
    assert (second.waiting.step, second.waiting.hand) == (1, None)
    assert not first.settled
    asked = first.events[-1]
    assert isinstance(asked, ev.Asked)
    assert asked.options == first.waiting.options


def test_an_answer_is_logged_and_its_stake_added() -> None:
    played = run(two_questions, "raise", "raise")
    assert played.stakes == {"main": 1000, "side": 500, "raise": 3000}
    chosen = [event for event in played.events if isinstance(event, ev.Chose | ev.Staked)]
    assert [msgspec.structs.astuple(event)[1:] for event in chosen] == [
        ("main", 1000),
        ("side", 500),
        (0, "main", "raise"),
        ("raise", 2000),
        (1, None, "raise"),
        ("raise", 1000),
    ]


def test_answers_that_are_not_on_offer_not_legal_or_too_many_are_refused() -> None:
    assert code_of(two_questions, "fold") == "choice/not_offered"
    assert code_of(two_questions, "Raise") == "choice/not_offered"
    assert code_of(two_questions, 0) == "choice/not_offered"
    assert code_of(two_questions, "raise", "check") == "choice/not_legal"
    assert code_of(two_questions, "check", "fold", "fold") == "choice/too_many"
    assert code_of(silent, "go") == "choice/too_many"


def test_a_question_lists_the_same_ids_whatever_is_legal() -> None:
    one, other = view(run(two_questions, "check")), view(run(two_questions, "raise"))
    assert one.ask
    assert other.ask
    assert [option.id for option in one.ask.options] == ["raise", "check", "fold"]
    assert [option.id for option in other.ask.options] == ["raise", "check", "fold"]
    assert [option.legal for option in other.ask.options] == [True, False, True]
    assert other.ask.options[1].why_not == "no-check"


def test_an_option_that_cannot_be_afforded_is_listed_and_marked() -> None:
    for balance, affordable in ((None, True), (2000, True), (1999, False)):
        ask = view(run(two_questions), balance).ask
        assert ask
        assert [option.affordable for option in ask.options] == [affordable, True]
        assert ask.options[0].legal


def test_the_deck_must_be_whole_and_the_stakes_on_the_layout() -> None:
    for deck in (DECK[:51], (*DECK[:51], 52), (*DECK[:51], DECK[0]), (*DECK, 52), ()):
        with pytest.raises(Refused, match="deck/invalid"):
            replay(silent, toy(), deck, STAKES, [])
    with pytest.raises(Refused, match="stake/unknown"):
        replay(silent, toy(), DECK, {"main": 1000, "raise": 1000}, [])


# Claims -------------------------------------------------------------------------------------------


def test_a_claim_is_answered_by_the_bank_and_recorded_among_the_answers() -> None:
    claims: list[Claim] = []

    def bank(claim: Claim) -> int:
        claims.append(claim)
        return 7000 + len(claims)

    played = replay(pot, toy(), DECK, STAKES, ["go"], bank=bank)
    assert claims == [Claim("side", Fraction(1, 10)), Claim("main", Fraction(1))]
    assert played.answers == (7001, "go", 7002)
    assert {bet: line.returned_cents for bet, line in played.lines.items()} == {
        "side": 7001,
        "main": 7002,
    }
    # The same answers replay to the same round without any bank.
    assert replay(pot, toy(), DECK, STAKES, played.answers) == played


def test_a_round_in_which_the_bank_has_not_answered_waits_without_a_question() -> None:
    waiting = run(pot)
    assert waiting.waiting == Claim("side", Fraction(1, 10))
    assert (view(waiting).status, view(waiting).ask) == ("waiting", None)
    # It goes on from answers already recorded: nothing is claimed twice.
    resumed = replay(pot, toy(), DECK, STAKES, (5000,), bank=lambda claim: pytest.fail(str(claim)))
    assert resumed.answers == (5000,)
    assert isinstance(resumed.waiting, ev.Asked)


@pytest.mark.parametrize("answer", [-1, "go", 1.5, None])
def test_a_claim_that_is_not_answered_in_cents_is_refused(answer: object) -> None:
    with pytest.raises(Refused, match="choice/not_offered"):
        run(pot, answer)  # type: ignore[arg-type]


# Bets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "answers"),
    [
        (settled_twice, []),
        (settled_twice_apart, ["go"]),
        (never_settled, ["go"]),
        (staked_too_late, ["double"]),
    ],
)
def test_a_script_that_does_not_settle_each_stake_exactly_once_is_an_error(
    game: GameScript[Toy], answers: Sequence[str]
) -> None:
    with pytest.raises(AssertionError):
        run(game, *answers)


def test_a_script_that_deals_past_the_deck_is_an_error_and_not_the_end_of_the_round() -> None:
    with pytest.raises(Broken, match="the deck has a card for every deal"):
        run(too_many_cards)


def test_a_bet_that_was_not_staked_is_passed_over() -> None:
    played = replay(two_questions, toy(), DECK, {"main": 1000}, ["check", "check"])
    assert list(played.lines) == ["main"]
    assert played.settled


def test_a_bet_settled_in_the_middle_is_final_at_the_next_question() -> None:
    waiting = run(two_questions)
    assert list(waiting.lines) == ["side"]
    settled, asked = waiting.events[-2:]
    assert isinstance(settled, ev.Settled)
    assert isinstance(asked, ev.Asked)
    assert (settled.bet, settled.returned_cents, settled.odds) == ("side", 2000, "3:1")
    seen = view(waiting)
    assert (seen.staked_cents, seen.returned_cents) == (1500, 2000)
    assert run(two_questions, "raise", "fold").lines["side"] == waiting.lines["side"]


def test_lines_are_told_in_the_order_staked() -> None:
    played = run(two_questions, "raise", "raise")
    assert [line.bet for line in view(played).lines] == ["main", "side", "raise"]
    bets = [event.bet for event in played.events if isinstance(event, ev.Settled)]
    assert bets == ["side", "main", "raise"]
    ended = played.events[-1]
    assert ended == ev.Ended(len(played.events) - 1, 4500, 2000 + 2000 + 3000)


# Cards, events and the view -----------------------------------------------------------------------


def test_a_card_dealt_face_down_is_None_in_the_event_until_it_is_revealed() -> None:
    played = run(two_questions, "check", "check")
    dealt = [event for event in played.events if isinstance(event, ev.Dealt)]
    assert [(event.zone, event.cards) for event in dealt] == [
        ("player", ("As", "Ah")),
        ("house", ("Ad", None)),
        ("player", ("Ks",)),
    ]
    assert view(run(two_questions)).hands == {"player": ("As", "Ah"), "house": ("Ad", "??")}
    assert view(played).hands == {"player": ("As", "Ah", "Ks"), "house": ("Ad", "Ac")}


def test_cards_that_move_leave_one_hand_of_the_view_and_join_another() -> None:
    waiting = run(everything, 700)
    assert view(waiting).hands == {
        "player": ("As",),
        "house": ("Ac", "??"),
        "player-low": ("Ah", "Ad"),
    }
    [moved] = [event for event in waiting.events if isinstance(event, ev.Moved)]
    assert (moved.zone, moved.to, moved.cards) == ("player", "player-low", ("Ah", "Ad"))


def test_a_hand_that_lost_all_its_cards_is_no_hand_of_the_view() -> None:
    assert view(run(set_whole)).hands == {"player-low": ("As", "Ah")}


def test_events_are_numbered_from_0_without_a_gap() -> None:
    for played in (run(everything, 700, "Ah Ad"), run(two_questions, "raise", "fold")):
        assert [event.n for event in played.events] == list(range(len(played.events)))


def test_every_kind_of_event_survives_JSON() -> None:
    played = run(everything, 700, "Ah Ad")
    assert {type(event) for event in played.events} == set(get_args(AnyEvent))
    for event in played.events:
        assert msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) == event
    body = msgspec.json.encode(played.events)
    assert msgspec.json.decode(body, type=tuple[AnyEvent, ...]) == played.events


def test_a_replay_is_the_same_every_time() -> None:
    assert run(everything, 700, "Ah Ad") == run(everything, 700, "Ah Ad")
    assert run(two_questions, "raise", "raise") != run(two_questions, "raise", "fold")


@pytest.mark.parametrize(
    ("game", "answers"),
    [(two_questions, ["raise", "fold"]), (everything, [700, "Ah Ad"]), (pot, [1, "stop", 2])],
)
def test_fewer_answers_give_a_beginning_of_the_same_events(
    game: GameScript[Toy], answers: list[str | int]
) -> None:
    whole = run(game, *answers)
    for count in range(len(answers)):
        part = run(game, *answers[:count])
        assert not part.settled
        assert part.events == whole.events[: len(part.events)]
        assert len(part.events) < len(whole.events)


@settings(max_examples=150, deadline=None)
@given(st.permutations(STANDARD), st.sampled_from(["play", "fold"]), st.booleans())
def test_at_casino_stud_the_events_before_the_choice_are_a_beginning_of_those_after(
    deck: list[int], choice: str, bonus: bool
) -> None:
    stakes = {"ante": 1000, "bonus": 500} if bonus else {"ante": 1000}
    assume(not is_royal(deck[:5]))  # which may not be folded (stud.7)
    script, sheet = current("casino-stud").script, load("casino-stud")
    before = replay(script, sheet, deck, stakes, [])
    after = replay(script, sheet, deck, stakes, [choice])
    assert after.events[: len(before.events)] == before.events
    assert before.lines == {}
    assert after.settled
