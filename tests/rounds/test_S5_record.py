"""S5: the record of every game holds the fields of GLI-19 v3.0 (2.8.2), or states why not.

`record_fields.py` maps each subject to the column or the replay that holds it. Here rounds with
known cards are played. The fields read back from the record alone are compared with the replies the
player got.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from houses import make_house
from rounds.guest_seat import PATIENCE_S, Seated, read, rows_of
from rounds.house_with_operator import (
    TABLES,
    Funded,
    Operator,
    Time,
    finished,
    keeper_of,
    open_tables,
    opened,
)
from rounds.record_fields import FIELDS, NOT_COLLECTED, Record, record_of
from tapisvert.engine import events as ev
from tapisvert.rounds import PlayerService
from tapisvert.rounds.schemas import RoundReply

# Names a column for a place, an address or a device would have.
PLACES = ("location", "address", "ip", "device", "agent", "country", "latitude")
# Both hands and the up card are a royal flush (bj.5).
ROYAL_FLUSH = "Ks Qs Js Ts As 5c 2c 3d"
WITH_THE_POT = {"hand-1": 1000, "hand-2": 600, "royal": 100}
OPENED_AT_MS = 1_700_000_000_000
DATE = "date and time the game was played"


def of_record(house: PlayerService, round_id: str) -> dict[str, object]:
    """Read every field of a round back, by subject."""
    record = stored(house, round_id)
    return {field.subject: field.read(record) for field in FIELDS}


def stored(house: PlayerService, round_id: str) -> Record:
    return house.store.read(lambda tx: record_of(tx, house.dealer, round_id)).result(PATIENCE_S)


def told(guest: Seated, game: str, before: int, reply: RoundReply) -> dict[str, object]:
    """Return the expected record, from the rules and from the replies the player got."""
    shown, known = reply.round, TABLES[game]
    asked = [event for event in shown.events if isinstance(event, ev.Asked)]
    return {
        DATE: OPENED_AT_MS,
        "the player's balance at the start": before,
        "contributions to progressive pots": 0,
        "status of the game": "complete",
        "total amount wagered": shown.staked_cents,
        "the player's decisions": list(known.choices),
        "final outcome as it was displayed": {
            line.bet: (line.outcome, line.returned_cents) for line in shown.lines
        },
        "intermediate phases of the game": [(event.step, event.key) for event in asked],
        "total amount won": shown.staked_cents + known.net_cents,
        "progressive prizes won": [],
        "the player's balance at the end": before + known.net_cents,
        "advice offered to the player": [
            option.id for event in asked for option in event.options if option.suggested
        ],
        "the choices offered, and which was taken": [
            (tuple(option.id for option in event.options), choice)
            for event, choice in zip(asked, known.choices, strict=True)
        ],
        "unique game id": (game, shown.edition),
        "unique player id": guest.player_id,
        "unique id of the game cycle": shown.id,
        "paytable id": shown.sheet_hash,
        "location and device of the player": NOT_COLLECTED,
        "denomination and currency": {reply.wallet.currency},
        "rake, commission and fees": 0,
        "incentive credits wagered and won": 0,
    }


def test_S5_every_letter_from_a_to_r_has_one_row_that_says_where() -> None:
    letters = [field.letter for field in FIELDS if field.letter != "-"]
    assert letters == list(string.ascii_lowercase[: string.ascii_lowercase.index("r") + 1])
    assert len({field.subject for field in FIELDS}) == len(FIELDS)
    assert all(field.where for field in FIELDS)


@pytest.mark.parametrize("kind", [Seated, Funded], ids=["play money", "real money"])
def test_S5_the_record_of_a_finished_game_holds_every_field(
    house: PlayerService, time: Time, kind: Callable[[PlayerService], Seated]
) -> None:
    for game in TABLES:
        guest = kind(house)
        before, _ = guest.purse()
        opened_at_ms, round_id = time.wall.now_ms, opened(guest, game)
        time.passes(7_000)
        reply = read(guest.shown(finished(guest, game, round_id).round.id))
        expected = {**told(guest, game, before, reply), DATE: opened_at_ms}
        assert of_record(house, round_id) == expected
        record = stored(house, round_id)
        assert record.row["ended_at_ms"] == opened_at_ms + 7_000
        assert hashlib.sha256(record.paytable).hexdigest() == record.row["sheet_hash"]
        # The totals of the row are those of the ledger, bet by bet.
        assert record.moved("stake") == record.row["staked_cents"]
        assert record.moved("return", "win") == record.row["returned_cents"]


def test_S5_the_status_tells_a_game_in_progress_complete_cancelled_or_reversed(
    house: PlayerService, time: Time, anne: Operator
) -> None:
    players, keeper = [Funded(house) for _ in range(4)], keeper_of(house, time)
    expired, voided, undone = (opened(player, "casino-stud") for player in players[:3])
    finished(players[2], "casino-stud", undone)
    for round_id in (voided, undone):
        anne.void(round_id, "froze")
    time.passes(TABLES["casino-stud"].delay_ms)
    keeper.tick()
    waiting = opened(players[3], "casino-stud")
    assert {player.purse() for player in players[:3]} == {(100_000, 0)}
    for round_id, status in {
        expired: "cancelled",
        voided: "cancelled, reversed",
        undone: "complete, reversed",
        waiting: "in progress",
    }.items():
        record = of_record(house, round_id)
        assert record["status of the game"] == status
        assert record["the player's balance at the start"] == 100_000
        assert record["total amount wagered"] in (1500, 3500)


def test_S5_what_a_round_put_into_a_pot_and_won_of_it_is_in_the_record(tmp_path: Path) -> None:
    """With play money the pot is a demonstration: fixed, without contributions."""
    house = make_house(tmp_path / "tapis.db", ROYAL_FLUSH)
    Operator(house).open_jackpot("blackjack", "CAD")
    for guest, fed, won in ((Funded(house), 2_030_843, 2_000_020), (Seated(house), 0, 2_000_000)):
        reply = read(guest.open(guest.asking(WITH_THE_POT, "blackjack")))
        claims = [event.cents for event in reply.round.events if isinstance(event, ev.Claimed)]
        record = of_record(house, reply.round.id)
        assert record["contributions to progressive pots"] == fed
        assert record["progressive prizes won"] == claims == [won]
        assert record["rake, commission and fees"] == 1600  # both hands are held: nothing is taken
    awards = rows_of(house, "SELECT paid_cents, award_units FROM awards")
    assert awards == [(2_000_020, 2_000_020 * 100_000)]


def test_S5_nothing_is_stored_of_where_a_player_is_or_on_what(tmp_path: Path) -> None:
    """The field is empty by design: a new column must change the table too."""
    house = open_tables(tmp_path / "tapis.db")
    columns = rows_of(
        house,
        "SELECT tables.name, columns.name FROM sqlite_schema AS tables"
        " JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'",
    )
    found = [
        (table, column) for table, column in columns if set(column.lower().split("_")) & set(PLACES)
    ]
    assert found == []


def test_S5_a_field_that_is_not_kept_is_noticed(tmp_path: Path) -> None:
    """Control: with any column of the row emptied, the fields read differ from those expected."""
    house = open_tables(tmp_path / "tapis.db")
    guest = Seated(house)
    before, _ = guest.purse()
    reply = finished(guest, "casino-stud", opened(guest, "casino-stud"))
    expected = told(guest, "casino-stud", before, read(guest.shown(reply.round.id)))
    record = stored(house, reply.round.id)
    for column in _MAPPED:
        without = {**record.row, column: None if column != "state" else "open"}
        spoilt = replace(record, row=without)
        found = {field.subject: field.read(spoilt) for field in FIELDS}
        assert found != expected, column


_MAPPED = (
    *("opened_at_ms", "balance_before_cents", "state", "staked_cents", "returned_cents"),
    *("balance_after_cents", "game", "edition", "player_id", "id", "sheet_hash"),
)
