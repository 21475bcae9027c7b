"""F3: `kill -9` under load, again and again, with clients that write down every reply they got.

    python tests/soak/kills.py --kills 500

Clients play all five games over HTTP. When the server dies they send the same command again under
the same key until somebody answers. In the end nothing acknowledged is missing, nothing happened
twice, the books sum to zero, every open round goes on, and the audit finds nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

from crash.server import Server
from tapisvert.cli.serving import open_house
from tapisvert.games import EDITIONS
from tapisvert.rounds.audit import audit
from tapisvert.sheets import load

CLIENTS = 8


class Figures(NamedTuple):
    """What came of it."""

    kills: int
    acknowledged: int
    retried: int
    rounds: int
    left_open: int


class Client(threading.Thread):
    """A player who never gives up and never forgets what was said."""

    def __init__(self, server: Server, seed: int, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.server, self.dice, self.over = server, Random(seed), stop
        self.name, self.token, self.sent, self.retried = f"client-{seed}", "", 0, 0
        self.acknowledged: dict[str, bytes] = {}
        self.player = ""
        self.failure: BaseException | None = None

    def run(self) -> None:
        """Play until told to stop, finishing nothing in particular."""
        try:
            came = self.send("POST", "/guests", {"bearer": True}, key=None).json()
            self.token, self.player = came["token"], came["player_id"]
            while not self.over.is_set():
                self.play(self.dice.choice([*EDITIONS]))
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
        """Choose where to stake: everywhere, or the least there is."""
        layout = load(game).layout
        if self.dice.random() < 0.7:
            return list(layout)
        first = next(spot for spot, place in layout.items() if place.main)
        return [first, *(spot for spot, place in layout.items() if place.equals == first)]

    def command(self, path: str, body: object) -> Any:
        """Give a command under a key of its own; it is done once, whatever happens."""
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
                answer = self.server.client.request(
                    method, f"/api/v1{path}", json=body, headers=headers
                )
            except (httpx.TransportError, RuntimeError):  # killed, or its connections closed
                self.retried += 1
                time.sleep(0.02)
                continue
            if answer.status_code < 500:
                return answer


def main(kills: int, seed: int = 1, tell: bool = False) -> Figures:
    """Kill the server so often, then check everything."""
    dice = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        server, stop = Server(Path(folder)), threading.Event()
        server.start()
        clients = [Client(server, number, stop) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        for number in range(kills):
            time.sleep(dice.uniform(0.02, 0.6))
            server.kill()
            server.start()
            if tell and number % 10 == 9:
                print(f"\rF3: {number + 1} kills", end="", file=sys.stderr, flush=True)
        stop.set()
        for client in clients:
            client.join(60)
        server.kill()
        for client in clients:
            if client.failure:
                raise client.failure
        return check(server, clients, kills)


def check(server: Server, clients: list[Client], kills: int) -> Figures:
    """Hold what the clients were told against what is stored."""
    for client in clients:
        stored = dict(
            server.rows("SELECT key, reply FROM commands WHERE player_id = ?", client.player)
        )
        for key, reply in client.acknowledged.items():
            assert stored.get(key) == reply, f"{key} was acknowledged otherwise than it is stored"
    house = open_house(server.database)
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
    started = time.monotonic()
    done = main(parser.parse_args().kills, tell=True)
    print(
        f"\rF3: {done.kills} kills, {done.acknowledged:,} replies acknowledged, 0 lost, 0 doubled;"
        f" {done.retried:,} sent again; {done.rounds:,} rounds, {done.left_open} open at the end,"
        f" all replayed; sum 0; {time.monotonic() - started:.0f} s"
    )
