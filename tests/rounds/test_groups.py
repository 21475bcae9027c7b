"""Commands in groups: each gets its own answer, independent of the others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from rounds.guest_seat import PATIENCE_S, STUD, Seated, read, rows_of, write
from rounds.guests_in_one_group import MANY, PURSES, Tables, mixed
from rounds.guests_in_one_group import loaded as loaded
from rounds.guests_in_one_group import tables as tables
from rounds.held_store import held_groups
from rounds.house_with_operator import Returned
from stores import both
from tapisvert.players.repository import open_session, token_hash
from tapisvert.refusal import Refused, unwrap
from tapisvert.rounds import groups
from tapisvert.rounds.decide import Command, MorePlayMoney
from tapisvert.rounds.load import LaterGroup, SharedState
from tapisvert.rounds.schemas import ChoiceRequest, SeatRequest
from tapisvert.store import Tx
from web.scene import everything

pytestmark = both


def test_the_answers_of_a_group_are_those_of_its_commands_one_after_another(
    tmp_path: Path, loaded: list[list[Command]]
) -> None:
    """Answers and rows are equal byte for byte: both houses draw the same random bytes."""
    together, alone = Tables(tmp_path / "a.db"), Tables(tmp_path / "b.db")
    commands = [[tables.ready(kind)[1] for kind in mixed()] for tables in (together, alone)]
    loaded.clear()
    answers = [future.result() for future in together.given(commands[0])]
    assert [len(group) for group in loaded] == [MANY]
    assert answers == [give().result(PATIENCE_S) for give in commands[1]]
    assert [len(group) for group in loaded] == [MANY, *[1] * MANY]
    assert everything(together.house) == everything(alone.house)
    for each in (together, alone):
        each.right()
        each.store.close()


# Two commands of one player ---------------------------------------------------------------------


OTHER = "another token"


def second_session(guest: Seated) -> Seated:
    """Return the same player with a second session."""
    house = guest.house
    house.store.write(lambda tx: open_session(tx, guest.player_id, OTHER, house.clock())).result(
        PATIENCE_S
    )
    return Returned(house, guest.player_id, OTHER)


@pytest.mark.parametrize("sessions", [1, 2])
def test_two_commands_of_one_player_are_done_in_order_in_two_groups(
    tables: Tables, loaded: list[list[Command]], sessions: int
) -> None:
    guest, give_open = tables.ready("open")
    again = guest if sessions == 1 else second_session(guest)
    ((round_id,),) = rows_of(tables.house, "SELECT id FROM rounds")
    _, give_other = tables.ready("open")
    choice = partial(
        tables.house.choose, again.token, "then", round_id, ChoiceRequest(0, "play"), 0
    )
    loaded.clear()
    first, second, other = tables.given([give_open, choice, give_other])
    assert read(unwrap(first.result())).round.state == "open"
    ended = read(unwrap(second.result()))
    assert (ended.round.id, ended.round.state) == (round_id, "settled")
    assert read(unwrap(other.result())).round.state == "open"
    # With one token the second is left in the queue; with two it is found out after loading.
    ran = [[type(command).__name__ for command in group] for group in loaded]
    assert ran == [["Open", "Open"] if sessions == 1 else ["Open", "Choose", "Open"], ["Choose"]]
    assert guest.purse() == PURSES["choose"]
    # An audit knows of one session.
    write(tables.house, "DELETE FROM sessions WHERE token_hash = ?", token_hash(OTHER))


def test_many_commands_of_one_player_are_done_in_the_order_they_were_given(
    tables: Tables, loaded: list[list[Command]]
) -> None:
    """A round, then the next on the seat that follows it, each beside another player's command."""
    guest, give_open = tables.ready("open")
    ((round_id,),) = rows_of(tables.house, "SELECT id FROM rounds")
    give = [give_open]
    for step in range(3):  # one answer, and two that come too late
        answer = ChoiceRequest(step, "play")
        give.append(partial(tables.house.choose, guest.token, f"k{step}", round_id, answer, 0))
    give.append(partial(tables.house.seat, guest.token, SeatRequest(STUD)))
    loaded.clear()
    opened, played, *late, seat = [future.result() for future in tables.given(give)]
    assert (read(opened).round.state, read(played).round.state) == ("open", "settled")
    assert [refused.code for refused in late] == ["round/ended", "round/ended"]
    assert seat == read(played).seat
    assert [len(group) for group in loaded] == [1] * len(give)


def test_strangers_without_a_session_do_not_hold_each_other_up(
    tables: Tables, loaded: list[list[Command]]
) -> None:
    strangers = [partial(tables.house.seat, None, SeatRequest(STUD)) for _ in range(MANY)]
    _, give = tables.ready("seat")
    loaded.clear()
    *refused, seat = [future.result() for future in tables.given([*strangers, give])]
    assert {each.code for each in refused} == {"session/missing"}
    assert not isinstance(seat, Refused)
    assert [len(group) for group in loaded] == [MANY + 1]


# The limits of a group --------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """Let every player be locked elsewhere, unless waited for; return the sizes of groups."""
    sizes: list[tuple[int, bool]] = []

    def load(tx: Tx, group: Sequence[object], shared: SharedState, *, wait: bool) -> list[object]:
        sizes.append((len(group), wait))
        return [Refused("round/unknown") if wait else LaterGroup(elsewhere=True) for _ in group]

    monkeypatch.setattr(groups, "load", load)
    monkeypatch.setattr(groups, "save", lambda tx, writes: None)
    return sizes


def test_a_command_whose_player_is_locked_elsewhere_tries_three_groups_and_then_waits_alone(
    asked: list[tuple[int, bool]],
) -> None:
    store, queue = held_groups()
    future = queue.submit("token", MorePlayMoney("key"))
    while not future.done():
        store.run(len(asked))
    assert asked == [(1, False)] * 3 + [(1, True)]
    assert future.result(0).code == "round/unknown"


def test_a_group_has_at_most_64_commands_and_one_group_runs_at_a_time(
    asked: list[tuple[int, bool]],
) -> None:
    store, queue = held_groups()
    for number in range(100):
        queue.submit(f"token {number}", MorePlayMoney("key"))
    assert len(store.units) == 1
    store.run(0)
    assert asked == [(64, False)]
    assert len(store.units) == 2
    store.run(1)
    assert asked == [(64, False)] * 2  # again, before those that came later
    queue.submit("another token", MorePlayMoney("key"))
    assert len(store.units) == 3
