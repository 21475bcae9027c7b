"""F7: under any concurrency, the pot equals the result of the rules applied serially.

Here the order of winners is known: on SQLite the writer's queue, on PostgreSQL the queue for the
pot's lock. `tests/races/test_F7_winners.py` lets them race. Long runs: `tests/soak/pot.py`, 10^6
contributions and 10^4 instants; `tests/soak/winners.py`, real races.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bank.feeding import CENT, POT, ROYAL, STRAIGHT_FLUSH, Serial, Till, award
from bank.holding import holding
from bank.tables import check_books
from rounds.guest_seat import Seated, granted, read, rows_of
from rounds.house_with_operator import findings
from rounds.house_with_pot import GAME, HANDS, STAKES, players, pot_of, potted, stood
from store.spies import busy
from stores import VIOLATIONS, both, drop_trigger, on_postgresql, sqlite_only, store_at, url_of
from tapisvert.bank import jackpot
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import PlayerService
from tapisvert.rounds.player_service import Reply
from tapisvert.rounds.schemas import OpenRequest
from tapisvert.store import SqliteStore, Tx
from tiers import long, one_in

pytestmark = both

SHARES = {"royal-flush": ROYAL, "straight-flush": STRAIGHT_FLUSH}
Event = int | Fraction | None  # a number of stakes, a win, or a fold


class Pair(NamedTuple):
    """A house with a pot; on PostgreSQL with a second server, because one has only 8 writers."""

    house: PlayerService
    other: PlayerService
    path: Path


@pytest.fixture(scope="module")
def pair(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    path = tmp_path_factory.mktemp(engine) / "tapis.db"
    house = potted(path)
    other = (
        PlayerService(store_at(path), house.dealer, clock=house.clock) if on_postgresql() else house
    )
    yield Pair(house, other, path)
    assert findings(house) == ()
    check_books(house.store)
    for each in {house, other}:
        each.store.close()


@pytest.fixture
def open_house(pair: Pair) -> PlayerService:
    return pair.house


def at_once(pair: Pair, winners: list[tuple[Seated, str]]) -> list[int]:
    """Deal a hand to several players at once; return their wins in the order recorded."""
    house = pair.house
    asked = [
        (player, player.asking(STAKES, GAME, client_seed=hand), player.key())
        for player, hand in winners
    ]
    before = pot_of(house).triggers
    futures = in_line(pair, asked)
    for (player, _), future in zip(winners, futures, strict=True):
        stood(player, read(granted(future)))
    rows = rows_of(
        house,
        "SELECT paid_cents, trigger_no FROM awards WHERE trigger_no > ? ORDER BY trigger_no",
        before,
    )
    assert [row[1] for row in rows] == [*range(before + 1, before + 1 + len(rows))]  # no gap
    return [row[0] for row in rows]


def in_line(pair: Pair, asked: list[tuple[Seated, OpenRequest, str]]) -> list[Reply]:
    """Submit every command while the pot is locked, each after the previous one has queued.

    On SQLite they form one group, and the winning commands then run alone, one by one. On
    PostgreSQL all transactions are open at once; the winning ones wait for the pot, the others
    finish.
    """
    if isinstance(pair.house.store, SqliteStore):
        with busy(pair.house.store):
            return [pair.house.open(each.token, key, wanted) for each, wanted, key in asked]
    futures: list[Reply] = []
    with holding(url_of(pair.path), POT) as pot:
        for number, (each, wanted, key) in enumerate(asked):
            ahead = pot.waiting()
            futures.append((pair.house, pair.other)[number % 2].open(each.token, key, wanted))
            pot.until(lambda: futures[-1].done() or pot.waiting() > ahead)  # noqa: B023 - now
    return futures


def serial(house: PlayerService) -> Serial:
    """Return the reference pot, filled like the house's, waiting contributions included."""
    waiting = rows_of(house, "SELECT COALESCE(SUM(units), 0) FROM contributions WHERE fold IS NULL")
    pot = pot_of(house)
    return Serial(units=pot.units + waiting[0][0], epoch=pot.epoch)


@pytest.mark.parametrize("count", one_in(4, range(2, 11)))
def test_F7_of_royals_in_one_instant_the_first_takes_all_the_others_the_start_and_what_came_in(
    pair: Pair, open_house: PlayerService, count: int
) -> None:
    model = serial(open_house)
    people = players(open_house, count)
    won = at_once(pair, [(each, "royal-flush") for each in people])
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
    pair: Pair, open_house: PlayerService, hands: tuple[str, str]
) -> None:
    model, people = serial(open_house), players(open_house, 3)
    for _ in range(2):
        at_once(pair, [(people[2], "nothing")])
        model.stake()
    won = at_once(pair, [*zip(people, hands, strict=False)])
    assert won == [model.win(SHARES[hand]) for hand in hands]
    assert pot_of(open_house).units == model.units


