"""F3: repeated `kill -9` under load, with clients that record every reply.

    python tests/soak/kills.py --kills 500
    python tests/soak/kills.py --database postgresql --kills 500 --database-kills 50

Clients play all five games over HTTP. When the server dies they repeat the same command under the
same key until it is answered. On PostgreSQL there are two servers, which a client uses alternately,
and PostgreSQL itself is killed too. In the end nothing acknowledged is missing, nothing happened
twice, the ledger sums to zero, every open round goes on, and the audit finds nothing.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

import postgres
from crash.server import Server
from postgres import own_server
from stores import POSTGRESQL, SQLITE
from tapisvert.cli.serve import open_house
from tapisvert.games.registry import SHIPPED
from tapisvert.operations.audit import audit
from tapisvert.rounds.stored_reply import unpack
from tapisvert.sheets import load

CLIENTS = 8
STARTS_MAX = 20


class Figures(NamedTuple):
    """The figures of a run."""

    kills: int
    acknowledged: int
    retried: int
    rounds: int
    left_open: int


class Client(threading.Thread):
    """A player who repeats every command until answered, and records every reply."""

    def __init__(self, servers: list[Server], seed: int, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.servers, self.dice, self.over = servers, Random(seed), stop
        self.name, self.token, self.sent, self.retried = f"client-{seed}", "", 0, 0
        self.acknowledged: dict[str, bytes] = {}
        self.player = ""
        self.failure: BaseException | None = None

    def run(self) -> None:
        """Play until stopped, possibly in the middle of a round."""
        try:
            came = self.send("POST", "/guests", {"bearer": True}, key=None).json()
            self.token, self.player = came["token"], came["player_id"]
            while not self.over.is_set():
                self.play(self.dice.choice([*SHIPPED]))
        except BaseException as failure:
            self.failure = failure

    def play(self, game: str) -> None:
        """Go on with an open round at a game, or open one, and answer its questions."""
        waiting = self.send("GET", "/rounds?status=open").json()["rounds"]
        mine = next((each["id"] for each in waiting if each["game"] == game), None)
        if mine is None:
            seat = self.send("POST", "/seats", {"game": game}, key=None).json()
            stakes = dict.fromkeys(self.spots(game), 100)
            asked = {"stakes": stakes, "client_seed": self.name}
            asked |= {"round_id": seat["round_id"], "commitment": seat["commitment"]}
            answer = self.command("/rounds", asked)
            if "round" not in answer:
                assert answer["code"] == "wallet/insufficient_funds", answer
                return  # another game may ask for less
        else:
            answer = self.send("GET", f"/rounds/{mine}").json()
        while (ask := answer["round"]["ask"]) and not self.over.is_set():
            if self.dice.random() < 0.1:
                return  # leave the round open for a while
            legal = [each for each in ask["options"] if each["legal"] and each["affordable"]]
            if not legal:
                self.command("/wallet/play-money", None)
                return
            asked = {"step": ask["step"], "choice": self.dice.choice(legal)["id"]}
            answer = self.command(f"/rounds/{answer['round']['id']}/choices", asked)
        if answer["wallet"]["balance_cents"] < 100:
            self.command("/wallet/play-money", None)

    def spots(self, game: str) -> list[str]:
        """Choose the stakes: on all spots, or the minimum."""
        layout = load(game).layout
        if self.dice.random() < 0.7:
            return list(layout)
        first = next(spot for spot, place in layout.items() if place.main)
        return [first, *(spot for spot, place in layout.items() if place.equals == first)]

    def command(self, path: str, body: object) -> Any:
        """Send a command under its own key; it takes effect once."""
        self.sent += 1
        key = f"{self.name}-{self.sent}"
        answer = self.send("POST", path, body, key)
        if answer.is_success:
            self.acknowledged[key] = answer.content
        else:
            assert answer.status_code in (402, 409), answer.text
        return answer.json()

    def send(self, method: str, path: str, body: object = None, key: str | None = None) -> Any:
        """Send a request until it is answered."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        while True:
            try:
                answer = self.dice.choice(self.servers).client.request(
                    method, f"/api/v1{path}", json=body, headers=headers
                )
            except (httpx.TransportError, RuntimeError):  # killed, or its connections closed
                self.retried += 1
                time.sleep(0.02)
                continue
            if answer.status_code < 500 and b"request/in_flight" not in answer.content:
                return answer
            self.retried += 1
            time.sleep(0.02)


