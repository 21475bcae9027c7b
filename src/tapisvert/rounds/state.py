"""The state a command is decided from; it is loaded completely beforehand."""

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
    """Random bytes for one new deal, drawn for one command and used by no other."""

    seed: bytes
    round_id: str
    nonce: bytes


class KeyRecord(NamedTuple):
    """What a command under an idempotency key came to the first time."""

    fingerprint: bytes
    reply: bytes | None
    refusal: bytes | None


@dataclass(frozen=True, slots=True)
class HouseTables:
    """What is the same for every command of a group: the house's games, sheets, pots and key."""

    offered: tuple[str, ...]
    house_sheets: Mapping[str, Sheet | Refused]  # by game; a sheet that cannot be read is a value
    stored_sheets: Mapping[str, Sheet | Refused]  # by hash: those of the loaded rounds
    pots: Mapping[str, Pot]
    rates: Mapping[tuple[str, str], Rate]  # in force, by pot and currency
    decks: Decks


@dataclass(frozen=True, slots=True)
class CommandState:
    """All that one player's command is decided from."""

    player: Player
    now_ms: int
    drawn: Drawn | Refused  # a failed source of randomness is a value: some commands need none
    rounds: Mapping[str, Round]  # the player's seats and open rounds, and those a command names
    balances: AccountBalances  # the player's account and chain, and the accounts of the open rounds
    stopped: Mapping[str, str]  # switches that are off and concern this player, with the reason
    record: KeyRecord | None  # what the command's key came to before
    tables: HouseTables
    locked_pot: Pot | None = None  # of a command that claims a share of it, decided alone

    def terms(self, game: str) -> Terms:
        """Return what the player's next round of a game is played by; refuse one not offered."""
        if game not in self.tables.offered:
            raise Refused("request/unknown_game", game=game[:64])
        tables = self.tables
        sheet = self.house_sheet(game)
        return terms_of(sheet, self.player.currency, tables.pots, tables.rates)

    def house_sheet(self, game: str) -> Sheet:
        """Return the house's own sheet of a game."""
        return _readable(self.tables.house_sheets[game])

    def sheet_of(self, stored: Round) -> Sheet:
        """Return the sheet a round is played by."""
        edition(stored.game, stored.edition)  # refused where it is not installed
        return _readable(self.tables.stored_sheets[stored.sheet_hash])

    def find(self, round_id: str) -> Round | None:
        """Find the player's own round; anyone else's does not exist for them."""
        return self.rounds.get(round_id)

    def in_state(self, game: str, state: str) -> Round | None:
        """Return the player's seat or open round at a game: there is one of each at most."""
        for stored in self.rounds.values():
            if stored.game == game and stored.state == state:
                return stored
        return None

    def purse(self, round_id: str | None = None) -> Purse:
        """Return whose money moves, when, and for which round."""
        return Purse(self.player.id, self.player.currency, self.now_ms, round_id)


def _readable(sheet: Sheet | Refused) -> Sheet:
    """Return a sheet, or refuse as its reader did: each command gets a refusal of its own."""
    if isinstance(sheet, Refused):
        raise Refused(sheet.code, **sheet.details)
    return sheet
