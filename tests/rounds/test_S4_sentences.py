"""S4: every sentence of the audit, word for word, as an operator reads it.

findings.toml lists forgeries; each has all findings of an audit after it. Ids and hashes are
random: they are written as `round 3` (its seq), `player 2`, `seal 1`, `sheet of ultimate`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bank.forging import BOOKS
from bank.tampering import Forger
from houses import KEY, counting_entropy, make_house
from rounds.guest_seat import Seated, read, rows_of
from tapisvert.bank import audit as books
from tapisvert.bank import seals
from tapisvert.bank.audit import Finding
from tapisvert.operations import audit as audits
from tapisvert.operations.audit import Given, audit
from tapisvert.sealing import Sealer
from tapisvert.store.schema import Schema, digest
from tapisvert.store.sqlite_tx import SqliteTx
from tapisvert.store.tails import TABLES as COUNTED
from tapisvert.store.tails import IntegrityKey

CASES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("findings.toml").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def forgers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return the forger of a kind of database, made once."""
    made: list[Forger] = []

    @cache
    def forger_of(kind: str) -> Forger:
        path = tmp_path_factory.mktemp("books") / "tapis.db"
        BOOKS[kind].write(path, crashed=BOOKS[kind].crashed)
        made.append(Forger(path, BOOKS[kind].shuffle))
        return made[-1]

    yield forger_of
    for each in made:
        each.file.close()


def names(forger: Forger) -> dict[str, str]:
    """Return what stands for each random name."""
    told: dict[str, str] = {}
    for word, sql in (
        ("round", "SELECT id, seq FROM rounds"),
        ("player", "SELECT id, rowid FROM players"),
        ("seal", "SELECT lower(hex(hash)), id FROM seals"),
        ("sheet of", "SELECT hash, game FROM sheets WHERE length(hash) = 64"),
    ):
        told |= {str(name): f"{word} {number}" for name, number in forger.rows(sql)}
    return told


def said(forger: Forger, sql: str) -> list[str]:
    """Forge, audit and undo; return the findings, one line each."""
    with forger.trying():
        known = names(forger)
        for each in sql.split(";"):
            forger.file.execute(each)
        lines = [f"{each.table} {each.row}: {each.what}" for each in forger.found()]
    for name, instead in known.items():
        lines = [line.replace(name, instead) for line in lines]
    return lines


@pytest.mark.parametrize(
    ("kind", "sql", "findings"),
    [(kind, case["sql"], case["said"]) for kind, cases in CASES.items() for case in cases],
    ids=[f"{kind}-{number}" for kind, cases in CASES.items() for number, _ in enumerate(cases, 1)],
)
def test_S4_a_finding_is_told_word_for_word(
    forgers: Any, kind: str, sql: str, findings: list[str]
) -> None:
    assert said(forgers(kind), sql) == findings


@pytest.mark.parametrize(
    ("check", "table"),
    [
        *(("books.check_ledger", "transfers"), ("check_pots", "jackpots")),
        *(("books.check_events", "significant_events"), ("books.check_commands", "commands")),
        *(("check_keys", "keys"), ("check_seals", "seals"), ("check_lateness", "seals")),
        *(("check_sheets", "sheets"), ("check_acts", "significant_events")),
        *(("check_missing_rounds", "transfers"), ("check_tails", "tails")),
        *(("check_marks", "sessions"), ("check_facts", "facts"), ("check_rounds", "rounds")),
    ],
)
def test_S4_a_check_that_breaks_is_a_finding_under_its_table(
    forgers: Any, monkeypatch: pytest.MonkeyPatch, check: str, table: str
) -> None:
    def breaks(*_: object) -> Iterator[Finding]:
        raise ValueError(5)
        yield

    *inside, name = check.split(".")
    monkeypatch.setattr(books if inside else audits, name, breaks)
    found = forgers("tables").found()
    assert found == (Finding(table, "", "cannot be checked: ValueError(5)"),)


