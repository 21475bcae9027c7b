"""Stored formats that must stay readable for years, and limits at their edges."""

from __future__ import annotations

import hashlib
import logging
from functools import partial
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from houses import KEY
from rounds.guest_seat import PATIENCE_S, Seated, granted, refusal_of, rows_of
from rounds.house_with_operator import Time, keeper_of
from stores import both_at_length, store_at
from tapisvert.bank.seal_audit import Trust, check_seals
from tapisvert.operations import housekeeping
from tapisvert.operations.key_check import check_key_file
from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.operations.operator_service import OperatorService
from tapisvert.refusal import Refused
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.rounds.idempotency import fingerprint, is_stored
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest, SeatRequest, iso
from tapisvert.sealing import Sealer

pytestmark = both_at_length


def test_the_word_a_database_knows_its_key_by_is_the_same_for_ever(tmp_path: Path) -> None:
    store = store_at(tmp_path / "tapis.db")
    house = PlayerService(store, Dealer(check_key_file(store, tmp_path / "tapis.key")))
    ((name, word),) = rows_of(house, "SELECT name, value FROM facts")
    assert name == "sealed_word"
    key = hashlib.sha256(b"covers" + (tmp_path / "tapis.key").read_bytes()).digest()
    marks = hashlib.sha256(b"small rows" + key).digest()
    told = b"the books of this house are open under this key"
    assert word == hashlib.blake2b(told, key=marks, digest_size=32).digest()
    store.close()


def test_what_a_mark_covers_is_the_same_for_ever_and_in_this_order() -> None:
    stored = Round(
        id="id",
        player_id="player",
        game="game",
        edition=2,
        sheet_hash="sheet",
        state="voided",
        commitment="commitment",
        sealed_seed=b"sealed",
        server_seed=b"server",
        client_seed="client",
        stakes={"ante": 3},
        answers=["play", 4],
        opened_at_ms=5,
        ended_at_ms=6,
        balance_before_cents=7,
        balance_after_cents=8,
        seen=True,
        void_reason="expired",
        void_at_ms=9,
        seq=10,
        seated_at_ms=11,
        replaces="other",
        mark=b"mark",
    )
    covered = [
        *(10, "id", "player", "game", 2, "sheet", "voided", "commitment", b"sealed", b"server"),
        *("client", {"ante": 3}, ["play", 4], 11, 5, 6, 9, 7, 8, "expired", "other"),
    ]
    mark = Dealer(Sealer(KEY)).decks.mark
    assert mark(stored) == Sealer(KEY).mark(msgspec.json.encode(covered))
    assert stored.marked_by(mark).mark == mark(stored)
    seen = msgspec.structs.replace(stored, seen=False, mark=None)
    assert mark(seen) == mark(stored)


def test_what_keys_and_seals_sign_is_the_same_for_ever(house: PlayerService, time: Time) -> None:
    """Written out from docs/operate.md, so that another program can check a database."""
    Seated(house)
    keeper_of(house, time).tick()
    signing = hashlib.sha256(b"signatures" + KEY).digest()
    key = Ed25519PrivateKey.from_private_bytes(signing).public_key()
    sql = "SELECT id, at_ms, public_key, signature, passed_on FROM keys"
    ((number, at_ms, public, signature, passed_on),) = rows_of(house, sql)
    assert (number, public, passed_on) == (1, key.public_bytes_raw(), None)
    key.verify(signature, msgspec.json.encode(["tapis key", 1, at_ms, public, b""]))
    before, reached, covered = bytes(32), {"transfers": 0, "significant_events": 0}, 0
    sql = "SELECT id, at_ms, last_transfer, last_event, hash, body, signature FROM seals"
    for number, at_ms, *ends, found, body, signature in rows_of(house, f"{sql} ORDER BY id"):
        said = msgspec.json.decode(body)
        assert (said["key"], len(said["schema"])) == (1, 64)
        assert [said["parts"][table][0] for table in reached] == ends
        assert found == hashlib.sha256(before + msgspec.json.encode([number, at_ms, body])).digest()
        key.verify(signature, found)
        for table, first in reached.items():
            last, rows, digest = said["parts"][table]
            sql = f"SELECT id, hash FROM {table} WHERE id > ? AND id <= ? ORDER BY id"
            lines = [row[0].to_bytes(8, "big") + row[1] for row in rows_of(house, sql, first, last)]
            sealed = hashlib.sha256(b"".join(lines)).hexdigest() if lines else ""
            assert (rows, digest) == (len(lines), sealed)
            reached[table], covered = last, covered + rows
        before = found
    assert covered == 1  # the grant to the guest


