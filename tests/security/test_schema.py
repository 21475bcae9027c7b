"""The API is as its document says, whatever is sent: made-up input on every route.

`make soak` does it at length: `python tests/soak/schema.py --examples 500`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from schemathesis.core.failures import FailureGroup

from houses import client_of, make_house
from security.cast import cast_in
from security.fuzzing import GAPS, Told, fuzz, serving
from soak import schema
from tapisvert.rounds import showing
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.messages import SeatRequest, Wallet
from tapisvert.web import api

EXAMPLES = 8  # about ten seconds on a quiet machine


@pytest.fixture(scope="module")
def told() -> Told:
    """Fuzz once; the input is the same in every run."""
    return schema.main(EXAMPLES)


def test_no_input_makes_the_server_fail_or_leave_its_document(told: Told) -> None:
    print(told)
    assert {status for seen in told.outcomes.values() for status, _ in seen} <= set(range(500))
    assert told.cases.keys() == {"edges", "positive", "negative"}


def test_the_made_up_input_reaches_what_every_route_does(told: Told) -> None:
    assert len(told.outcomes) == 35
    # Nobody is ever broke here, which is what more play money takes; and who is paid out must have
    # been paid in before, which is up to the order the calls come in.
    assert set(told.never_granted()) <= {
        "POST /api/v1/wallet/play-money",
        "POST /api/v1/operator/players/{player_id}/withdrawals",
    }


def parameter(document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return every schema the document gives a parameter of this name."""
    return [
        each["schema"]
        for operations in document["paths"].values()
        for operation in operations.values()
        for each in operation.get("parameters", [])
        if each["name"] == name
    ]


@pytest.mark.parametrize("gap", GAPS)
def test_a_known_gap_of_the_document_is_still_there(tmp_path: Path, gap: str) -> None:
    """A row that excuses nothing any more must go: take it out of `fuzzing.GAPS`, and here."""
    with client_of(make_house(tmp_path / "tapis.db")) as client:
        document = client.get("/api/v1/openapi.json").json()
        allowed = client.options("/api/v1/rounds").headers["allow"]
    still = {
        "status": not any("enum" in str(each) for each in parameter(document, "status")),
        "before": not any("minimum" in str(each) for each in parameter(document, "before")),
        "a key": not any("pattern" in each for each in parameter(document, "Idempotency-Key")),
        "OPTIONS": allowed != "GET, OPTIONS, POST",
    }
    assert [there for name, there in still.items() if name in gap] == [True]


# Controls -----------------------------------------------------------------------------------------


def crash(desk: Desk) -> Wallet:
    raise ZeroDivisionError


def another_shape(desk: Desk) -> dict[str, str]:
    return {"currency": "FUN", "balance_cents": "plenty"}


@pytest.mark.parametrize("wrong", [crash, another_shape])
def test_a_route_that_fails_or_answers_otherwise_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: Callable[[Desk], object]
) -> None:
    with cast_in(tmp_path) as cast, serving(cast.house) as url:
        fuzz(cast, url, 2, only="/api/v1/wallet")
        monkeypatch.setattr(showing, "wallet", wrong)
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
