"""The books of a night without a store, and every invariant they are held against.

What a unit must be is checked as in the nights of run.py, by the same functions. What those ask of
a database is asked of the memory here, under the same names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from simulation.letters import Request, Unit, code_of
from simulation.memory import WITH_A_BALANCE, Memory
from simulation.model import Model
from simulation.money_checks import AFTER_CHECKS, MONEY_CHECKS
from simulation.pot_checks import POT_UNIT_CHECKS
from simulation.state_checks import ROUND_CHECKS
from simulation.told_checks import REPLY_CHECKS, TOLD_CHECKS, read
from simulation.unit_checks import UNIT_CHECKS
from tapisvert.bank.money import Movement
from tapisvert.engine.sheet import Sheet
from tapisvert.players.player import Player
from tapisvert.refusal import Refused
from tapisvert.rounds.decide import Choose, Command, MorePlayMoney, Open, Outcome, TakeSeat, decide
from tapisvert.rounds.draft import Writes
from tapisvert.rounds.round import Round
from tapisvert.rounds.state import CommandState, Drawn

_KINDS = {TakeSeat: "seat", Open: "open", Choose: "choose", MorePlayMoney: "more"}
_NOT_KEPT = ("store/", "dealing/")


class Nobody:
    """Who asks; nobody waits for the answer."""

    name = "player"

    def hear(self, request: Request, outcome: object) -> None:
        """Take no notice."""


class Books:
    """A second set of books, folded from what was decided."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.model = memory, Model(memory.looking)
        self.violations: list[tuple[str, str]] = []
        self.codes = Counter[str]()

    def money(self, at_ms: int, movements: Sequence[Movement]) -> None:
        """Let money move that no player has asked for."""
        request = Request(0, Nobody(), "cashier", _unsent)
        unit = Unit(request, 0, False, 0, at_ms, transfers=self.memory.move(movements))
        self.model.apply(unit)

    def give(
        self,
        player: Player,
        command: Command,
        now_ms: int,
        drawn: Drawn | Refused,
        house_sheets: dict[str, Sheet],
        *,
        twice: bool,
    ) -> None:
        """Let a command be decided, check what it came to, and write it."""
        try:
            state, found, before = self.memory.decided(player, command, now_ms, drawn, house_sheets)
            if twice:
                self.check("decide-is-pure", _impure(state, command, found))
            self.check("refused-changes-nothing", _effects_of_refusal(found))
            unit = self._unit(state, command, found, before)
        except Exception as error:  # of the house, or of a rule of its tables
            self.violations.append(("no-internal-error", f"{command} came to {error!r}"))
            return
        self.codes[code_of(unit.outcome)] += 1
        self.take_in(unit)

    def _unit(
        self, state: CommandState, command: Command, found: Outcome, before: Sequence[Movement]
    ) -> Unit:
        """Write what was decided; return it as a unit."""
        asked: Any = getattr(command, "asked", None)
        request = Request(
            self.codes.total() + 1,
            Nobody(),
            _KINDS[type(command)],
            _unsent,
            getattr(command, "key", None),
            state.player.id,
            token_of(state.player),
            round_id=getattr(command, "round_id", getattr(asked, "round_id", "")),
            asked=asked,
        )
        source_failed = isinstance(state.drawn, Refused)
        refused = isinstance(found.answer, Refused) and found.answer.code.startswith(_NOT_KEPT)
        unit = Unit(request, 0, source_failed, 0, state.now_ms, found.answer, raised=refused)
        if found.writes is not None:
            rows = self.memory.apply(found.writes, before)
            unit.transfers, unit.steps, unit.rounds = rows.transfers, rows.steps, rows.rounds
        return unit

    def take_in(self, unit: Unit) -> None:
        """Take a unit into the books, and hold it against every invariant."""
        for name, check in (*UNIT_CHECKS.items(), *MONEY_CHECKS.items(), *POT_UNIT_CHECKS.items()):
            self.check(name, check(self.model, unit))
        self.model.apply(unit)
        for name, check in (*AFTER_CHECKS.items(), *TOLD_CHECKS.items()):
            self.check(name, check(self.model, unit))
        reply = read(unit.outcome)
        for name, said in REPLY_CHECKS.items():
            self.check(name, said(self.model, unit.request, unit.outcome, reply))
        for stored in unit.rounds.values():
            self.check_round(stored)
        self.check("conservation", self._not_conserved())
        self.check("balances-fold", self._not_folded())
        self.check("one-open-round", self._too_many(unit))
        self.check("pot-adds-up", self._pot_differs())

    def check_round(self, stored: Round) -> None:
        """Replay a round and hold it against the books."""
        if stored.opened_at_ms is not None:
            for name, check in ROUND_CHECKS.items():
                self.check(name, check(self.model, stored))
        if (stored.server_seed is None) != (stored.state in ("seated", "open")):
            self.violations.append(("seed-revealed-only-at-end", f"{stored.id} is {stored.state}"))

    def check(self, name: str, found: Iterable[str]) -> None:
        """Note what does not hold; a check that cannot be made does not hold either."""
        try:
            self.violations += [(name, what) for what in found]
        except Exception as error:
            self.violations.append((name, f"cannot be checked: {error!r}"))

    def _not_conserved(self) -> Iterator[str]:
        sums = Counter[str]()
        for account, units in self.memory.balances.items():
            sums[self.memory.currency[account]] += units
        for (account, currency), units in self.model.units.items():
            if not account.startswith(WITH_A_BALANCE):
                sums[currency] += units
        yield from (f"{units} units of {currency}" for currency, units in sums.items() if units)

    def _not_folded(self) -> Iterator[str]:
        for account, units in self.memory.balances.items():
            if self.model.units.get((account, self.memory.currency[account]), 0) != units:
                yield f"{account} holds {units}"

    def _too_many(self, unit: Unit) -> Iterator[str]:
        for stored in unit.rounds.values():
            for state in ("open", "seated"):
                if len(self.model.of_player(stored.player_id, state, stored.game)) > 1:
                    yield f"{stored.player_id} has several rounds {state} at {stored.game}"

    def _pot_differs(self) -> Iterator[str]:
        pot, books = self.memory.pot, self.model.units
        shown, waiting = books[pot.account, pot.currency], books[pot.waiting, pot.currency]
        if (pot.units, self.memory.waiting_units) != (shown, waiting):
            yield f"{pot.units} and {self.memory.waiting_units}; there are {shown} and {waiting}"


def token_of(player: Player) -> str:
    """Return what a player is known by."""
    return f"token of {player.id}"


def _effects_of_refusal(found: Outcome) -> Iterator[str]:
    """A refusal has its key to write, and nothing else."""
    if isinstance(found.answer, Refused) and found.writes is not None:
        nothing = Writes(command=found.writes.command, last=found.writes.last)
        if found.writes != nothing:
            yield f"{found.answer.code} writes {found.writes}"


def _impure(state: CommandState, command: Command, found: Outcome) -> Iterator[str]:
    """The same state and command give the same outcome."""
    again = decide(state, command)
    if _content(again) != _content(found):
        yield f"{command} came to {again}, and to {found} before"


def _content(found: object) -> object:
    """Return an outcome so that two of them can be compared."""
    assert isinstance(found, Outcome), found
    answer = found.answer
    told = (answer.code, answer.details) if isinstance(answer, Refused) else answer
    return told, found.writes


def _unsent(house: object) -> Any:
    raise AssertionError("a decision is asked for without a house")