def test_S4_without_the_house_key_an_audit_says_what_it_leaves_out(tmp_path: Path) -> None:
    house = make_house(tmp_path / "tapis.db", entropy=counting_entropy())
    guest = Seated(house)
    for _ in range(8):  # of decks that the client's seed had a part in
        guest.choose(read(guest.open()).round.id, "play")
    guest.open()
    key = house.dealer.public_key
    done = house.store.read(lambda tx: audit(tx, None, Given(key))).result()
    hidden = rows_of(house, "SELECT COUNT(*) FROM rounds WHERE server_seed IS NULL")
    assert hidden == [(1,)]
    assert done.left_out == (
        "the tails after the last seal",
        "the marks of sessions, operators and pots",
        "the marks of rounds",
        "1 deals that are not revealed yet",
    )
    assert (done.findings, done.public_key) == ((), key.hex())
    done = house.store.read(lambda tx: audit(tx, None)).result()
    assert done.findings == (Finding("keys", "1", "no stored key is the public key you trust"),)
    house.store.close()


def test_S4_an_audit_tells_how_far_it_has_come_and_since_when_rows_are_covered(
    forgers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audits, "_PAGE", 4)
    told: list[int] = []
    forger = forgers("tables")
    done = audit(SqliteTx(forger.file), forger._dealer, progress=told.append)
    assert done.rounds == 11
    assert sorted({*told, 0}) == [0, 4, 8]
    first = forger.rows("SELECT seals.at_ms, public_key FROM seals JOIN keys ON keys.id = seals.id")
    assert [(done.covered_since_ms, bytes.fromhex(done.public_key))] == first
    assert done.anchor == forger.value("SELECT lower(hex(hash)) FROM seals WHERE id = 4")
    assert (done.left_out, done.uninstalled) == ((), ())
    assert (done.transfers, done.unsealed, done.seals) == (63, 0, 4)
    with forger.trying():
        forger.file.execute("DELETE FROM keys")
        forger.file.execute("UPDATE seals SET hash = zeroblob(0)")
        done = audit(SqliteTx(forger.file), forger._dealer)
    assert (done.public_key, done.anchor) == ("", "")
    assert audits._hex("of another type") == ""


def test_S4_a_schema_is_held_to_the_newest_seal_and_to_the_migrations(forgers: Any) -> None:
    forger = forgers("tables")
    tx = SqliteTx(forger.file)
    sealed = seals.last_seal(tx).content.schema
    mine: Schema = {"table x": "CREATE TABLE x (y)"}

    def said(schema: Schema | None = None, wanted: Schema | None = None) -> list[Finding]:
        given = Given(schema=schema, wanted=wanted)
        found = audit(tx, forger._dealer, given).findings
        return [each for each in found if each.table == "schema"]

    assert len(sealed) == 64
    assert digest(mine) != sealed
    assert said() == []
    assert said(schema=mine) == [Finding("schema", "", "does not match the newest seal")]
    other: Schema = {"table x": "CREATE TABLE x (z)"}
    assert said(schema=mine, wanted=other) == [Finding("schema", "", "table x was changed")]
    with forger.trying():
        forger.file.execute("DELETE FROM seals")
        assert said(schema=mine) == []  # no seal names one


@pytest.mark.parametrize("shift", [1, 512, 2**255])
def test_S4_a_tail_with_another_sum_is_told(forgers: Any, shift: int) -> None:
    forger = forgers("tables after a crash")
    integrity = IntegrityKey(Sealer(KEY).integrity_key)
    assert audit(SqliteTx(forger.file), forger._dealer).unsealed == 14
    with forger.trying():
        rows = forger.rows("SELECT slot, body, mac FROM tails")
        tails = {slot: integrity.read(slot, body, mac) for slot, body, mac in rows}
        slot, tail = next((slot, tail) for slot, tail in tails.items() if tail.counts[0])
        tail.add(COUNTED[0], shift, 1)
        tail.add(COUNTED[0], 0, -1)
        changed = (tail.body(), integrity.mac(slot, tail.body()), slot)
        forger.file.execute("UPDATE tails SET body = ?, mac = ? WHERE slot = ?", changed)
        what = "the rows after seal 4 do not match the tails"
        assert forger.found() == (Finding(COUNTED[0], "", what),)
