"""New guests are rate-limited per address; a refusal stores nothing and gives the wait."""

from __future__ import annotations

from pathlib import Path

import pytest
from litestar.testing import TestClient

from houses import make_house
from tapisvert.refusal import Refused
from tapisvert.web import create_app
from tapisvert.web.rate_limit import TokenBucket


class Second:
    """A clock set by the test."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_lets_through_what_it_holds_and_fills_up_slowly() -> None:
    clock = Second()
    bucket = TokenBucket(3, 30, clock)
    for _ in range(3):
        bucket.take("a")
    with pytest.raises(Refused) as refused:
        bucket.take("a")
    assert refused.value.details == {"retry_after_s": 2}
    bucket.take("b")  # another address has its own
    clock.now = 1.9
    with pytest.raises(Refused):
        bucket.take("a")
    clock.now = 2.0
    bucket.take("a")
    with pytest.raises(Refused):
        bucket.take("a")
    clock.now = 10_000
    for _ in range(3):
        bucket.take("a")
    with pytest.raises(Refused):
        bucket.take("a")


def test_too_many_guests_are_refused_and_leave_no_trace(tmp_path: Path) -> None:
    house = make_house(tmp_path / "tapis.db")
    app = create_app(house, ["testserver.local"], guests=TokenBucket(2, 1, Second()))
    with TestClient(app) as client:
        came = [client.post("/api/v1/guests", json={"bearer": True}) for _ in range(5)]
        assert [answer.status_code for answer in came] == [201, 201, 429, 429, 429]
        assert came[2].json()["code"] == "request/too_many"
        assert 1 <= int(came[2].headers["retry-after"]) <= 60
        count = house.store.read(lambda tx: tx.row("SELECT COUNT(*) FROM players")).result()
        assert count == (2,)
        # Who is in already plays on.
        token = came[0].json()["token"]
        wallet = client.get("/api/v1/wallet", headers={"Authorization": f"Bearer {token}"})
        assert wallet.status_code == 200
