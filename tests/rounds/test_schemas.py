"""The limits of a request's texts, and what the API document says of a stake."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest, SeatRequest

OPEN: dict[str, Any] = {"round_id": "r", "commitment": "c", "stakes": {}, "client_seed": "s"}
FIELDS = [
    (SeatRequest, {"game": "x"}, "game", False),
    (OpenRequest, OPEN, "round_id", True),
    (OpenRequest, OPEN, "commitment", False),
    (OpenRequest, OPEN, "client_seed", True),
    (ChoiceRequest, {"step": 0, "choice": "x"}, "choice", False),
]


@pytest.mark.parametrize(("kind", "body", "name", "stored"), FIELDS)
def test_a_text_has_at_most_256_characters_and_no_nul_where_it_is_stored(
    kind: type[Any], body: dict[str, Any], name: str, stored: bool
) -> None:
    for text, taken in (("", True), ("x" * 256, True), ("x" * 257, False), ("\0", not stored)):
        if taken:
            assert getattr(msgspec.convert({**body, name: text}, kind), name) == text
        else:
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert({**body, name: text}, kind)


@pytest.mark.parametrize(("kind", "body"), [(each[0], each[1]) for each in FIELDS])
def test_a_request_with_an_unknown_field_is_refused(kind: type[Any], body: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**body, "more": 1}, kind)


def test_a_stake_is_documented_as_a_whole_number_from_one_on() -> None:
    (schema,), parts = msgspec.json.schema_components([OpenRequest])
    assert schema["$ref"].endswith("OpenRequest")
    stakes = parts["OpenRequest"]["properties"]["stakes"]
    assert stakes["additionalProperties"] == {"type": "integer", "minimum": 1}
