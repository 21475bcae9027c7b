"""The rows one command will write, collected while it is decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tapisvert.bank import money
from tapisvert.bank.money import UNITS_PER_CENT, Movement, Purse, Transfer
from tapisvert.bank.pot import Award, Contribution
from tapisvert.engine.sheet import Sheet
from tapisvert.refusal import invariant
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import Wallet
from tapisvert.rounds.state import CommandState

_WITH_A_BALANCE = ("player:", "round:")  # of the accounts a player's round moves money between


class Change(NamedTuple):
    """A round as it stands after a command, and the state it was found in."""

    stored: Round
    was: str
    staked_cents: int | None = None
    returned_cents: int | None = None


class CommandRow(NamedTuple):
    """What a command came to under its key: a row of `commands`, or of `operator_commands`."""

    owner: str  # the player, or the operator
    key: str
    fingerprint: bytes
    at_ms: int
    reply: bytes | None
    refusal: bytes | None


@dataclass(slots=True)
class Writes:
    """The rows a command adds or changes."""

    sheets: list[Sheet] = field(default_factory=list)  # stored unless they are already
    seats: list[Round] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    accounts: list[tuple[str, str]] = field(default_factory=list)  # opened: id and currency
    movements: list[Movement] = field(default_factory=list)
    contributions: list[Contribution] = field(default_factory=list)
    award: tuple[Purse, Award] | None = None
    command: CommandRow | None = None
    last: Mapping[str, bytes] = field(
        default_factory=dict
    )  # by player: hash before their next transfer


class Draft:
    """The effects of a command so far, and how rounds and balances stand after them."""

    def __init__(self, state: CommandState) -> None:
        self.state = state
        self.rounds = dict(state.rounds)
        self._balances = dict(state.balances.units)
        self._changes: dict[str, Change] = {}
        self._writes = Writes()

    def balance_cents(self, account: str) -> int:
        """Return what an account holds."""
        return self._balances.get(account, 0) // UNITS_PER_CENT

    def open_account(self, account: str) -> None:
        """Open an empty account in the player's currency."""
        self._balances[account] = 0
        self._writes.accounts.append((account, self.state.player.currency))

    def move(self, purse: Purse, *transfers: Transfer) -> None:
        """Move money, in this order."""
        for transfer in transfers:
            units = money.countable(transfer.units)
            self._add(transfer.debit, -units)
            self._add(transfer.credit, units)
            self._writes.movements.append((purse, transfer))

    def _add(self, account: str, units: int) -> None:
        if account.startswith(_WITH_A_BALANCE):
            after = self._balances[account] + units
            invariant(after >= 0, "no account goes below zero")
            self._balances[account] = money.countable(after)

    def post(self, movements: list[Movement]) -> None:
        """Move money for several purses, the house's own among them."""
        for purse, transfer in movements:
            self.move(purse, transfer)

    def take_seat(self, seat: Round, sheet: Sheet) -> None:
        """Store a new pending deal, and the sheet it will be played by."""
        known = any(each.sheet_hash == sheet.hash for each in self.rounds.values())
        if not known:  # a stored round's sheet is stored
            self._writes.sheets.append(sheet)
        self.rounds[seat.id] = seat
        self._writes.seats.append(seat)

    def change(
        self, stored: Round, staked_cents: int | None = None, returned_cents: int | None = None
    ) -> Round:
        """Store a round as it stands now."""
        before = self._changes.get(stored.id)
        was = before.was if before else self.state.rounds[stored.id].state
        self._changes[stored.id] = Change(stored, was, staked_cents, returned_cents)
        self.rounds[stored.id] = stored
        return stored

    def contribute(self, part: Contribution) -> None:
        """Note what a bet puts into a pot."""
        self._writes.contributions.append(part)

    def award(self, purse: Purse, award: Award) -> None:
        """Pay a share of a pot."""
        invariant(self._writes.award is None, "a round wins a pot once")
        self.move(purse, *award.transfers)
        self._writes.award = (purse, award)

    def wallet(self) -> Wallet:
        """Return what the player has now, and what open rounds hold."""
        player = self.state.player
        held = sum(
            self.balance_cents(money.round_account(stored.id))
            for stored in self.rounds.values()
            if stored.state == "open"
        )
        return Wallet(player.currency, self.balance_cents(money.player_account(player.id)), held)

    def writes(self, command: CommandRow | None = None) -> Writes:
        """Return everything there is to write, with each changed round marked as it stands."""
        mark = self.state.tables.decks.mark
        self._writes.changes = [
            change._replace(stored=change.stored.marked_by(mark))
            for change in self._changes.values()
        ]
        self._writes.command = command
        self._writes.last = self.state.balances.last
        return self._writes
