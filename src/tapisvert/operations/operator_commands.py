"""Operators' commands and queries inside one transaction; commands record who, what and why.

`OperatorService` opens the transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from tapisvert.bank import cashier, jackpot, journal, ledger, money, rate_repository
from tapisvert.bank.cashier import Booking, CashierState
from tapisvert.engine.sheet import Jackpot
from tapisvert.games.registry import GAMES
from tapisvert.operations import switching
from tapisvert.operations.jackpot_views import PotReport, pot_report
from tapisvert.operations.operator_views import (
    EVENTS_PAGE,
    EventView,
    NewPlayer,
    PlayerView,
    Revoked,
)
from tapisvert.operations.void_state import load_void_state
from tapisvert.operations.voiding import Voided, decide_void
from tapisvert.players import accounts
from tapisvert.players.player import Player
from tapisvert.players.repository import find_player, find_record
from tapisvert.refusal import Refused, storable
from tapisvert.rounds import command_records, repository, switches
from tapisvert.rounds.draft import CommandRow, Writes
from tapisvert.rounds.idempotency import check_key, fingerprint, is_stored, outcome, repeated
from tapisvert.rounds.player_service import PlayerService
from tapisvert.rounds.save import save
from tapisvert.rounds.schemas import iso
from tapisvert.store import Tx


@dataclass(frozen=True, slots=True)
class OperatorCommands:
    """The commands and queries of one operator in one transaction."""

    tx: Tx
    house: PlayerService
    by: str

    # Players and their money -----------------------------------------------------------------

    def create_player(self, currency: str) -> NewPlayer:
        """Create a player with real money."""
        token, player_id = self.house.dealer.token(), self.house.dealer.id()
        now = self.house.clock()
        accounts.create_player(self.tx, player_id, token, currency, by=self.by, at_ms=now)
        return NewPlayer(player_id, currency, token)

    def create_operator(self, name: str) -> dict[str, str]:
        """Create an operator of the HTTP API; the token is shown once."""
        token = self.house.dealer.token()
        accounts.create_operator(self.tx, name, token, by=self.by, at_ms=self.house.clock())
        return {"name": name, "token": token}

    def new_token(self, player_id: str) -> NewPlayer:
        """Replace a player's tokens with a new one."""
        player, token = self._locked(player_id), self.house.dealer.token()
        accounts.new_token(self.tx, player, token, by=self.by, at_ms=self.house.clock())
        return NewPlayer(player.id, player.currency, token)

    def revoke(self, scope: str, reason: str) -> Revoked:
        """Revoke the access of `operator:<name>` or `player:<id>`; money stays where it is."""
        kind, _, name = scope.partition(":")
        why, now = _valid_reason(reason), self.house.clock()
        if kind == "player":
            player = self._locked(name)
            return Revoked(
                scope, accounts.revoke_tokens(self.tx, player, by=self.by, reason=why, at_ms=now)
            )
        gone = 0
        if kind == "operator":
            gone = accounts.revoke_operator(self.tx, name, by=self.by, reason=why, at_ms=now)
        if not gone:
            raise Refused("revoke/unknown", scope=scope[:80])
        return Revoked(scope, gone)

    def deposit(self, player_id: str, cents: int, reference: str) -> PlayerView:
        """Deposit real money."""
        state = self._at_the_cashier(player_id)
        return self._book(state, cashier.deposit(state, cents, by=self.by, reference=reference))

    def withdraw(self, player_id: str, cents: int, reference: str) -> PlayerView:
        """Withdraw real money."""
        state = self._at_the_cashier(player_id)
        return self._book(state, cashier.withdraw(state, cents, by=self.by, reference=reference))

    def pay_debt(self, player_id: str) -> PlayerView:
        """Pay a player's debt from the balance."""
        state = self._at_the_cashier(player_id)
        return self._book(state, cashier.pay_debt(state, by=self.by))

    def player(self, player_id: str) -> PlayerView:
        """Show a player."""
        player, kind, created = find_record(self.tx, player_id)
        open_rounds, voided = repository.counts_of(self.tx, player_id)
        balance, held = repository.balance_and_held(self.tx, player_id)
        stopped = switches.stopped(self.tx).get(f"player:{player_id}")
        return PlayerView(
            player_id=player.id,
            kind=kind,
            currency=player.currency,
            created_at=iso(created),
            balance_cents=balance // money.UNITS_PER_CENT,
            held_cents=held // money.UNITS_PER_CENT,
            debt_cents=ledger.debt_cents(self.tx, player.id),
            open_rounds=open_rounds,
            voided_rounds=voided,
            stopped=stopped["reason"] if stopped else None,
        )

    # Rounds and play -------------------------------------------------------------------------

    def void(self, round_id: str, reason: str) -> Voided:
        """Void a round, open or over: a malfunction voids plays and pays."""
        state = load_void_state(self.tx, round_id, self.house.clock(), self.house.shared())
        if state is None:
            raise Refused("round/unknown", round_id=round_id[:64])
        done = decide_void(state, by=self.by, reason=_valid_reason(reason))
        save(self.tx, [done.writes])
        return done.answer

    def stop(self, scope: str, reason: str) -> dict[str, dict[str, str]]:
        """Stop new rounds; return the stopped scopes."""
        now = self.house.clock()
        switching.stop(self.tx, scope, by=self.by, reason=_valid_reason(reason), at_ms=now)
        return switches.stopped(self.tx)

    def resume(self, scope: str, reason: str) -> dict[str, dict[str, str]]:
        """Allow new rounds again; return the scopes still stopped."""
        now = self.house.clock()
        switching.resume(self.tx, scope, by=self.by, reason=_valid_reason(reason), at_ms=now)
        return switches.stopped(self.tx)

    def stopped(self) -> dict[str, dict[str, str]]:
        """Return the stopped scopes, with operator and reason."""
        return switches.stopped(self.tx)

    # Jackpots --------------------------------------------------------------------------------

    def open_jackpot(self, game: str, currency: str) -> PotReport:
        """Open a game's pot in this currency, with the figures of the game's sheet."""
        figures, now = self._figures(game), self.house.clock()
        return pot_report(
            self.tx, jackpot.open_pot(self.tx, game, currency, figures, by=self.by, at_ms=now)
        )

    def set_jackpot(
        self,
        game: str,
        *,
        reset_cents: int | None = None,
        contribution: str | None = None,
        reason: str,
    ) -> PotReport:
        """Queue new figures for the next pot of a game; the current one keeps its own (J5)."""
        pot = jackpot.queue(
            self.tx,
            game,
            reset_cents=reset_cents,
            contribution=contribution,
            by=self.by,
            reason=_valid_reason(reason),
            at_ms=self.house.clock(),
        )
        return pot_report(self.tx, pot)

    def set_rate(self, game: str, currency: str, rate: str) -> PotReport:
        """Set the value of one unit of a player's currency in the currency of a game's pot."""
        pot = jackpot.load(self.tx, game)
        now = self.house.clock()
        rate_repository.set_rate(
            self.tx, pot.id, pot.currency, currency, rate, by=self.by, at_ms=now
        )
        return pot_report(self.tx, pot)

    def jackpots(self) -> list[PotReport]:
        """Return every pot: funded, paid, held, shown, and the difference (J7)."""
        return [pot_report(self.tx, pot) for pot in jackpot.pots(self.tx)]

    def events(self, before: int | None) -> list[EventView]:
        """List significant events, newest first."""
        rows = journal.page(self.tx, 2**63 - 1 if before is None else before, EVENTS_PAGE)
        return [
            EventView(row[0], iso(row[1]), row[2], row[3], row[4], msgspec.json.decode(row[5]))
            for row in rows
        ]

    # Internal -------------------------------------------------------------------------------

    def once(self, key: str | None, asked: object, work: Callable[[], object]) -> bytes | Refused:
        """Run a command once per idempotency key: the same key gets the same reply or refusal."""
        self.tx.lock("operator_commands", self.by)
        key, mark = check_key(key), fingerprint(self.by, asked)
        record = command_records.operator_record(self.tx, self.by, key)
        if record is not None:
            return repeated(record, mark)
        answer = self._try(work)
        row = CommandRow(self.by, key, mark, self.house.clock(), *outcome(answer))
        command_records.add_operator_command(self.tx, row)
        return answer

    def _try(self, work: Callable[[], object]) -> bytes | Refused:
        try:
            return msgspec.json.encode(work())
        except Refused as refusal:
            if not is_stored(refusal):
                raise
            self.tx.undo()
            return refusal

    def _figures(self, game: str) -> Jackpot:
        figures = self.house.sheet_of(game).jackpot if game in GAMES else None
        if figures is None:
            raise Refused("jackpot/unknown", pot=game[:64])
        return figures

    def _locked(self, player_id: str) -> Player:
        """Lock a player; return the record."""
        player = find_player(self.tx, player_id)
        self.tx.lock("players", player.id)
        return player

    def _at_the_cashier(self, player_id: str) -> CashierState:
        """Lock a player; load the money that a command at the cashier depends on."""
        player = self._locked(player_id)
        return CashierState(
            purse=money.Purse(player.id, player.currency, self.house.clock()),
            balances=ledger.load(self.tx, [player.id], []),
            debt_cents=ledger.debt_cents(self.tx, player.id),
        )

    def _book(self, state: CashierState, booking: Booking) -> PlayerView:
        """Save the rows of a command at the cashier; show the player."""
        movements = [(state.purse, transfer) for transfer in booking.transfers]
        last = state.balances.last
        save(self.tx, [Writes(movements=movements, events=[*booking.events], last=last)])
        return self.player(state.purse.player_id)


def _valid_reason(reason: str) -> str:
    """Return a reason, or refuse an empty one: an auditor needs it."""
    if not 1 <= len(reason.strip()) <= 500:
        raise Refused("operator/reason")
    return storable(reason.strip())
