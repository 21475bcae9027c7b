"""Fault isolation: when a command fails, its group is rolled back and each command runs alone."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from houses import counting_entropy
from rounds.guest_seat import PATIENCE_S, Seated, read, rows_of
from rounds.guests_in_one_group import MANY, PURSES, Give, Tables, mixed
from rounds.guests_in_one_group import loaded as loaded
from rounds.guests_in_one_group import tables as tables
from rounds.held_store import held_groups
from rounds.house_with_operator import recorded
from stores import VIOLATIONS, both
from tapisvert.refusal import Refused
from tapisvert.rounds import groups
from tapisvert.rounds.decide import Command, MorePlayMoney, NeedsPot, Outcome, decide
from tapisvert.rounds.groups import Groups
from tapisvert.rounds.state import CommandState
from web.scene import everything

pytestmark = both


class Faults:
    """Makes one player's command fail while it is decided, and another's when it is saved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.raising = self.violating = self.taken = ""
        monkeypatch.setattr(groups, "decide", self._decide)

    def _decide(self, state: CommandState, command: Command) -> Outcome | NeedsPot:
        if state.player.id == self.raising:
            raise ZeroDivisionError("a fault of ours")
        found = decide(state, command)
        if state.player.id == self.violating:
            assert isinstance(found, Outcome)
            assert found.writes is not None
            # Its new seat has the id of a round that is there.
            seats = [replace(seat, id=self.taken) for seat in found.writes.seats]
            writes = dataclasses.replace(found.writes, seats=seats)
            return dataclasses.replace(found, writes=writes)
        return found


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Faults:
    return Faults(monkeypatch)


RAISES, VIOLATES, CANCELLED = 5, 8, 14  # an open, a seat and a choice, in the middle of the others


def with_faults(tables: Tables, faults: Faults) -> tuple[list[Seated], list[Give]]:
    """Return a group of commands in which three fail."""
    guests, commands = zip(*(tables.ready(kind) for kind in mixed()), strict=True)
    faults.raising, faults.violating = guests[RAISES].player_id, guests[VIOLATES].player_id
    ((faults.taken,),) = rows_of(tables.house, "SELECT id FROM rounds ORDER BY seq LIMIT 1")
    return list(guests), list(commands)


def test_of_a_group_in_which_three_cannot_be_done_all_others_are_answered_and_right(
    tables: Tables, faults: Faults, loaded: list[list[Command]]
) -> None:
    guests, commands = with_faults(tables, faults)
    loaded.clear()
    futures = tables.given(commands, cancelled=CANCELLED)
    assert [len(group) for group in loaded] == [MANY - 1, *[1] * (MANY - 1)]
    assert futures[CANCELLED].cancelled()
    assert isinstance(futures[RAISES].exception(), ZeroDivisionError)
    assert isinstance(futures[VIOLATES].exception(), VIOLATIONS)
    for place, (kind, guest) in enumerate(zip(mixed(), guests, strict=True)):
        if place in (RAISES, VIOLATES, CANCELLED):
            done, purse = False, {"choose": (99_900, 100)}.get(kind, (100_000, 0))
        else:
            done, purse = True, PURSES[kind]
            check_answer(kind, guest, futures[place].result())
        assert guest.purse() == purse, (place, kind)
        kept = rows_of(
            tables.house,
            "SELECT 1 FROM commands WHERE player_id = ? AND key = 'key'",
            guest.player_id,
        )
        assert len(kept) == (done and kind != "seat"), (place, kind)
    # What failed by a fault of ours is done when it is given again.
    faults.raising = faults.violating = ""
    for place in (RAISES, VIOLATES, CANCELLED):
        check_answer(mixed()[place], guests[place], commands[place]().result(PATIENCE_S))


def check_answer(kind: str, guest: Seated, answer: object) -> None:
    """Compare an answer with the player's current view."""
    if kind == "seat":
        assert answer == guest.seat()
    elif kind == "more":
        assert guest.purse() == PURSES["more"]
        assert isinstance(answer, bytes)
    else:
        assert isinstance(answer, bytes)
        reply = read(answer)
        assert reply.round.state == {"open": "open", "choose": "settled"}[kind]
        assert reply.round == read(guest.shown(reply.round.id)).round
        assert (reply.wallet.balance_cents, reply.wallet.held_cents) == PURSES[kind]
        if kind == "choose":
            assert reply.seat == guest.seat()