def main(
    kills: int, seed: int = 1, tell: bool = False, *, engine: str = SQLITE, database_kills: int = 0
) -> Figures:
    """Kill a server and PostgreSQL this often, then check everything."""
    dice, stop = Random(seed), threading.Event()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as at_the_end:
        cluster = own_server() if engine == POSTGRESQL else None
        if cluster:
            at_the_end.callback(cluster.stop, signal.SIGQUIT)
        servers = _servers(Path(folder), cluster)
        clients = [Client(servers, number, stop) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        blows = ["server"] * kills + ["database"] * database_kills
        dice.shuffle(blows)
        for number, blow in enumerate(blows):
            time.sleep(dice.uniform(0.02, 0.6))
            if blow == "server":
                server = dice.choice(servers)
                server.kill()
                _start(server)
            elif cluster:
                _strike(cluster, dice)
            if tell and number % 10 == 9:
                print(f"\rF3: {number + 1} kills", end="", file=sys.stderr, flush=True)
        stop.set()
        for client in clients:
            client.join(60)
        for server in servers:
            server.kill()
        for client in clients:
            if client.failure:
                raise client.failure
        return check(servers[0], clients, kills + database_kills)


def _servers(folder: Path, cluster: postgres.Server | None) -> list[Server]:
    """Start one server on SQLite, or two on one PostgreSQL database."""
    url = cluster.fresh() if cluster else None
    servers = [Server(folder, url) for _ in range(2 if cluster else 1)]
    for server in servers:
        _start(server)
    return servers


def _start(server: Server) -> None:
    """Start a server until it stays up, as a supervisor does: PostgreSQL may be restarting."""
    for _ in range(STARTS_MAX):
        with suppress(AssertionError):
            return server.start()
    return server.start()


def _strike(cluster: postgres.Server, dice: Random) -> None:
    """Kill PostgreSQL, or one of its processes, which restarts all of them."""
    if dice.random() < 0.5:
        cluster.kill_a_backend()
    else:
        cluster.stop(signal.SIGKILL)
    cluster.start()


def check(server: Server, clients: list[Client], kills: int) -> Figures:
    """Compare the clients' replies with the stored state."""
    for client in clients:
        stored = dict(
            server.rows("SELECT key, reply FROM commands WHERE player_id = ?", client.player)
        )
        for key, reply in client.acknowledged.items():
            kept = unpack(stored[key]) if key in stored else None
            assert kept == reply, f"{key} was acknowledged otherwise than it is stored"
    house = open_house(server.postgresql or server.database, server.key)
    try:
        found = house.store.read(lambda tx: audit(tx, house.dealer)).result()
        assert found.findings == (), found.findings
        left = server.rows("SELECT COUNT(*) FROM rounds WHERE state = 'open'")[0][0]
    finally:
        house.store.close()
    acknowledged = sum(len(client.acknowledged) for client in clients)
    retried = sum(client.retried for client in clients)
    return Figures(kills, acknowledged, retried, found.rounds, left)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--database", choices=[SQLITE, POSTGRESQL], default=SQLITE)
    parser.add_argument("--database-kills", type=int, default=0)
    given = parser.parse_args()
    started = time.monotonic()
    done = main(given.kills, tell=True, engine=given.database, database_kills=given.database_kills)
    print(
        f"\rF3: {given.database}, {done.kills} kills, {done.acknowledged:,} replies acknowledged,"
        " 0 lost, 0 doubled;"
        f" {done.retried:,} sent again; {done.rounds:,} rounds, {done.left_open} open at the end,"
        f" all replayed; sum 0; {time.monotonic() - started:.0f} s"
    )
