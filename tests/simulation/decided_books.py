"""The model of a night without a store, and every invariant it is checked against.

The checks of units are the same functions as in run.py. Checks that query a database there are made
on memory here, under the same names.
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
    """A sender whose answers are ignored."""

    name = "player"

    def hear(self, request: Request, outcome: object) -> None:
        """Ignore the answer."""


class Books:
    """An independent model, updated from the decisions."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.model = memory, Model(memory.looking)
        self.violations: list[tuple[str, str]] = []
        self.codes = Counter[str]()

    def money(self, at_ms: int, movements: Sequence[Movement]) -> None:
        """Move money that no player asked for."""
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
        """Let a command be decided, check its outcome, and apply it."""
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
        """Apply a decision; return it as a unit."""
        body: Any = getattr(command, "request", None)
        request = Request(
            self.codes.total() + 1,
            Nobody(),
            _KINDS[type(command)],
            _unsent,
            getattr(command, "key", None),
            state.player.id,
            token_of(state.player),
            round_id=getattr(command, "round_id", getattr(body, "round_id", "")),
            asked=body,
        )
        source_failed = isinstance(state.drawn, Refused)
        refused = isinstance(found.answer, Refused) and found.answer.code.startswith(_NOT_KEPT)
        unit = Unit(request, 0, source_failed, 0, state.now_ms, found.answer, raised=refused)
        if found.writes is not None:
            rows = self.memory.apply(found.writes, before)
            unit.transfers, unit.steps, unit.rounds = rows.transfers, rows.steps, rows.rounds
        return unit

    def take_in(self, unit: Unit) -> None:
        """Add a unit to the model, and check every invariant."""
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
        """Replay a round and compare it with the model."""
        if stored.opened_at_ms is not None:
            for name, check in ROUND_CHECKS.items():
                self.check(name, check(self.model, stored))
        if (stored.server_seed is None) != (stored.state in ("seated", "open")):
            self.violations.append(("seed-revealed-only-at-end", f"{stored.id} is {stored.state}"))

    def check(self, name: str, found: Iterable[str]) -> None:
        """Record a failed invariant; an exception in a check is a failure too."""
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
    return f"token of {player.id}"


def _effects_of_refusal(found: Outcome) -> Iterator[str]:
    """Check that a refusal writes only its key."""
    if isinstance(found.answer, Refused) and found.writes is not None:
        nothing = Writes(command=found.writes.command, last=found.writes.last)
        if found.writes != nothing:
            yield f"{found.answer.code} writes {found.writes}"


def _impure(state: CommandState, command: Command, found: Outcome) -> Iterator[str]:
    """Check that the same state and command give the same outcome."""
    again = decide(state, command)
    if _content(again) != _content(found):
        yield f"{command} came to {again}, and to {found} before"


def _content(found: object) -> object:
    """Return a comparable form of an outcome."""
    assert isinstance(found, Outcome), found
    answer = found.answer
    told = (answer.code, answer.details) if isinstance(answer, Refused) else answer
    return told, found.writes


def _unsent(house: object) -> Any:
    raise AssertionError("a decision is asked for without a house")