def test_were_commands_not_run_alone_afterwards_the_whole_group_would_be_lost(
    tables: Tables, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: without the individual runs, the rollback would lose the whole group."""

    def give_up(self: Groups, group: groups._Group, error: BaseException) -> groups._Unanswered:
        for queued in group.commands:
            queued.answer(error)
        return groups._Unanswered()

    monkeypatch.setattr(Groups, "_failed", give_up)
    _, commands = with_faults(tables, faults)
    before = everything(tables.house)
    futures = tables.given(commands, cancelled=CANCELLED)
    failed = [future for future in futures if not future.cancelled()]
    assert all(isinstance(future.exception(), VIOLATIONS) for future in failed)
    assert len(failed) == MANY - 1
    assert everything(tables.house) == before


def test_a_fault_while_deciding_alone_costs_its_neighbours_nothing(
    tables: Tables, faults: Faults, loaded: list[list[Command]]
) -> None:
    guests, commands = with_faults(tables, faults)
    faults.violating = ""
    loaded.clear()
    futures = tables.given(commands)
    assert [len(group) for group in loaded] == [MANY]  # one group, and nothing was run again
    assert isinstance(futures[RAISES].exception(), ZeroDivisionError)
    for place, (kind, guest) in enumerate(zip(mixed(), guests, strict=True)):
        if place != RAISES:
            check_answer(kind, guest, futures[place].result())


def test_R10_a_failed_source_is_put_on_record_although_its_group_is_undone(
    tmp_path: Path, faults: Faults
) -> None:
    source = counting_entropy()
    failing = False

    def entropy(size: int) -> bytes:
        return bytes(size) if failing else source(size)

    tables = Tables(tmp_path / "tapis.db", entropy)
    (opener, give_open), (ending, give_choice) = tables.ready("open"), tables.ready("choose")
    (broke, give_more), (_, give_seat) = tables.ready("more"), tables.ready("seat")
    failing = True

    def unsaved(state: CommandState, command: Command) -> Outcome | NeedsPot:
        found = decide(state, command)
        if state.player.id == broke.player_id:
            assert isinstance(found, Outcome)
            assert found.writes is not None
            found.writes.accounts.append((f"player:{opener.player_id}", "FUN"))  # it has one
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "decide", unsaved)
        futures = tables.given([give_open, give_choice, give_more, give_seat])
    codes = [
        answer.code if isinstance(answer := future.result(), Refused) else "done"
        for future in (futures[0], futures[1], futures[3])
    ]
    assert codes == ["dealing/unavailable", "done", "dealing/unavailable"]
    assert isinstance(futures[2].exception(), VIOLATIONS)
    assert read(futures[1].result()).seat is None
    assert ending.purse() == PURSES["choose"]
    assert len(recorded(tables.house, "dealing_failed")) == 1
    tables.right()
    tables.store.close()


# A store that answers when it is told to -----------------------------------------------------


@pytest.mark.parametrize(("code", "alone"), [("store/unavailable", 0), ("seal/broken", 3)])
def test_a_store_that_is_down_is_not_asked_again_for_each_command(code: str, alone: int) -> None:
    store, groups_ = held_groups()
    futures = [groups_.submit(f"token {n}", MorePlayMoney("key")) for n in range(3)]
    assert len(store.units) == 1  # one group at a time
    store.units[0][1].set_exception(Refused(code))
    assert len(store.units) == 1 + alone
    assert [future.done() for future in futures] == [not alone] * 3
    last = groups_.submit("token", MorePlayMoney("key"))
    for _, unit in store.units[1 : 1 + alone]:
        unit.set_exception(Refused(code))
    assert [future.result(0).code for future in futures] == [code] * 3
    assert len(store.units) == 1 + alone + 1  # the group of the last: none of its own for the rest
    assert not last.done()


def test_what_is_left_in_the_queue_goes_on_after_a_group_that_failed() -> None:
    store, queue = held_groups()
    first, second = [queue.submit("token", MorePlayMoney(key)) for key in "ab"]
    store.units[0][1].set_exception(Refused("store/unavailable"))
    assert first.result(0).code == "store/unavailable"
    assert not second.done()
    assert len(store.units) == 2  # the second is tried


def test_a_group_whose_commands_were_all_cancelled_makes_room_for_the_next() -> None:
    store, groups_ = held_groups()
    assert groups_.submit("token", MorePlayMoney("key")).cancel()
    work, unit = store.units[0]
    unit.set_result(work(None))
    groups_.submit("token", MorePlayMoney("key"))
    assert len(store.units) == 2


def test_a_claim_without_a_session_is_refused_with_the_pot_locked_too() -> None:
    nothing: Any = None
    missing = Refused("session/missing")
    assert held_groups()[1]._with_pot(nothing, "blackjack", missing) is missing


def test_R10_a_failed_source_is_on_record_before_the_commands_of_an_undone_group_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error = ZeroDivisionError("a fault of ours")

    def load(*given: object, **named: object) -> None:
        raise error

    monkeypatch.setattr(groups, "load", load)
    store, queue = held_groups(bytes)  # a source that gives zeros has failed
    futures = [queue.submit(f"token {n}", MorePlayMoney("key")) for n in range(3)]
    work, group = store.units[0]
    with pytest.raises(ZeroDivisionError):
        work(None)
    group.set_exception(error)
    assert len(store.units) == 2  # the record, and nothing else yet
    store.units[1][1].set_result(None)
    assert len(store.units) == 2 + 3  # each command alone
    for _, alone in store.units[2:]:
        alone.set_exception(error)
    assert [future.exception(0) for future in futures] == [error] * 3
    assert len(store.units) == 2 + 3
