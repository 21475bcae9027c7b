"""Bets, wins, folds and operators at one pot on PostgreSQL: which of them wait for which.

A bet takes no lock on the pot, so its figures, rate and switch may change between any two of its
statements. The bet is played, paid and recorded by the values it read first, or it is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count, cycle
from pathlib import Path

import pytest

from bank.holding import holding
from races.at_once import at_once, outcomes
from races.interrupted import InterruptedStore
from rounds.fixtures import audited_at_the_end
from rounds.guest_seat import PATIENCE_S, Seated, granted, read, rows_of
from rounds.house_with_operator import Funded, act, findings, open_tables, recorded
from rounds.house_with_pot import (
    CENT,
    GAME,
    PART,
    STAKES,
    START,
    meter,
    played,
    players,
    pot_of,
    potted,
    stood,
    won_cents,
)
from stores import POSTGRESQL, url_of
from tapisvert.bank import jackpot
from tapisvert.bank.pot import Contribution
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import PlayerService
from tapisvert.store import Tx

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)

# What a bet reads and does not lock, in the order it reads it; and the first it writes of the pot.
READ = ("switches", "jackpots", "rates", "contributions")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tapis.db"


@pytest.fixture
def house(path: Path) -> Iterator[PlayerService]:
    with audited_at_the_end(potted(path)) as made:
        yield made


@pytest.fixture
def disturbed(house: PlayerService, path: Path) -> Iterator[PlayerService]:
    """Return another server on the same database, whose units can be interrupted."""
    made = PlayerService(InterruptedStore(url_of(path)), house.dealer, clock=house.clock)
    yield made
    made.store.close()


Changes = Iterator[tuple[int, Callable[[], object]]]  # a price of the bet, and what comes then


def everywhere(disturbed: PlayerService, player: Seated, changes: Changes) -> Counter[str]:
    """Interrupt a bet after its first read of the pot, its second, ...; count the outcomes."""
    assert isinstance(disturbed.store, InterruptedStore)
    found: list[object] = []
    for looks, (price, change) in enumerate(changes, start=1):
        asked = player.asking({**STAKES, "royal": price}, GAME, client_seed="nothing")
        disturbed.store.interrupt(READ, looks, change)
        reply = disturbed.open(player.token, player.key(), asked).result(PATIENCE_S)
        if isinstance(reply, bytes):
            stood(player, read(reply))
        if not disturbed.store.go_on():
            break
        found.append(reply)
    return outcomes(found)


def test_J5_a_rate_that_is_set_in_the_middle_of_a_bet_is_for_the_next(
    house: PlayerService, disturbed: PlayerService
) -> None:
    def set_rate(rate: str) -> None:
        act(house, lambda operator: operator.set_rate(GAME, "EUR", rate))

    set_rate("1.60")
    turns = cycle([(63, partial(set_rate, "1.47")), (68, partial(set_rate, "1.60"))])
    found = everywhere(disturbed, Funded(house, 1_000_000, "EUR"), turns)
    # Set before the look at it, it makes the seat an old one.
    assert found == {"accepted": 2, "seat/stale": 2}


def test_J5_a_pot_that_is_won_in_the_middle_of_a_bet_has_its_next_figures_for_the_next(
    house: PlayerService, disturbed: PlayerService
) -> None:
    bettor, winner = players(house, 2)

    def win(contribution: str) -> None:
        act(
            house,
            lambda operator: operator.set_jackpot(
                GAME, contribution=contribution, reason="licence"
            ),
        )
        played(winner, "royal-flush")

    turns = cycle([(100, partial(win, "25")), (100, partial(win, "20.30843"))])
    found = everywhere(disturbed, bettor, turns)
    # Won before the look at the pot, its next figures make the seat an old one.
    assert found == {"accepted": 2, "seat/stale": 1}
    assert pot_of(house).epoch == 1 + found.total()


# Waiting ------------------------------------------------------------------------------------------


def test_J2_a_bet_that_wins_nothing_of_the_pot_does_not_wait_for_it(
    house: PlayerService, path: Path
) -> None:
    (winner, *others) = players(house, 3)
    asked = winner.asking(STAKES, GAME, client_seed="royal-flush")
    with holding(url_of(path), GAME) as pot:
        won = house.open(winner.token, winner.key(), asked)
        pot.until(lambda: pot.waiting() == 1)
        folding = ThreadPoolExecutor(1).submit(Housekeeping(house).fold)
        pot.until(lambda: pot.waiting() == 2)
        for player, hand in zip(others, ("nothing", "flush"), strict=True):
            played(player, hand)  # to its end
        assert meter(house).amount_cents == START // CENT  # nor does a look at it
        assert pot.waiting() == 2
        assert not won.done()
    folding.result(PATIENCE_S)
    reply = read(granted(won))
    assert won_cents(reply) == (START + 3 * PART) // CENT  # contributions made since then included
    stood(winner, reply)


def test_J2_control_a_bet_that_locked_the_pot_would_wait(
    house: PlayerService, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = jackpot.append

    def locking(tx: Tx, parts: Sequence[Contribution]) -> None:
        for part in parts:
            tx.lock("jackpots", part.pot)
        append(tx, parts)

    monkeypatch.setattr(jackpot, "append", locking)
    (player,) = players(house, 1)
    asked = player.asking(STAKES, GAME, client_seed="nothing")
    with holding(url_of(path), GAME) as pot:
        placed = house.open(player.token, player.key(), asked)
        pot.until(lambda: pot.waiting() == 1)
        assert not placed.done()
    granted(placed)


def test_J2_at_every_movement_of_a_bet_others_bet_and_fold_and_wait_for_nothing(
    house: PlayerService, disturbed: PlayerService
) -> None:
    """A contribution with a lower number that commits later is gathered too."""
    assert isinstance(disturbed.store, InterruptedStore)
    slow, fast = players(house, 2)
    gathered: list[list[int]] = []

    def meanwhile() -> None:
        played(fast, "nothing")
        Housekeeping(house).fold()
        rows = rows_of(house, "SELECT id FROM contributions WHERE fold = ?", pot_of(house).folds)
        gathered.append([row[0] for row in rows])

    for looks in count(1):
        asked = slow.asking(STAKES, GAME, client_seed="nothing")
        disturbed.store.interrupt(("contributions", "transfers"), looks, meanwhile)
        reply = disturbed.open(slow.token, slow.key(), asked).result(PATIENCE_S)
        assert isinstance(reply, bytes)
        if not disturbed.store.go_on():
            break
        stood(slow, read(reply))
    # After the look at the chain, the part for the pot, and the movements, which are one statement.
    assert len(gathered) == 3
    Housekeeping(house).fold()
    assert pot_of(house).gathered_units == (2 * len(gathered) + 1) * PART
    late = [ids for ids in gathered if ids != sorted(range(min(ids), min(ids) + len(ids)))]
    assert late  # of two neighbours the second was gathered without the first


# Operators ----------------------------------------------------------------------------------------


def test_operators_who_open_a_pot_at_once_open_one(path: Path) -> None:
    house = open_tables(path)
    opening = [
        partial(act, house, lambda operator: operator.open_jackpot(GAME, "CAD"), by=f"{n}")
        for n in range(4)
    ]
    assert outcomes(at_once(opening)) == {"accepted": 1, "jackpot/exists": 3}
    assert findings(house) == ()


def test_operators_who_set_a_rate_at_once_each_replace_the_one_before(house: PlayerService) -> None:
    def set_rate(rate: str) -> object:
        return act(house, lambda operator: operator.set_rate(GAME, "EUR", rate))

    found = at_once([partial(set_rate, f"1.{number}") for number in range(1, 5)])
    assert outcomes(found) == {"accepted": 4}
    events = recorded(house, "rate_set")
    before = [event["before"]["rate"] for event in events]
    assert before == [None, *(event["after"]["rate"] for event in events[:-1])]
