"""Sign-in with a token: only a real-money player gets a cookie."""

from __future__ import annotations

from pathlib import Path

import pytest

from houses import client_of
from rounds.house_with_operator import Funded, open_tables
from tapisvert.web.session import COOKIE
from web.scene import code_of


def test_a_token_of_the_operators_opens_the_player_s_account(tmp_path: Path) -> None:
    house = open_tables(tmp_path / "tapis.db")
    with client_of(house) as client:
        token = Funded(house, 4_200, "EUR").token
        answer = client.post("/api/v1/sessions", json={"token": token})
        assert answer.status_code == 200
        mine = {"currency": "EUR", "balance_cents": 4_200, "held_cents": 0}
        assert answer.json() == mine
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith(f"{COOKIE}={token};")
        assert {"HttpOnly", "SameSite=strict"} <= {each.strip() for each in cookie.split(";")}
        assert client.get("/api/v1/wallet").json() == mine  # by the cookie


@pytest.mark.parametrize("token", ["", "nobody's", "x" * 256])
def test_a_token_of_nobody_s_opens_nothing(tmp_path: Path, token: str) -> None:
    with client_of(open_tables(tmp_path / "tapis.db")) as client:
        refused = client.post("/api/v1/sessions", json={"token": token})
        assert code_of(refused) == (401, "session/missing")
        assert "set-cookie" not in refused.headers
