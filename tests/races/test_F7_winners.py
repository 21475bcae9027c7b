"""F7 with real concurrency: winners on several servers of one PostgreSQL database.

`tests/soak/winners.py` runs here; `make soak` runs it at length. The controls remove the pot's lock
and synchronise the winners' reads. Two protections remain, and a winner who is late meets either of
them first, so each is tested with the other removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest

from races.at_once import at_once, outcomes
from races.unlocked import PotUnlockedStore
from rounds.guest_seat import PATIENCE_S, Seated, read, rows_of
from rounds.house_with_operator import findings
from rounds.house_with_pot import (
    CENT,
    GAME,
    PART,
    STAKES,
    START,
    players,
    pot_of,
    potted,
    report,
    stood,
    won_cents,
)
from soak import winners
from soak.instants import Heard
from stores import POSTGRESQL, url_of
from tapisvert.bank import jackpot
from tapisvert.rounds import PlayerService
from tapisvert.rounds.schemas import OpenRequest
from tiers import long

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)

CROWD = 3
TENTH = (START + PART) // 10 // CENT


@pytest.mark.parametrize(
    ("elsewhere", "trials"),
    [
        pytest.param(False, 2, id="threads"),
        pytest.param(False, 8, id="more-threads", marks=long),
        pytest.param(True, 8, id="processes", marks=long),
    ],
)
def test_F7_winners_on_several_servers_are_paid_as_one_after_the_other(
    elsewhere: bool, trials: int
) -> None:
    done = winners.night(trials, Random(7), elsewhere=elsewhere)
    print(dict(done))
    assert done["trials"] == trials
    assert done["wins"] >= 2 * trials


# Controls -----------------------------------------------------------------------------------------


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PlayerService]:
    made = potted(tmp_path / "tapis.db")
    yield made
    made.store.close()


@pytest.fixture
def unlocked(house: PlayerService, tmp_path: Path) -> Iterator[PlayerService]:
    """Return another server of the house, which does not lock the pot."""
    store = PotUnlockedStore(url_of(tmp_path / "tapis.db"))
    yield PlayerService(store, house.dealer, clock=house.clock)
    store.close()


def tenths_at_once(house: PlayerService, unlocked: PlayerService) -> list[object]:
    """Let several players win a tenth of the pot, each after reading it before any win."""
    people = players(house, CROWD)
    asked = [each.asking(STAKES, GAME, client_seed="straight-flush") for each in people]
    assert isinstance(unlocked.store, PotUnlockedStore)
    unlocked.store.meeting(CROWD)

    def bet(player: Seated, wanted: OpenRequest) -> object:
        player.house = unlocked
        reply = read(player.open(wanted))
        stood(player, reply)
        return won_cents(reply)

    return list(at_once([partial(bet, *each) for each in zip(people, asked, strict=True)]))


def unnumbered(house: PlayerService) -> None:
    """Drop the unique number of awards."""
    sql = "ALTER TABLE awards DROP CONSTRAINT awards_pkey"
    house.store.write(lambda tx: tx.run(sql)).result(PATIENCE_S)


def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the stored pot differ from the balance of its account."""
    monkeypatch.setattr(jackpot, "invariant", lambda holds, promise: None)


def test_F7_without_the_lock_the_numbers_of_awards_let_one_winner_through(
    house: PlayerService, unlocked: PlayerService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table's own key prevents a double payment, but the other winners get an error."""
    unchecked(monkeypatch)
    found = tenths_at_once(house, unlocked)
    assert outcomes(found) == {"accepted": 1, "UniqueViolation": CROWD - 1}
    assert TENTH in found
    assert findings(house) == ()


def test_F7_without_the_lock_a_pot_that_is_not_what_its_account_holds_lets_one_through(
    house: PlayerService, unlocked: PlayerService
) -> None:
    unnumbered(house)
    found = tenths_at_once(house, unlocked)
    assert outcomes(found) == {"accepted": 1, "Broken": CROWD - 1}
    assert findings(house) == ()


def test_F7_control_without_any_of_them_a_tenth_of_one_pot_is_paid_to_everyone(
    house: PlayerService, unlocked: PlayerService, monkeypatch: pytest.MonkeyPatch
) -> None:
    unchecked(monkeypatch)
    unnumbered(house)
    before = pot_of(house)
    assert tenths_at_once(house, unlocked) == [TENTH] * CROWD  # and not a tenth of the rest
    # The pot counts one of them: its displayed value differs from its account, and the audit
    # reports it.
    assert pot_of(house).awarded_units == TENTH * CENT
    assert report(house).difference_units == (CROWD - 1) * (TENTH * CENT - PART)
    assert {finding.table for finding in findings(house)} >= {"jackpots"}
    heard = [
        Heard(row[0], "straight-flush", row[1], 0, 0, 0)
        for row in rows_of(house, "SELECT round_id, paid_cents FROM awards")
    ]
    with pytest.raises(AssertionError, match="should have been paid"):
        winners.check(house, before, heard)
