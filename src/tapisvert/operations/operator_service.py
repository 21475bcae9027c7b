"""The operator service: each command is one transaction, each query one snapshot.

On the command line the caller names the operator. On the HTTP API the token identifies it, inside
the command's transaction: a token revoked before is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import NamedTuple, TypeVar

from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.players.repository import operator_of
from tapisvert.refusal import Refused
from tapisvert.rounds.player_service import PlayerService, Reply
from tapisvert.store import Tx

T = TypeVar("T")


class OperatorToken(NamedTuple):
    """The token of a request to the operator's API; None if it has none."""

    token: str | None


class OperatorService:
    """The commands and queries of one operator on a house."""

    def __init__(self, house: PlayerService, operator: str | OperatorToken) -> None:
        self.house = house
        self._operator = operator  # the name, or the token to find it by

    def once(
        self, key: str | None, asked: object, work: Callable[[OperatorCommands], object]
    ) -> Reply:
        """Run a command once per idempotency key; `asked` distinguishes commands under one key."""

        def unit(tx: Tx) -> bytes | Refused:
            commands = self._commands(tx)
            return commands.once(key, asked, lambda: work(commands))

        return self.house.store.write(unit)

    def command(self, work: Callable[[OperatorCommands], T]) -> Future[T | Refused]:
        """Run a command without a key: its result contains a secret, which must not be stored."""

        def unit(tx: Tx) -> T | Refused:
            commands = self._commands(tx)
            return self.house.drawing(tx, lambda: work(commands))

        return self.house.store.write(unit)

    def query(self, ask: Callable[[OperatorCommands], T]) -> Future[T]:
        """Run a query on one snapshot."""
        return self.house.store.read(lambda tx: ask(self._commands(tx)))

    def _commands(self, tx: Tx) -> OperatorCommands:
        who = self._operator
        by = who if isinstance(who, str) else operator_of(tx, who.token)
        return OperatorCommands(tx, self.house, by)
