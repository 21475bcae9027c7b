"""Simulated nights of decisions alone: no store, no clock but a counter, the same invariants.

    python tests/simulation/decided.py --seeds 100 --commands 500
    python tests/simulation/decided.py --seed 17 --commands 500      one night again

run.py simulates crashes, races and lost messages. Here players only play, repeat a command, reuse
its key, and request other players' rounds, while switches, sheets and the entropy source change.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

if __name__ == "__main__":  # then Python has put this folder first
    sys.path[0] = str(Path(__file__).parents[1])

from simulation.back_office import CENTS
from simulation.decided_books import Books, token_of
from simulation.disk import KEY
from simulation.memory import CENT, Memory, new_pot
from simulation.money_checks import POT_CURRENCY
from simulation.tables import GAMES, stacked, tonight
from simulation.tabs import AMOUNTS, EUROS, LARGE_AMOUNTS, ROYAL_IN_EUROS, side_stake
from stakes import free_spots, main_stake
from tapisvert.bank.exchange_rate import Rate
from tapisvert.bank.money import Purse, Transfer, player_account
from tapisvert.engine.events import Asked
from tapisvert.players.player import Player
from tapisvert.refusal import Refused
from tapisvert.rounds.decide import Choose, Command, MorePlayMoney, Open, TakeSeat
from tapisvert.rounds.decks import Decks
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest, SeatRequest
from tapisvert.rounds.state import Drawn
from tapisvert.sealing import Sealer
from tapisvert.sheets import load

CURRENCIES = ("FUN", "FUN", POT_CURRENCY, "EUR")
POT_CENTS, SHARE = 2_000_000, "2030843:10000000"


@dataclass(frozen=True)
class Report:
    """The result of a night."""

    seed: int
    commands: int
    wins: int  # of the pot
    codes: Counter[str]
    violations: tuple[tuple[str, str], ...]


class Sent(NamedTuple):
    """A sent command, for repeats."""

    player: Player
    command: Command


class Decided:
    """One night."""

    def __init__(self, seed: int, commands: int) -> None:
        self.seed, self.commands = seed, commands
        self.rng, self.now_ms, self.numbers = Random(seed), 1_700_000_000_000, 0
        rates = {("blackjack", "EUR"): Rate(1, "EUR", EUROS)}
        pot = new_pot("blackjack", POT_CURRENCY, POT_CENTS, SHARE, self.now_ms)
        self.memory = Memory(pot, rates, Decks(Sealer(KEY), stacked))
        self.books = Books(self.memory)
        self.model, self.violations = self.books.model, self.books.violations
        self.sent: list[Sent] = []
        self.source_fails_for = 0  # commands
        self._new_sheets()
        self.players = [Player(f"{n:032x}", each) for n, each in enumerate(CURRENCIES)]
        house = Purse("", POT_CURRENCY, self.now_ms)
        self.books.money(
            self.now_ms,
            [(house, Transfer("house:blackjack", "jackpot:blackjack", POT_CENTS, "reset"))],
        )
        for player in self.players:
            self.model.sessions[token_of(player)] = player.id
            self.model.currency[player.id] = player.currency
            self.memory.open_account(player_account(player.id), player.currency)
            self._deposit(player, CENTS[-1])

    def run(self) -> Report:
        """Play until this many commands are decided, or an invariant fails."""
        while self.numbers < self.commands and not self.violations:
            self._step()
        if not self.violations:
            for stored in self.memory.rounds.values():
                self.books.check_round(stored)
        return Report(
            self.seed,
            self.numbers,
            self.memory.pot.triggers,
            self.books.codes,
            tuple(self.violations),
        )

    # What happens ------------------------------------------------------------------------------

    def _step(self) -> None:
        rng = self.rng
        self.now_ms += rng.randrange(2_000)
        self.source_fails_for = max(0, self.source_fails_for - 1)
        player, what = rng.choice(self.players), rng.random()
        if what < 0.01:
            self._switch(player)
        elif what < 0.015:
            self._new_sheets()
        elif what < 0.018:
            self.source_fails_for = rng.randrange(1, 12)
        elif what < 0.08 and self.sent:
            self._give(*rng.choice(self.sent))  # a double click, or who knows how late
        elif what < 0.1:
            self._mischief(player)
        elif what < 0.12 or (self._cents(player) < 1_000 and rng.random() < 0.5):
            self._give(player, MorePlayMoney(self._key()))  # whatever the currency
        else:
            if self._cents(player) < 1_000 and player.currency != "FUN":
                self._deposit(player, rng.choice(CENTS))
            self._play(player, rng.choice(GAMES))

    def _play(self, player: Player, game: str) -> None:
        open_rounds = self.model.of_player(player.id, "open", game)
        seats = self.model.of_player(player.id, "seated", game)
        if open_rounds and self.rng.random() < 0.95:  # else another is asked for beside it
            self._give(player, self._choice(open_rounds[0]))
        elif seats and self.rng.random() < 0.75:
            self._give(player, self._open(player, seats[0]))
        else:
            self._give(player, TakeSeat(SeatRequest(game)))

    def _choice(self, stored: Round, wrong: int = 0) -> Choose:
        question = self.model.replay(stored).waiting
        options = question.options if isinstance(question, Asked) else ()
        legal = [each for each in options if each.why_not is None] or [*options]
        chosen = self.rng.choice(legal if self.rng.random() < 0.95 else [*options])
        asked = ChoiceRequest(stored.steps_answered + wrong, chosen.id)
        return Choose(self._key(), stored.id, asked, self.rng.choice((0, 3)))

    def _open(self, player: Player, seat: Round, key: str | None = None) -> Open:
        rng = self.rng
        amounts = LARGE_AMOUNTS if rng.random() < 0.3 else AMOUNTS
        stakes = main_stake(seat.game, rng.choice(amounts) if rng.random() < 0.97 else 150)
        converted = load(seat.game).pot_bets if player.currency == "EUR" else ()
        for bet in free_spots(seat.game)[1:]:
            if rng.random() < 0.7:
                price = side_stake(seat.game, bet, rng.choice(amounts))
                stakes[bet] = ROYAL_IN_EUROS if bet in converted else price
        asked = OpenRequest(seat.id, seat.commitment, stakes, f"seed {rng.randrange(100)}")
        return Open(key or self._key(), asked)

    def _mischief(self, player: Player) -> None:
        """Send a command that must be refused: another's round, a wrong step, a reused key."""
        rng, rounds = self.rng, [*self.memory.rounds.values()]
        others = [each for each in rounds if each.player_id != player.id]
        mine = self.model.of_player(player.id, "open")
        what = rng.randrange(4)
        if what == 0 and others:
            stored = rng.choice(others)
            if stored.state == "seated":
                self._give(player, self._open(player, stored))
            elif stored.state == "open":
                self._give(player, self._choice(stored))
        elif what == 1 and mine:
            self._give(player, self._choice(rng.choice(mine), rng.choice((-1, 1))))
        elif what == 2 and self.sent:
            used = getattr(rng.choice(self.sent).command, "key", "") or self._key()
            for seat in self.model.of_player(player.id, "seated")[:1]:
                self._give(player, self._open(player, seat, used))
        else:
            self._give(player, Choose(self._key(), "0" * 32, ChoiceRequest(0, "play"), 0))

    def _switch(self, player: Player) -> None:
        stops, scopes = self.model.stops, ("all", "jackpot:blackjack", f"player:{player.id}")
        if stops and self.rng.random() < 0.8:
            scope = self.rng.choice(stops)
            stops.remove(scope)
            del self.memory.stopped[scope]
        else:
            scope = self.rng.choice((*scopes, f"game:{self.rng.choice(GAMES)}"))
            if scope not in stops:
                stops.append(scope)
                self.memory.stopped[scope] = "a fire drill"

    def _new_sheets(self) -> None:
        sheet_of = tonight(self.rng)
        self.house_sheets = {game: sheet_of(game) for game in GAMES}

    def _deposit(self, player: Player, cents: int) -> None:
        """Deposit money; play money too."""
        purse = Purse(player.id, player.currency, self.now_ms)
        cashier, mine = f"cashier:{player.currency}", player_account(player.id)
        self.books.money(self.now_ms, [(purse, Transfer(cashier, mine, cents, "deposit"))])

    def _cents(self, player: Player) -> int:
        return self.memory.balances[player_account(player.id)] // CENT

    def _key(self) -> str:
        return f"key-{self.numbers}"

    def _give(self, player: Player, command: Command) -> None:
        """Let a command be decided with freshly drawn bytes."""
        self.numbers += 1
        self.sent = [*self.sent[-30:], Sent(player, command)]
        drawn: Drawn | Refused = Refused("dealing/unavailable")
        if not self.source_fails_for:
            draw = self.rng.randbytes
            drawn = Drawn(draw(32), draw(16).hex(), draw(12))
        twice = self.rng.random() < 0.1
        self.books.give(player, command, self.now_ms, drawn, self.house_sheets, twice=twice)


