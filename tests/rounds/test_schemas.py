"""The limits of a request's texts."""

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
    nul = "matching regex" if stored else ""
    for text, wrong in (("", ""), ("x" * 256, ""), ("x" * 257, "length <= 256"), ("\0", nul)):
        if not wrong:
            assert getattr(msgspec.convert({**body, name: text}, kind), name) == text
        else:
            with pytest.raises(msgspec.ValidationError, match=wrong):
                msgspec.convert({**body, name: text}, kind)
