"""F4: one key has one effect, sent twenty times at once (`make soak`: 10,000 keys)."""

from __future__ import annotations

import pytest

from soak import keys
from stores import both
from tapisvert.rounds import command_records
from tiers import long

pytestmark = both


@pytest.mark.parametrize("count", [16, pytest.param(60, marks=long)])
def test_F4_a_key_sent_by_twenty_threads_at_once_has_one_effect(count: int) -> None:
    assert keys.main(count, 20) == count


def test_F4_without_the_record_of_keys_replies_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: a house without stored keys answers the second copy differently."""
    monkeypatch.setattr(command_records, "key_records", lambda tx, keys: {})
    monkeypatch.setattr(command_records, "add_commands", lambda tx, commands: None)
    with pytest.raises(Exception, match=r"round/|replies differ|seat/"):
        keys.main(4, 20)
