"""The life of a round over HTTP: seat, open, choose, lists, seen."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path

import pytest

from houses import HOUSE_WINS, PLAYER_WINS, Clock, Guest, client_of, make_house, opening
from stores import both_at_length
from tapisvert.dealing import commitment
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.sheets import load
from web.scene import GRANT, STUD, Seating, code_of, everything, play_round

pytestmark = both_at_length

# A round ------------------------------------------------------------------------------------------


def test_the_seat_is_the_same_however_often_it_is_asked_for(seating: Seating) -> None:
    _, guest = seating()
    first = guest.seat()
    assert set(first) == {"round_id", "game", "commitment", "edition", "sheet_hash", "retired"}
    assert first["retired"] is None
    assert [guest.seat() for _ in range(3)] == [first] * 3
    assert Guest(guest.client, guest.token).seat() == first


def test_a_failed_open_leaves_the_same_seat_and_the_same_commitment(seating: Seating) -> None:
    _, guest = seating()
    seat = guest.seat()
    for stakes, other in [
        ({"ante": 1}, {}),
        ({"ante": 10**9}, {}),
        ({}, {}),
        ({"ante": 1000}, {"client_seed": ""}),
        ({"ante": 1000}, {"commitment": "0" * 64}),
    ]:
        assert guest.open(stakes, **other).status_code in (409, 422)
        assert guest.seat() == seat
    opened = guest.open({"ante": 1000}).json()["round"]
    assert (opened["id"], opened["commitment"]) == (seat["round_id"], seat["commitment"])


def test_a_round_from_the_seat_to_the_next_seat(seating: Seating) -> None:
    clock = Clock()
    _, guest = seating(PLAYER_WINS, clock=clock)
    assert guest.balance() == (GRANT, 0)
    opened = guest.open({"ante": 1000, "bonus": 500})
    reply = opened.json()
    assert (opened.status_code, reply["seat"]) == (201, None)
    assert reply["wallet"] == guest.get("/wallet").json()
    assert guest.balance() == (GRANT - 1500, 1500)
    assert reply["round"]["state"] == "open"
    assert reply["round"]["ended_at"] is None
    assert reply["round"]["stakes"] == {"ante": 1000, "bonus": 500}
    assert (reply["round"]["staked_cents"], reply["round"]["returned_cents"]) == (1500, 0)
    assert reply["round"]["hands"]["house"] == ["Ac", "??", "??", "??", "??"]
    assert [option["id"] for option in reply["round"]["ask"]["options"]] == ["play", "fold"]
    clock.now_ms += 5000
    settled = guest.choose(reply["round"]["id"], "play")
    end = settled.json()
    assert settled.status_code == 200
    # Kings beat ace-king: ante 1:1, play 1:1, and a pair is too little for the bonus.
    assert end["wallet"] == {
        "currency": "FUN",
        "balance_cents": GRANT + 1000 + 2000 - 500,
        "held_cents": 0,
    }
    assert end["round"]["state"] == "settled"
    assert end["round"]["ask"] is None
    assert end["round"]["hands"]["house"] == ["Ac", "Ks", "9h", "8d", "3c"]
    assert end["round"]["opened_at"] == "2023-11-14T22:13:20.000Z"
    assert end["round"]["ended_at"] == "2023-11-14T22:13:25.000Z"
    assert end["seat"] == guest.seat()
    assert end["seat"]["commitment"] != end["round"]["commitment"]


@pytest.mark.parametrize("choice", ["play", "fold"])
def test_G6_every_bet_has_its_own_line_and_the_lines_sum_to_the_totals(
    seating: Seating, choice: str
) -> None:
    house, guest = seating()
    for number in range(12):
        stakes = {"ante": 100 * (number + 1), **({"bonus": 700} if number % 2 else {})}
        before = guest.balance()[0]
        round_id = play_round(house, guest.token, str(number), stakes, choice)
        round_ = guest.get(f"/rounds/{round_id}").json()["round"]
        staked = {**stakes, **({"play": 2 * stakes["ante"]} if choice == "play" else {})}
        assert {line["bet"]: line["staked_cents"] for line in round_["lines"]} == staked
        assert sum(line["staked_cents"] for line in round_["lines"]) == round_["staked_cents"]
        assert sum(line["returned_cents"] for line in round_["lines"]) == round_["returned_cents"]
        assert guest.balance()[0] - before == round_["returned_cents"] - round_["staked_cents"]
        if guest.balance()[0] < 20_000:
            guest = Guest(guest.client)


def test_since_gives_the_events_from_there_on_and_their_numbers_never_change(
    seating: Seating,
) -> None:
    _, guest = seating(PLAYER_WINS)
    opened = guest.open({"ante": 1000}).json()["round"]
    count, path = len(opened["events"]), f"/rounds/{opened['id']}"
    assert [event["n"] for event in opened["events"]] == list(range(count))
    chosen = guest.post(f"{path}/choices?since={count}", {"step": 0, "choice": "play"}).json()
    whole = guest.get(path).json()["round"]["events"]
    assert whole[:count] == opened["events"]
    assert whole[count:] == chosen["round"]["events"]
    for since in (0, 1, count, len(whole) - 1, len(whole), len(whole) + 1, 10**30):
        events = guest.get(f"{path}?since={since}").json()["round"]["events"]
        assert events == whole[since:]


def test_G10_a_round_is_found_again_as_it_was_left(seating: Seating, tmp_path: Path) -> None:
    _, guest = seating(PLAYER_WINS)
    opened = guest.open({"ante": 1000}).json()
    assert guest.get("/rounds?status=open").json()["rounds"][0]["id"] == opened["round"]["id"]
    # Nothing is kept in memory: another house on the same file tells the same round.
    with client_of(make_house(tmp_path / "tapis-1.db", PLAYER_WINS)) as elsewhere:
        resumed = Guest(elsewhere, guest.token)
        assert resumed.get(f"/rounds/{opened['round']['id']}").json() == opened
        assert resumed.balance() == (GRANT - 1000, 1000)


def test_R10_when_randomness_fails_open_rounds_end_and_no_new_ones_begin(seating: Seating) -> None:
    failing = False

    def entropy(size: int) -> bytes:
        if failing:
            raise OSError("no randomness")
        return os.urandom(size)

    house, guest = seating(PLAYER_WINS, entropy=entropy)
    round_id = guest.open({"ante": 1000}).json()["round"]["id"]
    failing = True
    end = guest.choose(round_id, "play")
    assert (end.status_code, end.json()["seat"]) == (200, None)
    assert guest.balance() == (GRANT + 1000 + 2000, 0)
    failing = False  # a source that has failed once is not trusted again
    for answer in (guest.post("/seats", {"game": STUD}), guest.post("/guests")):
        assert code_of(answer) == (503, "dealing/unavailable")
    assert [row[2] for row in everything(house)["significant_events"]] == ["dealing_failed"]
    assert guest.get(f"/rounds/{round_id}/proof").status_code == 200


# Lists --------------------------------------------------------------------------------------------


def test_a_round_that_ended_unseen_is_listed_until_it_is_marked_seen(seating: Seating) -> None:
    _, guest = seating(PLAYER_WINS)

    def listed(status: str) -> list[str]:
        rounds = guest.get(f"/rounds{status}").json()["rounds"]
        return [each["id"] for each in rounds]

    round_id = guest.open({"ante": 1000}).json()["round"]["id"]
    assert (listed("?status=open"), listed("?status=unseen")) == ([round_id], [])
    guest.choose(round_id, "play")
    for _ in range(2):
        assert (listed("?status=open"), listed("?status=unseen")) == ([], [round_id])
    for _ in range(2):
        assert guest.post(f"/rounds/{round_id}/seen").status_code == 204
        assert (listed("?status=unseen"), listed("")) == ([], [round_id])
    assert guest.get(f"/rounds/{round_id}/recall").json()["seen"] is True


def test_rounds_come_newest_first_in_pages_of_50(seating: Seating) -> None:
    house, guest = seating(HOUSE_WINS)
    played = [
        play_round(house, guest.token, str(number), {"ante": 100}, "fold") for number in range(102)
    ]
    open_id = play_round(house, guest.token, "last", {"ante": 100}, None)
    pages, before = [], ""
    while before is not None:
        page = guest.get(f"/rounds{before and f'?before={before}'}").json()
        pages.append([each["id"] for each in page["rounds"]])
        before = page["next"]
    assert [len(page) for page in pages] == [50, 50, 3]
    assert list(chain.from_iterable(pages)) == [open_id, *reversed(played)]
    unseen = guest.get("/rounds?status=unseen").json()
    assert [each["id"] for each in unseen["rounds"]] == played[:-51:-1]
    first = pages[0][1]
    summary = guest.get("/rounds").json()["rounds"][1]
    assert (summary["id"], summary["state"], summary["seen"]) == (first, "settled", False)
    assert (summary["staked_cents"], summary["returned_cents"]) == (100, 0)


def test_nobody_sees_anyone_elses_rounds_or_money(seating: Seating) -> None:
    house, guest = seating(PLAYER_WINS)
    play_round(house, guest.token, "one", {"ante": 1000}, "play")
    other = Guest(guest.client)
    assert other.get("/rounds").json() == {"rounds": [], "next": None}
    assert len(other.get("/wallet/transfers").json()["transfers"]) == 1
    assert other.balance() == (GRANT, 0)


# The sheet changes --------------------------------------------------------------------------------


def test_a_sheet_changed_between_seat_and_open_retires_the_deal_and_reveals_it(
    seating: Seating,
) -> None:
    sheets: dict[str, Sheet] = {STUD: load(STUD)}
    _, guest = seating(PLAYER_WINS, sheet_of=sheets.__getitem__)
    old = guest.seat()
    asked_old = opening(old, {"ante": 1000})
    sheets[STUD] = with_changes(load(STUD), {"play.pays.pair": "3:1"})
    assert code_of(guest.post("/rounds", asked_old)) == (409, "seat/stale")
    new = guest.seat()
    retired = new.pop("retired")
    assert new["sheet_hash"] == sheets[STUD].hash != old["sheet_hash"]
    assert (retired["round_id"], retired["commitment"]) == (old["round_id"], old["commitment"])
    assert commitment(bytes.fromhex(retired["server_seed"])) == old["commitment"]
    assert new["commitment"] != old["commitment"]
    assert guest.seat() == {**new, "retired": retired}  # told as long as the seat is pending
    assert code_of(guest.post("/rounds", asked_old)) == (409, "seat/unknown")
    assert guest.get(f"/rounds/{old['round_id']}").status_code == 404
    assert guest.get("/rounds").json()["rounds"] == []
    assert guest.balance() == (GRANT, 0)
    assert guest.post("/rounds", opening(new, {"ante": 1000})).status_code == 201
    # A round that is open goes on by the sheet it was opened by.
    sheets[STUD] = load(STUD)
    end = guest.choose(new["round_id"], "play").json()["round"]
    assert end["sheet_hash"] == new["sheet_hash"]
    assert {line["bet"]: line["returned_cents"] for line in end["lines"]}["play"] == 8000
