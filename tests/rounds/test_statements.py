"""The number of statements of a command and of a group, for every kind of command."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from rounds.guest_seat import Seated
from rounds.guests_in_one_group import MANY, OTHER_RULES, Give, Tables
from rounds.guests_in_one_group import tables as tables
from rounds.house_with_operator import TABLES, Operator
from stores import both
from tapisvert.rounds import stored_sheets
from tapisvert.rounds.bounded_cache import BoundedCache
from tapisvert.rounds.schemas import SeatRequest

pytestmark = both

READS_MAX, WRITES_MAX = 9, 8  # of a group; the ninth read is of sheets that are not in memory
STATEMENTS = {  # of a group of any size: reads and writes
    "seat": (4, 2),  # sessions, locks, rounds, accounts; sheets, rounds
    "retired": (4, 3),  # the seat before is changed
    "open": (6, 4),  # and keys, switches; rounds, accounts, transfers, keys
    "repeated": (6, 0),
    "refused": (6, 1),  # keys
    "choose": (5, 4),  # rounds twice: what has ended, and the seat that follows
    "stays": (5, 2),
    "more": (5, 2),
    "pot": (8, 5),  # and pots, rates; contributions
}


def counted(tables: Tables, commands: Sequence[Give]) -> list[tuple[int, int]]:
    """Return the statements of the units that a group of commands takes."""
    before = len(tables.store.units)
    for future in tables.given(commands):
        future.result()
    return [counts.both() for counts in tables.store.units[before:]]


def with_pot(path: Path) -> Tables:
    """Return tables with a pot of Canadian dollars, and a rate for the euro."""
    tables = Tables(path)
    Operator(tables.house).open_jackpot("blackjack", "CAD")
    Operator(tables.house).set_rate("blackjack", "EUR", "1.4700")
    return tables


def test_a_group_has_as_many_statements_as_one_command(tmp_path: Path) -> None:
    tables = with_pot(tmp_path / "tapis.db")
    for kind in STATEMENTS:  # so that sheets are in memory
        tables.ready(kind)[1]().result()
    found = {
        kind: {
            many: counted(tables, [tables.ready(kind)[1] for _ in range(many)])
            for many in (1, 2, MANY)
        }
        for kind in STATEMENTS
    }
    for kind, statements in STATEMENTS.items():
        assert found[kind] == {1: [statements], 2: [statements], MANY: [statements]}, kind
    assert all(reads < READS_MAX and writes <= WRITES_MAX for reads, writes in STATEMENTS.values())
    tables.right()
    tables.store.close()


@pytest.mark.parametrize("most", [256, 1])
def test_a_group_reads_the_sheets_that_are_not_in_memory_in_one_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Five games, own rules, a pot, and every way to change a round; no sheet is in memory."""
    tables = with_pot(tmp_path / "tapis.db")
    commands = [tables.ready(kind)[1] for kind in STATEMENTS]
    everything, give_more = tables.ready("more")
    for game, variant in OTHER_RULES.items():
        commands += by_other_rules(tables, game, variant)
        everything.plays(game, variant)
    commands.append(give_more)
    monkeypatch.setattr(stored_sheets, "_SHEETS", BoundedCache(most))
    assert counted(tables, commands) == [(READS_MAX, WRITES_MAX)]
    if most > 1:  # all of it again: what was done is read, and no sheet
        assert counted(tables, commands) == [(READS_MAX - 1, 0)]
    tables.right()
    tables.store.close()


def by_other_rules(tables: Tables, game: str, variant: str) -> list[Give]:
    """Return commands by rules of a player's own: a seat that replaces one, and an open."""
    sitting, opening = Seated(tables.house), Seated(tables.house)
    sitting.seat(game)
    for guest in (sitting, opening):
        guest.plays(game, variant)
    asked = opening.asking(TABLES[game].stakes, game)
    return [
        partial(tables.house.seat, sitting.token, SeatRequest(game)),
        partial(tables.house.open, opening.token, "key", asked),
    ]
