"""Record a history: many clients at once, on a house in this process or on a server over HTTP.

    python tests/history/record.py --operations 5000 --out history.jsonl
    python tests/history/record.py --operations 5000 --out history.jsonl --http

In this process a recording has days, with different sheets and people; on some days the entropy
source fails. Over HTTP the server is killed (-9) repeatedly.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

if __name__ == "__main__":  # then Python has put this folder first
    sys.path[0] = str(Path(__file__).parents[1])

from history.closing import close_books
from history.doors import KEEPERS, Door, HouseDoor
from history.people import Board, Client, Person
from history.records import GRANTED, Answer, Log, Request
from history.staff import Operator, Warden, day_of
from history.tabs import Tab
from simulation.tables import GAMES
from tapisvert.store import SqliteStore, Store

DAY = 4_000  # operations
EVENING = 120
GUESTS, ACCOUNTS = 6, 5
OPERATORS = ("ada", "bo", "cy")
RECORDER = "recorder"
Progress = Callable[[int], None]


def arrivals(wave: int) -> list[Person]:
    """Return the people who arrive on a day."""
    people = []
    for number in range(GUESTS + ACCOUNTS):
        guest = number < GUESTS
        games = (GAMES[(wave + number) % 5], GAMES[(wave + 2 * number + 1) % 5])
        name = f"{'guest' if guest else 'player'} {wave}.{number}"
        person = Person(name, guest=guest, bold=number % 2 == 0, games=games)
        person.tabs = 2 + number % 2
        people.append(person)
    return people


def let_run(clients: Sequence[Client], log: Log, progress: Progress) -> list[str]:
    """Run clients until they have enough operations; return the exceptions of those that failed.

    A client that cannot process an answer stops; the answer is recorded.
    """
    for client in clients:
        client.start()
    for client in clients:
        while client.is_alive():
            client.join(1)
            progress(log.operations)
    return [f"{client.name}: {client.failure!r}" for client in clients if client.failure]


def crowd(door: Door, log: Log, board: Board, tokens: dict[str, str], until: int) -> list[Client]:
    clients: list[Client] = [
        Tab(person, number, board, door, log, until)
        for person in board.people
        for number in range(person.tabs)
    ]
    return clients + [
        Operator(name, token, board, door, log, until) for name, token in tokens.items()
    ]


def operators(send: Callable[[Request], Answer | None], log: Log) -> dict[str, str]:
    """Create operators on the command line."""
    tokens = {}
    for name in OPERATORS:
        answer = log.run(RECORDER, Request("operator", args={"name": name}), send)
        assert answer is not None
        tokens[name] = answer.read()["token"]
    return tokens


def record_house(
    path: Path,
    operations: int,
    progress: Progress = lambda done: None,
    open_store: Callable[[Path], Store] = SqliteStore,
) -> list[str]:
    """Record this many operations, and the closing ones, on a house of this process."""
    days = max(2, round(operations / DAY))
    with tempfile.TemporaryDirectory() as folder, Log(path) as log:
        door, board = HouseDoor(Path(folder) / "tapis.db", open_store), Board()
        everyone: list[Person] = []
        tokens: dict[str, str] = {}
        broken: list[str] = []
        for number in range(days):
            day = day_of(number)
            door.open(day)
            log.run(RECORDER, Request("start", args={**day, "stacked": True}), _nothing(door))
            tokens = tokens or operators(door.send, log)
            new = arrivals(number)
            everyone += new
            board.come(new, stay=3 if number else 0)
            until = operations * (number + 1) // days
            fails = number % 2 == 0
            dusk = until - EVENING * fails
            clients = crowd(door, log, board, tokens, dusk)
            for keeper in KEEPERS:
                leads = keeper == KEEPERS[0]
                clients.append(Warden(keeper, leads, day["delay_s"], door, log, dusk))
            broken += let_run(clients, log, progress)
            if fails:
                log.run(RECORDER, Request("source-fails"), door.send)
                broken += let_run(crowd(door, log, board, tokens, until), log, progress)
            if number < days - 1:
                door.close()
        close_books(log, door, board, everyone, tokens[OPERATORS[0]], progress)
        door.close()
    return broken


def _nothing(door: HouseDoor) -> Callable[[Request], Answer]:
    return lambda request: Answer(GRANTED, "null")


def main() -> int:
    """Record as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--operations", type=int, default=5_000)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--http", action="store_true", help="over HTTP, with a server that dies")
    given = parser.parse_args()
    if given.http:
        from history.wire import record_http

        broken = record_http(given.out, given.operations).broken
    else:
        broken = record_house(given.out, given.operations)
    for each in broken:
        print(each, file=sys.stderr)
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
