"""R7: hidden cards and seeds appear neither in replies nor in logs nor on disk.

Two houses that differ only in hidden cards must answer with the same bytes. While a round is open,
its seed and its hidden cards must not be found anywhere. Each search has a control with a planted
secret that it must find.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from httpx import Response

from houses import KEY, Clock, Guest, client_of, counting_entropy
from tapisvert.cards import STANDARD, text
from tapisvert.dealing import Deal, shuffle
from tapisvert.rounds import Dealer, PlayerService, replies
from tapisvert.rounds.stored_reply import unpack
from tapisvert.sealing import Sealer
from tapisvert.sheets import load
from tapisvert.store import SqliteStore
from web.scene import STUD, Seating

# The player's kings and the house's ace are seen; the four cards behind the ace are not.
SEEN = "Kh Kd 7c 4s 2d Ac"
HIDDEN = ("Ks 9h 8d 3c", "Qs Jh Td 5c")  # one qualifies, the other does not
Wire = tuple[int, tuple[tuple[str, str], ...], bytes]


def wire(answer: Response) -> Wire:
    """Return everything a client receives, except dates."""
    headers = tuple(pair for pair in answer.headers.multi_items() if pair[0] != "date")
    return answer.status_code, headers, answer.content


def until_the_choice(guest: Guest) -> Iterator[Response]:
    """Request everything a player can, up to the choice."""
    client = guest.client
    yield client.post("/api/v1/guests", json={"bearer": True})
    yield client.post("/api/v1/guests")
    yield guest.post("/seats", {"game": STUD})
    yield guest.open({"ante": 1})
    opened = guest.open({"ante": 1000, "bonus": 500}, key="open")
    yield opened
    round_id = opened.json()["round"]["id"]
    asked = {name: opened.json()["round"][name] for name in ("commitment", "client_seed", "stakes")}
    yield guest.post("/rounds", {"round_id": round_id, **asked}, key="open")
    yield guest.post("/rounds", {"round_id": round_id, **asked})
    for rest in ("", "?since=3", "/recall", "/proof"):
        yield guest.get(f"/rounds/{round_id}{rest}")
    yield guest.post(f"/rounds/{round_id}/seen")
    for choice, step in [("raise", 0), ("play", 1), ("play", -1), ("fold", 7)]:
        yield guest.choose(round_id, choice, step)
    yield from everywhere_else(guest)


def everywhere_else(guest: Guest) -> Iterator[Response]:
    """Request everything that is not about one round."""
    yield guest.post("/seats", {"game": STUD})
    yield guest.post("/wallet/play-money")
    for path in ("/rounds", "/rounds?status=open", "/rounds?status=unseen", "/wallet"):
        yield guest.get(path)
    for path in ("/wallet/transfers", "/games", "/words/fr", "/health", "/openapi.json"):
        yield guest.get(path)
    yield guest.client.get("/")


def open_id(guest: Guest) -> str:
    found: str = guest.get("/rounds?status=open").json()["rounds"][0]["id"]
    return found


@pytest.fixture
def twins(seating: Seating) -> list[Guest]:
    """Two guests of two houses with the same ids, seeds and visible cards."""
    return [seating(f"{SEEN} {cards}", entropy=counting_entropy())[1] for cards in HIDDEN]


def test_R7_decks_that_differ_only_in_hidden_cards_give_the_same_bytes_until_play(
    twins: list[Guest],
) -> None:
    one, other = twins
    for mine, theirs in zip(until_the_choice(one), until_the_choice(other), strict=True):
        assert wire(mine) == wire(theirs)
    # The control: once the house shows its cards, the two houses are told apart.
    ends = [guest.choose(open_id(guest), "play") for guest in twins]
    assert [end.json()["round"]["hands"]["house"][1] for end in ends] == ["Ks", "Qs"]
    assert wire(ends[0]) != wire(ends[1])


def test_R7_after_a_fold_the_hidden_cards_are_in_the_proof_and_nowhere_else(
    twins: list[Guest],
) -> None:
    one, other = twins
    round_ids = []
    for guest in twins:
        for _ in until_the_choice(guest):
            pass
        round_ids.append(open_id(guest))
    assert round_ids[0] == round_ids[1]
    round_id = round_ids[0]
    assert wire(one.choose(round_id, "fold")) == wire(other.choose(round_id, "fold"))
    for rest in ("", "/recall"):
        path = f"/rounds/{round_id}{rest}"
        assert wire(one.get(path)) == wire(other.get(path))
    for mine, theirs in zip(everywhere_else(one), everywhere_else(other), strict=True):
        assert wire(mine) == wire(theirs)
    proofs = [guest.get(f"/rounds/{round_id}/proof").json() for guest in twins]
    decks = [proof.pop("deck") for proof in proofs]
    assert [deck[6:10] for deck in decks] == [cards.split() for cards in HIDDEN]
    assert proofs[0] == proofs[1]


# Searches -----------------------------------------------------------------------------------------


class Glass(Sealer):
    """A sealer without encryption, for the control of the search."""

    def seal(self, seed: bytes, round_id: str, nonce: bytes) -> bytes:
        return seed

    def open(self, sealed: bytes, round_id: str) -> bytes:
        return sealed


@dataclass
class Watched:
    """A house whose seeds the test knows, and all its replies."""

    folder: Path
    guest: Guest
    seeds: list[bytes] = field(default_factory=list)
    said: list[bytes] = field(default_factory=list)

    def hear(self, answers: Iterator[Response]) -> None:
        """Record replies with their headers."""
        self.said += [repr(wire(answer)).encode() + answer.content for answer in answers]

    def on_disk(self) -> bytes:
        """Return all bytes of the house's files, and the stored replies uncompressed.

        The files are the database, its -wal and its -shm.
        """
        files = sorted(self.folder.iterdir())
        assert {file.suffix for file in files} == {".db", ".db-wal", ".db-shm"}
        with closing(sqlite3.connect(self.folder / "tapis.db")) as database:
            stored = database.execute("SELECT reply FROM commands WHERE reply IS NOT NULL")
            replies = [unpack(reply) for (reply,) in stored]
        return b"".join([*(file.read_bytes() for file in files), *replies])


@pytest.fixture
def watched(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Watched]:
    """Open a house with real seeds and real shuffles."""
    seeds: list[bytes] = []

    def entropy(size: int) -> bytes:
        drawn = os.urandom(size)
        if size == 32:  # ids have 16 bytes
            seeds.append(drawn)
        return drawn

    folder = tmp_path / "house"
    folder.mkdir()
    sealer: type[Sealer] = getattr(request, "param", Sealer)
    store = SqliteStore(folder / "tapis.db")
    house = PlayerService(store, Dealer(sealer(KEY), entropy), clock=Clock())
    with client_of(house) as client:
        yield Watched(folder, Guest(client), seeds)


def forms(seed: bytes) -> list[bytes]:
    """Return a seed in every encoding in which it might leak."""
    number = int.from_bytes(seed, "big")
    return [
        seed,
        seed[::-1],
        seed.hex().encode(),
        seed.hex().upper().encode(),
        base64.b64encode(seed).rstrip(b"="),
        base64.urlsafe_b64encode(seed).rstrip(b"="),
        str(number).encode(),
        json.dumps(list(seed)).encode(),
        repr(seed).encode(),
    ]


def found(needles: list[bytes], haystack: bytes) -> list[bytes]:
    return [needle for needle in needles if needle in haystack]


def hidden_cards(seed: bytes, round_: dict[str, Any]) -> list[bytes]:
    """Return the hidden cards of a round as JSON, and the order of the deck."""
    deal = Deal(STUD, load(STUD).hash, round_["id"], round_["client_seed"])
    deck = shuffle(seed, deal, STANDARD)
    faces = [text(card) for card in deck]
    assert faces[:5] == round_["hands"]["player"]
    hidden = faces[6:]
    quoted = [mark + face + mark for face in hidden for mark in ("'", '"')]
    orders = [sep.join(hidden[:4]) for sep in (" ", ",", ", ", "")]
    numbers = [str(list(deck[6:10]))[1:-1], json.dumps(deck[6:10], separators=(",", ":"))[1:-1]]
    return [each.encode() for each in (*quoted, *orders, *numbers)] + [bytes(deck[6:14])]


def crash(watched: Watched, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the server fail during a round, so that it logs a traceback."""

    def fail(*_: object) -> None:
        raise RuntimeError("the table has tipped over")

    with monkeypatch.context() as patched:
        patched.setattr(replies, "view", fail)
        answer = watched.guest.get(path)
        assert answer.status_code == 500
        watched.hear(iter([answer]))


