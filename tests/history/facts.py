"""Facts the house chooses freely, collected from all its answers: ids, seeds, commitments, times.

A single-threaded model cannot predict these and takes them as given. But a fact never changes. Two
different values are a contradiction, and the history is rejected before any search.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import msgspec

from history.records import Operation

NEVER = 1 << 62
NOT_FOLLOWED = ("clock_set",)  # events of the house itself, shown in no reply
SWITCHED = ("stopped", "resumed")
_OF_A_ROUND = ("game", "edition", "sheet_hash", "commitment")
_OF_AN_OPEN_ROUND = ("client_seed", "opened_at", "void_after_s", "stakes")


class Contradiction(Exception):
    """Two answers contradict each other."""


class Facts:
    """All facts, once each."""

    def __init__(self) -> None:
        self.players: dict[str, str] = {}  # by token
        self.everyone: set[str] = set()
        self.operators: dict[str, str] = {}  # by token
        self.owner: dict[str, str] = {}  # of a round, from its seat on
        self.rounds: dict[str, list[str]] = defaultdict(list)  # of a player
        self.seed: dict[str, str] = {}  # of a round, once it was shown
        self.over_by: dict[str, int] = {}  # when a round was first shown as ended
        self.transfers: dict[str, list[int]] = defaultdict(list)  # ids, ascending, of a player
        self.events: dict[str | None, list[int]] = defaultdict(list)  # ids, ascending, of a player
        self.round_of_seq: dict[int, str] = {}
        self._told: dict[tuple[Hashable, ...], Any] = {}

    def tell(self, *key: Hashable, value: Any) -> None:
        """Add a fact, or raise if it differs from before."""
        known = self._told.setdefault(key, value)
        if known != value:
            what = " ".join(map(str, key))
            raise Contradiction(f"{what} was told as {known!r} and as {value!r}"[:500])

    def get(self, *key: Hashable) -> Any:
        return self._told.get(key)

    def position(self, ids: list[int], number: int) -> int:
        """Return how many of these ids are below a number."""
        return bisect_right(ids, number - 1)


def learn(operations: Iterable[Operation]) -> Facts:
    facts, every = Facts(), list(operations)
    for each in every:  # who is who comes first: requests are known by their tokens
        if each.granted and each.request.kind in ("guest", "player", "new-token", "operator"):
            _newcomer(facts, each, msgspec.json.decode(each.text))
    for each in every:
        if each.granted and each.request.kind in _LEARN:
            try:
                _LEARN[each.request.kind](facts, each, msgspec.json.decode(each.text))
            except (KeyError, TypeError, ValueError) as error:
                raise Contradiction(f"{each} was told something else: {error!r}") from None
    for ids in (*facts.transfers.values(), *facts.events.values()):
        ids.sort()
    return facts


def player_of(facts: Facts, operation: Operation) -> str | None:
    """Return the player of a request's token."""
    return facts.players.get(operation.request.token or "")


def _newcomer(facts: Facts, operation: Operation, told: Any) -> None:
    if operation.request.kind == "operator":
        facts.operators[told["token"]] = told["name"]
        return
    if told["token"] in facts.players:
        raise Contradiction(f"{operation} was given a token that is in use")
    facts.players[told["token"]] = told["player_id"]
    facts.everyone.add(told["player_id"])


def _seat(facts: Facts, operation: Operation, told: Any) -> None:
    if told is None:
        return
    player = player_of(facts, operation)
    _own(facts, player, told["round_id"])
    for name in _OF_A_ROUND:
        facts.tell("round", told["round_id"], name, value=told[name])
    if told["retired"] is not None:
        retired = told["retired"]
        _own(facts, player, retired["round_id"])
        facts.tell("round", retired["round_id"], "commitment", value=retired["commitment"])
        _seed(facts, retired["round_id"], retired["server_seed"])


