"""The purpose of the locks: the same races on PostgreSQL with and without `Tx.lock`.

The controls remove the locks and synchronise reads. Money is then granted twice, chains fork and a
repeated command fails. With the locks, the same races have no effect on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from houses import KEY
from races.at_once import at_once, outcomes, state_unchecked, ungrouped
from races.unlocked import UnlockedStore
from rounds.guest_seat import Seated, conserved, rows_of
from rounds.house_with_operator import TABLES, Time, act, findings, known_deck, recorded
from stores import POSTGRESQL, url_of
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Sealer
from tapisvert.store.postgres import PostgresStore

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)

CROWD = 6  # fewer than there are writers: all of them are under way together
Opening = Callable[[type[PostgresStore]], PlayerService]


@pytest.fixture
def opening(tmp_path: Path) -> Iterator[Opening]:
    made: list[PlayerService] = []

    def house_on(kind: type[PostgresStore]) -> PlayerService:
        dealer = Dealer(Sealer(KEY), shuffle=known_deck)
        made.append(PlayerService(kind(url_of(tmp_path / "tapis.db")), dealer, clock=Time().wall))
        return made[-1]

    yield house_on
    for house in made:
        house.store.close()


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every command a unit of its own, so that those of one player can race."""
    ungrouped(monkeypatch)


def raced(house: PlayerService, reads: str, commands: list[Callable[[], object]]) -> list[object]:
    """Run commands at once; without locks, all read before any writes."""
    if not isinstance(house.store, UnlockedStore):
        return list(at_once(commands))
    house.store.meeting(len(commands), reads)
    found = at_once(commands)
    house.store.apart()
    return list(found)


def more_money(house: PlayerService) -> list[object]:
    """A broke guest asks for more play money from several tabs."""
    guest = Seated(house)
    guest.leave(0)
    tabs: list[Callable[[], object]] = [partial(guest.more, f"tab {n}") for n in range(CROWD)]
    return [guest.purse(), outcomes(raced(house, "FROM given JOIN accounts", tabs)), guest.purse()]


def test_G3_more_play_money_is_given_once(opening: Opening) -> None:
    found = more_money(opening(PostgresStore))
    assert found == [(0, 0), {"accepted": 1, "wallet/not_broke": CROWD - 1}, (100_000, 0)]


@pytest.mark.usefixtures("alone")
def test_G3_control_without_locks_play_money_is_given_to_every_tab(opening: Opening) -> None:
    house = opening(UnlockedStore)
    assert more_money(house) == [(0, 0), {"accepted": CROWD}, (CROWD * 100_000, 0)]
    assert [finding.table for finding in findings(house)] == ["transfers"]  # the chain has forked


def five_tables(house: PlayerService) -> None:
    """One player opens a round at every table at once."""
    guest = Seated(house)
    asked = {game: guest.asking(known.stakes, game) for game, known in TABLES.items()}
    found = raced(
        house,
        "SELECT hash FROM transfers",
        [partial(guest.open, each, game) for game, each in asked.items()],
    )
    assert outcomes(found) == {"accepted": len(TABLES)}
    assert conserved(house)


def test_S4_the_chain_of_a_player_at_five_tables_does_not_fork(opening: Opening) -> None:
    house = opening(PostgresStore)
    five_tables(house)
    assert findings(house) == ()


@pytest.mark.usefixtures("alone")
def test_S4_control_without_locks_the_chain_of_a_player_forks(opening: Opening) -> None:
    house = opening(UnlockedStore)
    five_tables(house)
    assert [finding.table for finding in findings(house)] == ["transfers"]


def one_key(house: PlayerService) -> list[object]:
    """The same command arrives several times at once."""
    guest = Seated(house)
    asked = guest.asking()
    clicks: list[Callable[[], object]] = [partial(guest.open, asked, "k")] * CROWD
    return raced(house, "FROM given JOIN commands", clicks)


def test_F4_a_key_sent_at_once_gets_one_reply(opening: Opening) -> None:
    found = one_key(opening(PostgresStore))
    assert outcomes(found) == {"accepted": CROWD}
    assert len({reply for reply in found if isinstance(reply, bytes)}) == 1


@pytest.mark.usefixtures("alone")
def test_F4_control_without_locks_the_tables_own_key_lets_one_through(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database's constraints still allow one effect, but the other callers get an error."""
    state_unchecked(monkeypatch)
    house = opening(UnlockedStore)
    assert outcomes(one_key(house)) == {"accepted": 1, "UniqueViolation": CROWD - 1}
    assert conserved(house)


@pytest.mark.usefixtures("alone")
def test_F4_without_locks_the_rounds_state_lets_one_through(opening: Opening) -> None:
    house = opening(UnlockedStore)
    found = outcomes(one_key(house))
    # Who reads the round after the first commit is refused it, and its refusal the key.
    assert (found["accepted"], found["Broken"] + found["UniqueViolation"]) == (1, CROWD - 1)
    assert conserved(house)


def stops_at_once(house: PlayerService) -> None:
    """Every table is stopped at once, each by a separate command."""

    def stop(game: str) -> object:
        return act(house, lambda operator: operator.stop(f"game:{game}", "look"))

    found = raced(
        house, "SELECT hash FROM significant_events", [partial(stop, game) for game in TABLES]
    )
    assert outcomes(found) == {"accepted": len(TABLES)}


def test_S3_the_chain_of_events_does_not_fork_either(opening: Opening) -> None:
    house = opening(PostgresStore)
    stops_at_once(house)
    assert findings(house) == ()


def test_S3_control_without_locks_the_chain_of_events_forks(opening: Opening) -> None:
    house = opening(UnlockedStore)
    stops_at_once(house)
    assert [finding.table for finding in findings(house)] == ["significant_events"]


def test_two_operators_at_one_switch_come_one_after_another(opening: Opening) -> None:
    house = opening(PostgresStore)
    turning = [
        partial(act, house, lambda operator: operator.stop("all", "look"), by=f"operator {n}")
        for n in range(CROWD)
    ]
    assert outcomes(at_once(turning)) == {"accepted": CROWD}
    assert rows_of(house, "SELECT COUNT(*) FROM switches") == [(1,)]
    assert findings(house) == ()


def test_R10_a_source_that_fails_for_many_at_once_is_put_on_record_once(opening: Opening) -> None:
    house = opening(PostgresStore)
    guests = [Seated(house) for _ in range(CROWD)]
    house.dealer._entropy = lambda size: b""
    found = at_once([guest.seat for guest in guests])
    assert outcomes(found) == {"dealing/unavailable": CROWD}
    assert len(recorded(house, "dealing_failed")) == 1
