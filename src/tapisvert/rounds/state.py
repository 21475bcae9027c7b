"""The state a command is decided from, loaded completely beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tapisvert.bank.exchange_rate import Rate
from tapisvert.bank.money import AccountBalances, Purse
from tapisvert.bank.pot import Pot
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import edition
from tapisvert.players.player import Player
from tapisvert.refusal import Refused
from tapisvert.rounds.decks import Decks
from tapisvert.rounds.jackpot_terms import Terms, terms_of
from tapisvert.rounds.round import Round


class Drawn(NamedTuple):
    """Random bytes for one new deal of one command."""

    seed: bytes
    round_id: str
    nonce: bytes


class KeyRecord(NamedTuple):
    """The first outcome of a command, stored under its idempotency key."""

    fingerprint: bytes
    reply: bytes | None
    refusal: bytes | None


@dataclass(frozen=True, slots=True)
class HouseTables:
    """The state shared by a group of commands: the house's games, sheets, pots and key."""

    offered: tuple[str, ...]
    house_sheets: Mapping[str, Sheet | Refused]  # by game; a Refused stands for an unreadable sheet
    # By hash: the sheets of the loaded rounds, and those the players have chosen for their tables.
    stored_sheets: Mapping[str, Sheet | Refused]
    pots: Mapping[str, Pot]
    rates: Mapping[tuple[str, str], Rate]  # in force, by pot and currency
    decks: Decks


@dataclass(frozen=True, slots=True)
class CommandState:
    """The complete input for one player's command."""

    player: Player
    now_ms: int
    drawn: Drawn | Refused  # Refused if the entropy source has failed
    rounds: Mapping[str, Round]  # the player's seats and open rounds, and the named round
    balances: AccountBalances  # of the group's players and open rounds; the players' last hashes
    stopped: Mapping[str, str]  # switches that are off and affect the group, with the reason
    record: KeyRecord | None  # the stored outcome of the command's key
    tables: HouseTables
    locked_pot: Pot | None = None  # only for a command that claims a share of it

    def terms(self, game: str) -> Terms:
        """Return the terms of the player's next round of a game; refuse a game not offered."""
        if game not in self.tables.offered:
            raise Refused("request/unknown_game", game=game[:64])
        tables = self.tables
        own = self.player.own_sheet(game)
        sheet = self.house_sheet(game) if own is None else _readable(tables.stored_sheets[own])
        return terms_of(sheet, self.player.currency, tables.pots, tables.rates)

    def house_sheet(self, game: str) -> Sheet:
        """Return the house sheet of a game."""
        return _readable(self.tables.house_sheets[game])

    def sheet_of(self, stored: Round) -> Sheet:
        """Return the sheet a round is played by."""
        edition(stored.game, stored.edition)  # refuses an edition that is not installed
        return _readable(self.tables.stored_sheets[stored.sheet_hash])

    def find(self, round_id: str) -> Round | None:
        """Return the player's own round; None for another player's round."""
        return self.rounds.get(round_id)

    def in_state(self, game: str, state: str) -> Round | None:
        """Return the player's seat or open round at a game; there is at most one of each."""
        for stored in self.rounds.values():
            if stored.game == game and stored.state == state:
                return stored
        return None

    def purse(self, round_id: str | None = None) -> Purse:
        """Return the purse for transfers of this player, at this time, for this round."""
        return Purse(self.player.id, self.player.currency, self.now_ms, round_id)


def _readable(sheet: Sheet | Refused) -> Sheet:
    """Return a sheet, or raise a new copy of its refusal."""
    if isinstance(sheet, Refused):
        raise Refused(sheet.code, **sheet.details)
    return sheet
