"""Stored replies: packed and restored byte for byte; plain replies of earlier versions too."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from houses import Guest, client_of
from reply_dictionary import Sample, samples
from rounds.guest_seat import PATIENCE_S, Seated, granted, refusal_of, rows_of
from rounds.house_with_operator import TABLES, act, findings, opened, played
from stores import both_at_length, drop_trigger
from tapisvert.games.registry import SHIPPED
from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.operations.operator_service import OperatorService
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService, stored_reply
from tapisvert.rounds.idempotency import fingerprint
from tapisvert.rounds.schemas import RoundReply
from tapisvert.rounds.stored_reply import CURRENT, FORMATS, pack, unpack
from tapisvert.store import Tx

# Never changed: a database may hold replies of any version. A new dictionary adds a line.
RELEASED = {1: "58e7405d9638cb93790f99e3f38a79b7e3f6a6569d2faae5e614cc3bb87a1ceb"}
# What version 1 wrote, and the hash of the reply it wrote.
WRITTEN = {
    1: (
        "ASYcHW7NmmsOwiAQhG9kKFBgPYL/TLwA0OX+R3Coj9baB41EPUDTNHRnvtlhSgVNlIlCrmG15UQmeg2zboXB22NI"
        "GXx+rIcB+KqdbDkxCmBHoAdPynZgaA+gduiCLSBRKQkYBm4kQQKPGJYUqdP51F68SBr2NjEbJmNdyDy55UWNRHdy"
        "EeaoJADloJX9cIwf1x7m1kXVR/qdOiv8kKXa+q0RWErlMyMwbH37MNnf2UBwG4sKyshynKqlMfdWeGt5uua1S5+2"
        "13pzG7sj4A+1yFrAn1tNnU+uzcz1dIvlwylxpdUuqZZFjuapXNP/EUYaZSFlkx7oFnpGPdAV",
        "317b639ad6f7b4827400c532d443a769a5cdc48e576a1e85f87e33ed7b9017be",
    )
}
PACKED = base64.b64decode(WRITTEN[1][0])


@pytest.fixture(scope="module")
def golden() -> list[Sample]:
    """Return the replies to every command of every golden round."""
    return list(samples())


# The format ---------------------------------------------------------------------------------------


def test_a_released_dictionary_never_changes_and_each_is_still_read() -> None:
    folder = Path(stored_reply.__file__).parent
    shipped = {int(path.stem.removeprefix("reply_")): path for path in folder.glob("reply_*.dict")}
    hashes = {
        version: hashlib.sha256(path.read_bytes()).hexdigest() for version, path in shipped.items()
    }
    assert hashes == RELEASED
    assert FORMATS.keys() == RELEASED.keys() == WRITTEN.keys()
    for version, form in FORMATS.items():
        assert hashlib.sha256(form.dictionary).hexdigest() == RELEASED[version]


@pytest.mark.parametrize("version", WRITTEN)
def test_what_a_released_version_wrote_is_read_for_ever(version: int) -> None:
    written, reply = WRITTEN[version]
    stored = base64.b64decode(written)
    assert stored[0] == version
    assert hashlib.sha256(unpack(stored)).hexdigest() == reply


@pytest.mark.parametrize("version", range(1, 9))
def test_a_version_is_a_byte_that_no_json_text_begins_with(version: int) -> None:
    for text in (b"{}", b"[]", b'""', b"1", b"null"):
        with pytest.raises(ValueError, match="line 1 column 1"):
            json.loads(bytes((version,)) + text)


@pytest.mark.parametrize("text", [b'{"a": 1}', b"[1]", b'"a"', b"-1", b"true", b" {}", b"\t[]"])
def test_whatever_json_was_stored_plain_is_read_as_it_is(text: bytes) -> None:
    assert json.loads(text) is not None
    assert unpack(text) == text


# Every reply comes back ---------------------------------------------------------------------------


def test_every_reply_of_the_golden_rounds_comes_back_and_is_less_than_a_third(
    golden: list[Sample],
) -> None:
    kinds = set()
    for game, kind, reply in golden:
        stored = pack(reply)
        assert stored[0] == CURRENT
        assert unpack(stored) == reply
        assert 3 * len(stored) < len(reply), (game, kind)
        kinds.add((game, kind))
    assert kinds == {(game, kind) for game in SHIPPED for kind in ("open", "choose")}


def test_the_golden_replies_are_replies_of_the_house(golden: list[Sample]) -> None:
    for _, _, reply in golden:
        assert msgspec.json.encode(msgspec.json.decode(reply, type=RoundReply)) == reply


@settings(max_examples=300)
@given(st.binary(max_size=400))
@example(b"")
@example(bytes((CURRENT,)))
@example(PACKED)  # a reply that looks packed
@example(PACKED * 50)
def test_any_bytes_come_back_and_only_what_looks_packed_may_grow(reply: bytes) -> None:
    stored = pack(reply)
    assert unpack(stored) == reply
    assert len(stored) <= len(reply) or 1 <= reply[0] <= 8


_VALUES = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=30)


@settings(max_examples=200)
@given(st.dictionaries(st.text(max_size=9), _VALUES), st.integers(0, 20))
def test_any_json_object_comes_back_however_long(value: dict[str, object], times: int) -> None:
    reply = msgspec.json.encode({**value, "again": [value] * times})
    stored = pack(reply)
    assert unpack(stored) == reply
    assert len(stored) <= len(reply)


def test_a_version_looks_back_as_far_as_its_window_and_no_further() -> None:
    """Version 1 has a window of 16 KiB: another reader of it needs no more, and no less."""
    form, chance = FORMATS[1], Random(1)
    for size in (16_000, 24_000):  # within the window, and beyond
        part = chance.randbytes(size)
        reply = b"[" + (part + b"0" * 100) * 3
        packing = zlib.compressobj(9, zlib.DEFLATED, -14, zdict=form.dictionary)
        packed = packing.compress(reply) + packing.flush()
        assert unpack(b"\1" + zlib.crc32(reply).to_bytes(4, "big") + packed) == reply
        stored = pack(b"[" + b"0" * 1000 + part.hex().encode() + part.hex().encode()[:3000])
        assert zlib.decompressobj(-14, form.dictionary).decompress(stored[5:]) == unpack(stored)


def test_what_does_not_get_smaller_is_stored_plain() -> None:
    for reply in (b"", b"{}", b'{"a":1}', b"done"):
        assert pack(reply) == reply
        assert unpack(reply) == reply


# Damage -------------------------------------------------------------------------------------------


def refused(stored: bytes) -> None:
    refusal = refusal_of(partial(unpack, stored))
    assert (refusal.code, refusal.details) == ("store/altered", {"file": "", "what": "reply"})


def test_a_change_of_any_byte_is_refused_or_changes_nothing() -> None:
    """Deflate has several encodings of the same data, and ignores bits of the last byte."""
    reply, unchanged = unpack(PACKED), 0
    for at in range(1, len(PACKED)):
        for mask in (*(1 << bit for bit in range(8)), 0xFF):
            stored = PACKED[:at] + bytes((PACKED[at] ^ mask,)) + PACKED[at + 1 :]
            with contextlib.suppress(Refused):
                assert unpack(stored) == reply
                unchanged += 1
    assert unchanged < len(PACKED) // 10  # of nine times as many


def test_a_reply_cut_short_or_with_more_behind_it_is_refused() -> None:
    for size in range(1, len(PACKED)):
        refused(PACKED[:size])
    refused(PACKED + b"\0")
    refused(PACKED + PACKED)


def test_a_version_that_is_not_known_is_refused() -> None:
    for version in {*range(1, 9)} - {*FORMATS}:
        refused(bytes((version,)) + PACKED[1:])


def test_a_good_stream_of_another_reply_is_refused() -> None:
    """Control of the checksum: the stream itself is valid."""
    form = FORMATS[1]
    packing = zlib.compressobj(9, zlib.DEFLATED, form.window_bits, zdict=form.dictionary)
    other = packing.compress(b'{"paid":"more"}') + packing.flush()
    refused(PACKED[:5] + other)
    assert unpack(b"\1" + zlib.crc32(b'{"paid":"more"}').to_bytes(4, "big") + other)


# In the house -------------------------------------------------------------------------------------


def stored_replies(house: PlayerService, table: str = "commands") -> list[bytes]:
    rows = rows_of(house, f"SELECT reply FROM {table} WHERE reply IS NOT NULL ORDER BY id")
    return [reply for (reply,) in rows]


@both_at_length
def test_replies_are_stored_packed_and_repeated_byte_for_byte(house: PlayerService) -> None:
    guest = Seated(house)
    for game, table in TABLES.items():
        asked = guest.asking(table.stakes, game)
        commands = [partial(guest.open, asked, f"{game} open")]
        commands += [
            partial(guest.choose, asked.round_id, choice, step, f"{game} {step}")
            for step, choice in enumerate(table.choices)
        ]
        replies = [command() for command in commands]
        assert [command() for command in commands] == replies
        stored = stored_replies(house)[-len(replies) :]
        assert {each[0] for each in stored} == {CURRENT}
        assert [unpack(each) for each in stored] == replies
    assert findings(house) == ()


@both_at_length
@pytest.mark.parametrize("reply", [b'{"round":{"id":"1"}}' * 9, b"[]", b'"stopped"', b"null"])
def test_a_reply_of_an_earlier_version_is_served_as_it_was_stored(
    house: PlayerService, reply: bytes
) -> None:
    asked = ["void", "a round"]

    def of_before(tx: Tx) -> None:
        tx.run(
            "INSERT INTO operator_commands (operator, key, fingerprint, at_ms, reply)"
            " VALUES ('anne', 'k', ?, 5, ?)",
            (fingerprint("anne", asked), reply),
        )

    def effect(operator: OperatorCommands) -> bytes:
        raise AssertionError("a command that was done is done again")

    house.store.write(of_before).result(PATIENCE_S)
    again = OperatorService(house, "anne").once("k", asked, effect)
    assert granted(again) == reply


def damage(house: PlayerService, change: Callable[[bytes], bytes]) -> None:
    """Change the newest stored reply directly in the database."""

    def work(tx: Tx) -> None:
        (row,) = tx.rows("SELECT id, reply FROM commands ORDER BY id DESC LIMIT 1")
        drop_trigger(tx, "commands", "commands_are_never_changed")
        tx.run("UPDATE commands SET reply = ? WHERE id = ?", (change(row[1]), row[0]))

    house.store.write(work).result(PATIENCE_S)


@both_at_length
def test_a_damaged_reply_is_refused_once_more_each_time_and_named_by_the_audit(
    house: PlayerService,
) -> None:
    guest = Seated(house)
    asked = guest.asking()
    guest.open(asked, "k")
    before = guest.purse()
    damage(house, lambda stored: stored[:-1])
    for _ in range(2):
        assert refusal_of(lambda: guest.open(asked, "k")).code == "store/altered"
    assert guest.purse() == before
    assert "commands" in {found.table for found in findings(house)}
    played(guest, "pai-gow")  # other commands go on


def test_over_http_a_damaged_reply_is_a_failure_of_ours_without_a_trace(
    house: PlayerService,
) -> None:
    with client_of(house) as client:
        guest = Guest(client)
        round_id = guest.open({"ante": 1000}).json()["round"]["id"]
        assert guest.choose(round_id, "play", key="k").status_code == 200
        damage(house, lambda stored: stored[:5] + b"\xff" + stored[6:])
        answer = guest.choose(round_id, "play", key="k")
    assert (answer.status_code, answer.json()["code"]) == (500, "store/altered")
    assert not answer.json()["retryable"]


def test_an_operators_replies_are_packed_by_the_same_rule(house: PlayerService) -> None:
    round_id = opened(Seated(house), "blackjack")

    def void(office: OperatorCommands) -> bytes | Refused:
        return office.once("k", round_id, lambda: office.void(round_id, "it froze"))

    first = act(house, void)
    assert act(house, void) == first
    (stored,) = stored_replies(house, "operator_commands")
    assert unpack(stored) == first
