"""G1: concurrent commands take a stake once, and no balance goes below zero.

The race needs one player with many seats and money for one stake, so these houses offer Casino Stud
at 64 tables under 64 names. The controls remove the protections one by one and must lose money;
otherwise the other tests prove nothing.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import new_class

import pytest

from houses import KEY, PLAYER_WINS, deck_of
from races.at_once import CROWD, UnprotectedStore, at_once, outcomes, state_unchecked, ungrouped
from rounds.guest_seat import Seated, conserved, read, rows_of
from stores import both, sqlite_only, store_at
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import load_body
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.games.registry import GAMES, OFFERED
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Sealer
from tapisvert.sheets import load
from tapisvert.store import Store

pytestmark = both

TABLES = [f"stud-{number}" for number in range(CROWD)]
KINDS: dict[str, type[CasinoStud]] = {
    game: new_class(
        game,
        (CasinoStud,),
        {"frozen": True, "kw_only": True, "forbid_unknown_fields": True},
        lambda body, game=game: body.update(game_id=game),  # type: ignore[misc]
    )
    for game in TABLES
}


@cache
def sheet_of(game: str) -> Sheet:
    """Return the sheet of one of many tables that differ only in name."""
    if game not in KINDS:
        return load(game)
    return load_body(load("casino-stud").body.replace(b"casino-stud", game.encode()), KINDS[game])


@pytest.fixture
def many_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in TABLES:
        stud = GAMES["casino-stud"]
        edition = replace(stud.editions[0], sheet_type=KINDS[game])
        monkeypatch.setitem(GAMES, game, replace(stud, id=game, editions=(edition,)))


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every command a unit of its own."""
    ungrouped(monkeypatch)


def house_on(store: Store) -> PlayerService:
    dealer = Dealer(Sealer(KEY), shuffle=lambda seed, deal, cards: deck_of(PLAYER_WINS))
    return PlayerService(store, dealer, sheet_of=sheet_of, offered=(*OFFERED, *TABLES))


def balances(house: PlayerService) -> list[int]:
    return [units // 100_000 for (units,) in rows_of(house, "SELECT units FROM accounts")]


def stakes_at_once(store: Store) -> tuple[Seated, Counter[str]]:
    """Let a guest who can afford one stake open a round at every table at once."""
    guest = Seated(house_on(store))
    guest.leave(100)
    asked = [guest.asking(game=game) for game in TABLES]
    if isinstance(store, UnprotectedStore):
        store.in_step(CROWD)
    found = at_once(partial(guest.open, each, f"k{n}") for n, each in enumerate(asked))
    if isinstance(store, UnprotectedStore):
        store.step = None
    return guest, outcomes(found)


@pytest.mark.usefixtures("many_tables")
def test_G1_of_64_stakes_at_once_on_a_balance_for_one_exactly_one_is_taken(tmp_path: Path) -> None:
    with closing(store_at(tmp_path / "tapis.db")) as store:
        guest, found = stakes_at_once(store)
        assert found == {"accepted": 1, "wallet/insufficient_funds": CROWD - 1}
        assert (guest.purse(), guest.moved()) == ((0, 100), [("stake", "ante", 100)])
        opened = "SELECT COUNT(*) FROM rounds WHERE state = 'open'"
        assert rows_of(guest.house, opened) == [(1,)]
        assert (min(balances(guest.house)), conserved(guest.house)) == (0, True)


@sqlite_only
@pytest.mark.usefixtures("many_tables", "alone")
def test_G1_control_without_the_protections_the_same_race_loses_money(tmp_path: Path) -> None:
    with closing(UnprotectedStore(tmp_path / "tapis.db", schema_too=True)) as store:
        guest, found = stakes_at_once(store)
        assert found == {"accepted": CROWD}
        assert guest.purse() == (100 - 100 * CROWD, 100 * CROWD)


@sqlite_only
@pytest.mark.usefixtures("many_tables", "alone")
def test_G1_the_databases_own_constraint_holds_where_the_code_is_raced(tmp_path: Path) -> None:
    with closing(UnprotectedStore(tmp_path / "tapis.db")) as store:
        guest, found = stakes_at_once(store)
        assert found == {"accepted": 1, "IntegrityError": CROWD - 1}
        assert (guest.purse(), min(balances(guest.house))) == ((0, 100), 0)


def test_G1_one_seat_opened_64_times_at_once_is_opened_once(tmp_path: Path) -> None:
    house = house_on(store_at(tmp_path / "tapis.db"))
    guest = Seated(house)  # rich: it is not the money that runs out
    asked = guest.asking()
    found = at_once(partial(guest.open, asked, f"k{n}") for n in range(CROWD))
    assert outcomes(found) == {"accepted": 1, "round/already_open": CROWD - 1}
    assert (guest.purse(), guest.moved()) == ((99_900, 100), [("stake", "ante", 100)])
    house.store.close()


@sqlite_only
@pytest.mark.usefixtures("alone")
def test_G1_the_rounds_own_account_admits_one_opening_where_the_code_is_raced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state_unchecked(monkeypatch)
    store = UnprotectedStore(tmp_path / "tapis.db", schema_too=True)
    guest = Seated(house_on(store))
    asked = guest.asking()
    found = at_once(partial(guest.open, asked, f"k{n}") for n in range(CROWD))
    assert outcomes(found)["accepted"] == 1
    assert set(outcomes(found)) <= {"accepted", "IntegrityError", "round/already_open"}
    assert guest.purse() == (99_900, 100)
    store.close()


@sqlite_only
@pytest.mark.usefixtures("alone")
def test_G1_the_rounds_state_admits_one_opening_where_the_code_is_raced(tmp_path: Path) -> None:
    """Before money moves: a round is written first, and only in the state it was loaded in."""
    store = UnprotectedStore(tmp_path / "tapis.db", schema_too=True)
    guest = Seated(house_on(store))
    asked = guest.asking()
    store.in_step(CROWD)
    found = at_once(partial(guest.open, asked, f"k{n}") for n in range(CROWD))
    store.step = None
    assert outcomes(found) == {"accepted": 1, "Broken": CROWD - 1}
    assert guest.purse() == (99_900, 100)
    store.close()


def test_G1_a_play_bet_cannot_be_raced_below_zero_by_a_stake_elsewhere(
    tmp_path: Path, many_tables: None
) -> None:
    """The balance covers the play bet or another ante, not both."""
    with closing(store_at(tmp_path / "tapis.db")) as store:
        house = house_on(store)
        for _ in range(5):
            guest = Seated(house)
            guest.leave(400)
            round_id = read(guest.open(guest.asking({"ante": 100}, game=TABLES[0]))).round.id
            asked = guest.asking({"ante": 200}, game=TABLES[1])
            found = outcomes(
                at_once(
                    [partial(guest.choose, round_id, "play"), partial(guest.open, asked, "other")]
                )
            )
            # 300 are left: the play bet's 200 win 600 back, so the ante may still come after it.
            assert found in ({"accepted": 2}, {"accepted": 1, "wallet/insufficient_funds": 1})
            assert min(balances(house)) >= 0
            assert conserved(house)