def _own(facts: Facts, player: str | None, round_id: str) -> None:
    """Check that a round is shown to one player only."""
    facts.tell("round", round_id, "player", value=player)
    if player is not None and round_id not in facts.owner:
        facts.owner[round_id] = player
        facts.rounds[player].append(round_id)


def _seed(facts: Facts, round_id: str, seed: str) -> None:
    facts.tell("round", round_id, "seed", value=seed)
    promise = facts.get("round", round_id, "commitment")
    if hashlib.sha256(bytes.fromhex(seed)).hexdigest() != promise:
        raise Contradiction(f"the seed of round {round_id} is not the one committed to")
    facts.seed[round_id] = seed


def _view(facts: Facts, operation: Operation, told: Any) -> None:
    round_id = told["id"]
    _own(facts, player_of(facts, operation), round_id)
    for name in (*_OF_A_ROUND, *_OF_AN_OPEN_ROUND):
        facts.tell("round", round_id, name, value=told[name])
    _ended(facts, operation, round_id, told["ended_at"])
    if told["reversal"] is not None:
        facts.tell("round", round_id, "reversed_at", value=told["reversal"]["at"])


def _ended(facts: Facts, operation: Operation, round_id: str, at: str | None) -> None:
    if at is not None:
        facts.tell("round", round_id, "ended_at", value=at)
        told = operation.returned or NEVER
        facts.over_by[round_id] = min(told, facts.over_by.get(round_id, NEVER))


def _round(facts: Facts, operation: Operation, told: Any) -> None:
    _view(facts, operation, told["round"])
    _seat(facts, operation, told.get("seat"))


def _rounds(facts: Facts, operation: Operation, told: Any) -> None:
    for each in told["rounds"]:
        _own(facts, player_of(facts, operation), each["id"])
        facts.tell("round", each["id"], "opened_at", value=each["opened_at"])
        _ended(facts, operation, each["id"], each["ended_at"])
    if told["next"] is not None:
        facts.tell("seq", told["next"], value=told["rounds"][-1]["id"])
        facts.round_of_seq[told["next"]] = told["rounds"][-1]["id"]


def _proof(facts: Facts, operation: Operation, told: Any) -> None:
    round_id = operation.request.args["round_id"]
    facts.tell("round", round_id, "proof", value=operation.text)
    facts.tell("round", round_id, "void", value=told["void_reason"])
    for name in _OF_A_ROUND:
        facts.tell("round", round_id, name, value=told[name])
    _seed(facts, round_id, told["server_seed"])


def _transfers(facts: Facts, operation: Operation, told: Any) -> None:
    player = player_of(facts, operation)
    for each in told["transfers"]:
        if facts.get("transfer", each["id"]) is None and player is not None:
            facts.transfers[player].append(each["id"])
        facts.tell("transfer", each["id"], value={**each, "player": player})


def _events(facts: Facts, operation: Operation, told: Any) -> None:
    for each in told["events"]:
        if facts.get("event", each["id"]) is None:
            for reader in readers(each):
                facts.events[reader].append(each["id"])
        facts.tell("event", each["id"], value=each)


def readers(event: dict[str, Any]) -> set[str | None]:
    """Return the pieces an event belongs to; a switch always belongs to the desk's too."""
    if event["kind"] in NOT_FOLLOWED:
        return set()
    return {event["player_id"], None} if event["kind"] in SWITCHED else {event["player_id"]}


def _player(facts: Facts, operation: Operation, told: Any) -> None:
    for name in ("kind", "currency", "created_at"):
        facts.tell("player", told["player_id"], name, value=told[name])


_LEARN: dict[str, Callable[[Facts, Operation, Any], None]] = {
    "seat": _seat,
    "open": _round,
    "choose": _round,
    "round": _round,
    "recall": lambda facts, operation, told: _view(facts, operation, told["round"]),
    "rounds": _rounds,
    "proof": _proof,
    "transfers": _transfers,
    "events": _events,
    **dict.fromkeys(("show", "deposit", "withdraw", "pay-debt"), _player),
}
