"""Groups of players' commands: a group is loaded, decided and saved in one commit.

Commands that queue up during one commit form the next group. Errors are isolated: an exception
while deciding a command affects that command only. If the database rejects a group, the group is
rolled back and each of its commands becomes a group of its own. A command that claims a share of a
pot runs alone too, with the pot locked; so does one whose player has been locked elsewhere three
times.
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
_PATIENCE = 3  # attempts of a command whose player is locked elsewhere; then it waits, alone


class _QueuedCommand:
    """A queued command and its caller's future."""

    def __init__(self, token: str | None, command: Command) -> None:
        self.token, self.command = token, command
        self.future: Future[Any] = Future()
        self.prepared: PreparedCommand | None = None
        self.passed_over = 0

    def answer(self, found: object) -> None:
        with suppress(InvalidStateError):  # the caller has cancelled meanwhile
            if isinstance(found, BaseException) and not isinstance(found, Refused):
                self.future.set_exception(found)
            else:
                self.future.set_result(found)


class _Group:
    """The commands of one commit, and the result of each.

    A group has one command that runs alone, or takes its commands from the queue when it begins.
    """

    def __init__(self, *alone: _QueuedCommand, pot: str | None = None) -> None:
        self.commands = list(alone)
        self.taken = self.alone = bool(alone)
        self.pot = pot  # the pot that the command claims a share of
        self.found: list[object] = []
        self.dealing_failed = False


@dataclass(frozen=True, slots=True)
class _Unanswered:
    """The commands of a group that have no answer yet: to run alone, or in a later group."""

    alone: list[_Group] = field(default_factory=list)
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
        queued = _QueuedCommand(token, command)
        with self._door:
            self._queue.append(queued)
            begins = self._may_begin()
        if begins:
            self._begin(_Group())
        return queued.future

    def _begin(self, group: _Group) -> None:
        self._store.write(partial(self._work, group)).add_done_callback(partial(self._done, group))

    def _work(self, group: _Group, tx: Tx) -> None:
        """Load, decide and save a group. The store may run this again."""
        if not group.taken:
            group.commands, group.taken = self._take(), True
        prepared = [self._prepared(group, queued) for queued in group.commands]
        if not prepared:
            return
        states = load(tx, prepared, self._shared(), wait=group.alone)
        if group.pot is not None:
            states = [self._with_pot(tx, group.pot, state) for state in states]
        group.found = [
            self._decided(state, each.command) for state, each in zip(states, prepared, strict=True)
        ]
        save(
            tx,
            [found.writes for found in group.found if isinstance(found, Outcome) and found.writes],
        )
        if group.dealing_failed:
            self._record_failed_dealing(tx)

    def _take(self) -> list[_QueuedCommand]:
        """Take queued commands, at most one per token; the others keep their order.

        A command also stays queued while an earlier one of its token runs alone. Cancelled commands
        are dropped.
        """
        taken, left = list[_QueuedCommand](), list[_QueuedCommand]()
        with self._door:
            tokens = set(self._alone)
            while self._queue and len(taken) < GROUP_MAX:
                queued = self._queue.popleft()
                if queued.token and queued.token in tokens:
                    left.append(queued)
                elif queued.prepared is not None or queued.future.set_running_or_notify_cancel():
                    taken.append(queued)
                    tokens.add(queued.token)
            self._queue.extendleft(reversed(left))
        return taken

    def _prepared(self, group: _Group, queued: _QueuedCommand) -> PreparedCommand:
        """Return a command with the time of this attempt; its random bytes are drawn once."""
        if queued.prepared is None:
            was_working = self._dealer.working
            drawn = self._dealer.drawn()
            if isinstance(drawn, Refused) and was_working and self._dealer.first_to_record():
                group.dealing_failed = True
            queued.prepared = PreparedCommand(queued.token, queued.command, self._clock(), drawn)
            return queued.prepared
        failed = not self._dealer.working  # the entropy source has failed since (R10)
        drawn = Refused("dealing/unavailable") if failed else queued.prepared.drawn
        queued.prepared = replace(queued.prepared, now_ms=self._clock(), drawn=drawn)
        return queued.prepared

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

    def _done(self, group: _Group, future: Future[None]) -> None:
        """Answer a group's commands, run alone those that need it, and begin the next group."""
        error = future.exception()
        if error is not None and group.dealing_failed:
            # The rollback undid the record: write it again before any answer.
            group.dealing_failed = False
            recorded = self._store.write(self._record_failed_dealing)
            recorded.add_done_callback(lambda _: self._done(group, future))
            return
        after = self._answered(group) if error is None else self._failed(group, error)
        with self._door:
            if group.alone:
                self._alone.difference_update(queued.token for queued in group.commands)
            else:
                self._under_way -= 1
            self._queue.extendleft(reversed(after.again))
            self._alone.update(one.commands[0].token for one in after.alone)
            begins = self._may_begin()
        for one in after.alone:
            self._begin(one)
        if begins:
            self._begin(_Group())

    def _may_begin(self) -> bool:
        """Reserve a place for a group, if one is free and a queued command may run."""
        begins = self._under_way < self._store.groups_at_once and not all(
            queued.token and queued.token in self._alone for queued in self._queue
        )
        self._under_way += begins
        return begins

    def _answered(self, group: _Group) -> _Unanswered:
        """Answer the commands of a group that was committed."""
        after = _Unanswered()
        for queued, found in zip(group.commands, group.found, strict=True):
            if isinstance(found, NeedsPot):
                after.alone.append(_Group(queued, pot=found.pot))
            elif isinstance(found, LaterGroup):
                queued.passed_over += found.elsewhere
                if queued.passed_over < _PATIENCE:
                    after.again.append(queued)
                else:
                    after.alone.append(_Group(queued))
            else:
                queued.answer(found.answer if isinstance(found, Outcome) else found)
        return after

    def _failed(self, group: _Group, error: BaseException) -> _Unanswered:
        """Run each command of a failed group alone; answer a lone command with its error."""
        commands = group.commands if group.taken else self._take()
        gone = isinstance(error, Refused) and error.code == "store/unavailable"
        if not gone and len(commands) > 1:
            return _Unanswered([_Group(queued) for queued in commands])
        for queued in commands:
            queued.answer(error)
        return _Unanswered()
