"""A database of commit 795e69f is opened: its rounds go on, and its audit is clean.

`at_795e69f.db.gz` was written by `tapis serve` of commit 795e69f: a guest with a finished and an
open round of every game, two of them in their second step; a player with real money, an open
jackpot, and a finished and an open round of Blackjack with a bet on it.
"""

from __future__ import annotations

import gzip
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bank.forging import copy_to_postgresql
from bank.tables import check_books
from cli.typed import typed
from houses import Clock, Guest, client_of
from rounds.guest_seat import rows_of
from rounds.house_with_operator import findings
from stores import both, on_postgresql, store_at, url_of
from tapisvert.games.registry import SHIPPED
from tapisvert.history.round_proof import check_proof, read_proof
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Sealer

pytestmark = both
STORED = Path(__file__).with_name("at_795e69f.db.gz")
KNOWN = tomllib.loads(Path(__file__).with_name("at_795e69f.toml").read_text(encoding="utf-8"))
KEY = bytes.fromhex(KNOWN["key"])
NOW_MS = 1_794_964_300_000  # a minute or two after its last row


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the database, with its key beside it."""
    path = tmp_path / "tapis.db"
    path.write_bytes(gzip.decompress(STORED.read_bytes()))
    path.with_suffix(".key").write_bytes(KEY)
    path.with_suffix(".key").chmod(0o600)
    if on_postgresql():
        with closing(sqlite3.connect(path)) as file:
            copy_to_postgresql(file, url_of(path))
    return path


@pytest.fixture
def house(path: Path) -> Iterator[PlayerService]:
    """Return the current house on it, after migration."""
    made = PlayerService(store_at(path), Dealer(Sealer(KEY)), clock=Clock(NOW_MS))
    yield made
    made.store.close()


def told_of(house: PlayerService) -> dict[str, dict[str, Any]]:
    """Return the last state of each round in the stored replies."""
    replies = rows_of(house, "SELECT reply FROM commands ORDER BY at_ms")
    rounds = [msgspec.json.decode(reply)["round"] for (reply,) in replies if b'"round"' in reply]
    return {each["id"]: each for each in rounds}


def of_state(house: PlayerService, state: str) -> dict[str, str]:
    """Return the rounds of a state, and the game of each."""
    return dict(rows_of(house, "SELECT id, game FROM rounds WHERE state = ?", state))


def finish(guest: Guest, round_: dict[str, Any]) -> dict[str, Any]:
    """Choose the first allowed option until a round is over."""
    while round_["ask"]:
        allowed = (each for each in round_["ask"]["options"] if each["legal"])
        option = next(each["id"] for each in allowed if each["affordable"])
        reply = guest.choose(round_["id"], option, round_["ask"]["step"])
        assert reply.status_code == 200, reply.text
        round_ = reply.json()["round"]
    return round_


def check_proven(guest: Guest, round_id: str) -> None:
    """Check that a round's proof verifies and its certificate is available."""
    proof = read_proof(guest.get(f"/rounds/{round_id}/proof").content, "round.json")
    assert check_proof(proof, "round.json").true
    page = guest.client.get(f"/rounds/{round_id}/certificate", headers=guest.headers(None))
    assert page.status_code == 200


def test_open_rounds_are_shown_as_they_were_and_played_to_their_end(house: PlayerService) -> None:
    waiting, told = of_state(house, "open"), told_of(house)
    assert sorted(waiting.values()) == sorted((*SHIPPED, "blackjack"))
    assert {told[round_id]["ask"]["step"] for round_id in waiting} == {0, 1}
    with client_of(house) as client:
        for token in (KNOWN["guest"], KNOWN["player"]):
            guest = Guest(client, token)
            for each in guest.get("/rounds?status=open").json()["rounds"]:
                shown = guest.get(f"/rounds/{each['id']}").json()["round"]
                assert shown == told[each["id"]]
                ended = finish(guest, shown)
                assert (ended["state"], waiting.pop(each["id"])) == ("settled", ended["game"])
                check_proven(guest, each["id"])
            assert guest.balance()[1] == 0
        assert waiting == {}
        assert findings(house) == ()
        check_books(house.store)


def test_rounds_that_were_over_are_proven_as_before_and_new_ones_are_dealt(
    house: PlayerService,
) -> None:
    over = of_state(house, "settled")
    assert sorted(over.values()) == sorted((*SHIPPED, "blackjack"))
    with client_of(house) as client:
        guest, player = Guest(client, KNOWN["guest"]), Guest(client, KNOWN["player"])
        for whose in (guest, player):
            for each in whose.get("/rounds").json()["rounds"]:
                if over.pop(each["id"], None):
                    check_proven(whose, each["id"])
        assert over == {}
        opened = player.open({"ante": 1000, "bonus": 500}).json()["round"]
        assert finish(player, opened)["state"] == "settled"
        assert findings(house) == ()


def test_tapis_audit_finds_its_books_in_order(path: Path, house: PlayerService) -> None:
    house.store.close()
    where = url_of(path) if on_postgresql() else f"sqlite:///{path}"
    done = typed("audit", "--database", where, "--seed-key", path.with_suffix(".key"))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "63 transfers" in done.stdout
    assert "12 rounds replayed: all in order" in done.stdout
