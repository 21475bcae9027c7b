"""Group commit of players' commands: a group is loaded, decided and saved in one commit.

Commands that queue up during one commit form the next group. Errors are isolated: an exception
while deciding a command affects that command only. If the database rejects the group, the group is
rolled back and each command runs alone. A command that claims a share of a pot also runs alone,
with the pot locked.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tapisvert.bank import jackpot, journal
from tapisvert.refusal import Refused
from tapisvert.rounds.decide import Command, NeedsPot, Outcome, decide
from tapisvert.rounds.load import LaterGroup, Loaded, PreparedCommand, SharedState, load
from tapisvert.rounds.save import save
from tapisvert.rounds.seed_source import Dealer
from tapisvert.rounds.state import CommandState
from tapisvert.store import Store, Tx

GROUP_MAX = 64
_PATIENCE = 3  # retries of a command whose player is locked elsewhere; then it waits, alone


class _QueuedCommand:
    """A queued command and its caller's future."""

    def __init__(self, token: str | None, command: Command) -> None:
        self.token, self.command = token, command
        self.future: Future[Any] = Future()
        self.asked: PreparedCommand | None = None
        self.passed_over = 0

    def answer(self, found: object) -> None:
        with suppress(InvalidStateError):  # the caller has cancelled meanwhile
            if isinstance(found, BaseException) and not isinstance(found, Refused):
                self.future.set_exception(found)
            else:
                self.future.set_result(found)


class _Commit:
    """One commit: its commands, taken from the queue when it begins, and the outcome of each."""

    def __init__(self, *alone: _QueuedCommand, pot: str | None = None) -> None:
        self.group = list(alone)
        self.taken = self.alone = bool(alone)
        self.pot = pot
        self.found: list[object] = []
        self.dealing_failed = False


@dataclass(frozen=True, slots=True)
class _After:
    """The commands of a unit that have no answer yet: to run alone, or in a later group."""

    alone: list[_Commit] = field(default_factory=list)
    again: list[_QueuedCommand] = field(default_factory=list)


