"""The API matches its document for random input on every route.

`make soak` runs more examples: `python tests/soak/schema.py --examples 500`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from schemathesis.core.failures import FailureGroup

from houses import client_of, make_house
from security.cast import cast_in
from security.fuzzing import GAPS, Told, fuzz, serving
from soak import schema
from tapisvert.rounds import player_views
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.schemas import SeatRequest, Wallet
from tapisvert.web import api
from tiers import long

ENOUGH = 8  # examples: enough to reach what every route does


@pytest.fixture(scope="module")
def told() -> Told:
    """Fuzz once, with the same input in every run."""
    return schema.main(ENOUGH)


@long
def test_no_input_makes_the_server_fail_or_leave_its_document(told: Told) -> None:
    print(told)
    assert {status for seen in told.outcomes.values() for status, _ in seen} <= set(range(500))
    assert told.cases.keys() == {"edges", "positive", "negative"}
    assert len(told.outcomes) == 45


@long
def test_the_made_up_input_reaches_what_every_route_does(told: Told) -> None:
    # More play money needs a broke guest, which does not occur here. A withdrawal needs an earlier
    # deposit, which depends on the order of calls. An answer names the question that waits.
    assert set(told.never_granted()) <= {
        "POST /api/v1/wallet/play-money",
        "POST /api/v1/practice/{game}/answers",
        "POST /api/v1/operator/players/{player_id}/withdrawals",
    }


def test_the_known_gap_of_the_document_is_still_there(tmp_path: Path) -> None:
    """If this fails, the gap is fixed: remove its row from `fuzzing.GAPS`, and this test."""
    (gap,) = GAPS
    assert gap.startswith("OPTIONS")
    with client_of(make_house(tmp_path / "tapis.db")) as client:
        assert client.options("/api/v1/rounds").headers["allow"] != "GET, OPTIONS, POST"


# Controls -----------------------------------------------------------------------------------------


def crash(desk: QueryContext) -> Wallet:
    raise ZeroDivisionError


def another_shape(desk: QueryContext) -> dict[str, str]:
    return {"currency": "FUN", "balance_cents": "plenty"}


@pytest.mark.parametrize("wrong", [crash, another_shape])
def test_a_route_that_fails_or_answers_otherwise_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: Callable[[QueryContext], object]
) -> None:
    with cast_in(tmp_path) as cast, serving(cast.house) as url:
        fuzz(cast, url, 2, only="/api/v1/wallet")
        monkeypatch.setattr(player_views, "wallet", wrong)
        with pytest.raises(FailureGroup):
            fuzz(cast, url, 2, only="/api/v1/wallet")


def test_a_route_that_takes_what_does_not_fit_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cast_in(tmp_path) as cast, serving(cast.house) as url:
        fuzz(cast, url, 5, only="/api/v1/seats")
        monkeypatch.setattr(api, "checked", lambda data, kind: SeatRequest("ultimate"))
        with pytest.raises(FailureGroup, match="Invalid data should have been rejected"):
            fuzz(cast, url, 5, only="/api/v1/seats")
