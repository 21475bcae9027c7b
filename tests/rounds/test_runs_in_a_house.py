"""Runs in memory at a house: they are continued, and no rollback, void or other server misleads it.

The game is Ultimate: two questions that leave the round open, and a third that ends it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from houses import KEY, Clock, make_house
from rounds.guest_seat import Seated, read, refusal_of
from rounds.guests_in_one_group import Tables
from rounds.house_with_operator import Operator, findings
from stores import VIOLATIONS, both
from tapisvert.refusal import unwrap
from tapisvert.rounds import Dealer, PlayerService, groups
from tapisvert.rounds.decks import Decks
from tapisvert.rounds.draft import Writes
from tapisvert.rounds.save import save
from tapisvert.rounds.schemas import ChoiceRequest
from tapisvert.sealing import Sealer
from tapisvert.store import Tx

pytestmark = both

GAME = "ultimate"
STAKES = {"ante": 100, "blind": 100}
CHOICES = ("check", "check", "fold")


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the rounds whose runs began with the deal, in order."""
    found: list[str] = []
    begin = Decks._begin

    def noted(self: Decks, stored: Any, *asked: Any) -> Any:
        found.append(stored.id)
        return begin(self, stored, *asked)

    monkeypatch.setattr(Decks, "_begin", noted)
    return found


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PlayerService]:
    made = make_house(tmp_path / "tapis.db")
    yield made
    assert findings(made) == ()
    made.store.close()


def opened(guest: Seated) -> str:
    """Open a round of Ultimate; return its id."""
    return read(guest.open(guest.asking(STAKES, GAME))).round.id


def test_the_answers_of_a_round_continue_one_run(house: PlayerService, begun: list[str]) -> None:
    guest = Seated(house)
    round_id = opened(guest)
    for step, choice in enumerate(CHOICES):
        guest.choose(round_id, choice, step)
    assert begun == [round_id]


def test_two_servers_in_turn_on_one_round_answer_as_one(
    house: PlayerService, begun: list[str]
) -> None:
    """Each server's run is older than the row when its turn comes again."""
    other = PlayerService(house.store, Dealer(Sealer(KEY)), clock=Clock())
    guest = Seated(house)
    round_id = opened(guest)
    for step, choice in enumerate(CHOICES):
        guest.house = (other, house)[step % 2]
        reply = read(guest.choose(round_id, choice, step))
        assert reply.round == read(guest.shown(round_id)).round
    assert reply.round.state == "settled"
    assert begun[0] == round_id
    assert len(begun) > len(CHOICES)  # dealt, and replayed at each change of server


def test_a_void_ends_a_round_whose_run_is_in_memory(house: PlayerService, begun: list[str]) -> None:
    guest = Seated(house)
    round_id = opened(guest)
    guest.choose(round_id, "check")
    Operator(house).void(round_id, "a power cut")
    assert refusal_of(lambda: guest.choose(round_id, "check", 1)).code == "round/ended"
    assert guest.purse() == (100_000, 0)


def test_a_group_that_is_undone_after_an_answer_is_decided_again_from_the_deal(
    tmp_path: Path, begun: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runs have gone on, the rows have not."""
    tables = Tables(tmp_path / "tapis.db")
    guests = [Seated(tables.house) for _ in range(2)]
    rounds = [opened(guest) for guest in guests]
    commands = [
        partial(tables.house.choose, guest.token, "k", round_id, ChoiceRequest(0, "check"), 0)
        for guest, round_id in zip(guests, rounds, strict=True)
    ]
    objections = 0

    def objecting(tx: Tx, writes: Sequence[Writes]) -> None:
        nonlocal objections
        if len(writes) > 1:
            objections += 1
            raise VIOLATIONS[0]("a rule of the database")
        save(tx, writes)

    begun.clear()
    monkeypatch.setattr(groups, "save", objecting)
    replies = [read(unwrap(future.result())) for future in tables.given(commands)]
    # Alone, they may run at once on several connections, in any order.
    assert (objections, sorted(begun)) == (1, sorted(rounds))
    for guest, reply in zip(guests, replies, strict=True):
        assert reply.round == read(guest.shown(reply.round.id)).round
        assert reply.round.state == "open"
        assert read(guest.choose(reply.round.id, "check", 1)).round.state == "open"
    tables.right()
    tables.store.close()
