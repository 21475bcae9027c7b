"""The rows that one command writes, collected while it is decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tapisvert.bank import money
from tapisvert.bank.money import UNITS_PER_CENT, Movement, Purse, Transfer
from tapisvert.bank.pot import Award, Contribution
from tapisvert.bank.significant_event import SignificantEvent
from tapisvert.engine.sheet import Sheet
from tapisvert.refusal import invariant
from tapisvert.rounds.reversal import ReversalRow
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import Wallet
from tapisvert.rounds.state import CommandState

_WITH_A_BALANCE = ("player:", "round:")  # of a round's accounts, those with a stored balance


class Change(NamedTuple):
    """A round after a command, and the state it was in before."""

    stored: Round
    was: str
    staked_cents: int | None = None
    returned_cents: int | None = None


class CommandRow(NamedTuple):
    """The outcome of a command under its key: a row of `commands` or `operator_commands`."""

    owner: str  # the player id or the operator name
    key: str
    fingerprint: bytes
    at_ms: int
    reply: bytes | None
    refusal: bytes | None


@dataclass(slots=True)
class Writes:
    """The rows a command inserts or updates."""

    sheets: list[Sheet] = field(default_factory=list)  # inserted if absent
    seats: list[Round] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    accounts: list[tuple[str, str]] = field(default_factory=list)  # to open: id and currency
    movements: list[Movement] = field(default_factory=list)
    contributions: list[Contribution] = field(default_factory=list)
    award: tuple[Purse, Award] | None = None
    reversals: list[ReversalRow] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)  # rounds to mark as unseen
    events: list[SignificantEvent] = field(default_factory=list)
    command: CommandRow | None = None
    last: Mapping[str, bytes] = field(default_factory=dict)  # last hash of each player's chain


class Draft:
    """The effects of a command so far, and the rounds and balances that result."""

    def __init__(self, state: CommandState) -> None:
        self.state = state
        self.rounds = dict(state.rounds)
        self._balances = dict(state.balances.units)
        self._changes: dict[str, Change] = {}
        self._writes = Writes()

    def balance_cents(self, account: str) -> int:
        """Return the balance of an account."""
        return self._balances.get(account, 0) // UNITS_PER_CENT

    def open_account(self, account: str) -> None:
        """Open an empty account in the player's currency."""
        self._balances[account] = 0
        self._writes.accounts.append((account, self.state.player.currency))

    def move(self, purse: Purse, *transfers: Transfer) -> None:
        """Add transfers, in this order."""
        for transfer in transfers:
            units = money.countable(transfer.units)
            self._add(transfer.debit, -units)
            self._add(transfer.credit, units)
            self._writes.movements.append((purse, transfer))

    def _add(self, account: str, units: int) -> None:
        if account.startswith(_WITH_A_BALANCE):
            after = self._balances[account] + units
            invariant(after >= 0, "a balance must not be negative")
            self._balances[account] = money.countable(after)

    def post(self, movements: list[Movement]) -> None:
        """Add transfers of several purses, the house's included."""
        for purse, transfer in movements:
            self.move(purse, transfer)

    def take_seat(self, seat: Round, sheet: Sheet) -> None:
        """Add a new pending deal, and its sheet."""
        known = any(each.sheet_hash == sheet.hash for each in self.rounds.values())
        if not known:  # the sheet of a stored round is already stored
            self._writes.sheets.append(sheet)
        self.rounds[seat.id] = seat
        self._writes.seats.append(seat)

    def change(
        self, stored: Round, staked_cents: int | None = None, returned_cents: int | None = None
    ) -> Round:
        """Add a round's new state."""
        before = self._changes.get(stored.id)
        was = before.was if before else self.state.rounds[stored.id].state
        self._changes[stored.id] = Change(stored, was, staked_cents, returned_cents)
        self.rounds[stored.id] = stored
        return stored

    def contribute(self, part: Contribution) -> None:
        """Add a contribution to a pot."""
        self._writes.contributions.append(part)

    def award(self, purse: Purse, award: Award) -> None:
        """Add an award of a share of a pot."""
        invariant(self._writes.award is None, "a round must not win a pot twice")
        self.move(purse, *award.transfers)
        self._writes.award = (purse, award)

    def reverse(self, stored: Round, row: ReversalRow) -> None:
        """Add the reversal of a round that an operator voids; mark the round as unseen."""
        self._writes.reversals.append(row)
        if stored.seen:
            self._writes.unseen.append(stored.id)

    def record(self, event: SignificantEvent) -> None:
        """Add a significant event."""
        self._writes.events.append(event)

    def wallet(self) -> Wallet:
        """Return the player's balance, and the sum that open rounds hold."""
        player = self.state.player
        held = sum(
            self.balance_cents(money.round_account(stored.id))
            for stored in self.rounds.values()
            if stored.state == "open"
        )
        return Wallet(player.currency, self.balance_cents(money.player_account(player.id)), held)

    def writes(self, command: CommandRow | None = None) -> Writes:
        """Return all rows to write, each changed round with its new mark."""
        mark = self.state.tables.decks.mark
        self._writes.changes = [
            change._replace(stored=change.stored.marked_by(mark))
            for change in self._changes.values()
        ]
        self._writes.command = command
        self._writes.last = self.state.balances.last
        return self._writes