def main() -> int:
    """Run the nights of the command line; return 1 if an invariant failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=40, help="how many seeds, from 1 on")
    parser.add_argument("--seed", type=int, help="only this seed")
    parser.add_argument("--commands", type=int, default=300)
    parser.add_argument("--until", help="stop when this invariant does not hold")
    given = parser.parse_args()
    seeds = [given.seed] if given.seed is not None else range(1, given.seeds + 1)
    began, done, codes = time.process_time(), list[Report](), Counter[str]()
    for seed in seeds:
        report = Decided(seed, given.commands).run()
        done.append(report)
        codes += report.codes
        if report.violations:
            print(f"seed {seed}: after {report.commands} commands", flush=True)
            for name, what in report.violations[:10]:
                print(f"  {name}: {what[:300]}")
        if given.until in [name for name, _ in report.violations]:
            break
    took, commands = time.process_time() - began, sum(report.commands for report in done)
    failing = sum(bool(report.violations) for report in done)
    print(dict(codes.most_common()))
    print(
        f"{len(done)} seeds, {commands} commands, {sum(report.wins for report in done)} wins of the"
        f" pot, {failing} seeds with violations,"
        f" {took:.1f} s of processor time: {commands / took:,.0f} commands a second"
    )
    return int(failing > 0)


if __name__ == "__main__":
    sys.exit(main())
