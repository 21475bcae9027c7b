"""The deployment of docs/deploy.md, built and tried: PostgreSQL, two servers, nginx, and kills.

    python tests/soak/deployment.py [--players 8] [--seconds 20] [--kills 6]

Players play Blackjack with Royal Poker through nginx while the servers are killed in turn and
restarted. At the end every acknowledged round is stored, the audit is clean, and the pot holds its
contributions.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

from crash.server import Server, free_port
from not_run import not_run
from postgres import own_server

ROOT = Path(__file__).parents[2]
PATIENCE_S = 30.0
MONEY_CENTS = 10_000_000


def wait_for(address: str) -> None:
    """Wait until a server answers there."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(address, timeout=2).status_code == 200:
                return
        time.sleep(0.05)
    raise AssertionError(f"nobody answers at {address}")


@contextlib.contextmanager
def door(folder: Path, servers: list[Server]) -> Iterator[str]:
    """Run nginx with the shipped configuration, at free ports; yield the address of the house."""
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    if nginx is None:
        not_run("the deployment", "no nginx")
    port = free_port()
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    for shipped, here in ((8001, servers[0].port), (8002, servers[1].port), (8080, port)):
        text = text.replace(f":{shipped}", f":{here}")
    file = folder / "nginx.conf"
    file.write_text(text.replace("/run/nginx-tapis.pid", str(folder / "nginx.pid")))
    command = [nginx, "-p", str(folder), "-c", str(file), "-g", "daemon off;"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/api/v1/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


class Player:
    """Plays until stopped; repeats a command, under its key, until it is answered."""

    def __init__(self, address: str, token: str) -> None:
        self._client = httpx.AsyncClient(
            base_url=f"{address}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=10
        )
        self._commands = 0
        self.ended: set[str] = set()  # rounds whose end was acknowledged
        self.again = 0  # commands that were sent once more

    async def play(self, until: float) -> None:
        """Play rounds, standing on everything."""
        while time.monotonic() < until:
            seat = await self._say("/seats", {"game": "blackjack"})
            named = {name: seat[name] for name in ("round_id", "commitment")}
            stakes = {"hand-1": 100, "hand-2": 100, "royal": 100}
            reply = await self._say("/rounds", {**named, "stakes": stakes, "client_seed": "door"})
            while (ask := reply["round"]["ask"]) is not None:
                options = [option["id"] for option in ask["options"]]
                choice = "stand" if "stand" in options else "decline"
                path = f"/rounds/{seat['round_id']}/choices"
                reply = await self._say(path, {"step": ask["step"], "choice": choice})
            self.ended.add(seat["round_id"])
        await self._client.aclose()

    async def _say(self, path: str, body: object) -> Any:
        self._commands += 1
        key = {"Idempotency-Key": f"command {self._commands}"}
        until = time.monotonic() + PATIENCE_S
        while True:
            with contextlib.suppress(httpx.HTTPError):
                answer = await self._client.post(path, json=body, headers=key)
                if answer.is_success:
                    return answer.json()
                if answer.status_code < 500 and answer.status_code != 409:
                    raise AssertionError(answer.text)
            assert time.monotonic() < until, path
            self.again += 1
            await asyncio.sleep(0.05)


async def night(players: list[Player], servers: list[Server], seconds: float, kills: int) -> None:
    """Let all play while the servers are killed in turn."""
    until = time.monotonic() + seconds
    playing = [asyncio.create_task(player.play(until)) for player in players]
    for number in range(kills):
        await asyncio.sleep(seconds / (kills + 1))
        server = servers[number % 2]
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
    await asyncio.gather(*playing)


def main() -> int:
    """Build the deployment, play, and audit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--kills", type=int, default=6)
    asked = parser.parse_args()
    database = own_server()
    with tempfile.TemporaryDirectory() as name:
        folder, url = Path(name), database.empty()
        servers = [Server(folder, url, ["--proxy", "127.0.0.1"]) for _ in range(2)]
        try:
            for server in servers:
                server.start()
            key = ("--seed-key", str(server.key))
            server.typed("jackpot", "open", "--currency", "CAD", *key)
            with door(folder, servers) as address:
                tokens = people(server, key, asked.players)
                players = [Player(address, token) for token in tokens]
                asyncio.run(night(players, servers, asked.seconds, asked.kills))
            ended = set[str]().union(*(player.ended for player in players))
            again = sum(player.again for player in players)
            settled = server.rows("SELECT id FROM rounds WHERE state = 'settled'")
            lost = ended - {row[0] for row in settled}
            server.typed("audit", *key)
        finally:
            for server in servers:
                server.kill()
            database.stop()
    print(f"{len(ended):,} rounds through the door, {asked.kills} kills, {again} sent again,")
    print(f"{len(lost)} lost; the audit found nothing")
    return 1 if lost else 0


def people(server: Server, key: tuple[str, str], count: int) -> list[str]:
    """Create players with money; return their tokens."""
    tokens = []
    for _ in range(count):
        made = json.loads(server.typed("player", "add", "CAD", *key))
        server.typed("cashier", "deposit", made["player_id"], str(MONEY_CENTS // 100), *key)
        tokens.append(made["token"])
    return tokens


if __name__ == "__main__":
    sys.exit(main())
