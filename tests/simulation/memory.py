"""A house without a database: decisions are stored in dictionaries, under the same constraints.

The state of a command is what `rounds.load` would load. Violations of database constraints are
errors here too: a negative balance, a round in another state, a key used twice. The simulated
nights of decisions run on it, and the tests of single decisions (rounds/in_memory.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace as replaced
from typing import Any, cast

from msgspec.structs import replace

from simulation.grouped import Rows
from simulation.letters import Moved, Step
from tapisvert.bank.exchange_rate import Rate
from tapisvert.bank.money import AccountBalances, Movement, player_account, round_account
from tapisvert.bank.pot import Pot, folding
from tapisvert.engine.sheet import Sheet
from tapisvert.players.player import Player
from tapisvert.refusal import Refused
from tapisvert.rounds.decide import Choose, Command, NeedsPot, Open, Outcome, decide
from tapisvert.rounds.decks import Decks
from tapisvert.rounds.draft import Writes
from tapisvert.rounds.round import Round
from tapisvert.rounds.state import CommandState, Drawn, HouseTables, KeyRecord
from tapisvert.store import Row, Tx

CENT = 100_000  # units
WITH_A_BALANCE = ("player:", "round:", "jackpot:")


def new_pot(game: str, currency: str, cents: int, contribution: str, at_ms: int) -> Pot:
    """Return a pot as it is opened, which holds its reset amount."""
    units, figures = cents * CENT, (cents, contribution, None, None)
    return Pot(game, currency, at_ms, 1, *figures, 0, 0, units, 0, 0, units, at_ms)


class Bodies:
    """The part of a transaction that reading stored sheets needs."""

    def __init__(self, sheets: dict[str, Sheet]) -> None:
        self._sheets = sheets

    def row(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        """Return the body of a sheet."""
        assert sql == "SELECT body FROM sheets WHERE hash = ?", sql
        found = self._sheets.get(params[0])
        return None if found is None else (found.body,)


class Memory:
    """Rounds, balances, keys and a pot."""

    def __init__(self, pot: Pot, rates: dict[tuple[str, str], Rate], decks: Decks) -> None:
        self.pot, self.rates, self.decks = pot, rates, decks
        self.rounds: dict[str, Round] = {}
        self.live: dict[str, dict[str, Round]] = defaultdict(dict)  # seated or open, by player
        self.balances: dict[str, int] = {pot.account: 0}
        self.currency = {pot.account: pot.currency}
        self.records: dict[tuple[str, str], KeyRecord] = {}
        self.sheets: dict[str, Sheet] = {}
        self.stopped: dict[str, str] = {}
        self.waiting_units = 0  # for the pot
        self.transfers = 0

    @property
    def looking(self) -> Tx:
        """Return the transaction for reading sheets."""
        return cast(Tx, Bodies(self.sheets))

    def open_account(self, account: str, currency: str) -> None:
        assert account not in self.balances, f"{account} is there"
        self.balances[account], self.currency[account] = 0, currency

    def decided(
        self,
        player: Player,
        command: Command,
        now_ms: int,
        drawn: Drawn | Refused,
        house_sheets: Mapping[str, Sheet | Refused],
    ) -> tuple[CommandState, Outcome, list[Movement]]:
        """Decide a command, with the pot folded if it claims a share; return the state it saw."""
        state = self._state(player, command, now_ms, drawn, house_sheets)
        found = self.decide(state, command)
        if isinstance(found, Outcome):
            return state, found, []
        assert isinstance(found, NeedsPot)
        assert found.pot == self.pot.id
        units = self.waiting_units
        gathered = (
            self.pot.after_fold(units, now_ms) if units else replace(self.pot, as_of_ms=now_ms)
        )
        state = replaced(state, locked_pot=gathered)
        again = self.decide(state, command)
        assert isinstance(again, Outcome), "a command with the pot needs nothing more"
        return state, again, folding(self.pot, units, now_ms)

    def decide(self, state: CommandState, command: Command) -> Outcome | NeedsPot:
        return decide(state, command)

    def _state(
        self,
        player: Player,
        command: Command,
        now_ms: int,
        drawn: Drawn | Refused,
        house_sheets: Mapping[str, Sheet | Refused],
    ) -> CommandState:
        rounds = self._loaded(player.id, command)
        accounts = [player_account(player.id)]
        accounts += [round_account(each.id) for each in rounds.values() if each.state == "open"]
        return CommandState(
            player=player,
            now_ms=now_ms,
            drawn=drawn,
            rounds=rounds,
            balances=AccountBalances({account: self.balances[account] for account in accounts}, {}),
            stopped=dict(self.stopped),
            record=self.records.get((player.id, getattr(command, "key", ""))),
            tables=HouseTables(
                offered=tuple(house_sheets),
                house_sheets=house_sheets,
                stored_sheets={
                    each.sheet_hash: self.sheets[each.sheet_hash] for each in rounds.values()
                },
                pots={self.pot.id: self.pot},
                rates=self.rates,
                decks=self.decks,
            ),
        )

    def _loaded(self, player_id: str, command: Command) -> dict[str, Round]:
        """Return a player's seats and open rounds, replaced seats, and the named round."""
        match command:
            case Open():
                named = command.request.round_id
            case Choose():
                named = command.round_id
            case _:
                named = ""
        found = dict(self.live[player_id])
        replaced_seats = [each.replaces for each in found.values() if each.state == "seated"]
        for name in (named, *replaced_seats):
            if name and name in self.rounds and self.rounds[name].player_id == player_id:
                found[name] = self.rounds[name]
        return found

    # Writing -----------------------------------------------------------------------------------

    def apply(self, writes: Writes, before: Sequence[Movement] = ()) -> Rows:
        """Apply the rows of a decision, or raise an error; return the rows."""
        rows = Rows()
        self.sheets |= {sheet.hash: sheet for sheet in writes.sheets}
        for change in writes.changes:
            was = self.rounds[change.stored.id]
            assert was.state == change.was, f"{was.id} is {was.state}, not {change.was}"
            self._put(rows, was.state, change.stored)
        for seat in writes.seats:
            assert seat.id not in self.rounds, f"{seat.id} is there"
            self._put(rows, None, replace(seat, seq=len(self.rounds) + 1))
        for account, currency in writes.accounts:
            self.open_account(account, currency)
        rows.transfers = self.move([*before, *writes.movements])
        if before:
            self.waiting_units = 0
        self.waiting_units += sum(part.units for part in writes.contributions if part.fold is None)
        if writes.award is not None:
            self.pot = writes.award[1].after
        if writes.command is not None:
            row = writes.command
            assert (row.owner, row.key) not in self.records, f"{row.key} is there"
            self.records[row.owner, row.key] = KeyRecord(row.fingerprint, row.reply, row.refusal)
        return rows

    def _put(self, rows: Rows, was: str | None, stored: Round) -> None:
        self.rounds[stored.id] = rows.rounds[stored.id] = stored
        if stored.state in ("seated", "open"):
            self.live[stored.player_id][stored.id] = stored
        else:
            self.live[stored.player_id].pop(stored.id, None)
        rows.steps.append(Step(stored.id, was, stored.state))

    def move(self, movements: Sequence[Movement]) -> list[Moved]:
        """Move money between existing accounts, in their currency, none below zero."""
        moved = []
        for purse, transfer in movements:
            currency = transfer.currency or purse.currency
            for account, units in (
                (transfer.debit, -transfer.units),
                (transfer.credit, transfer.units),
            ):
                if account.startswith(WITH_A_BALANCE):
                    assert self.currency[account] == currency, f"{account} is not of {currency}"
                    self.balances[account] += units
                    assert self.balances[account] >= 0, f"{account} is below zero"
            self.transfers += 1
            moved.append(
                Moved(
                    self.transfers,
                    purse.at_ms,
                    transfer.debit,
                    transfer.credit,
                    currency,
                    transfer.units,
                    transfer.reason,
                    purse.player_id or None,
                    purse.round_id,
                    transfer.bet,
                    None,
                )
            )
        return moved
