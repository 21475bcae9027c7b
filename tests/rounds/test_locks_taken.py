"""Which locks each command takes, in order: SQLite needs none, several PostgreSQL servers do.

Store.lock (store/port.py) fixes the order: an operator's keys, the player, the jackpot, the
journal, the seals. tests/races shows on PostgreSQL what the locks prevent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rounds.guest_seat import STUD, Seated, refusal_of
from rounds.house_with_operator import Operator, act, open_tables
from rounds.house_with_pot import GAME, dealt, played, players, stood
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.operations.key_rotation import replace_key
from tapisvert.players.repository import open_session
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.rounds.decide import TakeSeat
from tapisvert.rounds.load import LaterGroup, PreparedCommand, load
from tapisvert.rounds.schemas import SeatRequest
from tapisvert.rounds.state import CommandState
from tapisvert.sealing import Sealer
from tapisvert.store.sqlite_tx import SqliteTx

ORDER = (
    *("operator_commands", "operators", "switches", "players", "jackpots"),
    *("significant_events", "seals"),
)
KEYS = ("operator_commands", "anne")
SWITCH, POT = ("switches", "game:blackjack"), ("jackpots", GAME)
JOURNAL, SEALS = ("significant_events", ""), ("seals", "")


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, str]]]:
    """Return the locks in the order they are taken; a list of one unit has each once."""
    found: list[tuple[str, str]] = []

    def lock(tx: SqliteTx, table: str, name: str) -> None:
        found.append((table, name))

    def try_lock(tx: SqliteTx, table: str, names: list[str]) -> set[str]:
        found.extend((f"{table}, not waiting", name) for name in names)
        return set(names)

    monkeypatch.setattr(SqliteTx, "lock", lock)
    monkeypatch.setattr(SqliteTx, "try_lock", try_lock)
    yield found
    assert {table.partition(",")[0] for table, _ in found} <= set(ORDER)


Locks = list[tuple[str, str]]


def in_order(locks: Locks) -> bool:
    """Tell whether locks are in the order of the port."""
    places = [ORDER.index(table.partition(",")[0]) for table, _ in locks]
    return places == sorted(places)


def test_a_player_is_locked_by_every_command_and_the_pot_by_a_win(
    pot_house: PlayerService, taken: Locks
) -> None:
    guest, (winner,) = Seated(pot_house), players(pot_house, 1)
    mine = ("players, not waiting", guest.player_id)
    guest.leave(0)
    for command in (guest.more, guest.seat):
        taken.clear()
        command()
        assert mine in taken
    theirs = winner.player_id
    over = stood(winner, dealt(winner, "nothing")).round.id
    taken.clear()
    pot_house.mark_seen(winner.token, over).result()
    assert taken == [("players", theirs)]
    taken.clear()
    played(winner, "nothing")
    assert {*taken} == {("players, not waiting", theirs)}
    taken.clear()
    played(winner, "royal-flush")
    # Decided again alone: it waits for the player, then for the pot, which is folded and won.
    at = taken.index(("players", theirs))
    assert taken[at : at + 3] == [("players", theirs), POT, JOURNAL]


@pytest.mark.parametrize(
    ("act_of", "locks"),
    [
        (lambda anne, player: anne.deposit(player, 500, "cash"), ["player", JOURNAL]),
        (lambda anne, player: anne.withdraw(player, 500, "cash"), ["player", JOURNAL]),
        (lambda anne, player: anne.stop("game:blackjack", "why"), [SWITCH, JOURNAL]),
        (lambda anne, player: anne.create_operator("bert"), [("operators", "bert"), JOURNAL]),
        (lambda anne, player: anne.set_rate(GAME, "EUR", "1.4700"), [POT, JOURNAL]),
        (
            lambda anne, player: anne.set_jackpot(GAME, reset_cents=3_000_000, reason="why"),
            [POT, JOURNAL],
        ),
    ],
    ids=["deposit", "withdraw", "stop", "create_operator", "set_rate", "set_jackpot"],
)
def test_an_operator_locks_what_changes_then_the_journal(
    pot_house: PlayerService,
    taken: Locks,
    act_of: Callable[[Operator, str], object],
    locks: list[object],
) -> None:
    (player,) = players(pot_house, 1)
    taken.clear()
    act_of(Operator(pot_house), player.player_id)
    meant = [("players", player.player_id) if each == "player" else each for each in locks]
    assert list(dict.fromkeys(taken)) == meant
    assert in_order(taken)


def test_a_pot_is_locked_before_it_is_opened_once(house: PlayerService, taken: Locks) -> None:
    anne = Operator(house)
    anne.open_jackpot(GAME, "CAD")
    assert taken == [POT, JOURNAL]
    refused = refusal_of(lambda: anne.open_jackpot(GAME, "CAD"))
    assert (refused.code, refused.details) == ("jackpot/exists", {"pot": GAME})


def test_a_repeated_command_of_an_operator_is_locked_by_its_keys(
    pot_house: PlayerService, taken: Locks
) -> None:
    act(pot_house, lambda office: office.once("key", "asked", lambda: "done"))
    assert taken == [KEYS]


def test_a_void_locks_the_player_before_the_round_is_read(
    pot_house: PlayerService, taken: Locks
) -> None:
    (player,) = players(pot_house, 1)
    reply = stood(player, dealt(player, "royal-flush"))
    taken.clear()
    Operator(pot_house).void(reply.round.id, "why")
    mine = ("players", player.player_id)
    assert list(dict.fromkeys(taken)) == [mine, JOURNAL]  # the pot's part waits for the next fold


def test_housekeeping_locks_each_pot_and_the_seals(pot_house: PlayerService, taken: Locks) -> None:
    (player,) = players(pot_house, 1)
    played(player, "nothing")
    taken.clear()
    Housekeeping(pot_house).fold()
    assert taken == [POT]
    taken.clear()
    Housekeeping(pot_house).seal()
    assert taken == [SEALS]


def test_the_seals_are_locked_while_a_key_is_first_written_or_replaced(
    tmp_path: Path, taken: Locks
) -> None:
    house = open_tables(tmp_path / "tapis.db")
    assert taken == [SEALS, SEALS]
    taken.clear()
    replace_key(house, Sealer(bytes(range(1, 33))), by="anne")
    assert taken == [JOURNAL, SEALS, SEALS]
    house.store.close()


# Locked elsewhere ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("busy", "waits"), [(0, 0), (1, 0), (2, 0), (3, 1)])
def test_a_player_locked_elsewhere_is_tried_three_times_and_then_waited_for(
    house: PlayerService, monkeypatch: pytest.MonkeyPatch, busy: int, waits: int
) -> None:
    guest = Seated(house)
    tries: list[list[str]] = []
    waited: Locks = []

    def try_lock(tx: SqliteTx, table: str, names: list[str]) -> set[str]:
        tries.append(names)
        return set(names) if len(tries) > busy else set()

    monkeypatch.setattr(SqliteTx, "try_lock", try_lock)
    monkeypatch.setattr(SqliteTx, "lock", lambda tx, table, name: waited.append((table, name)))
    assert guest.seat().game == STUD
    assert tries == [[guest.player_id]] * min(busy + 1, 3)
    assert waited == [("players", guest.player_id)] * waits


def test_of_two_commands_of_one_player_in_a_group_the_second_is_not_locked_elsewhere(
    house: PlayerService, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, other = Seated(house), Seated(house)
    house.store.write(
        lambda tx: open_session(tx, guest.player_id, "second token", house.clock())
    ).result()
    drawn = house.dealer.drawn()
    group = [
        PreparedCommand(token, TakeSeat(SeatRequest(STUD)), house.clock(), drawn)
        for token in (guest.token, "second token", other.token, "no token")
    ]

    def loaded() -> list[object]:
        return list(house.store.write(lambda tx: load(tx, group, house.shared())).result())

    first, second, third, nobody = loaded()
    assert isinstance(first, CommandState)
    assert isinstance(third, CommandState)
    assert (first.player.id, third.player.id) == (guest.player_id, other.player_id)
    assert second == LaterGroup(elsewhere=False)
    assert isinstance(nobody, Refused)
    assert nobody.code == "session/missing"
    monkeypatch.setattr(SqliteTx, "try_lock", lambda tx, table, names: {other.player_id})
    first, second, third, nobody = loaded()
    assert first == second == LaterGroup(elsewhere=True)
    assert isinstance(third, CommandState)
