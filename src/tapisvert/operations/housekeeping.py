"""Housekeeping every few seconds: void overdue rounds, fold the pots, seal.

Any number of processes may do it at once: each round is voided in its own transaction, and only if
it is still open. Delays are measured by the monotonic clock plus the smallest wall-clock offset
seen so far. So no change of the wall clock makes a round expire early, even one opened between two
changes. A change of the wall clock is recorded (S10).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial

from tapisvert.bank import jackpot, journal, seals
from tapisvert.operations.void_state import load_void_state
from tapisvert.operations.voiding import decide_expiry
from tapisvert.rounds.player_service import PlayerService
from tapisvert.rounds.repository import due
from tapisvert.rounds.save import save
from tapisvert.store import Tx
from tapisvert.store.outage import is_outage

EVERY_S = 4  # a displayed pot is at most 5 s old: this leaves 1 s for the work (J1)
JUMP_MS = 60_000  # a smaller step is an ordinary correction, not a change of the clock
_BATCH = 200

_log = logging.getLogger("tapisvert")


def monotonic_ms() -> int:
    """Return the monotonic clock in milliseconds."""
    return time.monotonic_ns() // 1_000_000


class Housekeeping:
    """Periodic work of a server: expired rounds, folds of pots, seals, the clock."""

    def __init__(self, house: PlayerService, steady: Callable[[], int] = monotonic_ms) -> None:
        self.house = house
        self._steady = steady
        self._offset = house.clock() - steady()  # wall-clock time at monotonic 0
        self._told_offset = self._offset
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def now_ms(self) -> int:
        """Return the time that delays are measured by."""
        return self._steady() + self._offset

    def tick(self) -> int:
        """Run all periodic work once; return the number of rounds voided."""
        self.watch_clock()
        voided = self.sweep()
        self.fold()
        self.seal()
        return voided

    def sweep(self) -> int:
        """Void every round past its delay; one that cannot be voided does not block others."""
        now, voided, stuck = self.now_ms(), 0, set[str]()
        while True:
            found = self.house.store.read(lambda tx: due(tx, now, _BATCH + len(stuck))).result()
            batch = [round_id for round_id in found if round_id not in stuck]
            if not batch:
                return voided
            done = {each: self.house.store.write(self._expire(each, now)) for each in batch}
            for round_id, future in done.items():
                try:
                    voided += future.result()
                except Exception as error:
                    if not is_outage(error):
                        _log.error("round %s cannot be voided", round_id, exc_info=error)
                    stuck.add(round_id)

    def fold(self) -> None:
        """Fold the contributions into every pot, and update the displayed values (J1)."""
        for pot in self.house.store.read(jackpot.pots).result():
            self.house.store.write(partial(self._fold, pot.id)).result()

    def watch_clock(self) -> None:
        """Record a change of the wall clock; lower the offset if the clock was set back."""
        wall, steady = self.house.clock(), self._steady()
        self._offset = min(self._offset, wall - steady)
        before = steady + self._told_offset
        if abs(wall - before) < JUMP_MS:
            return
        self._told_offset += wall - before
        self.house.store.write(
            lambda tx: journal.record(tx, wall, "clock_set", before=before, after=wall)
        ).result()

    def seal(self) -> None:
        """Seal new rows, up to numbers below which no row can still be committed."""
        store, clock, sign = self.house.store, self.house.clock, self.house.dealer.sign
        upto = store.read(seals.unsealed).result()
        if upto is None or not store.barrier().result():
            return
        while store.write(lambda tx: seals.seal(tx, clock(), upto, store.schema, sign)).result():
            pass  # one transaction per seal, so that a backlog blocks no command

    def run(self) -> threading.Thread:
        """Seal the rows the last run left, then start the thread that ticks until `stop`."""
        self._try(self.seal)
        self._thread = threading.Thread(target=self._loop, name="housekeeping", daemon=True)
        self._thread.start()
        return self._thread

    def stop(self) -> None:
        """Stop ticking, and seal the last rows."""
        self._stopping.set()
        if self._thread not in (None, threading.current_thread()):
            self._thread.join()
            self._thread = None
            self._try(self.seal)

    def _loop(self) -> None:
        while not self._stopping.wait(EVERY_S):
            self._try(self.tick)

    def _try(self, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as error:  # retry at the next tick: a full disk may have room then
            if not is_outage(error):  # the store logs outages
                _log.error("housekeeping: %s", error, exc_info=error)

    def _fold(self, pot_id: str, tx: Tx) -> None:
        jackpot.fold(tx, pot_id, self.house.clock())

    def _expire(self, round_id: str, now: int) -> Callable[[Tx], bool]:
        def work(tx: Tx) -> bool:
            state = load_void_state(tx, round_id, now, self.house.shared())
            if state is None or state.stored.state != "open":
                return False  # another process or the player was first
            save(tx, [decide_expiry(state)])
            return True

        return work
