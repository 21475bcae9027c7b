"""One of several servers on one PostgreSQL database, whose players all act at one instant.

Meanwhile its housekeeping sweeps, folds and seals without a pause. It runs in this process or in a
separate one (`Elsewhere`), with the same three calls: `ready`, `go`, `heard`.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from houses import KEY
from rounds.guest_seat import PATIENCE_S, read
from rounds.house_with_operator import Funded
from rounds.house_with_pot import GAME, STAKES, named_deck, pot_of, stood, won_cents
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.refusal import Refused
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.rounds.schemas import OpenRequest
from tapisvert.sealing import Sealer
from tapisvert.store.postgres import PostgresStore

PLAYERS = 6  # of a server: fewer than it has writers, so that all of them are under way together
FED = 2  # rounds that a player without luck plays in an instant
_CENTS = 10**9


class Heard(NamedTuple):
    """A player's answer to a bet, with its send and answer times on the monotonic clock."""

    round_id: str
    hand: str
    cents: int
    sent_ns: int
    heard_ns: int
    retried: int


class Server:
    """A house with housekeeping and a few rich players."""

    def __init__(self, url: str, kind: type[PostgresStore] = PostgresStore) -> None:
        self.house = PlayerService(kind(url), Dealer(Sealer(KEY), shuffle=named_deck))
        self._players = [Funded(self.house, _CENTS) for _ in range(PLAYERS)]
        self._threads = ThreadPoolExecutor(PLAYERS + 1)
        self._keeping: Future[None] | None = None

    def ready(self, hands: list[str]) -> None:
        """Seat one player per hand, ready to bet."""
        asked = [
            (player, hand, player.asking(STAKES, GAME, client_seed=hand))
            for player, hand in zip(self._players, hands, strict=False)
        ]
        self._started, self._over = threading.Event(), threading.Event()
        here = threading.Barrier(len(asked) + 1)
        self._playing = [self._threads.submit(self._play, here, *each) for each in asked]
        self._keeping = self._threads.submit(self._keep)
        here.wait(PATIENCE_S)

    def go(self) -> None:
        """Let them bet, all at once."""
        self._started.set()

    def heard(self) -> list[Heard]:
        """Return their answers when all have finished."""
        try:
            return [heard for future in self._playing for heard in future.result(PATIENCE_S)]
        finally:
            self._over.set()
            assert self._keeping is not None
            self._keeping.result(PATIENCE_S)

    def close(self) -> None:
        self._threads.shutdown()
        self.house.store.close()

    def _play(
        self, here: threading.Barrier, player: Funded, hand: str, asked: OpenRequest
    ) -> list[Heard]:
        here.wait(PATIENCE_S)
        assert self._started.wait(PATIENCE_S)
        told = [self._bet(player, hand, asked)]
        while hand == "nothing" and len(told) < FED:
            told.append(self._bet(player, hand, player.asking(STAKES, GAME, client_seed=hand)))
        return told

    def _bet(self, player: Funded, hand: str, asked: OpenRequest) -> Heard:
        """Bet, and play the round to its end; repeat a command refused as in flight."""
        key, sent, retried = player.key(), time.monotonic_ns(), 0
        while True:
            try:
                reply = read(player.open(asked, key))
                break
            except Refused as refusal:
                if refusal.code != "request/in_flight":
                    raise
                retried += 1
        heard = time.monotonic_ns()
        stood(player, reply)
        return Heard(reply.round.id, hand, won_cents(reply), sent, heard, retried)

    def _keep(self) -> None:
        """Run housekeeping; the displayed pot only grows until it is won (J1)."""
        keeper, seen = Housekeeping(self.house), (0, 0)
        while not self._over.is_set():
            try:
                keeper.tick()
            except Refused as refusal:
                if refusal.code != "request/in_flight":
                    raise
            pot = pot_of(self.house)
            assert (pot.triggers, pot.units) >= seen, (pot, seen)
            seen = (pot.triggers, pot.units)


class Elsewhere:
    """A server in a separate process."""

    def __init__(self, url: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(url, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self._line.recv()

    def ready(self, hands: list[str]) -> None:
        self._ask("ready", hands)

    def go(self) -> None:
        """Let them bet; `heard` returns the answers."""
        self._ask("go")

    def heard(self) -> list[Heard]:
        told: list[Heard] = self._ask("heard")
        return told

    def close(self) -> None:
        self._ask("close")
        self._process.join(PATIENCE_S)
        self._line.close()

    def _ask(self, *what: Any) -> Any:
        self._line.send(what)
        found = self._line.recv()
        if isinstance(found, BaseException):
            raise found
        return found


def _serve(url: str, line: Connection) -> None:
    """Serve the calls of the other process until it closes."""
    server, name = Server(url), ""
    line.send("open")
    while name != "close":
        name, *given = line.recv()
        try:
            line.send(getattr(server, name)(*given))
        except Exception as error:
            line.send(AssertionError(repr(error)))
