"""A TCP proxy between browser and house that can cut connections, and checks of both ends.

The proxy knows where a request ends. It refuses connections, or cuts one request: before the house
receives it, after the house has answered, or in the middle of the reply. A cut line stays down, and
so refuses the browser's automatic retry, until the test calls `back`.
"""

from __future__ import annotations

import re
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec
from playwright.sync_api import Page

from browser.asking import SHOWN
from browser.tables import plain
from tapisvert.engine import events as ev
from tapisvert.words import Catalogue
from tapisvert.words.telling import hand_words, tell

Kind = Literal["refused", "unsent", "unanswered", "torn"]
IN_FLIGHT: tuple[Kind, ...] = ("unsent", "unanswered", "torn")
PATIENCE_S = 30
GAME = "casino-stud"
# Patch of the page that forgets the idempotency key of a sent command.
NEW_KEYS = """() => { const send = window.fetch; window.fetch = (path, how) => {
  const key = 'Idempotency-Key' in how.headers ? {'Idempotency-Key': crypto.randomUUID()} : {};
  return send(path, {...how, headers: {...how.headers, ...key}}); }; }"""
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_KEY = re.compile(rb"\r\nidempotency-key: *([^\r]+)", re.IGNORECASE)
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER 0: close with a reset


def until(what: Callable[[], bool], why: str) -> None:
    """Wait until a condition set by another thread is true."""
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end, why
        time.sleep(0.005)


