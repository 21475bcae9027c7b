"""A house in memory: the input of `decide`, and a small `save` of its output. No store.

Players of three currencies, all five games, a pot at Blackjack. The time and the random bytes come
from a seed, so two worlds of one seed are equal. `run` checks every command: decided twice, it has
the same outcome, and the state it was decided from is unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from houses import KEY
from rounds.decided_twice import decided_twice, deck
from rounds.house_with_pot import GAME
from simulation.grouped import Rows
from simulation.letters import Moved
from simulation.memory import CENT, Memory, new_pot
from tapisvert.bank.exchange_rate import Rate
from tapisvert.bank.money import Movement, Purse, Transfer, player_account, round_account
from tapisvert.bank.pot import Contribution
from tapisvert.engine import Transcript
from tapisvert.engine.sheet import Sheet, write_odds
from tapisvert.games.registry import SHIPPED
from tapisvert.players.player import Player
from tapisvert.refusal import Refused
from tapisvert.rounds.decide import Answer, Command, NeedsPot, Outcome
from tapisvert.rounds.decks import Decks
from tapisvert.rounds.draft import Writes
from tapisvert.rounds.round import Round
from tapisvert.rounds.state import CommandState, Drawn
from tapisvert.sealing import NONCE_BYTES, Sealer
from tapisvert.sheets import load

DOWN = "dealing/unavailable"
_CLOSING = ("return", "loss", "win")


class World(Memory):
    """The rows as they would be stored, and the sums moved for each round."""

    def __init__(self, seed: int) -> None:
        self.chance, self.now_ms = Random(seed), 1_700_000_000_000
        figures = load(GAME).jackpot
        assert figures is not None
        share = write_odds(figures.contribution)
        pot = new_pot(GAME, "CAD", figures.reset_cents, share, self.now_ms)
        rates = {(GAME, "EUR"): Rate(1, "EUR", "1.4700")}
        super().__init__(pot, rates, Decks(Sealer(KEY), deck))
        self.house_sheets: dict[str, Sheet | Refused] = {game: load(game) for game in SHIPPED}
        self.sums: dict[str, tuple[int | None, int | None]] = {}  # staked and returned, by round
        self.moved: dict[str | None, list[Moved]] = {}  # by round
        self.saved = self.awards = 0  # commands that changed something, and wins of the pot
        self.contributions: list[Contribution] = []  # since the last fold
        ours = Purse("", pot.currency, self.now_ms)
        self.move([(ours, Transfer(pot.house, pot.account, figures.reset_cents, "reset"))])
        self.players = [
            self._player(currency, cents)
            for currency, cents in (
                *(("FUN", 100_000), ("FUN", 300), ("CAD", 2_000_000)),
                *(("CAD", 3_000), ("EUR", 2_000_000)),
            )
        ]

    def state(self, player: Player, command: Command, *, dealing: bool = True) -> CommandState:
        """Return the state of a command, with the rounds that `load` would give it."""
        return self._state(player, command, self.now_ms, self._drawn(dealing), self.house_sheets)

    def _drawn(self, dealing: bool) -> Drawn | Refused:
        draw = self.chance.randbytes
        return Drawn(draw(32), draw(16).hex(), draw(NONCE_BYTES)) if dealing else Refused(DOWN)

    def run(self, player: Player, command: Command, *, dealing: bool = True) -> Answer:
        """Decide a command and save its outcome, with the pot locked if needed."""
        drawn = self._drawn(dealing)
        _, found, folded = self.decided(player, command, self.now_ms, drawn, self.house_sheets)
        if found.writes is not None:
            self.apply(found.writes, folded)
        self.now_ms += 1_000
        return found.answer

    def decide(self, state: CommandState, command: Command) -> Outcome | NeedsPot:
        return decided_twice(state, command)

    def apply(self, writes: Writes, before: Sequence[Movement] = ()) -> Rows:
        """Apply the rows of a decision, and check those that no constraint covers."""
        rows = super().apply(writes, before)
        self.saved += 1
        for stored, _, *sums in writes.changes:
            assert stored.mark == self.decks.mark(stored)
            self.sums[stored.id] = (sums[0], sums[1])
        for seat in writes.seats:
            assert seat.sheet_hash in self.sheets
            waiting = self.waiting(seat.player_id, seat.game)
            assert waiting is not None, "one pending deal at a time"
            assert waiting.id == seat.id, "one pending deal at a time"
        self.contributions = [*([] if before else self.contributions), *writes.contributions]
        if writes.award is not None:
            self.awards += 1
            assert self.balances[self.pot.account] == self.pot.units
        return rows

    def move(self, movements: Sequence[Movement]) -> list[Moved]:
        """Move money in whole cents, save for the pot's."""
        moved = super().move(movements)
        for each in moved:
            assert each.units > 0
            for account in (each.debit, each.credit):
                if account.startswith(("player:", "round:")):
                    assert self.balances[account] % CENT == 0
            self.moved.setdefault(each.round_id, []).append(each)
        return moved

    # Looking -------------------------------------------------------------------------------------

    def replayed(self, stored: Round) -> Transcript:
        """Replay a stored round."""
        return self.decks.replay(stored, self.sheets[stored.sheet_hash])

    def waiting(self, player_id: str, game: str) -> Round | None:
        """Return a player's pending deal at a game."""
        mine = self.live[player_id].values()
        found = [each for each in mine if (each.game, each.state) == (game, "seated")]
        assert len(found) <= 1
        return found[0] if found else None

    @property
    def units(self) -> Counter[tuple[str, str]]:
        """Return what was moved to every account, by account and currency."""
        found: Counter[tuple[str, str]] = Counter()
        for rows in self.moved.values():
            for each in rows:
                found[each.debit, each.currency] -= each.units
                found[each.credit, each.currency] += each.units
        return found

    def total_units(self) -> dict[str, int]:
        """Return the sum over all accounts per currency."""
        sums: Counter[str] = Counter()
        for (_, currency), units in self.units.items():
            sums[currency] += units
        return dict(sums)

    def check_ended(self, stored: Round) -> None:
        """Check the money of a finished round: every stake was settled once, as its events say."""
        lines = self.replayed(stored).lines
        moved = self.moved[stored.id]
        of = Counter[tuple[str, str | None]]()
        for each in moved:
            of[each.reason, each.bet] += each.units
        times = Counter((each.reason, each.bet) for each in moved if each.reason in _CLOSING)
        assert set(times.values()) <= {1}, times
        assert {bet for reason, bet in of if reason == "stake"} == set(lines)
        for bet, line in lines.items():
            staked = line.staked_cents * CENT
            assert of["stake", bet] == of["return", bet] + of["loss", bet] == staked
        staked_cents = sum(line.staked_cents for line in lines.values())
        returned_cents = sum(line.returned_cents for line in lines.values())
        assert self.sums[stored.id] == (staked_cents, returned_cents)
        mine = player_account(stored.player_id)
        net = sum(each.units for each in moved if each.credit == mine)
        net -= sum(each.units for each in moved if each.debit == mine)
        assert net == (returned_cents - staked_cents) * CENT
        assert self.balances[round_account(stored.id)] == 0
        assert stored.server_seed == self.decks.seed_of(stored)

    def _player(self, currency: str, cents: int) -> Player:
        player = Player(self.chance.randbytes(4).hex(), currency)
        mine = player_account(player.id)
        self.open_account(mine, currency)
        purse = Purse(player.id, currency, self.now_ms)
        self.move([(purse, Transfer(f"cashier:{currency}", mine, cents, "deposit"))])
        return player
