"""Voided rounds, answers in another spelling, and hidden cards."""

from __future__ import annotations

from typing import ClassVar

import pytest

from engine.toy import DECK, Toy, in_either_order, moves_face_down, toy, two_questions
from tapisvert.engine import Script, Table, replay, view
from tapisvert.engine import events as ev
from tapisvert.refusal import Broken, Refused

STAKES = {"main": 1000, "side": 500}


def outcomes(void: str | None, answers: list[str]) -> dict[str, tuple[str, int, str]]:
    played = replay(two_questions, toy(), DECK, STAKES, answers, void=void)
    return {
        bet: (line.outcome, line.returned_cents, line.why) for bet, line in played.lines.items()
    }


def test_a_void_gives_back_what_is_unsettled_and_leaves_what_is_settled() -> None:
    assert outcomes(None, []) == {"side": ("won", 2000, "side-pays")}
    assert outcomes("expired", []) == {
        "side": ("won", 2000, "side-pays"),  # settled at the deal: it stays
        "main": ("returned", 1000, "expired"),
    }
    assert outcomes("expired", ["raise"]) == {
        "side": ("won", 2000, "side-pays"),
        "main": ("returned", 1000, "expired"),
        "raise": ("returned", 2000, "expired"),
    }


def test_a_voided_round_ends_and_its_events_begin_as_they_were() -> None:
    waiting = replay(two_questions, toy(), DECK, STAKES, ["raise"])
    voided = replay(two_questions, toy(), DECK, STAKES, ["raise"], void="expired")
    assert voided.settled
    assert voided.events[: len(waiting.events)] == waiting.events
    assert isinstance(voided.events[-1], ev.Ended)
    assert view(voided).ask is None
    assert view(voided).hands == view(waiting).hands  # nothing more is shown


def test_the_new_events_are_those_from_a_number_on() -> None:
    """After an answer, and after a void, they begin with the number after the question."""
    waiting = replay(two_questions, toy(), DECK, STAKES, ["raise"])
    asked, again = (event.n for event in waiting.events if isinstance(event, ev.Asked))
    assert (waiting.first_after(0), waiting.first_after(1)) == (asked + 1, again + 1)
    assert [event.n for event in waiting.since(asked + 1)] == [*range(asked + 1, again + 1)]
    assert isinstance(waiting.since(asked + 1)[0], ev.Chose)
    assert waiting.since(0) == waiting.since(-1) == waiting.events
    assert waiting.since(again + 1) == waiting.since(1000) == ()
    voided = replay(two_questions, toy(), DECK, STAKES, ["raise"], void="expired")
    assert waiting.events + voided.since(voided.first_after(1)) == voided.events


def test_a_stake_given_back_by_a_void_is_no_win_to_be_capped() -> None:
    sheet = toy({"main": 100, "round": 100})
    voided = replay(two_questions, sheet, DECK, STAKES, [], void="expired")
    assert voided.lines["main"].returned_cents == 1000
    assert voided.lines["side"].returned_cents == 100  # settled before, by the rules


def test_a_round_that_was_over_before_is_not_changed_by_a_void() -> None:
    answers = ["check", "fold"]
    assert outcomes("expired", answers) == outcomes(None, answers)


def test_an_answer_may_be_spelt_another_way_where_the_script_reads_it() -> None:
    for spelt in ("As Ah", "Ah As"):
        played = replay(in_either_order, toy(), DECK, {"main": 100}, [spelt])
        assert [event.option for event in played.events if isinstance(event, ev.Chose)] == ["As Ah"]
    for wrong in ("as ah", "As  Ah", "AsAh", "As Kd"):
        with pytest.raises(Refused) as refused:
            replay(in_either_order, toy(), DECK, {"main": 100}, [wrong])
        assert refused.value.code == "choice/not_offered"


def test_a_card_face_down_cannot_be_moved_into_sight() -> None:
    with pytest.raises(Broken, match="face down"):
        replay(moves_face_down, toy(), DECK, {"main": 100}, [])


def test_a_whole_zone_can_be_moved() -> None:
    def whole(table: Table, sheet: Toy) -> Script[None]:
        table.move(table.deal("player", 7), "player", "player-high")
        yield from ()
        table.push("main", "wins")

    hands = view(replay(whole, toy(), DECK, {"main": 100}, [])).hands
    assert {zone: len(cards) for zone, cards in hands.items()} == {"player-high": 7}


def test_without_a_cap_on_the_round_a_bet_is_final_as_soon_as_it_is_settled() -> None:
    class Uncapped(Toy, frozen=True, kw_only=True, forbid_unknown_fields=True):
        cap_ids: ClassVar[tuple[str, ...]] = ()

    def story(table: Table, sheet: Toy) -> Script[None]:
        table.push("main", "wins")
        table.say("then-this")
        yield from ()

    capped = toy()
    free = Uncapped(game="toy", step_cents=100, void_after_s=60, spots=capped.spots, caps_cents={})
    kinds = {
        name: [type(event) for event in replay(story, sheet, DECK, {"main": 100}, []).events]
        for name, sheet in (("capped", capped), ("free", free))
    }
    assert kinds["free"] == [ev.Staked, ev.Settled, ev.Said, ev.Ended]
    assert kinds["capped"] == [ev.Staked, ev.Said, ev.Settled, ev.Ended]
