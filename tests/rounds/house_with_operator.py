"""A house with an operator: five games with known cards, and a clock that tests advance or set."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from golden import by_game
from golden.cases.case import DAY_MS as DAY_MS
from golden.cases.case import Known
from houses import KEY, Clock, deck_of
from rounds.guest_seat import PATIENCE_S, Seated, read, rows_of
from stores import store_at
from tapisvert.bank.audit import Finding
from tapisvert.cards import Card
from tapisvert.dealing import Deal
from tapisvert.games.registry import SHIPPED
from tapisvert.operations.audit import Audit, Given, audit
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.operations.operator_views import NewPlayer
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.rounds.schemas import RoundReply
from tapisvert.sealing import Sealer

T = TypeVar("T")
HOUR_MS = 3_600_000


TABLES: dict[str, Known] = {game: by_game.cases(game).KNOWN for game in SHIPPED}


class Time:
    """A wall clock and a monotonic clock. Time passes on both; only the wall clock can be set."""

    def __init__(self, now_ms: int = 1_700_000_000_000) -> None:
        self.wall = Clock(now_ms)
        self.steady_ms = 5_000

    def steady(self) -> int:
        """Return the monotonic time."""
        return self.steady_ms

    def passes(self, ms: int) -> None:
        """Advance both clocks."""
        self.wall.now_ms += ms
        self.steady_ms += ms

    def is_set(self, by_ms: int) -> None:
        """Set the wall clock."""
        self.wall.now_ms += by_ms


def known_deck(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
    """Return the known deck of a game."""
    return deck_of(TABLES[deal.game].cards, cards)


def open_tables(path: Path, time: Time | None = None) -> PlayerService:
    """Open a house in which every game's cards are known."""
    clock = time.wall if time else Clock()
    return PlayerService(store_at(path), Dealer(Sealer(KEY), shuffle=known_deck), clock=clock)


def keeper_of(house: PlayerService, time: Time) -> Housekeeping:
    """Return housekeeping that uses this clock."""
    return Housekeeping(house, time.steady)


def act(house: PlayerService, work: Callable[[OperatorCommands], T], by: str = "anne") -> T:
    """Run commands of an operator in one transaction."""
    return house.store.write(lambda tx: work(OperatorCommands(tx, house, by))).result(PATIENCE_S)


class Operator:
    """An operator: each method is the one of `OperatorCommands`, run as one transaction."""

    def __init__(self, house: PlayerService, by: str = "anne") -> None:
        self._house, self._by = house, by

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def do(*given: object, **named: object) -> Any:
            return act(self._house, lambda made: getattr(made, name)(*given, **named), self._by)

        return do


class Returned(Seated):
    """A returning player."""

    def __init__(self, house: PlayerService, player_id: str, token: str) -> None:
        self.house, self.player_id, self.token = house, player_id, token
        self._keys = itertools.count(1000)


class Funded(Returned):
    """A player with real money."""

    def __init__(self, house: PlayerService, cents: int = 100_000, currency: str = "CAD") -> None:
        made: NewPlayer = act(house, lambda operator: operator.create_player(currency))
        super().__init__(house, made.player_id, made.token)
        if cents:
            act(house, lambda operator: operator.deposit(made.player_id, cents, "first"))


def opened(guest: Seated, game: str) -> str:
    """Open the known round of a game; return its id."""
    reply = read(guest.open(guest.asking(TABLES[game].stakes, game)))
    assert reply.round.state == "open"
    return reply.round.id


def finished(guest: Seated, game: str, round_id: str, answered: int = 0) -> RoundReply:
    """Answer the rest of a known round; return the last reply."""
    choices = TABLES[game].choices[answered:]
    for step, choice in enumerate(choices, start=answered):
        reply = guest.choose(round_id, choice, step)
    ended = read(reply)
    assert ended.round.state == "settled"
    return ended


def played(guest: Seated, game: str) -> str:
    """Play the known round of a game to its end; return its id."""
    round_id = opened(guest, game)
    finished(guest, game, round_id)
    return round_id


def audited(house: PlayerService, anchor: bytes | None = None) -> Audit:
    """Audit a house."""
    given = Given(anchor=anchor)
    return house.store.read(lambda tx: audit(tx, house.dealer, given)).result(PATIENCE_S)


def findings(house: PlayerService, anchor: bytes | None = None) -> tuple[Finding, ...]:
    """Return the findings of an audit."""
    return audited(house, anchor).findings


def recorded(house: PlayerService, kind: str) -> list[dict[str, Any]]:
    """Return the significant events of a kind, with time, player and round."""
    rows = rows_of(
        house,
        "SELECT at_ms, player_id, round_id, data FROM significant_events WHERE kind = ?"
        " ORDER BY id",
        kind,
    )
    return [
        {"at_ms": at, "player_id": player, "round_id": round_id, **msgspec.json.decode(data)}
        for at, player, round_id, data in rows
    ]
