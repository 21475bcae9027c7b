"""A NUL character is refused on both databases, because PostgreSQL cannot store it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from rounds.guest_seat import refusal_of
from rounds.house_with_operator import Funded, Operator
from stores import both
from tapisvert.rounds.schemas import OpenRequest
from web.office import MONEY, WHY, Room, open_room
from web.scene import code_of, everything

pytestmark = both
MALFORMED = (400, "request/malformed")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with open_room(tmp_path_factory.mktemp("nul") / "tapis.db") as made:
        yield made


@pytest.mark.parametrize("seed", ["\0", "a\0b", "a\0"])
def test_a_client_seed_with_a_NUL_is_malformed_and_nothing_is_staked(room: Room, seed: str) -> None:
    room.player.seat()
    before = everything(room.house)
    assert code_of(room.player.open({"ante": 1000}, client_seed=seed)) == MALFORMED
    assert everything(room.house) == before


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("players/{player}/deposits", {**MONEY, "reference": "wire\0"}),
        ("players/{player}/withdrawals", {**MONEY, "reference": "\0"}),
        ("rounds/{round}/void", {"reason": "a\0b"}),
        ("stops", {"scope": "all", "reason": "a\0b"}),
        ("stops", {"scope": "player:\0", **WHY}),
        ("revocations", {"scope": "operator:\0", **WHY}),
        ("revocations", {"scope": "operator:anne", "reason": "\0"}),
        ("resumptions", {"scope": "all\0", **WHY}),
        ("players", {"currency": "CA\0"}),
    ],
)
def test_a_text_of_an_operator_with_a_NUL_is_refused_and_nothing_is_kept(
    room: Room, path: str, body: object
) -> None:
    before = everything(room.house)
    where = path.format(player=room.player_id, round=room.round_id)
    found = code_of(room.clerk.post(f"/operator/{where}", body))
    assert found == ((422, "player/currency") if path == "players" else MALFORMED)
    assert everything(room.house) == before


def test_an_address_with_a_NUL_is_malformed(room: Room) -> None:
    for path in ("/rounds/%00", f"/rounds/{room.round_id}%00/proof", "/games/%00"):
        assert code_of(room.player.get(path)) == MALFORMED
    assert code_of(room.clerk.get("/operator/players/%00")) == MALFORMED
    assert code_of(room.player.post("/rounds/a%00/choices", {"step": 0, "choice": ""})) == MALFORMED
    assert code_of(room.player.open({"ante": 1000}, round_id="\0")) == MALFORMED


# Calls of the house without HTTP ------------------------------------------------------------------


def reasons(operator: Operator, player: Funded) -> list[Callable[[], object]]:
    """Return every command that stores a text, called with a NUL in it."""
    return [
        lambda: operator.stop("all", "a\0b"),
        lambda: operator.resume("all", "\0a"),
        lambda: operator.revoke("operator:anne", "a\0b"),
        lambda: operator.deposit(player.player_id, 100, "\0"),
        lambda: operator.withdraw(player.player_id, 100, "\0"),
    ]


def test_the_house_itself_refuses_a_text_with_a_NUL(room: Room) -> None:
    player, operator = Funded(room.house), Operator(room.house)
    seat = player.seat("casino-stud")
    asked = OpenRequest(seat.round_id, seat.commitment, {"ante": 1000}, "a\0b")
    before = everything(room.house)
    assert refusal_of(lambda: player.open(asked)).code == "request/malformed"
    for command in reasons(operator, player):
        assert refusal_of(command).code == "request/malformed"
    assert everything(room.house) == before
