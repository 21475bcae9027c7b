"""F4: one key has one effect, sent twenty times at once (`make soak`: 10,000 keys)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from soak import keys
from stores import both
from tapisvert.rounds import house
from tapisvert.rounds.desk import Desk
from tiers import long

pytestmark = both


@pytest.mark.parametrize("count", [16, pytest.param(60, marks=long)])
def test_F4_a_key_sent_by_twenty_threads_at_once_has_one_effect(count: int) -> None:
    assert keys.main(count, 20) == count


def test_F4_without_the_record_of_keys_replies_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: a house that keeps no keys answers the second copy otherwise."""

    def forgetful(desk: Desk, key: str, asked: bytes, effect: Callable[[], bytes]) -> bytes:
        return effect()

    monkeypatch.setattr(house, "once", forgetful)
    with pytest.raises(Exception, match=r"round/|replies differ|seat/"):
        keys.main(4, 20)