def test_a_fingerprint_is_the_hash_of_what_is_asked_of_what() -> None:
    asked = {"b": 1, "a": [2]}
    assert fingerprint("open", asked) == hashlib.sha256(b'["open",{"a":[2],"b":1}]').digest()


KEPT = (
    *("stake/over_limit", "round/ended", "wallet/insufficient_funds"),
    *("seat/unknown", "seat/stale"),
)
NOT_KEPT = (
    *("store/unavailable", "dealing/unavailable", "seal/broken", "sheet/unreadable"),
    *("request/in_flight", "round/unknown_edition"),
)


def test_only_what_the_house_itself_failed_at_may_be_tried_again(house: PlayerService) -> None:
    office = OperatorService(house, "anne")

    def tried(code: str, answer: str | None) -> bytes:
        def effect(operator: OperatorCommands) -> str:
            if answer is None:
                raise Refused(code, bet="ante", max_cents=3)
            return answer

        return granted(office.once(f"key {code}", "asked", effect))

    codes = [*KEPT, *NOT_KEPT]
    for code in codes:
        first = refusal_of(partial(tried, code, None))
        assert (first.code, first.details) == (code, {"bet": "ante", "max_cents": 3})
        assert is_stored(first) == (code in KEPT)  # the same for a player's commands
        if code in KEPT:
            again = refusal_of(partial(tried, code, "done"))
            assert (again.code, again.details) == (first.code, first.details)
        else:
            assert tried(code, "done") == b'"done"'
    assert len(rows_of(house, "SELECT * FROM operator_commands")) == len(codes)


def test_R9_what_nobody_asked_for_is_refused() -> None:
    requests: tuple[msgspec.Struct, ...] = (
        SeatRequest("casino-stud"),
        OpenRequest("round", "commitment", {"ante": 100}, "seed"),
        ChoiceRequest(0, "play"),
    )
    for request in requests:
        said = msgspec.to_builtins(request)
        assert msgspec.convert(said, type(request)) == request
        with pytest.raises(msgspec.ValidationError, match="unknown field `deck`"):
            msgspec.convert({**said, "deck": ["As"]}, type(request))


def test_a_stake_is_described_as_a_whole_number_from_one_on() -> None:
    schema = msgspec.json.schema(OpenRequest)["$defs"]["OpenRequest"]["properties"]
    assert schema["stakes"]["additionalProperties"] == {"type": "integer", "minimum": 1}


def test_a_time_is_written_in_milliseconds_of_greenwich() -> None:
    assert iso(0) == "1970-01-01T00:00:00.000Z"
    assert iso(1_700_000_000_001) == "2023-11-14T22:13:20.001Z"


def test_seals_can_be_checked_without_an_anchor(house: PlayerService, time: Time) -> None:
    Seated(house)
    keeper_of(house, time).tick()
    trust = Trust(house.dealer.public_key)
    assert house.store.read(lambda tx: list(check_seals(tx, trust))).result(PATIENCE_S) == []


def test_the_keeper_logs_under_the_name_of_the_house(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, logger="tapisvert"):
        housekeeping._log.error("heard")
    assert [record.name for record in caplog.records] == ["tapisvert"]