@pytest.mark.parametrize("instants", [4, pytest.param(12, marks=long)])
def test_F7_any_mix_at_once_is_what_it_would_be_one_after_the_other(
    pair: Pair, open_house: PlayerService, instants: int
) -> None:
    chance, people = Random(7), players(open_house, 10)
    for _ in range(instants):
        model = serial(open_house)
        hands = chance.choices(
            ["nothing", "straight-flush", "royal-flush"], (3, 2, 2), k=chance.randint(2, 10)
        )
        won = at_once(pair, [*zip(people, hands, strict=False)])
        expected = []
        hands.sort(key=SHARES.__contains__)  # who does not win has not waited for the pot
        for hand in hands:  # the others in the order they came
            if hand in SHARES:
                expected.append(model.win(SHARES[hand]))
            else:
                model.stake()
        assert won == expected
        if chance.random() < 0.5:
            Housekeeping(open_house).fold()
        assert serial(open_house).units == model.units
    assert set(HANDS) > set(SHARES)


@pytest.fixture(scope="module")
def till(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Till]:
    store = store_at(tmp_path_factory.mktemp(engine) / "till.db")
    yield Till(store)
    check_books(store)
    store.close()


def replayed(till: Till, history: list[Event]) -> Serial:
    """Run a history at the bank and in the model; both must pay the same."""
    model = Serial(units=till.all_there(), epoch=till.pot().epoch)
    for event in history:
        if isinstance(event, Fraction):
            assert till.wins(event) == model.win(event)
        elif event is None:
            till.fold()
        else:
            till.do(partial(till.stakes, times=event))
            model.stake(event)
    return model


histories = st.lists(
    st.one_of(st.none(), st.integers(1, 6), st.sampled_from([ROYAL, STRAIGHT_FLUSH])), max_size=25
)


@pytest.mark.parametrize("examples", [8, pytest.param(25, marks=long)])
def test_F7_after_any_history_the_pot_is_start_resets_and_parts_less_awards(
    till: Till, examples: int
) -> None:
    patient = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))

    @settings(patient, max_examples=examples, derandomize=True)
    @given(history=histories)
    def check(history: list[Event]) -> None:
        before = till.pot().triggers
        model = replayed(till, history)
        assert till.all_there() == model.units
        pot = till.fold()
        assert (pot.units, pot.epoch) == (model.units, model.epoch)
        assert pot.triggers - before == len(model.won)

    check()


@pytest.mark.parametrize(
    "counts", [(1, 99, 400), pytest.param((1, 999, 9_000), marks=[long, sqlite_only])]
)
def test_F7_many_parts_are_exact_to_the_unit(tmp_path: Path, counts: tuple[int, ...]) -> None:
    store = store_at(tmp_path / "tapis.db")
    till = Till(store)
    for count in counts:
        till.do(partial(till.stakes, times=count))
        till.fold()
    parts = sum(counts)
    assert till.all_there() == 2_000_000 * CENT + parts * 2_030_843
    assert till.wins(ROYAL) == (2_000_000 * CENT + (parts + 1) * 2_030_843) // CENT
    assert till.all_there() == 2_000_000 * CENT + ((parts + 1) * 2_030_843) % CENT
    store.close()


def test_F7_winners_who_read_the_pot_before_any_of_them_takes_it_are_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: without the lock, each is paid from the pot as it was before the other's win."""
    store = store_at(tmp_path / "tapis.db")
    till = Till(store)
    till.do(lambda tx: till.stakes(tx, 500))
    stale = till.fold()
    with monkeypatch.context() as unlocked:
        unlocked.setattr(jackpot, "gathered", lambda tx, pot, at_ms: stale)
        unlocked.setattr(jackpot, "save", lambda tx, pot: pot)
        # Numbered by the stale pot, the second win would have the first one's number.
        with pytest.raises(VIOLATIONS, match="awards"):
            till.do(lambda tx: [take(tx, till, STRAIGHT_FLUSH) for _ in range(2)])
        till.do(lambda tx: drop_trigger(tx, "awards", "awards_are_never_changed"))
        first = till.wins(STRAIGHT_FLUSH)
        till.do(lambda tx: tx.run("UPDATE awards SET trigger_no = 0"))
        assert till.wins(STRAIGHT_FLUSH) == first  # a tenth of the same pot, twice
        # All of it twice is more than there is.
        till.do(lambda tx: tx.run("UPDATE awards SET trigger_no = 7 WHERE trigger_no = 1"))
        with pytest.raises(VIOLATIONS, match="never_below_zero"):
            till.wins(ROYAL)
    with pytest.raises(AssertionError):
        till.all_there()
    store.close()


def take(tx: Tx, till: Till, share: Fraction) -> int:
    return award(tx, till.stakes(tx), POT, "royal", share, restarts=False)
