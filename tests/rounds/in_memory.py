"""A house in memory: the input of `decide`, and a small `save` of its output. No store.

Players of three currencies, all five games, a pot at Blackjack. The time and the random bytes come
from a seed, so two worlds of one seed are equal. `run` checks every command: decided twice, it has
the same outcome, and the state it was decided from is unchanged.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from houses import KEY
from rounds.decided_twice import decided_twice, deck
from rounds.house_with_pot import GAME
from tapisvert.bank import money, pot
from tapisvert.bank.exchange_rate import Rate
from tapisvert.bank.money import AccountBalances, Purse, Transfer
from tapisvert.bank.pot import Contribution, Pot
from tapisvert.engine import Transcript
from tapisvert.engine.sheet import Sheet, write_odds
from tapisvert.games.registry import SHIPPED
from tapisvert.players.player import Player
from tapisvert.refusal import Refused
from tapisvert.rounds.decide import (
    Answer,
    Choose,
    Command,
    NeedsPot,
    Open,
    Outcome,
    TakeSeat,
)
from tapisvert.rounds.decks import Decks
from tapisvert.rounds.draft import Writes
from tapisvert.rounds.round import Round
from tapisvert.rounds.state import CommandState, Drawn, HouseTables, KeyRecord
from tapisvert.sealing import NONCE_BYTES, Sealer
from tapisvert.sheets import load

DOWN = "dealing/unavailable"
_CLOSING = ("return", "loss", "win")


class World:
    """The rows as they would be stored, and the sums moved for each round."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.now_ms = 1_700_000_000_000
        self.decks = Decks(Sealer(KEY), deck)
        self.house_sheets: dict[str, Sheet | Refused] = {game: load(game) for game in SHIPPED}
        self.sheets: dict[str, Sheet] = {}
        self.rounds: dict[str, Round] = {}
        self.live: dict[str, dict[str, Round]] = {}  # seats and open rounds, by player
        self.sums: dict[str, tuple[int | None, int | None]] = {}  # staked and returned, by round
        self.units: Counter[tuple[str, str]] = Counter()  # by account and currency
        self.currencies: dict[str, str] = {}  # of the accounts that were opened
        self.records: dict[tuple[str, str], KeyRecord] = {}
        self.moved: dict[str | None, list[Transfer]] = {}  # by round
        self.saved = 0  # commands that changed something
        self.contributions: list[Contribution] = []
        self.awards = 0
        self.stopped: dict[str, str] = {}
        self.pot = self._opened_pot()
        self.rates = {(GAME, "EUR"): Rate(1, "EUR", "1.4700")}
        self.players = [
            self._player(currency, cents)
            for currency, cents in (
                *(("FUN", 100_000), ("FUN", 300), ("CAD", 2_000_000)),
                *(("CAD", 3_000), ("EUR", 2_000_000)),
            )
        ]

    # Loading -------------------------------------------------------------------------------------

    def state(self, player: Player, command: Command, *, dealing: bool = True) -> CommandState:
        """Return the state of a command, with the rounds that `load` would give it."""
        named = ""
        if isinstance(command, Open):
            named = command.asked.round_id
        elif isinstance(command, Choose):
            named = command.round_id
        rounds = dict(self.live[player.id])
        for name in (named, *(each.replaces for each in self.live[player.id].values())):
            found = self.rounds.get(name or "")
            if found is not None and found.player_id == player.id:
                rounds[found.id] = found
        accounts = [money.player_account(player.id)]
        accounts += [
            money.round_account(each.id) for each in rounds.values() if each.state == "open"
        ]
        key = None if isinstance(command, TakeSeat) else command.key
        return CommandState(
            player=player,
            now_ms=self.now_ms,
            drawn=self._drawn() if dealing else Refused(DOWN),
            rounds=rounds,
            balances=AccountBalances(
                {each: self.held(each) for each in accounts}, {player.id: bytes(32)}
            ),
            stopped=dict(self.stopped),
            record=self.records.get((player.id, key or "")),
            tables=HouseTables(
                offered=SHIPPED,
                house_sheets=self.house_sheets,
                stored_sheets={
                    each.sheet_hash: self.sheets[each.sheet_hash] for each in rounds.values()
                },
                pots={GAME: self.pot},
                rates=self.rates,
                decks=self.decks,
            ),
        )

    def _drawn(self) -> Drawn:
        draw = self.chance.randbytes
        return Drawn(draw(32), draw(16).hex(), draw(NONCE_BYTES))

    # Deciding and saving -------------------------------------------------------------------------

    def run(self, player: Player, command: Command, *, dealing: bool = True) -> Answer:
        """Decide a command and save its outcome, with the pot locked if needed."""
        state = self.state(player, command, dealing=dealing)
        found = decided_twice(state, command)
        if isinstance(found, NeedsPot):
            state = dataclasses.replace(state, locked_pot=self.folded())
            found = decided_twice(state, command)
        assert isinstance(found, Outcome)
        if found.writes is not None:
            self.save(found.writes)
        self.now_ms += 1_000
        return found.answer

    def folded(self) -> Pot:
        """Fold the pot's waiting contributions, as a unit that locks the pot does."""
        number, units = self.pot.folds + 1, 0
        for place, part in enumerate(self.contributions):
            if part.fold is None:
                self.contributions[place] = replace(part, fold=number)
                units += part.units
        if units:
            self._move(pot.folding(self.pot, units, self.now_ms))
            self.pot = self.pot.after_fold(units, self.now_ms)
        return self.pot

    def save(self, writes: Writes) -> None:
        """Apply the database's constraints: unique keys, states as loaded, no negative balance."""
        self.saved += 1
        for sheet in writes.sheets:
            self.sheets[sheet.hash] = sheet
        for stored, was, *sums in writes.changes:
            assert self.rounds[stored.id].state == was
            assert stored.mark == self.decks.mark(stored)
            self._store(stored)
            self.sums[stored.id] = (sums[0], sums[1])
        for seat in writes.seats:
            assert seat.id not in self.rounds
            assert seat.sheet_hash in self.sheets
            self._store(seat)
            assert self.waiting(seat.player_id, seat.game) == seat, "one pending deal at a time"
        for account, currency in writes.accounts:
            assert account not in self.currencies
            self.currencies[account] = currency
        self._move(writes.movements)
        self.contributions += writes.contributions
        if writes.award is not None:
            _, award = writes.award
            self.pot, self.awards = award.after, self.awards + 1
            assert self.held(self.pot.account) == self.pot.units
        if writes.command is not None:
            owner, key, fingerprint, _, reply, refusal = writes.command
            assert (owner, key) not in self.records
            self.records[owner, key] = KeyRecord(fingerprint, reply, refusal)

    def _store(self, stored: Round) -> None:
        self.rounds[stored.id] = stored
        live = self.live[stored.player_id]
        live.pop(stored.id, None)
        if stored.state in ("seated", "open"):
            live[stored.id] = stored

    def _move(self, movements: Sequence[tuple[Purse, Transfer]]) -> None:
        for purse, transfer in movements:
            assert transfer.units > 0
            currency = transfer.currency or purse.currency
            self.units[transfer.debit, currency] -= transfer.units
            self.units[transfer.credit, currency] += transfer.units
            for account in (transfer.debit, transfer.credit):
                kind = account.partition(":")[0]
                if kind in ("player", "round", "jackpot"):
                    assert self.currencies[account] == currency, "currencies never mix"
                    assert self.held(account) >= 0, "no account goes below zero"
                    assert kind == "jackpot" or self.held(account) % money.UNITS_PER_CENT == 0
            self.moved.setdefault(purse.round_id, []).append(transfer)

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

    def held(self, account: str) -> int:
        """Return the balance of an account in units, in its own currency."""
        return self.units[account, self.currencies[account]]

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
            staked = line.staked_cents * money.UNITS_PER_CENT
            assert of["stake", bet] == of["return", bet] + of["loss", bet] == staked
        staked_cents = sum(line.staked_cents for line in lines.values())
        returned_cents = sum(line.returned_cents for line in lines.values())
        assert self.sums[stored.id] == (staked_cents, returned_cents)
        mine = money.player_account(stored.player_id)
        net = sum(each.units for each in moved if each.credit == mine)
        net -= sum(each.units for each in moved if each.debit == mine)
        assert net == (returned_cents - staked_cents) * money.UNITS_PER_CENT
        assert self.held(money.round_account(stored.id)) == 0
        assert stored.server_seed == self.decks.seed_of(stored)

    # Set-up --------------------------------------------------------------------------------------

    def _player(self, currency: str, cents: int) -> Player:
        player = Player(self.chance.randbytes(4).hex(), currency)
        mine, self.live[player.id] = money.player_account(player.id), {}
        self.currencies[mine] = currency
        purse = Purse(player.id, currency, self.now_ms)
        self._move([(purse, Transfer(f"cashier:{currency}", mine, cents, "deposit"))])
        return player

    def _opened_pot(self) -> Pot:
        figures = load(GAME).jackpot
        assert figures is not None
        start = figures.reset_cents * money.UNITS_PER_CENT
        opened = Pot(
            id=GAME,
            currency="CAD",
            opened_at_ms=self.now_ms,
            epoch=1,
            reset_cents=figures.reset_cents,
            contribution=write_odds(figures.contribution),
            next_reset_cents=None,
            next_contribution=None,
            folds=0,
            triggers=0,
            funded_units=start,
            gathered_units=0,
            awarded_units=0,
            units=start,
            as_of_ms=self.now_ms,
        )
        self.currencies[opened.account] = opened.currency
        ours = Purse("", opened.currency, self.now_ms)
        self._move([(ours, Transfer(opened.house, opened.account, figures.reset_cents, "reset"))])
        return opened
