"""My casino's rules: a table of play money by another sheet; real money by the house's only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from coach.present import Present
from houses import Guest, opening
from rounds.house_with_operator import TABLES, Funded, findings, open_tables
from stores import both_at_length
from tapisvert.bank.audit import Finding
from tapisvert.engine.sheet import content
from tapisvert.engine.sheet_file import with_changes
from tapisvert.rounds import PlayerService, own_rules
from tapisvert.rounds.own_rules import RULES_MAX
from tapisvert.rounds.stored_sheets import store_sheets
from tapisvert.sheets import load

pytestmark = both_at_length

STUD = "casino-stud"
FLUSH_6 = {"play.pays.flush": "6:1"}
OTHER = {"ante.pays": "3:1"}


@pytest.fixture
def house(engine: str, tmp_path: Path) -> PlayerService:
    return open_tables(tmp_path / "tapis.db")


def choose(guest: Guest, asked: object, game: str = STUD) -> Any:
    return guest.post(f"/games/{game}/rules", asked)


def hash_of(changes: Mapping[str, object], game: str = STUD) -> str:
    return with_changes(load(game), changes).hash


def test_the_next_seat_is_by_the_chosen_rules_and_the_old_one_is_revealed(guest: Guest) -> None:
    before = guest.seat()
    shown = choose(guest, {"variant": "flush-6"}).json()
    assert (shown["rules"], shown["sheet_hash"]) == ("flush-6", hash_of(FLUSH_6))
    assert shown["sheet"]["play"]["pays"]["flush"] == "6:1"
    seat = guest.seat()
    assert seat["sheet_hash"] == hash_of(FLUSH_6)
    assert seat["retired"]["round_id"] == before["round_id"]
    assert guest.seat() == seat  # the same in every tab
    assert guest.get(f"/games/{STUD}").json()["rules"] == "flush-6"
    assert guest.get("/games/ultimate").json()["rules"] is None
    assert Guest(guest.client).seat()["sheet_hash"] == load(STUD).hash  # another player's table


def test_the_prices_of_a_variant_are_shown_in_the_order_of_the_shipped_sheet(guest: Guest) -> None:
    choose(guest, {"variant": "trips-9-7-4-3"}, "ultimate")
    shown = guest.get("/games/ultimate").json()["sheet"]
    shipped = content(load("ultimate"))
    assert list(shown) == list(shipped)
    assert list(shown["trips"]["pays"]) == list(shipped["trips"]["pays"])
    assert list(shown["trips"]["pays"]) != sorted(shown["trips"]["pays"])


def test_a_round_is_paid_by_the_chosen_rules_and_history_names_them(
    house: PlayerService, guest: Guest
) -> None:
    choose(guest, {"changes": {"ante.pays": "3:1"}})
    table = TABLES[STUD]
    round_id = guest.open(table.stakes).json()["round"]["id"]
    ended = guest.choose(round_id, "play").json()
    (ante,) = [line for line in ended["round"]["lines"] if line["bet"] == "ante"]
    assert ante["returned_cents"] == 4 * table.stakes["ante"]  # stake and three times as much
    assert ended["seat"]["sheet_hash"] == ended["round"]["sheet_hash"]  # and so goes the next
    choose(guest, {})
    guest.open(table.stakes)
    assert [each["rules"] for each in guest.get("/rounds").json()["rounds"]] == [None, "own"]
    assert findings(house) == ()


def test_an_open_round_ends_by_the_rules_it_was_opened_with(guest: Guest) -> None:
    opened = guest.open(TABLES[STUD].stakes).json()["round"]
    choose(guest, {"changes": {"ante.pays": "3:1"}})
    ended = guest.choose(opened["id"], "play").json()
    assert ended["round"]["sheet_hash"] == load(STUD).hash
    assert ended["round"]["returned_cents"] - ended["round"]["staked_cents"] == (
        TABLES[STUD].net_cents
    )
    assert ended["seat"]["sheet_hash"] == hash_of({"ante.pays": "3:1"})


def test_a_seat_taken_before_the_choice_is_stale(guest: Guest) -> None:
    seat = guest.seat()
    choose(guest, {"variant": "flush-6"})
    stale = guest.post("/rounds", opening(seat, TABLES[STUD].stakes))
    assert stale.json()["code"] == "seat/stale"


def test_the_house_rules_come_back_by_name_or_by_the_same_figures(guest: Guest) -> None:
    asked: object
    for asked in ({}, {"changes": {}}, {"changes": {"play.pays.flush": "5:1"}}):
        choose(guest, {"variant": "flush-6"})
        assert choose(guest, asked).json()["rules"] is None
        assert guest.seat()["sheet_hash"] == load(STUD).hash


def test_a_choice_concerns_one_player_and_one_game(guest: Guest) -> None:
    other = Guest(guest.client)

    def rules() -> list[str | None]:
        asked = ((guest, STUD), (guest, "ultimate"), (other, STUD))
        return [who.get(f"/games/{game}").json()["rules"] for who, game in asked]

    choose(other, {"variant": "flush-6"})
    choose(guest, {"changes": {"ante.pays": "3:1"}})
    choose(guest, {"changes": {"ante.pays": "4:1"}})
    choose(guest, {"variant": "trips-9-7-4-3"}, "ultimate")
    assert rules() == ["own", "trips-9-7-4-3", "flush-6"]
    choose(guest, {"variant": "flush-6"})
    choose(other, {"changes": {"ante.pays": "3:1"}})
    assert rules() == ["flush-6", "trips-9-7-4-3", "own"]
    choose(guest, {})
    assert rules() == [None, "trips-9-7-4-3", "own"]


def test_the_coach_is_asked_by_the_chosen_rules(guest: Guest, coach: Present) -> None:
    choose(guest, {"variant": "flush-6"})
    opened = guest.open(TABLES[STUD].stakes).json()["round"]
    guest.get(f"/rounds/{opened['id']}/advice")
    assert coach.asked[-1]["sheet"]["play.pays.flush"] == "6:1"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"variant": "nothing"}, "rules/unknown"),
        ({"variant": "flush-6", "changes": FLUSH_6}, "rules/both"),
        ({"changes": {"spots.ante.max_cents": 10**9}}, "rules/of_the_house"),
        ({"changes": {"step_cents": 200}}, "rules/of_the_house"),
        ({"changes": {"caps_cents.round": 1}}, "rules/of_the_house"),
        ({"changes": {"void_after_s": 60}}, "rules/of_the_house"),
        ({"changes": {"published.main": "99"}}, "rules/of_the_house"),
        ({"changes": {"play.pays.five-aces": "6:1"}}, "rules/unknown_figure"),
        ({"changes": {"play.pays.flush": "6/1"}}, "rules/invalid"),
        ({"changes": {"play.pays.flush": "1000001:1"}}, "rules/invalid"),
        ({"changes": {"play.pays": {}}}, "rules/unknown_figure"),
        ({"changes": {"play.pays.flush": None}}, "rules/invalid"),
        ({"changes": {f"key-{n}": 1 for n in range(101)}}, "request/malformed"),
        ({"deck": ["As"]}, "request/malformed"),
    ],
)
def test_bad_rules_are_refused_and_change_nothing(guest: Guest, asked: object, code: str) -> None:
    seat = guest.seat()
    refused = choose(guest, asked)
    assert (refused.status_code // 100, refused.json()["code"]) == (4, code)
    assert guest.seat() == seat
    assert guest.get(f"/games/{STUD}").json()["rules"] is None


def test_a_game_that_is_not_offered_has_no_rules(house: PlayerService, guest: Guest) -> None:
    assert choose(guest, {}, "bridge").json()["code"] == "request/unknown_game"
    house.offered = ("ultimate",)
    for game in (STUD, "x" * 100):
        said = choose(guest, {}, game).json()
        assert (said["code"], said["args"]) == ("request/unknown_game", {"game": game[:64]})


LONG = "x" * 100


@pytest.mark.parametrize(
    ("asked", "args"),
    [
        ({"variant": LONG}, {"variant": LONG[:64]}),
        ({"changes": {"spots." + LONG: 1}}, {"key": "spots." + LONG[:58]}),
        ({"changes": {LONG: 1}}, {"key": LONG[:64]}),
        (
            {"changes": {"play.times_ante": 0}},
            {"key": "play.times_ante", "here": "2", "reason": "Expected `int` >= 1"},
        ),
    ],
)
def test_a_refusal_shows_what_was_asked_for_as_far_as_it_is_short(
    guest: Guest, asked: object, args: dict[str, str]
) -> None:
    assert choose(guest, asked).json()["args"] == args


def test_the_rules_are_named_that_were_chosen_last(guest: Guest) -> None:
    for _ in range(2):
        for asked, name in (({"variant": "flush-6"}, "flush-6"), ({"changes": OTHER}, "own")):
            assert choose(guest, asked).json()["rules"] == name
            assert guest.get(f"/games/{STUD}").json()["rules"] == name


def test_real_money_is_played_by_the_house_rules_only(house: PlayerService, guest: Guest) -> None:
    anne = Guest(guest.client, Funded(house).token)
    assert choose(anne, {"variant": "flush-6"}).json()["code"] == "rules/real_money"
    assert anne.seat()["sheet_hash"] == load(STUD).hash


def test_rules_written_into_the_database_do_not_apply_to_real_money(
    house: PlayerService, guest: Guest
) -> None:
    choose(guest, {"variant": "flush-6"})
    anne = Guest(guest.client, Funded(house).token)
    copied = (
        "INSERT INTO own_rules SELECT id, game, sheet_hash, name, 1 FROM players, own_rules"
        " WHERE currency <> 'FUN'"
    )
    house.store.write(lambda tx: tx.run(copied)).result()
    assert anne.seat()["sheet_hash"] == load(STUD).hash
    assert anne.get(f"/games/{STUD}").json()["rules"] is None


def test_a_player_may_choose_so_many_sheets_and_any_of_them_again(guest: Guest) -> None:
    for pays in range(RULES_MAX):
        assert choose(guest, {"changes": {"ante.pays": f"{pays + 2}:1"}}).status_code == 200
    assert choose(guest, {"variant": "flush-6"}).json()["code"] == "rules/too_many"
    assert choose(guest, {"changes": {"ante.pays": "2:1"}}).status_code == 200


def test_the_sheets_of_others_do_not_count(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    assert RULES_MAX == 100  # docs/errors.md
    monkeypatch.setattr(own_rules, "RULES_MAX", 1)
    assert choose(Guest(guest.client), {"variant": "flush-6"}).status_code == 200
    assert choose(guest, {"changes": OTHER}).status_code == 200
    said = choose(guest, {"variant": "flush-6"}).json()
    assert (said["code"], said["args"]) == ("rules/too_many", {"most": 1})


def test_the_same_figures_have_the_name_by_which_each_player_chose_them(guest: Guest) -> None:
    other = Guest(guest.client)
    for who, asked in ((other, {"variant": "flush-6"}), (guest, {"changes": FLUSH_6})):
        assert choose(who, asked).json()["sheet_hash"] == hash_of(FLUSH_6)
        who.open(TABLES[STUD].stakes)
    listed = [who.get("/rounds").json()["rounds"] for who in (other, guest)]
    assert [[each["rules"] for each in rounds] for rounds in listed] == [["flush-6"], ["own"]]


def test_a_sheet_that_nobody_played_or_chose_is_a_finding(
    house: PlayerService, guest: Guest
) -> None:
    choose(guest, {"variant": "flush-6"})
    guest.open(TABLES[STUD].stakes)
    choose(guest, {"changes": OTHER})  # chosen, and not played by yet
    assert findings(house) == ()
    sheet = with_changes(load(STUD), {"ante.pays": "7:1"})
    house.store.write(lambda tx: store_sheets(tx, {sheet.hash: sheet})).result()
    told = "is used by no round and no player's own rules"
    assert findings(house) == (Finding("sheets", sheet.hash, told),)
