"""What a player can see of a server that is killed: it must be the same, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence

from crash.server import Server
from houses import Guest

LISTS = ("/wallet", "/wallet/transfers", "/rounds", "/rounds?status=open", "/rounds?status=unseen")


def pictures(guest: Guest, round_ids: Sequence[str]) -> dict[str, bytes]:
    """Return all a player can see, and some rounds."""
    paths = [*LISTS, *(f"/rounds/{each}" for each in round_ids)]
    answers = {path: guest.get(path) for path in paths}
    assert {each.status_code for each in answers.values()} == {200}
    return {path: each.content for path, each in answers.items()}


def check_survives(server: Server, guest: Guest, *round_ids: str) -> None:
    """Kill the server; afterwards the player must see exactly what was there before."""
    before = pictures(guest, round_ids)
    server.restart(guest)
    assert pictures(guest, round_ids) == before
