"""The operator's commands as typed, while the house is open."""

from __future__ import annotations

import itertools
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import click
import pytest

from cli.typed import Desk, refused, typed
from houses import Guest, client_of
from rounds.guest_seat import read
from rounds.house_with_operator import Returned
from tapisvert.cli import cashier
from tapisvert.cli.serve import open_house
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.refusal import Refused

KEYS = itertools.count()


def a_round(desk: Desk, made: dict[str, str]) -> tuple[Returned, str]:
    """Open a round of Casino Stud with a real shuffle; return its player and its id."""
    player = Returned(desk.house, made["player_id"], made["token"])
    asked = player.asking({"ante": 1000})
    return player, read(player.open(asked, f"key {next(KEYS)}")).round.id


def test_players_money_and_a_voided_round(desk: Desk) -> None:
    made = desk.really().say("player", "add", "CAD")
    id_ = made["player_id"]
    deposit = ("cashier", "deposit", id_, "100", "--reference", "wire 4711")
    assert desk.say(*deposit)["balance_cents"] == 10_000
    player, round_id = a_round(desk, made)
    seen = desk.say("player", "show", id_)
    assert (seen["balance_cents"], seen["held_cents"], seen["open_rounds"]) == (9_000, 1_000, 1)
    voided = desk.say("void", round_id, "--reason", "the display froze")
    nothing = {"given_cents": 0, "taken_cents": 0, "debt_cents": 0}
    assert voided == {**nothing, "refunded_cents": 1_000}
    assert player.purse() == (10_000, 0)
    assert desk.refused("void", round_id, "--reason", "again") == "round/already_voided"
    assert desk.say("cashier", "withdraw", id_, "62.50")["balance_cents"] == 3_750
    assert desk.say("cashier", "debt", id_)["debt_cents"] == 0
    token = desk.say("player", "token", id_)["token"]
    player.token = token
    assert player.purse() == (3_750, 0)
    told = desk.say("events")
    assert [event["kind"] for event in told] == [
        *("token_replaced", "withdrawal", "round_voided", "deposit", "player_created")
    ]
    assert {event["data"]["by"].partition(":")[0] for event in told} == {"cli"}
    assert told[3]["data"]["reason"] == "wire 4711"


def test_switches_and_operators(desk: Desk) -> None:
    made = desk.say("player", "add", "CAD")
    desk.say("cashier", "deposit", made["player_id"], "100")
    stopped = desk.say("stop", "game:casino-stud", "--reason", "a figure is being checked")
    assert list(stopped) == ["game:casino-stud"]
    with pytest.raises(Refused, match="play/stopped"):
        a_round(desk, made)
    assert desk.say("resume", "game:casino-stud", "--reason", "checked") == {}
    a_round(desk, made)
    token = desk.say("operator", "anne")["token"]
    with client_of(desk.house) as client:
        listed = Guest(client, token).get("/operator/events")
        assert (listed.status_code, listed.json()["events"][0]["kind"]) == (200, "operator_created")


def test_access_taken_away(desk: Desk) -> None:
    made, token = desk.say("player", "add", "CAD"), desk.say("operator", "anne")["token"]
    mine, why = f"player:{made['player_id']}", ("--reason", "has left")
    assert desk.say("revoke", mine, *why) == {"scope": mine, "tokens": 1}
    assert desk.say("revoke", "operator:anne", *why) == {"scope": "operator:anne", "tokens": 1}
    assert desk.refused("revoke", "operator:anne", *why) == "revoke/unknown"
    told = desk.say("events")
    assert [event["kind"] for event in told[:2]] == ["operator_revoked", "token_revoked"]
    assert [event["data"]["reason"] for event in told[:2]] == ["has left"] * 2
    new = desk.say("player", "token", made["player_id"])["token"]
    with client_of(desk.house) as client:
        assert Guest(client, token).get("/operator/events").status_code == 401
        assert Guest(client, made["token"]).get("/wallet").status_code == 401
        assert Guest(client, new).get("/wallet").status_code == 200


def test_money_moved_under_a_key_of_ones_own_moves_once_and_says_so_again(desk: Desk) -> None:
    """The output may be lost (full disk, closed terminal), so the command is repeated."""
    player = desk.say("player", "add", "CAD")["player_id"]
    first = desk.say("cashier", "deposit", player, "25", "--key", "wire-1")
    assert desk.say("cashier", "deposit", player, "25", "--key", "wire-1") == first
    assert desk.refused("cashier", "deposit", player, "26", "--key", "wire-1") == (
        "idempotency/reused"
    )
    assert desk.refused("cashier", "withdraw", player, "90", "--key", "out-1") == (
        "wallet/insufficient_funds"
    )
    desk.say("cashier", "withdraw", player, "5", "--key", "out-2")
    paid = desk.say("cashier", "withdraw", player, "5", "--key", "out-2")
    assert paid["balance_cents"] == 2_000
    assert desk.say("cashier", "deposit", player, "1")["balance_cents"] == 2_100  # without a key
    assert desk.say("cashier", "deposit", player, "1")["balance_cents"] == 2_200


