"""Players with several tabs each, shared knowledge about others, and a client."""

from __future__ import annotations

import threading
import time
from collections import deque
from random import Random
from typing import NamedTuple

from history.doors import Door, NotSent
from history.records import Answer, Log, Request

NEVER_ANSWERED = 0.012  # how many commands are sent and left alone


class Person:
    """A player: a guest, or one with an account."""

    def __init__(self, name: str, *, guest: bool, bold: bool, games: tuple[str, ...]) -> None:
        self.name, self.guest, self.bold, self.games = name, guest, bold, games
        self.player_id, self.token, self.tabs = "", "", 2
        self.recent: deque[Request] = deque(maxlen=4)  # commands of any tab, perhaps under way
        self.ended: list[str] = []
        self.seats: dict[str, tuple[str, str]] = {}  # what a newly opened tab remembers
        self._keys, self._lock = 0, threading.Lock()

    def key(self) -> str:
        with self._lock:
            self._keys += 1
            return f"{self.name}-{self._keys}"


class Played(NamedTuple):
    """A round that was opened, as everyone may know it."""

    round_id: str
    player_id: str
    guest: bool
    net_cents: int  # nothing while it is open


class Board:
    """Shared knowledge: rounds, seats and people."""

    def __init__(self) -> None:
        self.people: list[Person] = []
        self.waiting: deque[Person] = deque()  # to be signed up by an operator
        self.stopped: deque[str] = deque()  # scopes to resume
        self.rounds: deque[Played] = deque(maxlen=60)
        self.won: deque[Played] = deque(maxlen=20)
        self.seats: deque[tuple[str, str]] = deque(maxlen=20)
        self.opened: dict[str, Person] = {}  # every round that was ever opened, and whose it is
        self.proven: set[str] = set()

    def come(self, people: list[Person], stay: int) -> None:
        """Let new people arrive; this many of the present ones stay."""
        self.people = [*self.people[len(self.people) - stay :], *people]
        self.waiting.extend(each for each in people if not each.guest)

    def over(self, person: Person, round_id: str, net_cents: int) -> None:
        person.ended.append(round_id)
        played = Played(round_id, person.player_id, person.guest, net_cents)
        self.rounds.append(played)
        if net_cents > 0 and not person.guest:
            self.won.append(played)


class Client(threading.Thread):
    """A client that sends one request after another, and records the answers."""

    def __init__(self, name: str, door: Door, log: Log, seed: str, until: int) -> None:
        super().__init__(name=name, daemon=True)
        self.door, self.log, self.dice = door, log, Random(seed)
        self.until = until  # number of operations in the whole history
        self.failure: BaseException | None = None

    def run(self) -> None:
        """Act until there are enough operations."""
        try:
            while self.log.operations < self.until:
                self.act()
        except BaseException as failure:
            self.failure = failure

    def act(self) -> None:
        raise NotImplementedError

    def ask(self, request: Request) -> Answer:
        """Send until answered; a command may be sent and abandoned before that."""
        if request.key is not None and self.dice.random() < NEVER_ANSWERED:
            self.log.run(self.name, request, self._lose)
        while True:
            try:
                answer = self.log.run(self.name, request, self.door.send)
            except NotSent:
                time.sleep(0.02)
                continue
            if answer is not None:
                return answer

    def _lose(self, request: Request) -> None:
        self.door.lose(request)
