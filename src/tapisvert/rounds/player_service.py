"""The player service: commands of players, committed in groups, and queries on a snapshot."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from tapisvert import sheets
from tapisvert.bank import journal
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import OFFERED
from tapisvert.players.guests import create_guest
from tapisvert.players.player import Player
from tapisvert.players.repository import player_of
from tapisvert.refusal import Refused
from tapisvert.rounds import own_rules, player_views
from tapisvert.rounds.audit_trail import start_audit_trail
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.decide import Choose, MorePlayMoney, Open, TakeSeat
from tapisvert.rounds.game_catalogue import GameView, game_view
from tapisvert.rounds.groups import Groups
from tapisvert.rounds.jackpot_terms import conversion_of
from tapisvert.rounds.load import SharedState
from tapisvert.rounds.own_rules import RulesRequest
from tapisvert.rounds.schemas import ChoiceRequest, Guest, OpenRequest, Seat, SeatRequest
from tapisvert.rounds.seed_source import Dealer
from tapisvert.store import Store, Tx

T = TypeVar("T")
SheetOf = Callable[[str], Sheet]
Reply = Future[bytes | Refused]  # encoded JSON, identical to the stored reply


def system_clock() -> int:
    """Return the wall-clock time in milliseconds."""
    return time.time_ns() // 1_000_000


class PlayerService:
    """The player service. Store, dealer, sheets and clock are injected; tests inject their own."""

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
        self.proofs = proofs  # proofs of sheets that are not shipped
        self.offered = offered
        start_audit_trail(store, dealer, clock)
        self._groups = Groups(store, self.shared, dealer, clock)

    # Commands --------------------------------------------------------------------------------

    def guest(self) -> Future[Guest | Refused]:
        """Create a guest with play money."""

        def work(tx: Tx) -> Guest:
            token, player_id = self.dealer.token(), self.dealer.id()
            player = create_guest(tx, player_id, token, self.clock())
            return Guest(player.id, player_views.wallet(self._context(tx, player)), token)

        return self.store.write(lambda tx: self.drawing(tx, lambda: work(tx)))

    def seat(self, token: str | None, asked: SeatRequest) -> Future[Seat | Refused]:
        """Take a seat. Repeating it returns the same seat, so it needs no idempotency key."""
        return self._groups.submit(token, TakeSeat(asked))

    def open(self, token: str | None, key: str | None, asked: OpenRequest) -> Reply:
        """Stake on the pending deal and deal."""
        return self._groups.submit(token, Open(key, asked))

    def choose(
        self, token: str | None, key: str | None, round_id: str, asked: ChoiceRequest, since: int
    ) -> Reply:
        """Answer the question a round waits on; the reply has the events from `since` on."""
        return self._groups.submit(token, Choose(key, round_id, asked, since))

    def more_play_money(self, token: str | None, key: str | None) -> Reply:
        """Grant play money to a guest who is broke, or cannot afford a listed option."""
        return self._groups.submit(token, MorePlayMoney(key))

    def mark_seen(self, token: str | None, round_id: str) -> Future[None]:
        """Record that the player has seen how a round ended."""
        return self.store.write(
            lambda tx: player_views.mark_seen(self._locked_context(tx, token), round_id)
        )

    def choose_rules(self, token: str | None, game: str, asked: RulesRequest) -> Future[GameView]:
        """Play a game by other rules, or by the house's again. Repeating it changes nothing."""

        def work(tx: Tx) -> GameView:
            own_rules.choose(self._locked_context(tx, token), game, asked)
            return self.game(game, self._context(tx, player_of(tx, token)))

        return self.store.write(work)

    def change(self, token: str | None, work: Callable[[QueryContext], T]) -> Future[T]:
        """Run work under the player's lock; it must write neither money nor rounds."""
        return self.store.write(lambda tx: work(self._locked_context(tx, token)))

    # Queries ---------------------------------------------------------------------------------

    def query(self, token: str | None, ask: Callable[[QueryContext], T]) -> Future[T]:
        """Run a player's query on one snapshot."""
        return self.store.read(lambda tx: ask(self._context(tx, player_of(tx, token))))

    def games(self, context: QueryContext | None = None) -> list[GameView]:
        """Describe every game offered here, by a player's sheets or the house sheets."""
        return [self.game(game, context) for game in self.offered]

    def game(self, game: str, context: QueryContext | None = None) -> GameView:
        """Describe one game."""
        if game not in self.offered:
            raise Refused("request/unknown_game", game=game[:64])
        if context is None:
            return game_view(self.sheet_of(game), self.proofs)
        terms = context.terms(game)
        return game_view(
            terms.sheet,
            self.proofs,
            conversion_of(terms, context.player.currency),
            own_rules.name_of(context, game),
        )

    # Internal -------------------------------------------------------------------------------

    def shared(self) -> SharedState:
        """Return the state shared by all commands, as of now."""
        return SharedState(self.offered, self.sheet_of, self.dealer.decks)

    def _context(self, tx: Tx, player: Player) -> QueryContext:
        return QueryContext(tx, player, self.dealer, self.sheet_of, self.clock(), self.offered)

    def _locked_context(self, tx: Tx, token: str | None) -> QueryContext:
        """Return a command's context under the player's lock."""
        player = player_of(tx, token)
        tx.lock("players", player.id)
        return self._context(tx, player)

    def drawing(self, tx: Tx, work: Callable[[], T]) -> T | Refused:
        """Run work that draws random bytes; record the first failure of the source (R10).

        A failure returns the refusal instead of raising it, so that the record is committed. Work
        must draw before it writes.
        """
        was_working = self.dealer.working
        try:
            return work()
        except Refused as refusal:
            if refusal.code != "dealing/unavailable":
                raise
            if was_working and self.dealer.first_to_record():
                journal.record(
                    tx,
                    self.clock(),
                    "dealing_failed",
                    before={"dealing": "ok"},
                    after={"dealing": "failed"},
                )
            return refusal