REFUSED = {
    "player add FUN": "player/currency",
    "player token nobody": "player/unknown",
    "cashier withdraw nobody 10": "player/unknown",
    "void nothing --reason why": "round/unknown",
    "stop game:roulette --reason why": "switch/unknown",
}


def test_a_command_that_is_refused_says_so_in_one_sentence(desk: Desk) -> None:
    assert {words: desk.refused(*words.split(" ")) for words in REFUSED} == REFUSED
    assert desk.refused("stop", "all", "--reason", " ") == "operator/reason"
    assert desk.refused("operator", "a b") == "operator/name"


@pytest.mark.parametrize(
    "words", ["cashier deposit x 1,50", "void x", "stop all", "audit --anchor 5b0c", "cashier"]
)
def test_what_makes_no_sense_is_no_command(tmp_path: Path, words: str) -> None:
    (tmp_path / "tapis.db").touch()
    database = ["--database", f"sqlite:///{tmp_path}/tapis.db"] if " " in words else []
    assert typed(*words.split(), *database).returncode == 2


@pytest.mark.parametrize("amount", ["", "-1", "1.5", "1,50", "1e3", "ten", "1" * 10, "+1", "٣"])
def test_an_amount_is_whole_or_has_two_decimals(amount: str) -> None:
    with pytest.raises(click.BadParameter):
        cashier.cents(amount)
    assert [cashier.cents(good) for good in ("25", "12.50", " 7 ", "0.01")] == [2500, 1250, 700, 1]


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    for words in (("player", "add", "CAD"), ("audit",), ("backup", str(tmp_path / "copy.db"))):
        done = typed(*words, "--database", f"sqlite:///{tmp_path}/nothing.db")
        assert refused(done)[1] == "store/unreadable"
    assert list(tmp_path.iterdir()) == []


def test_S4_an_audit_says_what_it_saw_and_names_what_is_wrong(desk: Desk) -> None:
    made = desk.say("player", "add", "CAD")
    desk.say("cashier", "deposit", made["player_id"], "100")
    a_round(desk, made)
    Housekeeping(desk.house).tick()
    lines = desk.run("audit").stdout.splitlines()
    assert lines[0] == ("2 transfers (0 not sealed yet), 4 seals, 1 rounds replayed: all in order")
    anchor = lines[1].removeprefix("newest seal: ")
    assert desk.run("audit", "--anchor", anchor.upper()).stdout.splitlines() == lines
    cut = desk.run("audit", "--anchor", "5b" * 32, code=1).stdout
    assert cut.startswith(f"BAD seals {'5b' * 32}: ")
    with closing(sqlite3.connect(desk.path)) as file:
        file.execute("DROP TRIGGER transfers_are_never_changed")
        file.execute("UPDATE transfers SET at_ms = 0 WHERE id = 2")
        file.commit()
    found = desk.run("audit", code=1).stdout.splitlines()
    assert found[0] == "BAD schema: trigger transfers_are_never_changed is missing"
    assert found[1].startswith("BAD transfers 2: ")
    assert any(line.endswith("FAILED") for line in found)


def test_S9_backup_and_restore_with_and_without_the_key(desk: Desk, tmp_path: Path) -> None:
    made = desk.say("player", "add", "CAD")
    desk.say("cashier", "deposit", made["player_id"], "100")
    player, round_id = a_round(desk, made)
    copy, new = tmp_path / "monday.db", tmp_path / "new" / "tapis.db"
    told = desk.run("backup", str(copy), "--with-key").stdout.splitlines()
    assert told[0].startswith(f"{copy}: ")
    key = tmp_path / "monday.key"
    assert key.read_bytes() == (tmp_path / "tapis.key").read_bytes()
    assert {stat.S_IMODE(file.stat().st_mode) for file in (copy, key)} == {0o600}
    assert desk.refused("backup", str(copy)) == "backup/exists"
    new.parent.mkdir()
    database = f"sqlite:///{new}"
    restore = ("restore", copy, "--database", database)
    assert desk.way(*restore).returncode == 0
    assert refused(desk.way(*restore))[1] == "backup/exists"
    assert refused(desk.way("audit", "--database", database))[1] == "seal/key_missing"
    assert not new.with_suffix(".key").exists()
    done = desk.way("audit", "--database", database, "--seed-key", key)
    assert (done.returncode, "all in order" in done.stdout) == (0, True)
    player.house = open_house(new, key)
    assert read(player.choose(round_id, "play")).round.state == "settled"
    player.house.store.close()


def test_a_backup_without_a_name_is_refused(desk: Desk) -> None:
    assert desk.refused("backup", "") == "backup/exists"


def test_a_backup_never_writes_over_a_key_and_wants_the_one_it_copies(
    desk: Desk, tmp_path: Path
) -> None:
    other = tmp_path / "copy.key"
    other.write_bytes(b"another house's")
    copy = str(tmp_path / "copy.db")
    assert desk.refused("backup", copy, "--with-key") == "backup/exists"
    assert other.read_bytes() == b"another house's"
    other.unlink()
    missing = str(tmp_path / "missing.key")
    assert desk.refused("backup", copy, "--with-key", "--seed-key", missing) == "seal/key_missing"
    assert not (tmp_path / "copy.db").exists()
