"""A guest who uses the house directly, without HTTP; every command waits for its outcome."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

import msgspec

from tapisvert import refusal
from tapisvert.bank import ledger, money
from tapisvert.engine.sheet import Sheet
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService, player_views
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.load import state_of
from tapisvert.rounds.own_rules import RulesRequest
from tapisvert.rounds.schemas import (
    ChoiceRequest,
    OpenRequest,
    RoundReply,
    Seat,
    SeatRequest,
    Wallet,
)
from tapisvert.sheets import load
from tapisvert.store import Tx
from tapisvert.store.port import Row

T = TypeVar("T")
PATIENCE_S = 30  # a test fails after waiting this long for an answer
STUD = "casino-stud"
ANTE = {"ante": 100}


class Seated:
    """A guest. `house` may be replaced by another on the same database: the token stays valid."""

    def __init__(self, house: PlayerService) -> None:
        guest = granted(house.guest())
        self.house, self.token, self.player_id = house, guest.token, guest.player_id
        self._keys = itertools.count()

    def key(self) -> str:
        """Return an unused idempotency key."""
        return f"key-{next(self._keys)}"

    def seat(self, game: str = STUD) -> Seat:
        """Take a seat."""
        return granted(self.house.seat(self.token, SeatRequest(game)))

    def asking(
        self, stakes: dict[str, int] | None = None, game: str = STUD, client_seed: str = "seed"
    ) -> OpenRequest:
        """Return a request to open a round on the pending deal."""
        seat = self.seat(game)
        return OpenRequest(seat.round_id, seat.commitment, stakes or ANTE, client_seed)

    def open(self, asked: OpenRequest | None = None, key: str | None = None) -> bytes:
        """Open a round; return the encoded reply."""
        return granted(self.house.open(self.token, key or self.key(), asked or self.asking()))

    def choose(
        self, round_id: str, choice: str, step: int = 0, key: str | None = None, since: int = 0
    ) -> bytes:
        """Answer a question; return the encoded reply."""
        asked = ChoiceRequest(step, choice)
        return granted(self.house.choose(self.token, key or self.key(), round_id, asked, since))

    def more(self, key: str | None = None) -> bytes:
        """Ask for more play money."""
        return granted(self.house.more_play_money(self.token, key or self.key()))

    def plays(self, game: str, variant: str | None) -> None:
        """Choose the rules of a game from the next seat on; None: the house's."""
        self.house.choose_rules(self.token, game, RulesRequest(variant)).result(PATIENCE_S)

    def ask(self, question: Callable[[QueryContext], T]) -> T:
        """Run a query of this player."""
        return self.house.query(self.token, question).result(PATIENCE_S)

    def draft(self, question: Callable[[Draft], T], round_id: str = "") -> T:
        """Run a function on the draft of a command of this player; nothing is saved."""

        def ask(desk: QueryContext) -> T:
            shared = self.house.shared()
            given = (desk.tx, desk.player, round_id, desk.now_ms, shared, shared.offered)
            return question(Draft(state_of(*given)))

        return self.ask(ask)

    def shown(self, round_id: str) -> bytes:
        """Return a round as the player would see it now."""
        return msgspec.json.encode(self.ask(lambda desk: player_views.round_reply(desk, round_id)))

    def wallet(self) -> Wallet:
        """Return the wallet."""
        return self.ask(player_views.wallet)

    def purse(self) -> tuple[int, int]:
        """Return balance and held cents."""
        wallet = self.wallet()
        return wallet.balance_cents, wallet.held_cents

    def leave(self, cents: int) -> None:
        """Withdraw money until this much is left."""

        def work(tx: Tx) -> None:
            mine = money.player_account(self.player_id)
            rest = ledger.balance_cents(tx, mine) - cents
            purse = money.Purse(self.player_id, "FUN", 0)
            ledger.move(tx, purse, money.Transfer(mine, "cashier:FUN", rest, "grant"))

        self.house.store.write(work).result(PATIENCE_S)

    def moved(self) -> list[tuple[str, str | None, int]]:
        """Return the player's transfers of rounds: reason, bet, cents, in order."""
        rows = rows_of(
            self.house,
            "SELECT reason, bet, units / 100000 FROM transfers"
            " WHERE player_id = ? AND round_id IS NOT NULL ORDER BY id",
            self.player_id,
        )
        return [(reason, bet, cents) for reason, bet, cents in rows]


def other_sheet(game: str) -> Sheet:
    """Return the sheet of a table with one figure changed."""
    return msgspec.structs.replace(load(game), void_after_s=60)


def granted(future: Future[T | Refused]) -> T:
    """Return the result of a future or value; raise a refusal in either form."""
    return refusal.unwrap(future.result(PATIENCE_S))


def refusal_of(command: Callable[[], object]) -> Refused:
    """Return the refusal of a command."""
    try:
        done = command()
    except Refused as refused:
        return refused
    raise AssertionError(f"not refused: {done!r}")


def read(reply: bytes) -> RoundReply:
    """Decode a reply."""
    return msgspec.json.decode(reply, type=RoundReply)


def rows_of(house: PlayerService, sql: str, *params: object) -> list[Row]:
    """Query the database."""
    return house.store.read(lambda tx: tx.rows(sql, params)).result(PATIENCE_S)


def write(house: PlayerService, sql: str, *params: object) -> None:
    """Write to the database directly, without the house."""
    house.store.write(lambda tx: tx.run(sql, params)).result(PATIENCE_S)


def conserved(house: PlayerService) -> bool:
    """Tell whether all accounts add up to zero."""
    return not any(house.store.read(ledger.total_units).result(PATIENCE_S).values())
