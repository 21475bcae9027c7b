"""Seats, open rounds and stored rounds: one pending deal, one open round, resumed by replay."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import msgspec
import pytest

from houses import KEY, PLAYER_WINS, ROYAL, make_house
from rounds.guest_seat import STUD, Seated, conserved, other_sheet, read, refusal_of, rows_of, write
from stores import both, sqlite_only
from tapisvert.history.round_proof import check_proof, proof_of
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.sealing import Sealer
from tapisvert.sheets import load

pytestmark = both


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PlayerService]:
    opened = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    yield opened
    opened.store.close()


# Seats -------------------------------------------------------------------------------------------


def test_a_seat_is_the_same_in_every_call_and_every_tab(house: PlayerService) -> None:
    guest = Seated(house)
    with ThreadPoolExecutor(16) as tabs:
        seats = list(tabs.map(lambda _: guest.seat(), range(32)))
    assert len(set(seats)) == 1
    assert rows_of(house, "SELECT COUNT(*) FROM rounds") == [(1,)]


def test_two_players_and_two_rounds_never_share_a_deal(house: PlayerService) -> None:
    one, other = Seated(house), Seated(house)
    seats = [one.seat(), other.seat()]
    opened = read(one.open())
    seats.append(one.seat())
    assert len({seat.round_id for seat in seats}) == len({seat.commitment for seat in seats}) == 3
    assert opened.round.commitment == seats[0].commitment


@sqlite_only
def test_a_seat_is_stored_sealed_before_it_is_shown(house: PlayerService, tmp_path: Path) -> None:
    guest = Seated(house)
    seat = guest.seat()
    ((sealed, revealed, commitment),) = rows_of(
        house, "SELECT sealed_seed, server_seed, commitment FROM rounds WHERE id = ?", seat.round_id
    )
    seed = Sealer(KEY).open(sealed, seat.round_id)
    assert hashlib.sha256(seed).hexdigest() == commitment == seat.commitment
    assert revealed is None
    assert refusal_of(lambda: Sealer(KEY).open(sealed, "another round")).code == "seal/broken"

    def on_disk() -> bool:
        return any(seed in file.read_bytes() for file in tmp_path.glob("tapis.db*"))

    assert not on_disk()
    guest.open()
    assert not on_disk()  # R7: not while the round is open either
    guest.choose(seat.round_id, "fold")
    assert on_disk()  # the check can fail


def test_a_seat_survives_every_failed_attempt_to_open_it(house: PlayerService) -> None:
    guest = Seated(house)
    seat = guest.seat()
    asked = guest.asking()
    wrong: dict[str, dict[str, object]] = {
        "seat/unknown": {"commitment": "0" * 64},
        "stake/under_limit": {"stakes": {"ante": 0}},
        "stake/unknown": {"stakes": {"ante": 100, "royal": 100}},
        "seat/client_seed": {"client_seed": ""},
    }
    for code, change in wrong.items():
        request = msgspec.structs.replace(asked, **change)
        assert refusal_of(partial(guest.open, request)).code == code
        assert guest.seat() == seat
    guest.leave(50)
    assert refusal_of(lambda: guest.open(asked)).code == "wallet/insufficient_funds"
    assert guest.seat() == seat
    guest.more()
    assert read(guest.open(asked)).round.id == seat.round_id


def test_a_settled_reply_carries_the_seat_that_the_next_call_gives(house: PlayerService) -> None:
    guest = Seated(house)
    ended = read(guest.choose(read(guest.open()).round.id, "play"))
    assert ended.seat == guest.seat()
    assert ended.round.state == "settled"


def test_a_seat_taken_under_other_rules_is_retired_and_revealed(tmp_path: Path) -> None:
    house = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    guest = Seated(house)
    before, asked = guest.seat(), guest.asking()
    house.store.close()
    guest.house = make_house(tmp_path / "tapis.db", PLAYER_WINS, sheet_of=other_sheet)
    assert refusal_of(lambda: guest.open(asked)).code == "seat/stale"
    after = guest.seat()
    assert after.retired is not None
    assert (after.retired.round_id, after.retired.commitment) == (
        before.round_id,
        before.commitment,
    )
    seed = bytes.fromhex(after.retired.server_seed)
    assert hashlib.sha256(seed).hexdigest() == before.commitment != after.commitment
    assert refusal_of(lambda: guest.open(asked)).code == "seat/unknown"
    assert read(guest.open()).round.void_after_s == 60
    guest.house.store.close()


# One open round (G2) -----------------------------------------------------------------------------


def test_G2_a_second_round_is_refused_with_the_open_ones_id(house: PlayerService) -> None:
    guest = Seated(house)
    first = read(guest.open()).round.id
    second = guest.asking()
    refusal = refusal_of(lambda: guest.open(second))
    assert (refusal.code, refusal.details) == ("round/already_open", {"round_id": first})
    again = msgspec.structs.replace(second, round_id=first)
    assert refusal_of(lambda: guest.open(again)).details == {"round_id": first}
    assert guest.purse() == (99_900, 100)
    guest.choose(first, "fold")
    assert read(guest.open(second)).round.id == second.round_id


def test_G2_nobody_elses_open_round_is_in_the_way(house: PlayerService) -> None:
    one, other = Seated(house), Seated(house)
    mine = read(one.open()).round.id
    other.open()
    assert refusal_of(lambda: other.choose(mine, "fold")).code == "round/unknown"
    assert refusal_of(lambda: other.shown(mine)).code == "round/unknown"


def test_G2_the_play_bet_belongs_to_the_same_round(house: PlayerService) -> None:
    guest = Seated(house)
    round_id = read(guest.open()).round.id
    ended = read(guest.choose(round_id, "play"))
    assert ended.round.staked_cents == 300
    stakes = rows_of(house, "SELECT DISTINCT round_id FROM transfers WHERE reason = 'stake'")
    assert stakes == [(round_id,)]
    assert guest.moved() == [
        ("stake", "ante", 100),
        ("stake", "play", 200),
        ("return", "ante", 100),
        ("win", "ante", 100),
        ("return", "play", 200),
        ("win", "play", 200),
    ]


# Stored rounds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", ["play", "fold"])
def test_a_round_resumes_by_replay_in_another_house(tmp_path: Path, choice: str) -> None:
    house = make_house(tmp_path / "tapis.db")  # a real shuffle
    guest = Seated(house)
    opened = guest.open(guest.asking({"ante": 500, "bonus": 100}))
    round_id = read(opened).round.id
    shown, purse = guest.shown(round_id), guest.purse()
    assert read(shown).round == read(opened).round
    for _ in range(3):
        guest.house.store.close()
        guest.house = make_house(tmp_path / "tapis.db")
        assert (guest.shown(round_id), guest.purse()) == (shown, purse)
    ended = read(guest.choose(round_id, choice))
    assert ended.round.events[: len(read(opened).round.events)] == read(opened).round.events
    assert ended.round.hands["player"] == read(opened).round.hands["player"]
    after = guest.shown(round_id)
    guest.house.store.close()
    guest.house = make_house(tmp_path / "tapis.db")
    assert guest.shown(round_id) == after
    proof = guest.ask(lambda desk: proof_of(desk, round_id))
    assert check_proof(proof, "round.json").true
    assert conserved(guest.house)
    guest.house.store.close()


def test_a_round_stays_under_the_rules_it_was_opened_by(tmp_path: Path) -> None:
    guest = Seated(make_house(tmp_path / "tapis.db", PLAYER_WINS))
    round_id = read(guest.open()).round.id
    guest.house.store.close()
    guest.house = make_house(tmp_path / "tapis.db", PLAYER_WINS, sheet_of=other_sheet)
    ended = read(guest.choose(round_id, "play"))
    assert ended.round.void_after_s == load(STUD).void_after_s
    assert ended.seat is not None
    assert ended.seat.sheet_hash == other_sheet(STUD).hash != ended.round.sheet_hash
    guest.house.store.close()


def test_an_edition_nobody_has_is_refused_by_its_number_and_moves_nothing(
    house: PlayerService,
) -> None:
    guest = Seated(house)
    round_id = read(guest.open()).round.id
    write(house, "UPDATE rounds SET edition = 99 WHERE id = ?", round_id)
    for command in (
        lambda: guest.choose(round_id, "play"),
        lambda: guest.shown(round_id),
        lambda: guest.choose(round_id, "fold"),
    ):
        refusal = refusal_of(command)
        assert refusal.code == "round/unknown_edition"
        assert refusal.details.items() >= {"game": STUD, "edition": 99}.items()
    assert guest.purse() == (99_900, 100)
    write(house, "UPDATE rounds SET edition = 1 WHERE id = ?", round_id)
    assert read(guest.choose(round_id, "play")).round.state == "settled"


def test_a_pending_deal_of_an_unknown_edition_is_retired_for_a_new_one(
    house: PlayerService,
) -> None:
    guest = Seated(house)
    seat, asked = guest.seat(), guest.asking()
    write(house, "UPDATE rounds SET edition = 99")
    with pytest.raises(Refused, match=r"round/unknown_edition|seat/stale"):
        guest.open(asked)
    after = guest.seat()
    assert after.edition == 1
    assert after.retired is not None
    assert after.retired.round_id == seat.round_id


def test_a_choice_that_may_not_be_made_changes_nothing(tmp_path: Path) -> None:
    guest = Seated(make_house(tmp_path / "tapis.db", ROYAL))
    round_id = read(guest.open()).round.id
    before = guest.shown(round_id)
    assert refusal_of(lambda: guest.choose(round_id, "fold")).code == "choice/not_legal"
    assert refusal_of(lambda: guest.choose(round_id, "Play")).code == "choice/not_offered"
    assert refusal_of(lambda: guest.choose(round_id, "play", step=1)).code == "round/stale_step"
    assert guest.shown(round_id) == before
    assert read(guest.choose(round_id, "play")).round.state == "settled"
    assert refusal_of(lambda: guest.choose(round_id, "play", step=1)).code == "round/ended"
    guest.house.store.close()