def test_R7_while_a_round_is_open_its_seed_and_hidden_cards_are_nowhere(
    watched: Watched, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    guest = watched.guest
    watched.hear(until_the_choice(guest))
    round_ = guest.get(f"/rounds/{open_id(guest)}").json()["round"]
    crash(watched, f"/rounds/{round_['id']}", monkeypatch)
    seed = watched.seeds[0]
    secrets = forms(seed) + hidden_cards(seed, round_)
    said, logged, disk = b"".join(watched.said), caplog.text.encode(), watched.on_disk()
    assert found(secrets, said) == []
    assert found(secrets, logged) == []
    assert found(secrets, disk) == []
    # The controls: all three hold what they should hold.
    up_card = f'"{round_["hands"]["house"][0]}"'.encode()
    for place in (said, disk):
        assert found([up_card, round_["id"].encode()], place) == [up_card, round_["id"].encode()]
    assert b"the table has tipped over" in logged


@pytest.mark.parametrize("choice", ["play", "fold"])
def test_R7_after_the_end_the_seed_is_in_the_proof_and_the_next_one_is_sealed(
    watched: Watched, choice: str
) -> None:
    guest = watched.guest
    round_ = guest.open({"ante": 1000}).json()["round"]
    end = guest.choose(round_["id"], choice)
    first, following = watched.seeds[0], watched.seeds[-1]
    assert first != following
    assert found(forms(first), wire(end)[2]) == []
    proof = guest.get(f"/rounds/{round_['id']}/proof")
    assert proof.json()["server_seed"] == first.hex()
    # The control of the search on disk: a seed that is written in the clear is found.
    disk = watched.on_disk()
    assert found(forms(first), disk) == [first]
    assert found(forms(following), disk) == []
    watched.hear(everywhere_else(guest))
    watched.hear(iter([end, proof]))
    assert found(forms(following), b"".join(watched.said)) == []


@pytest.mark.parametrize("watched", [Glass], indirect=True)
def test_R7_control_a_house_that_does_not_seal_is_found_out(watched: Watched) -> None:
    watched.guest.open({"ante": 1000})
    assert found(forms(watched.seeds[0]), watched.on_disk()) == [watched.seeds[0]]


def test_a_session_token_is_not_on_the_disk(watched: Watched) -> None:
    watched.guest.open({"ante": 1000})
    token = watched.guest.token
    assert found([token.encode(), bytes.fromhex(token)], watched.on_disk()) == []
