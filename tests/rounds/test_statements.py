"""The number of statements of a command and of a group, for every kind of command."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from rounds.guest_seat import STUD, Seated, read
from rounds.guests_in_one_group import MANY, OTHER_RULES, Give, Tables
from rounds.guests_in_one_group import tables as tables
from rounds.house_with_operator import TABLES, Operator
from stores import both
from tapisvert.rounds import stored_sheets
from tapisvert.rounds.bounded_cache import BoundedCache
from tapisvert.rounds.own_rules import RulesRequest
from tapisvert.rounds.schemas import SeatRequest
from tiers import few_or_many

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


@pytest.fixture
def with_pot(tables: Tables) -> Tables:
    """Return tables with a pot of Canadian dollars, and a rate for the euro."""
    Operator(tables.house).open_jackpot("blackjack", "CAD")
    Operator(tables.house).set_rate("blackjack", "EUR", "1.4700")
    return tables


@pytest.mark.parametrize("many", few_or_many(3, MANY))
def test_a_group_has_as_many_statements_as_one_command(with_pot: Tables, many: int) -> None:
    for kind in STATEMENTS:  # so that sheets are in memory
        with_pot.ready(kind)[1]().result()
    for kind, statements in STATEMENTS.items():
        for size in (1, many):
            group = [with_pot.ready(kind)[1] for _ in range(size)]
            assert (kind, size, counted(with_pot, group)) == (kind, size, [statements])
    assert all(reads < READS_MAX and writes <= WRITES_MAX for reads, writes in STATEMENTS.values())


def test_a_claim_on_the_pot_takes_a_transaction_of_its_own_after_its_group(
    with_pot: Tables,
) -> None:
    with_pot.ready("claim")[1]().result()
    for many in (1, 3):
        group, *alone = counted(with_pot, [with_pot.ready("claim")[1] for _ in range(many)])
        assert group == (7, 0)  # decided, and nothing is saved
        # And the lock of the pot, what waits for it, its account; the award, the journal.
        assert alone == [(14, 10)] * many


ALONE = {  # commands that come in no group
    "guest": (2, 4),
    "seen": (3, 1),
    "own rules": (5, 3),
    "rules of the house": (3, 1),
}


def test_a_command_that_comes_in_no_group_has_these_statements(tables: Tables) -> None:
    Seated(tables.house).plays(STUD, "flush-6")  # so that the sheet is in memory
    house, (guest, give) = tables.house, tables.ready("choose")
    round_id = read(give().result()).round.id
    commands: dict[str, Give] = {
        "guest": house.guest,
        "seen": partial(house.mark_seen, guest.token, round_id),
        "own rules": partial(house.choose_rules, guest.token, STUD, RulesRequest("flush-6")),
        "rules of the house": partial(house.choose_rules, guest.token, STUD, RulesRequest()),
    }
    assert {kind: counted(tables, [give]) for kind, give in commands.items()} == {
        kind: [statements] for kind, statements in ALONE.items()
    }


@pytest.mark.parametrize("most", [256, 1])
def test_a_group_reads_the_sheets_that_are_not_in_memory_in_one_statement(
    with_pot: Tables, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Five games, own rules, a pot, and every way to change a round; no sheet is in memory."""
    commands = [with_pot.ready(kind)[1] for kind in STATEMENTS]
    everything, give_more = with_pot.ready("more")
    for game, variant in OTHER_RULES.items():
        commands += by_other_rules(with_pot, game, variant)
        everything.plays(game, variant)
    commands.append(give_more)
    monkeypatch.setattr(stored_sheets, "_SHEETS", BoundedCache(most))
    assert counted(with_pot, commands) == [(READS_MAX, WRITES_MAX)]
    if most > 1:  # all of it again: what was done is read, and no sheet
        assert counted(with_pot, commands) == [(READS_MAX - 1, 0)]


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
