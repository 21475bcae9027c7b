"""Edge cases of voids: not before the delay, exact to the cent, and provable like any round."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from houses import PLAYER_WINS, Guest, client_of, make_house
from rounds.guest_seat import PATIENCE_S, STUD, Seated, rows_of
from rounds.house_with_operator import DAY_MS, Funded, Time, keeper_of, opened
from stores import both
from tapisvert.bank.money import Purse
from tapisvert.engine import Transcript
from tapisvert.engine.settlement import Line
from tapisvert.engine.sheet_file import load_body
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.history.round_proof import Proof, check_proof, read_proof
from tapisvert.operations.void_state import load_void_state
from tapisvert.operations.voiding import (
    Reversal,
    VoidState,
    _reverse,
    decide_expiry,
    decide_void,
)
from tapisvert.players.player import Player
from tapisvert.refusal import Broken, Refused
from tapisvert.rounds import PlayerService
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.load import state_of
from tapisvert.rounds.repository import load_round
from tapisvert.rounds.round import Round
from tapisvert.rounds.save import save
from tapisvert.sheets import load
from tapisvert.store import Tx
from web.scene import everything

pytestmark = both


def expire_at(house: PlayerService, guest: Seated, round_id: str, now_ms: int) -> Round:
    """Void a round past its delay at a given time."""

    def work(tx: Tx) -> Round:
        state = load_void_state(tx, round_id, now_ms, house.shared())
        assert state is not None
        save(tx, [decide_expiry(state)])
        return load_round(tx, guest.player_id, round_id)

    return house.store.write(work).result(PATIENCE_S)


def test_G11_whoever_expires_a_round_too_early_breaks_a_promise(
    house: PlayerService, time: Time
) -> None:
    guest = Seated(house)
    round_id = opened(guest, STUD)
    delay_ms = time.wall.now_ms + 30 * DAY_MS
    with pytest.raises(Broken) as broken:
        expire_at(house, guest, round_id, delay_ms - 1)
    assert str(broken.value) == "a round must not expire before its delay"
    assert rows_of(house, "SELECT state FROM rounds WHERE id = ?", round_id) == [("open",)]
    ended = expire_at(house, guest, round_id, delay_ms)
    assert (ended.state, ended.void_reason, ended.ended_at_ms) == ("voided", "expired", delay_ms)
    assert ended.balance_after_cents == 100_000


def reversed_by(house: PlayerService, player: Seated, *lines: tuple[str, int, int]) -> Reversal:
    """Reverse results: bet, staked, returned."""
    found = {bet: Line(bet, staked, returned, "") for bet, staked, returned in lines}
    played = Transcript((), None, {}, found, ())
    purse = Purse(player.player_id, "CAD", 0, "some-round")

    def work(tx: Tx) -> Reversal:
        who = Player(player.player_id, "CAD")
        draft = Draft(state_of(tx, who, "some-round", 0, house.shared()))
        done = _reverse(draft, STUD, purse, played)
        save(tx, [draft.writes()])
        return done

    return house.store.write(work).result(PATIENCE_S)


def test_a_single_cent_is_reversed_and_a_bet_without_a_net_result_is_not(
    house: PlayerService,
) -> None:
    player = Funded(house, 10)
    assert reversed_by(house, player, ("ante", 5, 4), ("play", 7, 7)) == Reversal(1, 0, 0)
    assert player.purse() == (11, 0)
    assert reversed_by(house, player, ("ante", 5, 6), ("play", 7, 7)) == Reversal(0, 1, 0)
    assert player.purse() == (10, 0)
    assert player.moved() == [("reversal", "ante", 1)] * 2


def test_what_is_given_back_comes_first_and_pays_for_what_is_taken(house: PlayerService) -> None:
    player = Funded(house, 10)
    # 10 there, 30 given, 20 + 25 to be taken: 5 are owed.
    lines = (("a", 0, 20), ("b", 30, 0), ("c", 0, 25))
    assert reversed_by(house, player, *lines) == Reversal(30, 40, 5)
    assert player.purse() == (0, 0)
    assert player.moved() == [
        ("reversal", "b", 30),
        ("reversal", "a", 20),
        ("reversal", "c", 20),
        ("debt", "c", 5),
    ]


# Shown and proved ---------------------------------------------------------------------------------


def test_a_voided_round_asks_nothing_gives_everything_back_and_verifies(tmp_path: Path) -> None:
    time = Time()
    house = make_house(tmp_path / "tapis.db", clock=time.wall)  # a real shuffle
    keeper = keeper_of(house, time)
    with client_of(house) as client:
        guest = Guest(client)
        opened = guest.open({"ante": 1000, "bonus": 500}).json()["round"]
        time.passes(30 * DAY_MS)
        assert keeper.tick() == 1
        shown = guest.get(f"/rounds/{opened['id']}").json()["round"]
        assert (shown["state"], shown["ask"]) == ("voided", None)
        assert [(line["bet"], line["outcome"]) for line in shown["lines"]] == [
            ("ante", "returned"),
            ("bonus", "returned"),
        ]
        assert shown["events"][: len(opened["events"])] == opened["events"]
        assert shown["hands"] == opened["hands"]
        assert guest.get("/rounds?status=unseen").json()["rounds"][0]["id"] == opened["id"]
        proof = read_proof(guest.get(f"/rounds/{opened['id']}/proof").content, "round.json")
    assert proof.void_reason == "expired"
    assert check_proof(proof, "round.json").true
    assert not check_proof(msgspec.structs.replace(proof, void_reason=None), "round.json").true


def settled_proof(folder: Path) -> Proof:
    house = make_house(folder / "tapis.db")
    with client_of(house) as client:
        guest = Guest(client)
        opened = guest.open({"ante": 1000}).json()["round"]
        guest.choose(opened["id"], "play")
        return read_proof(guest.get(f"/rounds/{opened['id']}/proof").content, "round.json")


def test_a_round_that_ended_by_the_rules_cannot_be_passed_off_as_voided(tmp_path: Path) -> None:
    proof = settled_proof(tmp_path)
    assert check_proof(proof, "round.json").true
    assert not check_proof(msgspec.structs.replace(proof, void_reason="expired"), "f").true


def test_a_proof_is_held_to_the_sheet_as_it_was_stored_not_as_it_would_be_today(
    tmp_path: Path,
) -> None:
    class Grown(CasinoStud, frozen=True, kw_only=True, forbid_unknown_fields=True):
        """A future version of the sheet: one more figure, with a default."""

        tip_cents: int = 0

    # A stored body of today loads into it, though it would be written otherwise.
    body = load("casino-stud").body
    assert load_body(body, Grown).body != body
    proof = settled_proof(tmp_path)
    assert msgspec.json.encode(proof.sheet, order="sorted") == body


def test_a_sheet_of_another_game_is_not_taken_for_this_one() -> None:
    body = load("casino-stud").body.replace(b"casino-stud", b"other-game!")
    with pytest.raises(Refused) as refused:
        load_body(body, CasinoStud)
    assert (refused.value.code, refused.value.details["key"]) == ("sheet/invalid", "game")


def test_a_house_that_cannot_read_its_sheet_says_so_and_ends_no_round_quietly(
    tmp_path: Path,
) -> None:
    house = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    with client_of(house) as client:
        guest = Guest(client)
        opened = guest.open({"ante": 1000}).json()["round"]

        def unreadable(game: str) -> CasinoStud:
            raise Refused("sheet/unreadable", file="casino-stud.toml", reason="gone")

        house.sheet_of = unreadable
        answer = guest.choose(opened["id"], "play", key="k")
        assert (answer.status_code, answer.json()["code"]) == (500, "sheet/unreadable")
        house.sheet_of = load
        # Nothing was stored under the key: the same command succeeds once the sheet is back.
        assert guest.choose(opened["id"], "play", key="k").status_code == 200


@pytest.mark.parametrize("answered", [0, 1])
def test_a_void_is_the_same_from_the_same_state_and_writes_nothing_itself(
    house: PlayerService, answered: int
) -> None:
    player = Funded(house)
    round_id = opened(player, "blackjack")
    if answered:
        player.choose(round_id, "insure")
    before = everything(house)

    def load_void(tx: Tx) -> VoidState:
        state = load_void_state(tx, round_id, 1_700_000_000_000, house.shared())
        assert state is not None
        return state

    state = house.store.write(load_void).result(PATIENCE_S)
    first, again = (decide_void(state, by="anne", reason="why") for _ in range(2))
    assert first == again
    assert (len(first.writes.reversals), len(first.writes.events)) == (1, 1)
    late = replace(state, command=replace(state.command, now_ms=state.stored.void_at_ms or 0))
    assert decide_expiry(late) == decide_expiry(late)
    assert everything(house) == before
