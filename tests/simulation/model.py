"""The expected state, computed from the committed units one by one: an independent model."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from simulation.disk import KEY
from simulation.letters import Moved, Request, Unit
from simulation.tables import stacked
from tapisvert.engine import Transcript
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import edition
from tapisvert.operations.operator_views import NewPlayer
from tapisvert.rounds import Dealer
from tapisvert.rounds.repository import transcript_of
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import Guest
from tapisvert.rounds.stored_sheets import stored_sheet
from tapisvert.sealing import Sealer
from tapisvert.store import Tx

CENT = 100_000
SETTLING = ("return", "loss", "win")


@dataclass
class BetMoney:
    """The money moved for one bet of a round, in cents."""

    staked: int = 0
    back: int = 0  # return and win
    lost: int = 0
    settled: bool = False

    @property
    def net(self) -> int:
        """Return the net result of a settled bet."""
        return self.back - self.staked


class Model:
    """Expected balances, rounds, switches, sessions and replies."""

    def __init__(self, tx: Tx) -> None:
        self.tx = tx  # queries committed rows
        self.dealer = Dealer(Sealer(KEY), shuffle=stacked)  # decrypts seeds, never draws any
        self.units: dict[tuple[str, str], int] = defaultdict(int)  # by account and currency
        self.currency: dict[str, str] = {}  # of a player
        self.sessions: dict[str, str] = {}  # token to player
        self.rounds: dict[str, Round] = {}
        self.opened_ms: dict[str, int] = {}  # by monotonic time
        self.moves: dict[str, list[Moved]] = defaultdict(list)  # of a round
        self.stops: list[str] = []
        self.reversed: list[str] = []  # rounds an operator has voided
        self.first: dict[tuple[str, str], Unit] = {}  # the unit that used a key
        self.transfers = self.events = 0  # the last of each
        self.told: dict[str, dict[int, str]] = defaultdict(dict)  # events of a round, by number
        self._seeds: dict[str, bytes] = {}
        self._played: dict[str, tuple[Round, Transcript]] = {}

    # Questions -------------------------------------------------------------------------------

    def balance(self, player_id: str) -> int:
        return self._cents("player", player_id, player_id)

    def debt(self, player_id: str) -> int:
        return -self._cents("debt", player_id, player_id)

    def held(self, stored: Round) -> int:
        """Return the amount a round holds."""
        return self._cents("round", stored.id, stored.player_id)

    def held_by(self, player_id: str) -> int:
        """Return the amount a player's open rounds hold."""
        return sum(map(self.held, self.of_player(player_id, "open")))

    def of_player(self, player_id: str, state: str, game: str | None = None) -> list[Round]:
        return [
            each
            for each in self.rounds.values()
            if each.player_id == player_id and each.state == state and game in (None, each.game)
        ]

    def bets(self, round_id: str) -> dict[str, BetMoney]:
        return bets_of(self.moves[round_id])

    def net(self, round_id: str) -> int:
        """Return the net result of the settled bets of a round."""
        return sum(money.net for money in self.bets(round_id).values() if money.settled)

    def replay(self, stored: Round) -> Transcript:
        """Replay a round with the model's own dealer."""
        found = self._played.get(stored.id)
        if found is None or found[0] is not stored:
            found = stored, transcript_of(self.tx, self.dealer.decks, stored)
            self._played[stored.id] = found
        return found[1]

    def sheet(self, stored: Round) -> Sheet:
        return stored_sheet(self.tx, stored.sheet_hash, edition(stored.game, stored.edition))

    def seed(self, stored: Round) -> bytes:
        if stored.id not in self._seeds:
            self._seeds[stored.id] = self.dealer.unseal(stored.sealed_seed, stored.id)
        return self._seeds[stored.id]

    def _cents(self, kind: str, name: str, player_id: str) -> int:
        units = self.units.get((f"{kind}:{name}", self.currency.get(player_id, "")), 0)
        return units // CENT

    # Changes ---------------------------------------------------------------------------------

    def apply(self, unit: Unit) -> None:
        """Add a unit to the model; a refused one has moved nothing."""
        for moved in unit.transfers if unit.done else ():
            self.units[moved.debit, moved.currency] -= moved.units
            self.units[moved.credit, moved.currency] += moved.units
            self.transfers = moved.id
            if moved.round_id is not None:
                self.moves[moved.round_id].append(moved)
        for step in unit.steps:
            if step.opens:
                self.opened_ms[step.round_id] = unit.at_ms
        self.rounds.update(unit.rounds)
        if unit.events:
            self.events = unit.events[-1].id
        if unit.done and unit.effect:
            self._switch(unit.request)
            self._enter(unit.outcome)
        key = unit.request.key
        if key is not None and not unit.raised:
            self.first.setdefault((unit.request.owner, key), unit)

    def _switch(self, request: Request) -> None:
        if request.kind == "stop" and request.asked not in self.stops:
            self.stops.append(request.asked)
        if request.kind == "resume" and request.asked in self.stops:
            self.stops.remove(request.asked)
        if request.kind == "void":
            self.reversed.append(request.round_id)

    def _enter(self, outcome: object) -> None:
        """Record a new player or token; a new token revokes the old ones."""
        if isinstance(outcome, NewPlayer):
            self.currency[outcome.player_id] = outcome.currency
            for token in [*self.sessions]:
                if self.sessions[token] == outcome.player_id:
                    del self.sessions[token]
            self.sessions[outcome.token] = outcome.player_id
        if isinstance(outcome, Guest) and outcome.token:
            self.currency[outcome.player_id] = outcome.wallet.currency
            self.sessions[outcome.token] = outcome.player_id


def bets_of(moves: list[Moved]) -> dict[str, BetMoney]:
    found: dict[str, BetMoney] = defaultdict(BetMoney)
    for moved in moves:
        if moved.bet is not None:
            bet, cents = found[moved.bet], moved.units // CENT
            if moved.reason == "stake":
                bet.staked += cents
            elif moved.reason in ("return", "win") or (
                moved.reason == "award" and moved.credit.startswith("player:")
            ):
                bet.back += cents
            elif moved.reason == "loss":
                bet.lost += cents
            bet.settled = bet.settled or moved.reason in SETTLING
    return found
