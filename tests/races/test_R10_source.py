"""R10 in groups: after the entropy source has failed, no command deals.

Bytes are drawn when a command is first taken into a group. A command decided again in a later unit,
with the pot locked, is checked against the source at that time.
"""

from __future__ import annotations

import os
from pathlib import Path

from rounds.guest_seat import PATIENCE_S
from rounds.house_with_operator import recorded
from rounds.house_with_pot import GAME, STAKES, players, potted
from store.spies import busy
from tapisvert.refusal import Refused
from tapisvert.rounds.schemas import SeatRequest
from tapisvert.store import SqliteStore

DRAWN = 3  # for a command: seed, id and nonce


class Source:
    """An entropy source that fails once, after this many draws."""

    def __init__(self, draws: int) -> None:
        self._left = draws

    def __call__(self, size: int) -> bytes:
        self._left -= 1
        if self._left == -1:
            raise OSError("no randomness")
        return os.urandom(size)


def test_R10_a_command_that_waits_for_the_pot_is_refused_where_the_source_has_failed_since(
    tmp_path: Path,
) -> None:
    house = potted(tmp_path / "tapis.db")
    winner, other = players(house, 2)
    asked = winner.asking(STAKES, GAME, client_seed="royal-flush")
    house.dealer._entropy = Source(DRAWN)
    assert isinstance(house.store, SqliteStore)
    with busy(house.store):
        wins = house.open(winner.token, winner.key(), asked)
        fails = house.seat(other.token, SeatRequest(GAME))
    for each in (wins, fails):
        refused = each.result(PATIENCE_S)
        assert isinstance(refused, Refused)
        assert refused.code == "dealing/unavailable"
    assert winner.moved() == []
    assert len(recorded(house, "dealing_failed")) == 1
    house.store.close()
