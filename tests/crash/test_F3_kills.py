"""F3: `kill -9` under load loses nothing and doubles nothing (`make soak`: 500 times)."""

from __future__ import annotations

import pytest

from soak import kills
from stores import both_at_length, on_postgresql
from tiers import long

pytestmark = both_at_length


@pytest.mark.parametrize("count", [2, pytest.param(5, marks=long)])
def test_F3_kills_under_load_lose_nothing_and_double_nothing(engine: str, count: int) -> None:
    done = kills.main(count, engine=engine, database_kills=2 if on_postgresql() else 0)
    print(done)
    assert done.acknowledged > 0
    assert done.retried > 0


def test_F3_a_reply_that_was_not_kept_would_be_noticed(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: a client that expects another answer than the stored one fails the check."""
    kept = kills.Client.command

    def misheard(self: kills.Client, path: str, body: object) -> object:
        answer = kept(self, path, body)
        self.acknowledged = {key: reply + b" " for key, reply in self.acknowledged.items()}
        return answer

    monkeypatch.setattr(kills.Client, "command", misheard)
    with pytest.raises(AssertionError, match="acknowledged otherwise"):
        kills.main(1, engine=engine)