class Line:
    """The proxy between a browser and a house."""

    def __init__(self, house: str, seed: int = 0) -> None:
        self._house = ("127.0.0.1", urlsplit(house).port or 0)
        self._chance = Random(seed)
        self._lock = threading.RLock()
        self._armed: tuple[Kind, str] | None = None
        self._ends: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._door: socket.socket | None = None
        self._place = _bound(0)  # reserves the port while the line is down
        self.url = f"http://127.0.0.1:{self._place.getsockname()[1]}"
        self.cuts: Counter[Kind] = Counter()
        self.commands: list[tuple[str, str]] = []  # path and key of those the house received
        self.back()

    @property
    def lost(self) -> bool:
        return self._door is None

    def cut(self, kind: Kind, path: str = "") -> None:
        """Cut the next request whose path ends with `path`, or refuse all connections."""
        if kind != "refused":
            self._armed = (kind, path)
            return
        self.cuts[kind] += 1
        self._down()

    def back(self) -> None:
        """Accept connections again."""
        assert self._door is None
        self._door = _bound(self._place.getsockname()[1])
        self._door.listen()
        self._start(self._take, self._door)

    def close(self) -> None:
        self._down()
        self._place.close()
        for thread in self._threads:
            thread.join(PATIENCE_S)
            assert not thread.is_alive(), "the line did not close"

    def _down(self) -> None:
        with self._lock:
            if self._door is not None:
                self._door.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
                self._door.close()
            self._door = None
            for end in self._ends:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def _start(self, work: Callable[[socket.socket], None], end: socket.socket) -> None:
        thread = threading.Thread(target=work, args=(end,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _take(self, door: socket.socket) -> None:
        with suppress(OSError):  # the door was shut
            while True:
                end, _ = door.accept()
                with self._lock:
                    if self._door is not door:
                        end.close()
                        return
                    self._ends.add(end)
                self._start(self._carry, end)

    def _carry(self, end: socket.socket) -> None:
        """Forward requests and replies of one connection until it is cut or closed."""
        with end, suppress(OSError):
            while request := _message(end):
                if not self._pass(end, request):
                    break
        with self._lock:
            self._ends.discard(end)

    def _pass(self, end: socket.socket, request: bytes) -> bool:
        path = request.split(b" ", 2)[1].decode().partition("?")[0]
        kind = self._fate(path)
        reply = b"" if kind == "unsent" else self._ask(path, request)
        if kind is None:
            end.sendall(reply)
            return True
        if kind == "torn" and not reply.endswith(b"\r\n\r\n"):  # without a body: nothing to tear
            end.sendall(reply[: self._chance.randrange(1, len(reply))])
        else:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        with self._lock:
            self._ends.discard(end)  # closed by us, after what was sent
            self._down()
            self.cuts[kind] += 1
        return False

    def _fate(self, path: str) -> Kind | None:
        with self._lock:
            if self._armed is None or not path.endswith(self._armed[1]):
                return None
            kind, self._armed = self._armed[0], None
            return kind

    def _ask(self, path: str, request: bytes) -> bytes:
        if key := _KEY.search(request):
            self.commands.append((path, key.group(1).decode()))
        with socket.create_connection(self._house, PATIENCE_S) as house:
            house.sendall(request)
            return _message(house)


def _bound(port: int) -> socket.socket:
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind(("127.0.0.1", port))
    return found


def _message(end: socket.socket) -> bytes:
    """Read one request or reply with its body; empty if the other side has closed."""
    found = b""
    while piece := end.recv(65_536):
        found += piece
        head, blank, body = found.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if blank and len(body) >= (int(length.group(1)) if length else 0):
            return found
    return b""


class Books:
    """A player's records, requested from the house directly with the page's cookies."""

    def __init__(self, page: Page, house: str) -> None:
        self._page = page
        self._api = f"{house}/api/v1"

    def get(self, path: str) -> Any:
        """Send a GET request to the house."""
        answer = self._page.context.request.get(self._api + path)
        assert answer.ok, answer.text()
        return answer.json()

    def all(self, path: str, name: str) -> list[dict[str, Any]]:
        """Return all items of a paged list, newest first."""
        page = self.get(path)
        found = list(page[name])
        while page["next"] is not None:
            page = self.get(f"{path}?before={page['next']}")
            found += page[name]
        return found


def shown(page: Page) -> dict[str, Any]:
    """Return the visible content of a table."""
    found: dict[str, Any] = page.evaluate(SHOWN)
    return found


def truth(books: Books, words: Catalogue, bets: dict[str, int] | None = None) -> dict[str, Any]:
    """Return the expected content: the latest round, or with `bets` a table before the deal."""
    if bets is None:
        reply = books.get(f"/rounds/{books.get('/rounds')['rounds'][0]['id']}")
        return _round(reply["round"], reply["wallet"]["balance_cents"], words)
    assert books.get("/rounds?status=open")["rounds"] == [], "the house has a round open"
    staked = sum(bets.values())
    sums = (books.get("/wallet")["balance_cents"] - staked, staked, 0)
    return {
        "phase": "bet",
        "cards": {"house": [], "player": []},
        "names": {"house": "", "player": ""},
        "stakes": _chips(bets),
        "figures": [plain(words.money(cents)) for cents in sums],
        "options": [],
        "lines": [],
        "message": plain(words.write("message.bet", {}, GAME)),
    }


def _round(told: dict[str, Any], balance: int, words: Catalogue) -> dict[str, Any]:
    """Return the expected content of a table for a round of the house."""
    events = msgspec.convert(told["events"], list[ev.AnyEvent])
    hands = {each.zone: each.hand for each in events if isinstance(each, ev.Named)}
    names = {zone: hand_words(words, GAME, hand) for zone, hand in hands.items()}
    stakes = {each.bet: each.cents for each in events if isinstance(each, ev.Staked)}
    lines = {each.bet: each for each in events if isinstance(each, ev.Settled)}
    over = told["ask"] is None
    net = told["returned_cents"] - told["staked_cents"]
    if over:
        tone = "win" if net > 0 else "loss" if net < 0 else "even"
        message = words.write(f"result.{tone}", {"cents": abs(net)})
    else:
        message = next(tell(words, GAME, each) for each in events if isinstance(each, ev.Asked))
    sums = (balance, told["staked_cents"], told["returned_cents"] if over else 0)
    return {
        "phase": "settled" if over else "decide",
        "cards": {
            zone: [words.card(None if card == "??" else card) for card in cards]
            for zone, cards in told["hands"].items()
        },
        "names": {zone: plain(names.get(zone, "")) for zone in ("house", "player")},
        "stakes": {} if over else _chips(stakes),
        "figures": [plain(words.money(cents)) for cents in sums],
        "options": [
            _option(each, stakes, words) for each in (told["ask"] or {"options": []})["options"]
        ],
        "lines": [_line(lines[b], names.get(b, ""), words) for b in stakes if b in lines],
        "message": plain(message),
    }


def _chips(bets: dict[str, int]) -> dict[str, str]:
    """Return amounts as chips show them, in whole dollars; zero is left out."""
    return {bet: f"{bets.get(bet, 0) // 100 or ''}" for bet in ("bonus", "ante", "play")}


def _option(told: dict[str, Any], stakes: dict[str, int], words: Catalogue) -> list[Any]:
    cost = told["stake_cents"]
    off = not (told["legal"] and told["affordable"])
    if not told["legal"]:
        note = words.write(f"why-not.{told['why_not']}", {}, GAME)
    elif off:
        note = words.write("option.dear", {"cents": cost})
    else:  # a fold loses the ante (stud.6)
        lost = words.write("option.loses", {"cents": stakes["ante"]})
        note = words.money(cost) if cost else lost
    return [words.write(f"option.{told['id']}", {}, GAME), plain(note), off]


def _line(told: ev.Settled, name: str, words: Catalogue) -> list[str]:
    net = told.returned_cents - told.staked_cents
    sign = "+" if net > 0 else "−" if net < 0 else ""
    why = words.write(f"why.{told.why}", msgspec.to_builtins(told), GAME)
    if name.startswith(why):  # the hand says what the row says, and more
        why, name = name, ""
    if told.odds:
        why += " · " + words.odds(told.odds)
    bet = words.write(f"bet.{told.bet}", {}, GAME)
    outcome = words.write(f"outcome.{told.outcome}")
    return [plain(each) for each in (bet, f"{why} {name}", sign + words.money(abs(net)), outcome)]
