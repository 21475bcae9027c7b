"""F7: whatever comes at once, the pot is what the rules make of it one after the other.

`tests/soak/pot.py` does the same at length: 10^6 contributions, 10^4 trials of winners at once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bank.feeding import CENT, POT, ROYAL, STRAIGHT_FLUSH, Serial, Till
from bank.tables import check_books
from rounds.operated import findings
from rounds.potted import GAME, HANDS, STAKES, players, pot_of, potted, stood
from rounds.seated import Seated, granted, read, rows_of
from store.spies import busy
from tapisvert.bank import awards, jackpot
from tapisvert.rounds import House
from tapisvert.rounds.keeper import Keeper
from tapisvert.store import SqliteStore, Tx

SHARES = {"royal-flush": ROYAL, "straight-flush": STRAIGHT_FLUSH}
Event = int | Fraction | None  # so many stakes, a win, or a fold


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = potted(tmp_path_factory.mktemp("pot") / "tapis.db")
    yield house
    assert findings(house) == ()
    check_books(house.store)
    house.store.close()


def at_once(house: House, winners: list[tuple[Seated, str]]) -> list[int]:
    """Let several be dealt a hand in one instant; return what they win in the order recorded."""
    assert isinstance(house.store, SqliteStore)
    asked = [
        (player, player.asking(STAKES, GAME, client_seed=hand), player.key())
        for player, hand in winners
    ]
    before = pot_of(house).triggers
    with busy(house.store):  # so that all of them share one commit
        futures = [house.open(each.token, key, wanted) for each, wanted, key in asked]
    for (player, _), future in zip(winners, futures, strict=True):
        stood(player, read(granted(future)))
    rows = rows_of(
        house,
        "SELECT paid_cents, trigger_no FROM awards WHERE trigger_no > ? ORDER BY trigger_no",
        before,
    )
    assert [row[1] for row in rows] == [*range(before + 1, before + 1 + len(rows))]  # no gap
    return [row[0] for row in rows]


def serial(house: House) -> Serial:
    """Return the rules' own pot, as full as the house's with all that waits."""
    waiting = rows_of(house, "SELECT COALESCE(SUM(units), 0) FROM contributions WHERE fold IS NULL")
    pot = pot_of(house)
    return Serial(units=pot.units + waiting[0][0], epoch=pot.epoch)


@pytest.mark.parametrize("count", range(2, 11))
def test_F7_of_royals_in_one_instant_the_first_takes_all_the_others_the_start_and_what_came_in(
    open_house: House, count: int
) -> None:
    model = serial(open_house)
    people = players(open_house, count)
    won = at_once(open_house, [(each, "royal-flush") for each in people])
    assert won == [model.win(ROYAL) for _ in people]
    assert won[0] >= 2_000_020
    assert all(cents in (2_000_020, 2_000_021) for cents in won[1:])  # its own part, and a rest
    assert (pot_of(open_house).units, pot_of(open_house).epoch) == (model.units, model.epoch)


@pytest.mark.parametrize(
    "hands",
    [("straight-flush", "royal-flush"), ("royal-flush", "straight-flush")],
    ids=["a tenth first", "all first"],
)
def test_F7_a_tenth_then_all_and_all_then_a_tenth(
    open_house: House, hands: tuple[str, str]
) -> None:
    model, people = serial(open_house), players(open_house, 3)
    for _ in range(2):
        at_once(open_house, [(people[2], "nothing")])
        model.stake()
    won = at_once(open_house, [*zip(people, hands, strict=False)])
    assert won == [model.win(SHARES[hand]) for hand in hands]
    assert pot_of(open_house).units == model.units


def test_F7_any_mix_at_once_is_what_it_would_be_one_after_the_other(open_house: House) -> None:
    chance, people = Random(7), players(open_house, 10)
    for _ in range(12):
        model = serial(open_house)
        hands = chance.choices(
            ["nothing", "straight-flush", "royal-flush"], (3, 2, 2), k=chance.randint(2, 10)
        )
        won = at_once(open_house, [*zip(people, hands, strict=False)])
        expected = []
        for hand in hands:  # the writer takes them in the order they came
            if hand in SHARES:
                expected.append(model.win(SHARES[hand]))
            else:
                model.stake()
        assert won == expected
        if chance.random() < 0.5:
            Keeper(open_house).fold()
        assert serial(open_house).units == model.units
    assert set(HANDS) > set(SHARES)


def replayed(till: Till, history: list[Event]) -> Serial:
    """Let a history happen at the bank and at the model; both must pay the same."""
    model = Serial()
    for event in history:
        if isinstance(event, Fraction):
            assert till.wins(event) == model.win(event)
        elif event is None:
            till.fold()
        else:
            till.do(lambda tx, times=event: till.stakes(tx, times))  # type: ignore[misc]
            model.stake(event)
    return model


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(
    history=st.lists(
        st.one_of(st.none(), st.integers(1, 6), st.sampled_from([ROYAL, STRAIGHT_FLUSH])),
        max_size=25,
    )
)
def test_F7_after_any_history_the_pot_is_start_resets_and_parts_less_awards(
    tmp_path_factory: pytest.TempPathFactory, history: list[Event]
) -> None:
    store = SqliteStore(tmp_path_factory.mktemp("till") / "tapis.db")
    till = Till(store)
    model = replayed(till, history)
    assert till.all_there() == model.units
    pot = till.fold()
    assert (pot.units, pot.epoch, pot.triggers) == (model.units, model.epoch, len(model.won))
    store.close()


def test_F7_many_parts_are_exact_to_the_unit(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tapis.db")
    till = Till(store)
    for count in (1, 999, 9_000):
        till.do(lambda tx, times=count: till.stakes(tx, times))  # type: ignore[misc]
        till.fold()
    assert till.all_there() == 2_000_000 * CENT + 10_000 * 2_030_843
    assert till.wins(ROYAL) == (2_000_000 * CENT + 10_001 * 2_030_843) // CENT
    assert till.all_there() == 2_000_000 * CENT + (10_001 * 2_030_843) % CENT
    store.close()


def test_F7_winners_who_read_the_pot_before_any_of_them_takes_it_are_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: without the lock, each is paid by the pot as it was before the other's win."""
    store = SqliteStore(tmp_path / "tapis.db")
    till = Till(store)
    till.do(lambda tx: till.stakes(tx, 500))
    stale = till.fold()
    with monkeypatch.context() as unlocked:
        unlocked.setattr(jackpot, "gathered", lambda tx, pot, at_ms: stale)
        unlocked.setattr(jackpot, "keep", lambda tx, pot: pot)
        # Numbered by the stale pot, the second win would have the first one's number.
        with pytest.raises(sqlite3.IntegrityError, match="awards"):
            till.do(lambda tx: [take(tx, till, STRAIGHT_FLUSH) for _ in range(2)])
        till.do(lambda tx: tx.run("DROP TRIGGER awards_are_never_changed"))
        first = till.wins(STRAIGHT_FLUSH)
        till.do(lambda tx: tx.run("UPDATE awards SET trigger_no = 0"))
        assert till.wins(STRAIGHT_FLUSH) == first  # a tenth of the same pot, twice
        # All of it twice is more than there is.
        till.do(lambda tx: tx.run("UPDATE awards SET trigger_no = 7 WHERE trigger_no = 1"))
        with pytest.raises(sqlite3.IntegrityError, match="never_below_zero"):
            till.wins(ROYAL)
    with pytest.raises(AssertionError):
        till.all_there()
    store.close()


def take(tx: Tx, till: Till, share: Fraction) -> int:
    return awards.award(tx, till.stakes(tx), POT, "royal", share, restarts=False)