class Groups:
    """The queue of players' commands on one store."""

    def __init__(
        self,
        store: Store,
        shared: Callable[[], SharedState],
        dealer: Dealer,
        clock: Callable[[], int],
    ) -> None:
        self._store, self._shared = store, shared
        self._dealer, self._clock = dealer, clock
        self._queue: deque[_QueuedCommand] = deque()
        self._door = threading.Lock()
        self._under_way = 0
        # Tokens of commands that run alone: until they are done, later commands stay in the queue.
        self._alone: set[str | None] = set()

    def submit(self, token: str | None, command: Command) -> Future[Any]:
        """Queue a command; its future completes after the commit of its group."""
        waiting = _QueuedCommand(token, command)
        with self._door:
            self._queue.append(waiting)
            begins = self._may_begin()
        if begins:
            self._begin(_Commit())
        return waiting.future

    def _begin(self, unit: _Commit) -> None:
        self._store.write(partial(self._work, unit)).add_done_callback(partial(self._done, unit))

    def _work(self, unit: _Commit, tx: Tx) -> None:
        """Run a unit. The store may run it again from its beginning."""
        if not unit.taken:
            unit.group, unit.taken = self._take(), True
        group = [self._prepared(unit, waiting) for waiting in unit.group]
        if not group:
            return
        states = load(tx, group, self._shared(), wait=unit.alone)
        if unit.pot is not None:
            states = [self._with_pot(tx, unit.pot, state) for state in states]
        unit.found = [
            self._decided(state, asked.command) for state, asked in zip(states, group, strict=True)
        ]
        save(
            tx,
            [found.writes for found in unit.found if isinstance(found, Outcome) and found.writes],
        )
        if unit.dealing_failed:
            self._record_failed_dealing(tx)

    def _take(self) -> list[_QueuedCommand]:
        """Take queued commands, at most one per token; the others keep their order.

        A command also stays while an earlier one of its token runs alone. Cancelled commands are
        dropped.
        """
        group, left = list[_QueuedCommand](), list[_QueuedCommand]()
        with self._door:
            tokens = set(self._alone)
            while self._queue and len(group) < GROUP_MAX:
                waiting = self._queue.popleft()
                if waiting.token and waiting.token in tokens:
                    left.append(waiting)
                elif waiting.asked is not None or waiting.future.set_running_or_notify_cancel():
                    group.append(waiting)
                    tokens.add(waiting.token)
            self._queue.extendleft(reversed(left))
        return group

    def _prepared(self, unit: _Commit, waiting: _QueuedCommand) -> PreparedCommand:
        """Return a command with the time of this attempt; its random bytes are drawn once."""
        if waiting.asked is None:
            was_working = self._dealer.working
            drawn = self._dealer.drawn()
            if isinstance(drawn, Refused) and was_working and self._dealer.first_to_tell():
                unit.dealing_failed = True
            waiting.asked = PreparedCommand(waiting.token, waiting.command, self._clock(), drawn)
            return waiting.asked
        failed = not self._dealer.working  # the entropy source has failed since (R10)
        drawn = Refused("dealing/unavailable") if failed else waiting.asked.drawn
        waiting.asked = replace(waiting.asked, now_ms=self._clock(), drawn=drawn)
        return waiting.asked

    def _record_failed_dealing(self, tx: Tx) -> None:
        """Record the failure of the entropy source, once (R10)."""
        was, now = {"dealing": "ok"}, {"dealing": "failed"}
        journal.record(tx, self._clock(), "dealing_failed", before=was, after=now)

    def _with_pot(self, tx: Tx, pot: str, state: Loaded) -> Loaded:
        """Lock and fold the pot, for a command that claims a share of it."""
        if not isinstance(state, CommandState):
            return state
        return replace(state, locked_pot=jackpot.fold(tx, pot, state.now_ms))

    @staticmethod
    def _decided(state: Loaded, command: Command) -> object:
        if not isinstance(state, CommandState):
            return state
        try:
            return decide(state, command)
        except Exception as error:  # affects this command only
            return error

    def _done(self, unit: _Commit, future: Future[None]) -> None:
        """Answer a unit's commands, run alone those that need it, and begin the next unit."""
        error = future.exception()
        after = self._answered(unit) if error is None else self._failed(unit, error)
        with self._door:
            if unit.alone:
                self._alone.difference_update(waiting.token for waiting in unit.group)
            else:
                self._under_way -= 1
            self._queue.extendleft(reversed(after.again))
            self._alone.update(one.group[0].token for one in after.alone)
            begins = self._may_begin()
        for one in after.alone:
            self._begin(one)
        if begins:
            self._begin(_Commit())

    def _may_begin(self) -> bool:
        """Take a place for a group, if one is free and a queued command may run."""
        begins = self._under_way < self._store.groups_at_once and not all(
            waiting.token and waiting.token in self._alone for waiting in self._queue
        )
        self._under_way += begins
        return begins

    def _answered(self, unit: _Commit) -> _After:
        """Answer the commands of a unit that was committed."""
        after = _After()
        for waiting, found in zip(unit.group, unit.found, strict=True):
            if isinstance(found, NeedsPot):
                after.alone.append(_Commit(waiting, pot=found.pot))
            elif isinstance(found, LaterGroup):
                waiting.passed_over += found.elsewhere
                if waiting.passed_over < _PATIENCE:
                    after.again.append(waiting)
                else:
                    after.alone.append(_Commit(waiting))
            else:
                waiting.answer(found.answer if isinstance(found, Outcome) else found)
        return after

    def _failed(self, unit: _Commit, error: BaseException) -> _After:
        """Run each command of a failed group alone; answer a lone command with its error."""
        if unit.dealing_failed:  # the rollback undid that record
            self._store.write(self._record_failed_dealing)
        group = unit.group if unit.taken else self._take()
        gone = isinstance(error, Refused) and error.code == "store/unavailable"
        if not gone and len(group) > 1:
            return _After([_Commit(waiting) for waiting in group])
        for waiting in group:
            waiting.answer(error)
        return _After()
