"""S4: tables restored from an earlier backup are found, singly or together.

Only a return of the whole database to an earlier state needs an anchor (test_S4_audit.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from bank.forging import pot_books, tables_books
from bank.writable import Books, books_on
from houses import KEY
from rounds.guest_seat import Seated
from rounds.house_with_operator import Funded, Operator, known_deck, open_tables, opened
from rounds.house_with_operator import played as played_known
from rounds.house_with_pot import GAME, dealt, named_deck, played, stood
from stores import both_at_length, sqlite_only, store_at
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.rounds.decks import Shuffle
from tapisvert.sealing import Sealer
from tapisvert.store import Row
from tiers import long

pytestmark = both_at_length

Content = dict[str, list[Row]]


class Later(NamedTuple):
    """The current database, and the content of every table at an earlier seal."""

    books: Books
    earlier: Content
    changed: list[str]


def more_tables(path: Path) -> None:
    """Change every table: rounds, voids, tokens, switches, operators, a seal."""
    house = open_tables(path)
    office, player, guest = Operator(house), Funded(house), Seated(house)
    won = played_known(player, "casino-stud")
    played_known(guest, "pai-gow")
    opened(player, "blackjack")
    office.void(won, "the display froze")
    office.resume("game:ultimate", "looked at")
    office.stop("game:pai-gow", "being looked at")
    office.new_token(player.player_id)
    office.create_operator("bert")
    house.store.close()


def more_pots(path: Path) -> None:
    """Change a pot: stakes, a fold, a win, a void, a rate, new figures."""
    house = PlayerService(store_at(path), Dealer(Sealer(KEY), shuffle=named_deck))
    office, euro = Operator(house), Funded(house, 100_000, "EUR")
    office.set_rate(GAME, "EUR", "1.5000")
    office.set_jackpot(GAME, reset_cents=3_000_000, reason="a better start")
    played(euro, "nothing", 67)
    Housekeeping(house).tick()
    reply = stood(euro, dealt(euro, "royal-flush", 67))
    office.void(reply.round.id, "why")
    office.create_operator("bert")
    house.store.close()


def whole(books: Books) -> Content:
    """Return every row of every table."""
    return {table: books.rows(f"SELECT * FROM {table} ORDER BY 1") for table in books.tables}


KINDS: dict[str, tuple[Callable[..., None], Callable[[Path], None], Shuffle]] = {
    "tables": (tables_books, more_tables, known_deck),
    "pot": (pot_books, more_pots, named_deck),
}


@pytest.fixture(scope="module", params=KINDS)
def later(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, engine: str
) -> Iterator[Later]:
    begin, go_on, shuffle = KINDS[request.param]
    path = tmp_path_factory.mktemp("books") / "tapis.db"
    begin(path, crashed=False)
    with closing(books_on(engine, path, shuffle)) as begun:
        earlier = whole(begun)
    go_on(path)
    books = books_on(engine, path, shuffle)
    books.disarm()
    assert books.found() == ()
    now = whole(books)
    yield Later(books, earlier, [table for table in now if now[table] != earlier[table]])
    books.close()


def put_back(later: Later, tables: list[str]) -> None:
    for table in tables:
        later.books.forge(f"DELETE FROM {table}")
        for row in later.earlier[table]:
            later.books.insert(table, row)


def test_S4_a_table_put_back_from_a_backup_is_found(later: Later) -> None:
    assert len(later.changed) >= 10
    for table in later.changed:
        with later.books.trying():
            put_back(later, [table])
            assert later.books.found(), table


@pytest.mark.parametrize("trials", [20, pytest.param(200, marks=[long, sqlite_only])])
def test_S4_tables_put_back_from_a_backup_are_found(later: Later, trials: int) -> None:
    random = Random(trials)
    for _ in range(trials):
        tables = random.sample(later.changed, random.randrange(2, len(later.changed)))
        with later.books.trying():
            put_back(later, tables)
            assert later.books.found(), tables


def test_S4_all_tables_put_back_are_in_order_which_only_an_anchor_finds(later: Later) -> None:
    """Control: restoring the tables leaves no finding by itself."""
    with later.books.trying():
        put_back(later, later.changed)
        assert later.books.found() == ()
