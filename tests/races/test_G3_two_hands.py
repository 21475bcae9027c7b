"""G3 where the next step offers the same option: two hands of Blackjack, the steps of Ultimate.

The second of two identical clicks must not answer the question that the first one opened.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from houses import make_house
from races.at_once import CROWD, at_once, outcomes
from rounds.guest_seat import Seated, conserved, read
from stores import both_at_length
from tapisvert.rounds.schemas import RoundReply

pytestmark = both_at_length

TWO = {"hand-1": 300, "hand-2": 200}
STAND = "Th 9s Tc 8s 7d Kc"  # 19 and 18 against 17
SPLIT = "8h 8s 8c 8d 7d Kc 2h 3h 4h 5h"  # two pairs of eights: split after split is on offer
INSURE = "Th 9s Tc 8s Ad 5c"  # insurance is asked of both hands
DOUBLE = "6h 5s 6c 5d 7d Kc Th Tc"  # 11 and 11
# The deck, the choice, its price for the first hand, and the hand of the next question.
TWINS = {
    "stand": (STAND, "stand", {}, "hand-2"),
    "insure": (INSURE, "insure", {"insurance-1": 150}, "hand-2"),
    "double": (DOUBLE, "double", {"double-1": 300}, "hand-2"),
    "split": (SPLIT, "split", {"split-1": 300}, "hand-1"),
}
each_twin = pytest.mark.parametrize(("first", "choice", "added", "then"), TWINS.values(), ids=TWINS)


def check_once(guest: Seated, round_id: str, added: dict[str, int], then: str) -> None:
    """Check that one answer was taken: its stake is held once, and the next question is open."""
    shown: RoundReply = read(guest.shown(round_id))
    assert shown.round.ask is not None
    assert (shown.round.ask.step, shown.round.ask.hand) == (1, then)
    held = 500 + sum(added.values())
    assert (shown.round.staked_cents, guest.purse()) == (held, (100_000 - held, held))
    stakes = [("stake", bet, cents) for bet, cents in {**TWO, **added}.items()]
    assert guest.moved() == stakes
    assert conserved(guest.house)


def seated(path: Path, first: str) -> tuple[Seated, str]:
    guest = Seated(make_house(path / "tapis.db", first))
    return guest, read(guest.open(guest.asking(TWO, game="blackjack"))).round.id


@each_twin
def test_G3_a_double_click_on_the_first_hand_never_answers_for_the_second(
    tmp_path: Path, first: str, choice: str, added: dict[str, int], then: str
) -> None:
    guest, round_id = seated(tmp_path, first)
    found = at_once([partial(guest.choose, round_id, choice, key="click")] * CROWD)
    assert outcomes(found) == {"accepted": CROWD}
    assert len({reply for reply in found if isinstance(reply, bytes)}) == 1
    check_once(guest, round_id, added, then)
    guest.house.store.close()


@each_twin
def test_G3_of_many_tabs_that_say_the_same_one_is_heard_and_the_others_are_past_the_step(
    tmp_path: Path, first: str, choice: str, added: dict[str, int], then: str
) -> None:
    guest, round_id = seated(tmp_path, first)
    clicks = [partial(guest.choose, round_id, choice, key=f"tab {n}") for n in range(CROWD)]
    found = at_once(clicks)
    assert outcomes(found) == {"accepted": 1, "round/stale_step": CROWD - 1}
    check_once(guest, round_id, added, then)
    guest.house.store.close()


def test_G3_answers_to_both_hands_sent_at_once_are_taken_in_their_order_or_not_at_all(
    tmp_path: Path,
) -> None:
    """The client runs ahead: the second hand's answer counts only after its question is open."""
    guest = Seated(make_house(tmp_path / "tapis.db", STAND))
    for attempt in range(20):
        round_id = read(guest.open(guest.asking(TWO, game="blackjack"))).round.id
        before = guest.purse()[0]
        found = at_once(
            partial(guest.choose, round_id, "stand", step, key=f"{attempt} {step}")
            for step in (0, 1)
        )
        heard = outcomes(found)
        assert heard in ({"accepted": 2}, {"accepted": 1, "round/stale_step": 1})
        if heard["accepted"] == 1:
            guest.choose(round_id, "stand", 1)
        shown = read(guest.shown(round_id)).round
        assert (shown.state, shown.returned_cents) == ("settled", 1000)  # both hands beat 17
        assert guest.purse() == (before + 1000, 0)
    assert conserved(guest.house)
    guest.house.store.close()


def test_G3_a_check_sent_twice_is_one_check_at_each_step_of_ultimate(tmp_path: Path) -> None:
    guest = Seated(make_house(tmp_path / "tapis.db", "Kh 3c 9h 3d Kd 9s 7c 4h 2s"))
    stakes = {"ante": 300, "blind": 300}
    round_id = read(guest.open(guest.asking(stakes, game="ultimate"))).round.id
    for step, board in ((0, 3), (1, 5)):
        clicks = [partial(guest.choose, round_id, "check", step, f"{step} {n}") for n in range(16)]
        assert outcomes(at_once(clicks)) == {"accepted": 1, "round/stale_step": 15}
        shown = read(guest.shown(round_id)).round
        assert len(shown.hands["board"]) == board
    # The last step has no check: a late copy is past its step, a new one not on offer.
    late = at_once([partial(guest.choose, round_id, "check", 2, f"late {n}") for n in range(4)])
    assert outcomes(late) == {"choice/not_offered": 4}
    assert guest.purse() == (100_000 - 600, 600)
    raises = [partial(guest.choose, round_id, "raise-1", 2, f"raise {n}") for n in range(16)]
    assert outcomes(at_once(raises)) == {"accepted": 1, "round/stale_step": 15}
    # Kings beat nines: ante and play win 1:1, the blind is given back.
    assert (guest.purse(), conserved(guest.house)) == ((100_000 + 600, 0), True)
    guest.house.store.close()
