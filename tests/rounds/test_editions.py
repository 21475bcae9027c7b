"""Blackjack has two editions: a stored round keeps its own, and new rounds use the current one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from game_tables import only_editions
from houses import make_house
from rounds.guest_seat import Seated, read, refusal_of, rows_of
from rounds.house_with_operator import findings
from stores import both_at_length
from tapisvert.cards import ACE, rank
from tapisvert.dealing import Deal, shuffle
from tapisvert.engine.events import Named
from tapisvert.games.blackjack.script import value
from tapisvert.history import player_history, what_if
from tapisvert.history.round_proof import check_proof, proof_of
from tapisvert.history.statistics import statistics
from tapisvert.rounds import PlayerService
from tapisvert.rounds.schemas import OpenRequest
from tapisvert.sheets import load

pytestmark = both_at_length

GAME = "blackjack"
STAKES = {"hand-1": 1000}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PlayerService]:
    made = make_house(tmp_path / "tapis.db")  # a real shuffle, so that proofs hold
    yield made
    made.store.close()


@pytest.fixture
def before(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The house before the update, with edition 1 only. `undo` installs the update."""
    only_editions(monkeypatch, GAME, 1)
    return monkeypatch


def split_aces(guest: Seated) -> OpenRequest:
    """Request a deal with two aces, a ten on the first, and a low hand of the house."""
    seat, sheet = guest.seat(GAME), load(GAME)
    [(sealed,)] = rows_of(guest.house, "SELECT sealed_seed FROM rounds WHERE id = ?", seat.round_id)
    seed = guest.house.dealer.unseal(sealed, seat.round_id)
    for number in range(100_000):
        deal = Deal(GAME, sheet.hash, seat.round_id, f"seed {number}")
        one, two, up, _, first, *_ = shuffle(seed, deal, sheet.deck)
        if rank(one) == rank(two) == ACE and value(up) < 10 == value(first):
            return OpenRequest(seat.round_id, seat.commitment, STAKES, deal.client_seed)
    raise AssertionError("no such deck")


def named(house: PlayerService, guest: Seated, round_id: str) -> str:
    """Return the name of the first half in the record of a round."""
    told = guest.ask(lambda desk: player_history.recall(desk, round_id))
    names = [e.hand for e in told.round.events if isinstance(e, Named) and e.zone == "hand-1"]
    assert names[-1].total == 21
    return names[-1].category


def test_bj_11_a_round_opened_before_the_update_goes_on_by_its_own_edition(
    house: PlayerService, before: pytest.MonkeyPatch
) -> None:
    guest = Seated(house)
    round_id = read(guest.open(split_aces(guest))).round.id
    shown = guest.shown(round_id)
    before.undo()
    assert guest.shown(round_id) == shown
    ended = read(guest.choose(round_id, "split"))
    assert (ended.round.state, ended.round.edition) == ("settled", 1)
    assert ended.seat is not None
    assert ended.seat.edition == 2
    assert named(house, guest, round_id) == "soft"


def test_a_round_of_edition_1_is_told_proved_counted_and_branched_as_before(
    house: PlayerService, before: pytest.MonkeyPatch
) -> None:
    guest = Seated(house)
    round_id = read(guest.open(split_aces(guest))).round.id
    guest.choose(round_id, "split")

    def found() -> list[object]:
        return [
            guest.ask(ask)
            for ask in (
                lambda desk: player_history.recall(desk, round_id),
                lambda desk: proof_of(desk, round_id),
                lambda desk: what_if.branch(desk, round_id, ["split"]).played.events,
                statistics,
            )
        ]

    said = found()
    before.undo()
    assert found() == said
    proof = guest.ask(lambda desk: proof_of(desk, round_id))
    verdict = check_proof(proof, "round.json")
    assert (proof.edition, verdict.true) == (1, True)
    assert named(house, guest, round_id) == "soft"
    assert findings(house) == ()


def test_a_deal_pending_from_before_the_update_is_retired_and_shown(
    house: PlayerService, before: pytest.MonkeyPatch
) -> None:
    guest = Seated(house)
    asked = split_aces(guest)
    before.undo()
    assert refusal_of(lambda: guest.open(asked)).code == "seat/stale"
    seat = guest.seat(GAME)
    assert (seat.edition, seat.retired is not None) == (2, True)
    assert seat.retired is not None
    assert seat.retired.round_id == asked.round_id
    (row,) = rows_of(house, "SELECT state, stakes, answers FROM rounds ORDER BY seq LIMIT 1")
    assert tuple(row) == ("retired", None, None)
    assert guest.purse() == (100_000, 0)


def test_bj_11_today_split_aces_with_a_ten_are_a_hard_21(house: PlayerService) -> None:
    guest = Seated(house)
    opened = read(guest.open(split_aces(guest)))
    guest.choose(opened.round.id, "split")
    assert opened.round.edition == 2
    assert named(house, guest, opened.round.id) == "hard"
