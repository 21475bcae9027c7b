"""A database with every kind of row, and a forger who can write anything in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houses import KEY
from rounds.guest_seat import Seated, other_sheet
from rounds.house_with_operator import (
    DAY_MS,
    TABLES,
    Funded,
    Operator,
    Time,
    keeper_of,
    known_deck,
    open_tables,
    opened,
    played,
)
from tapisvert.bank import chain, covered_tables, seals
from tapisvert.bank.audit import Finding
from tapisvert.operations.audit import Given, audit
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.rounds.decks import Shuffle
from tapisvert.sealing import Sealer
from tapisvert.sheets import load
from tapisvert.store import Row
from tapisvert.store.sqlite_tx import SqliteTx
from tiers import long

TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger'"


def fill(path: Path) -> None:
    """Write a database: guests, players, rounds of every game and state, voids, seals, events."""
    time = Time()
    house = open_tables(path, time)
    keeper = keeper_of(house, time)
    guest, player = Seated(house), Funded(house)
    old_seats(house)
    for game in TABLES:
        played(guest, game)
        time.passes(1000)
    keeper.tick()
    opened(guest, "blackjack")  # left open, then void
    won, lost = played(player, "casino-stud"), played(player, "ultimate")
    time.passes(DAY_MS)
    keeper.tick()
    Operator(house).void(lost, "the display froze")
    rest = player.purse()[0] - 1000
    Operator(house).withdraw(player.player_id, rest, "wire")
    Operator(house).void(won, "and froze again")  # leaves a debt
    Operator(house).stop("game:ultimate", "look at the display")
    Funded(house, 0, "EUR")  # an account without transfers
    for each in (guest, Seated(house)):
        opened(each, "casino-stud")
    time.passes(1000)
    guest.choose(opened(guest, "blackjack"), "insure")
    keeper.tick()
    house.store.close()


def old_seats(house: PlayerService) -> None:
    """Take seats whose figures change before anything is staked: they are retired."""
    seated = Seated(house)
    house.sheet_of = other_sheet
    seated.seat("pai-gow")
    house.sheet_of = load
    seated.seat("pai-gow")


class Forger:
    """An attacker who has the file but not the key."""

    def __init__(self, path: Path | str, shuffle: Shuffle = known_deck) -> None:
        self.file = sqlite3.connect(path, isolation_level=None)
        self._dealer = Dealer(Sealer(KEY), shuffle=shuffle)
        self._disarm()

    def _disarm(self) -> None:
        """Drop the constraints and triggers that would refuse a forgery."""
        for (name,) in self.file.execute(TRIGGERS).fetchall():
            self.file.execute(f"DROP TRIGGER {name}")
        self.file.execute("PRAGMA ignore_check_constraints = ON")

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Roll back everything done in the block."""
        self.file.execute("BEGIN")
        try:
            yield
        finally:
            self.file.execute("ROLLBACK")

    def found(self, anchor: bytes | None = None) -> tuple[Finding, ...]:
        """Return the findings of an audit now."""
        return audit(SqliteTx(self.file), self._dealer, Given(anchor=anchor)).findings

    def write(self, sql: str, *params: object) -> tuple[Finding, ...]:
        """Write, audit and roll back; return the findings."""
        with self.trying():
            written = self.file.execute(sql, params).rowcount
            assert written == 1 or "DELETE" in sql, sql
            return self.found()

    def rows(self, sql: str, *params: object) -> list[Row]:
        """Run a query."""
        return self.file.execute(sql, params).fetchall()

    def value(self, sql: str, *params: object) -> Any:
        """Return one value of a query."""
        ((found,),) = self.rows(sql, *params)
        return found

    def columns(self, table: str) -> list[str]:
        """Return the columns of a table."""
        return [str(name) for _, name, *_ in self.rows(f"PRAGMA table_info({table})")]

    def chain_again(self) -> None:
        """Recompute every hash of the transfers, consistently with the forgery."""
        heads: dict[object, bytes] = {}
        names = ", ".join(covered_tables.TRANSFER)
        for number, *content in self.rows(f"SELECT id, {names} FROM transfers ORDER BY id"):
            player = content[covered_tables.TRANSFER.index("player_id")]
            heads[player] = chain.link(heads.get(player, chain.BEGINNING), content)
            self.file.execute("UPDATE transfers SET hash = ? WHERE id = ?", (heads[player], number))

    def seal_again(self) -> None:
        """Recompute every seal except its signature."""
        before, tx = seals.NONE, SqliteTx(self.file)
        for row in self.rows(f"{seals.SELECT} ORDER BY id"):
            new = seals.Seal(*row)
            parts = {
                table.name: seals.part_of(
                    tx, table, before.reach[table.name], new.reach[table.name]
                )
                for table in covered_tables.TABLES
            }
            body = msgspec.json.encode(msgspec.structs.replace(new.content, parts=parts)).decode()
            found = seals.digest(before.hash, new.id, new.at_ms, body)
            before = msgspec.structs.replace(new, hash=found, body=body)
            self.file.execute(
                "UPDATE seals SET hash = ?, body = ? WHERE id = ?", (found, body, new.id)
            )


# In the first tier a row is changed in one way, the next row in the next way.
EVERY_WAY = pytest.mark.parametrize(
    "every_way", [False, pytest.param(True, marks=long)], ids=["a way", "every way"]
)


def ways(value: object, column: Sequence[object], number: int | None = None) -> list[object]:
    """Return forged replacements of a value: close, plausible, empty, nonsense.

    With a number, return only one of them, another for each number.
    """
    near: list[object] = []
    if isinstance(value, int):
        near = [value + 1, -value - 1]
    elif isinstance(value, str):
        near = [value + "x", "{}"]
    elif isinstance(value, bytes):
        near = [bytes([value[0] ^ 1]) + value[1:], value[:-1]]
    elsewhere = [each for each in column if each not in (value, None)][:1]
    nothing = [] if value == "[]" else [None]  # "no answers" has no distinct forgery
    every = [each for each in [*near, *elsewhere, *nothing] if each != value]
    return every if number is None or not every else every[number % len(every) :][:1]
