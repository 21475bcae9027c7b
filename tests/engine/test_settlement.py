"""The returns of bets, and the caps on them (RULES, top of the page)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.toy import DECK, Toy, toy
from tapisvert.engine import Line, Option, Script, Table, replay, view
from tapisvert.engine import events as ev
from tapisvert.engine.settlement import capped_lines

BETS = ("main", "side", "raise")
AMOUNTS = st.integers(0, 20) | st.integers(0, 10**9)
RETURNS = st.tuples(AMOUNTS, AMOUNTS, AMOUNTS)
CAPS = st.dictionaries(st.sampled_from((*BETS, "round")), st.integers(1, 30) | AMOUNTS)


def lines_of(returns: tuple[int, int, int]) -> list[Line]:
    """Return three lines, in staking order, with these returns."""
    return [Line(bet, 100, cents, "wins") for bet, cents in zip(BETS, returns, strict=True)]


def by_hand(returns: tuple[int, int, int], caps: dict[str, int], earlier: int = 0) -> list[int]:
    """Apply the rule as RULES words it: own caps, then the excess from the largest line on."""
    kept = [min(cents, caps.get(bet, cents)) for bet, cents in zip(BETS, returns, strict=True)]
    excess = earlier + sum(kept) - caps.get("round", earlier + sum(kept))
    for place in sorted(range(3), key=lambda i: (kept[i], i), reverse=True):
        cut = max(0, min(excess, kept[place]))
        kept[place] -= cut
        excess -= cut
    return kept


@settings(max_examples=500, deadline=None)
@given(RETURNS, CAPS)
@example((2000, 2000, 2000), {"round": 5500})
@example((2000, 8000, 2000), {"side": 3000, "round": 6000})
def test_caps_hold_every_line_and_the_round_and_cut_no_more_than_they_must(
    returns: tuple[int, int, int], caps: dict[str, int]
) -> None:
    final = capped_lines(lines_of(returns), caps, sum(returns))
    own = [min(cents, caps.get(bet, cents)) for bet, cents in zip(BETS, returns, strict=True)]
    kept = [line.returned_cents for line in final]
    assert all(0 <= line <= cap for line, cap in zip(kept, own, strict=True))
    # Minimal: not a cent below the round's cap unless the lines are smaller than it anyway.
    assert sum(kept) == min(sum(own), caps.get("round", sum(own)))
    assert kept == by_hand(returns, caps)


@settings(max_examples=300, deadline=None)
@given(RETURNS, CAPS)
def test_a_line_is_marked_capped_exactly_where_something_was_taken(
    returns: tuple[int, int, int], caps: dict[str, int]
) -> None:
    before = lines_of(returns)
    for line, free in zip(capped_lines(before, caps, sum(returns)), before, strict=True):
        assert line.capped == (line.returned_cents < free.returned_cents)
        assert (line.bet, line.staked_cents, line.why) == (free.bet, free.staked_cents, free.why)


@settings(max_examples=300, deadline=None)
@given(RETURNS, CAPS, AMOUNTS)
def test_what_an_earlier_step_paid_counts_towards_the_rounds_cap_but_is_not_taken_back(
    returns: tuple[int, int, int], caps: dict[str, int], earlier: int
) -> None:
    final = capped_lines(lines_of(returns), caps, earlier + sum(returns))
    assert [line.returned_cents for line in final] == by_hand(returns, caps, earlier)


def in_two_steps(table: Table, sheet: Toy) -> Script[None]:
    """Pay the side bet 9:1 before the question and the main bet 9:1 after it."""
    table.pay("side", 9, "side-pays")
    yield from table.ask("toy", Option("go"))
    table.pay("main", 9, "wins")


def test_a_line_final_at_a_question_keeps_what_it_was_paid() -> None:
    sheet = toy({"round": 6000})
    waiting = replay(in_two_steps, sheet, DECK, {"main": 1000, "side": 500}, [])
    ended = replay(in_two_steps, sheet, DECK, {"main": 1000, "side": 500}, ["go"])
    assert {bet: line.returned_cents for bet, line in waiting.lines.items()} == {"side": 5000}
    # Had both been settled at once, main's 10,000 would have been cut to 1,000 just the same; but
    # here it is cut because side has been paid already, not because main is the larger.
    assert {bet: line.returned_cents for bet, line in ended.lines.items()} == {
        "side": 5000,
        "main": 1000,
    }
    assert view(ended).returned_cents == 6000
    small = replay(in_two_steps, toy({"round": 3000}), DECK, {"main": 100, "side": 500}, ["go"])
    assert {bet: line.returned_cents for bet, line in small.lines.items()} == {
        "side": 3000,
        "main": 0,
    }


@settings(max_examples=200, deadline=None)
@given(
    st.fixed_dictionaries(
        {"main": st.integers(1, 10**5)}, optional={"side": st.integers(1, 10**5)}
    ),
    CAPS.map(lambda caps: {bet: max(cents, 1) for bet, cents in caps.items()}),
)
def test_through_a_script_the_round_never_returns_more_than_its_cap(
    steps: dict[str, int], caps: dict[str, int]
) -> None:
    stakes = {bet: 100 * count for bet, count in steps.items()}
    played = replay(in_two_steps, toy(caps), DECK, stakes, ["go"])
    settled = [event for event in played.events if isinstance(event, ev.Settled)]
    assert sum(event.returned_cents for event in settled) <= caps.get("round", 10**12)
    for event in settled:
        assert event.returned_cents <= caps.get(event.bet, 10**12)
        assert event == played.lines[event.bet].event(event.n)


@pytest.mark.parametrize(
    ("odds", "returned", "outcome", "written"),
    [
        (2, 3000, "won", "2:1"),
        (Fraction(3, 2), 2500, "won", "3:2"),
        (Fraction(1, 2), 1500, "won", "1:2"),
        (0, 1000, "returned", "0:1"),
    ],
)
def test_odds_a_to_b_pay_stake_times_a_over_b_on_top_of_the_stake(
    odds: Fraction | int, returned: int, outcome: str, written: str
) -> None:
    def script(table: Table, sheet: Toy) -> Script[None]:
        table.pay("main", odds, "wins", "row")
        yield from ()

    line = replay(script, toy(), DECK, {"main": 1000}, []).lines["main"]
    assert (line.returned_cents, line.outcome, line.odds) == (returned, outcome, written)
    assert (line.why, line.row, line.capped) == ("wins", "row", False)


def test_outcomes_are_won_returned_part_or_lost() -> None:
    outcomes = [Line("main", 100, cents, "wins").outcome for cents in (101, 100, 99, 1, 0)]
    assert outcomes == ["won", "returned", "part", "part", "lost"]
