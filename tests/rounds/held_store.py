"""A store that answers when it is told to."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from houses import KEY, Clock
from tapisvert.rounds import Dealer
from tapisvert.rounds.groups import Groups
from tapisvert.sealing import Entropy, Sealer


class Held:
    """A store whose units wait until the test runs them or fails them."""

    groups_at_once = 1

    def __init__(self) -> None:
        self.units: list[tuple[Callable[[Any], Any], Future[Any]]] = []

    def write(self, work: Callable[[Any], Any]) -> Future[Any]:
        """Keep a unit."""
        self.units.append((work, Future()))
        return self.units[-1][1]

    def run(self, place: int) -> None:
        """Run a unit."""
        work, future = self.units[place]
        future.set_result(work(None))


def held_groups(entropy: Entropy = os.urandom) -> tuple[Held, Groups]:
    """Return the queue of commands of such a store."""
    nothing: Any = None
    store: Any = Held()
    return store, Groups(store, lambda: nothing, Dealer(Sealer(KEY), entropy), Clock())
