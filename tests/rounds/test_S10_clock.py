"""S10: setting the clock expires nothing early, is recorded, and changes no order."""

from __future__ import annotations

import itertools

import pytest

from rounds.guest_seat import Seated, rows_of
from rounds.house_with_operator import (
    DAY_MS,
    HOUR_MS,
    TABLES,
    Time,
    findings,
    keeper_of,
    opened,
    played,
    recorded,
)
from stores import both_at_length
from tapisvert.history import player_history
from tapisvert.operations.housekeeping import JUMP_MS, Housekeeping
from tapisvert.rounds import PlayerService
from tiers import one_in

pytestmark = both_at_length

JUMPS = [HOUR_MS, -HOUR_MS, DAY_MS, -DAY_MS]
DELAY_MS = TABLES["blackjack"].delay_ms


@pytest.mark.parametrize(
    "jumps", [*itertools.permutations(JUMPS, 1), *one_in(4, [*itertools.product(JUMPS, JUMPS)])]
)
def test_S10_no_round_expires_before_it_was_open_for_its_delay(
    house: PlayerService, time: Time, jumps: tuple[int, ...]
) -> None:
    """A round is opened before the first change and after each; none may expire early."""
    keeper, open_since = keeper_of(house, time), {}
    for jump in (0, *jumps):
        time.is_set(jump)
        time.passes(1000)
        keeper.tick()
        open_since[opened(Seated(house), "blackjack")] = time.steady_ms
    states: dict[str, str] = {}
    for _ in range(4 * 24):
        time.passes(HOUR_MS)
        keeper.tick()
        states = dict(rows_of(house, "SELECT id, state FROM rounds WHERE state <> 'seated'"))
        for round_id, since in open_since.items():
            assert states[round_id] == "open" or time.steady_ms - since >= DELAY_MS, jumps
    assert set(states.values()) == {"voided"}  # late at worst, never not at all
    assert findings(house) == ()


def test_S10_delays_follow_the_wall_backwards_only(house: PlayerService, time: Time) -> None:
    keeper, begun = keeper_of(house, time), time.wall.now_ms
    for jump, then in ((HOUR_MS, begun), (-3 * HOUR_MS, begun - 2 * HOUR_MS)):
        time.is_set(jump)
        keeper.watch_clock()
        assert keeper.now_ms() == then


def test_S10_S3_a_jump_is_one_event_with_the_time_before_and_after(
    house: PlayerService, time: Time
) -> None:
    keeper = keeper_of(house, time)
    time.passes(HOUR_MS)
    keeper.tick()
    assert recorded(house, "clock_set") == []  # time that passes is no jump
    for count, jump in enumerate(JUMPS, start=1):
        before = time.wall.now_ms
        time.is_set(jump)
        for _ in range(3):
            keeper.tick()
            time.passes(1000)
        events = recorded(house, "clock_set")
        assert len(events) == count
        told = [events[-1][name] for name in ("by", "before", "after")]
        assert told == ["house", before, before + jump]


@pytest.mark.parametrize("sign", [1, -1])
def test_S10_a_small_correction_is_no_event_but_many_of_them_are(
    house: PlayerService, time: Time, sign: int
) -> None:
    assert JUMP_MS == 60_000
    keeper = keeper_of(house, time)
    time.is_set(sign * (JUMP_MS - 1))
    keeper.tick()
    assert recorded(house, "clock_set") == []
    time.is_set(sign)
    keeper.tick()
    (event,) = recorded(house, "clock_set")
    assert (event["player_id"], event["round_id"]) == (None, None)


@pytest.mark.parametrize("jump", one_in(2, JUMPS))
def test_S10_everything_stays_in_the_order_it_happened(
    house: PlayerService, time: Time, jump: int
) -> None:
    guest, order = Seated(house), []
    for _ in range(3):
        order.append(played(guest, "casino-stud"))
        time.is_set(jump)
    order.append(opened(guest, "casino-stud"))
    history = guest.ask(lambda desk: player_history.rounds(desk, None, None))
    assert [line.id for line in history.rounds] == order[::-1]
    statement = guest.ask(lambda desk: player_history.transfers(desk, None))
    ids = [line.id for line in statement.transfers]
    assert ids == sorted(ids, reverse=True)
    assert [line.round_id for line in statement.transfers][:1] == order[-1:]
    assert findings(house) == ()


@pytest.mark.parametrize("by", ["the wall's clock", "the steady clock alone"])
def test_S10_control_by_either_clock_alone_a_round_expires_early(
    house: PlayerService, time: Time, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    offset, by_the_wall = time.wall.now_ms - time.steady_ms, by == "the wall's clock"

    def hasty(keeper: Housekeeping) -> int:
        return time.wall.now_ms if by_the_wall else time.steady_ms + offset

    monkeypatch.setattr(Housekeeping, "now_ms", hasty)
    keeper = keeper_of(house, time)
    if not by_the_wall:
        time.is_set(-DAY_MS)
    opened(Seated(house), "blackjack")
    if by_the_wall:
        time.is_set(DAY_MS)
    assert keeper.tick() == 1
