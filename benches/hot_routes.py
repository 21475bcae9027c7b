"""Processor time per request in the event loop's thread: hot routes and empty routes.

    python benches/hot_routes.py [--turns 200]

uvicorn runs with the settings of `tapis serve`, in a thread whose processor clock is read before
and after. The house is a stub that returns recorded replies: synchronously, or from one writer and
two reader threads, as the stores do. Eight clients run in another process. The figure is the 10th
percentile of many short turns, because other load on the machine only adds time.
"""

from __future__ import annotations

import argparse
import gc
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import uvicorn
from litestar.types import ASGIApp, Receive, Scope, Send

from tapisvert.cli.serve import Served, http_settings, open_house, write_log
from tapisvert.refusal import unwrap
from tapisvert.rounds import player_views
from tapisvert.rounds.schemas import OpenRequest, SeatRequest
from tapisvert.web import create_app

Run = Callable[..., Future[Any]]
CLIENTS, REQUESTS = 8, 80  # requests in a turn
ID = "0" * 32
SHOW = player_views.round_reply  # the original, before it is stubbed
STAKED = f'"commitment":"{ID}{ID}","stakes":{{"ante":100}},"client_seed":"b"'
ROUTES = {  # method, path and body
    "empty (health)": ("GET /api/v1/health", ""),
    "seat": ("POST /api/v1/seats", '{"game":"casino-stud"}'),
    "open": ("POST /api/v1/rounds", f'{{"round_id":"{ID}",{STAKED}}}'),
    "choose": (f"POST /api/v1/rounds/{ID}/choices?since=5", '{"step":0,"choice":"fold"}'),
    "wallet": ("GET /api/v1/wallet", ""),
    "round": (f"GET /api/v1/rounds/{ID}?since=0", ""),
}


def at_once(work: Callable[..., Any], *given: Any) -> Future[Any]:
    """Run work in the calling thread; return a completed future."""
    done: Future[Any] = Future()
    done.set_result(work(*given))
    return done


def stub_house(write: Run = at_once, read: Run = at_once) -> Any:
    """Return a stub that gives every player the replies one player got from a real house."""
    with tempfile.TemporaryDirectory() as folder:
        house = open_house(Path(folder) / "bench.db")
        token = unwrap(house.guest().result()).token
        seat = unwrap(house.seat(token, SeatRequest("casino-stud")).result())
        asked = OpenRequest(seat.round_id, seat.commitment, {"ante": 100}, "b")
        reply = unwrap(house.open(token, "key", asked).result())
        shown = house.query(token, lambda desk: SHOW(desk, seat.round_id, 0)).result()
        house.store.close()
    # Stubs of the queries that handlers run in a reader thread.
    vars(player_views).update(wallet=lambda *asked: shown.wallet, round_reply=lambda *asked: shown)
    return SimpleNamespace(
        seat=lambda *asked: write(lambda: seat),
        open=lambda *asked: write(lambda: reply),
        choose=lambda *asked: write(lambda: reply),
        query=lambda token, ask: read(ask, None),
        dealer=SimpleNamespace(working=True),
        store=SimpleNamespace(close=lambda: None),
    )


async def bare(scope: Scope, receive: Receive, send: Send) -> None:
    """ASGI application without framework, checks or log."""
    assert str(scope["type"]) == "http"
    headers = [(b"content-type", b"application/json"), (b"content-length", b"2")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"{}", "more_body": False})


def client(port: int, orders: Connection) -> None:
    """Send each order repeatedly on all connections at once, and read the responses."""
    lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(CLIENTS)]
    readers = [line.makefile("rb") for line in lines]
    for asked, body in iter(orders.recv, None):
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        head = f"Host: 127.0.0.1\r\nAuthorization: Bearer {ID}\r\nIdempotency-Key: {ID}\r\n{kind}"
        for _ in range(REQUESTS // CLIENTS):
            for line in lines:
                line.sendall(f"{asked} HTTP/1.1\r\n{head}\r\n{body}".encode())
            for reader in readers:
                assert reader.readline().startswith(b"HTTP/1.1 20"), asked
                answer = b"".join(iter(reader.readline, b"\r\n"))
                reader.read(int(answer.split(b"content-length: ")[1].split()[0]))
        orders.send(None)


def measured(app: ASGIApp, names: list[str], turns: int) -> dict[str, list[float]]:
    """Return the µs per request of each route: in the loop's thread, and in other threads."""
    settings = http_settings(Served(Path(), "127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(cast(Any, app), **settings))
    door = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    clock = time.pthread_getcpuclockid(thread.ident or 0)
    ours, theirs = get_context("spawn").Pipe()
    given = (door.getsockname()[1], theirs)
    get_context("spawn").Process(target=client, args=given, daemon=True).start()
    theirs.close()
    gc.freeze()
    found: dict[str, list[list[float]]] = {name: [] for name in names}
    for name in names * turns:
        loop, whole = time.clock_gettime(clock), time.process_time()
        ours.send(ROUTES[name])
        ours.recv()
        loop, whole = time.clock_gettime(clock) - loop, time.process_time() - whole
        found[name].append([used / REQUESTS * 1e6 for used in (loop, whole - loop)])
    ours.send(None)
    server.should_exit = True
    thread.join()
    figures = {name: zip(*found[name], strict=True) for name in names}
    return {name: [sorted(each)[turns // 10] for each in figures[name]] for name in names}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200)
    turns = parser.parse_args().turns
    write_log(as_json=False)
    print(f"{'µs per request':<16}{'at once':>9}{'threads':>9}{'other threads':>15}")
    print(f"{'uvicorn alone':<16}{measured(bare, ['wallet'], turns)['wallet'][0]:>9.0f}")
    without = measured(create_app(stub_house()), [*ROUTES], turns)
    house = stub_house(ThreadPoolExecutor(1).submit, ThreadPoolExecutor(2).submit)
    for name, (loop, others) in measured(create_app(house), [*ROUTES], turns).items():
        print(f"{name:<16}{without[name][0]:>9.0f}{loop:>9.0f}{others:>15.0f}")


if __name__ == "__main__":
    main()
