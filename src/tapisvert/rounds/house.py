"""The house: every command and query of a player, each one atomic unit of the store."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

import msgspec

from tapisvert import sheets
from tapisvert.bank import journal
from tapisvert.engine import Transcript
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import OFFERED
from tapisvert.players import Player, create_guest, player_of
from tapisvert.refusal import Refused
from tapisvert.rounds import play_money, showing
from tapisvert.rounds.books import open_books
from tapisvert.rounds.commands import check_key, fingerprint, once
from tapisvert.rounds.dealer import Dealer
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.layout import GameView, game_view
from tapisvert.rounds.messages import ChoiceRequest, Guest, OpenRequest, Seat, SeatRequest
from tapisvert.rounds.playing import choose, open_round
from tapisvert.rounds.pots import conversion_of
from tapisvert.rounds.records import Round
from tapisvert.rounds.seats import take_seat
from tapisvert.store import Store, Tx

T = TypeVar("T")
SheetOf = Callable[[str], Sheet]
Reply = Future[bytes | Refused]  # encoded JSON, stored as it was sent


def system_clock() -> int:
    """Return the time in milliseconds."""
    return time.time_ns() // 1_000_000


class House:
    """The application. Store, dealer, sheets and clock are given; tests give their own."""

    def __init__(
        self,
        store: Store,
        dealer: Dealer,
        *,
        sheet_of: SheetOf = sheets.load,
        clock: Callable[[], int] = system_clock,
        proofs: Path | None = None,
        offered: tuple[str, ...] = OFFERED,
    ) -> None:
        self.store = store
        self.dealer = dealer
        self.sheet_of = sheet_of
        self.clock = clock
        self.proofs = proofs  # where figures of other sheets than the shipped ones are kept
        self.offered = offered
        open_books(store, dealer, clock)

    # Commands --------------------------------------------------------------------------------

    def guest(self) -> Future[Guest | Refused]:
        """Create a guest with play money."""

        def work(tx: Tx) -> Guest:
            token, player_id = self.dealer.token(), self.dealer.id()
            player = create_guest(tx, player_id, token, self.clock())
            return Guest(player.id, showing.wallet(self._desk(tx, player)), token)

        return self.store.write(lambda tx: self.drawing(tx, lambda: work(tx)))

    def seat(self, token: str | None, asked: SeatRequest) -> Future[Seat | Refused]:
        """Take a seat. Asking again gives the same one, so it needs no idempotency key."""

        def work(tx: Tx) -> Seat | Refused:
            desk = self._locked_desk(tx, token)
            return self.drawing(tx, lambda: take_seat(desk, asked.game))

        return self.store.write(work)

    def open(self, token: str | None, key: str | None, asked: OpenRequest) -> Reply:
        """Stake on the pending deal and deal."""

        def effect(desk: Desk) -> bytes:
            return self._reply(desk, *open_round(desk, asked), since=0)

        return self._command(token, key, "open", asked, effect)

    def choose(
        self, token: str | None, key: str | None, round_id: str, asked: ChoiceRequest, since: int
    ) -> Reply:
        """Answer the question a round waits on; the reply has the events from `since` on."""

        def effect(desk: Desk) -> bytes:
            try:
                return self._reply(desk, *choose(desk, round_id, asked), since=since)
            except Refused as refusal:
                refusal.details["round_id"] = round_id
                raise

        return self._command(token, key, f"choose {round_id}", asked, effect)

    def more_play_money(self, token: str | None, key: str | None) -> Reply:
        """Give a guest who is broke, or cannot afford an option on the table, more to play with."""
        return self._command(
            token,
            key,
            "more play money",
            None,
            lambda desk: msgspec.json.encode(play_money.more(desk)),
        )

    def mark_seen(self, token: str | None, round_id: str) -> Future[None]:
        """Note that the player has been shown how a round ended."""
        return self.store.write(
            lambda tx: showing.mark_seen(self._locked_desk(tx, token), round_id)
        )

    # Queries ---------------------------------------------------------------------------------

    def query(self, token: str | None, ask: Callable[[Desk], T]) -> Future[T]:
        """Answer a question of a player from one snapshot."""
        return self.store.read(lambda tx: ask(self._desk(tx, player_of(tx, token))))

    def games(self, desk: Desk | None = None) -> list[GameView]:
        """Describe every game served here, by a player's sheets or the house's own."""
        return [self.game(game, desk) for game in self.offered]

    def game(self, game: str, desk: Desk | None = None) -> GameView:
        """Describe one game."""
        if game not in self.offered:
            raise Refused("request/unknown_game", game=game[:64])
        if desk is None:
            return game_view(self.sheet_of(game), self.proofs)
        terms = desk.terms(game)
        return game_view(terms.sheet, self.proofs, conversion_of(terms, desk.player.currency))

    # Inside ----------------------------------------------------------------------------------

    def _desk(self, tx: Tx, player: Player) -> Desk:
        return Desk(tx, player, self.dealer, self.sheet_of, self.clock(), self.offered)

    def _locked_desk(self, tx: Tx, token: str | None) -> Desk:
        """Return the desk of a command: those of one player come one after another."""
        player = player_of(tx, token)
        tx.lock("players", player.id)
        return self._desk(tx, player)

    def _command(
        self,
        token: str | None,
        key: str | None,
        name: str,
        asked: object,
        effect: Callable[[Desk], bytes],
    ) -> Reply:
        def work(tx: Tx) -> bytes | Refused:
            desk = self._locked_desk(tx, token)
            return once(desk, check_key(key), fingerprint(name, asked), lambda: effect(desk))

        return self.store.write(work)

    def _reply(self, desk: Desk, stored: Round, played: Transcript, *, since: int) -> bytes:
        reply = showing.reply_of(desk, stored, played, since)
        if played.settled:
            kept = stored.sheet_hash
            seat = self.drawing(desk.tx, lambda: take_seat(desk, stored.game, kept))
            reply = msgspec.structs.replace(reply, seat=seat if isinstance(seat, Seat) else None)
        return msgspec.json.encode(reply)

    def drawing(self, tx: Tx, work: Callable[[], T]) -> T | Refused:
        """Run work that draws on randomness; when the source fails, keep a record of it (R10).

        The refusal is returned, not raised, so that the record is committed; and a round that ends
        at that moment still ends, without a next seat. Such work draws before it writes.
        """
        was_working = self.dealer.working
        try:
            return work()
        except Refused as refusal:
            if refusal.code != "dealing/unavailable":
                raise
            if was_working and self.dealer.first_to_tell():
                journal.record(
                    tx,
                    self.clock(),
                    "dealing_failed",
                    before={"dealing": "ok"},
                    after={"dealing": "failed"},
                )
            return refusal
