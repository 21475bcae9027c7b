"""S4: the exact findings of an audit for a forged round."""

from __future__ import annotations

import pytest

from bank.tampering import Forger
from houses import KEY
from rounds.house_with_operator import known_deck
from tapisvert.bank.audit import Finding
from tapisvert.operations import audit as audits
from tapisvert.operations.audit import Audit, audit
from tapisvert.rounds import Dealer
from tapisvert.sealing import Sealer
from tapisvert.store.sqlite_tx import SqliteTx

STAKES = "stake ante 1000, stake bonus 500"
PLAYED = (
    "loss bonus 500, return ante 1000, return play 2000, stake ante 1000, stake bonus 500,"
    " stake play 2000, win ante 1000, win play 2000"
)


def one(forger: Forger, where: str) -> str:
    """Return the id of a round."""
    rows = forger.rows(f"SELECT id FROM rounds WHERE {where} ORDER BY seq LIMIT 1")
    return str(rows[0][0])


def won(forger: Forger) -> str:
    """Return the guest's round of Casino Stud, won and settled."""
    return one(forger, "state = 'settled' AND game = 'casino-stud'")


def told(forger: Forger, round_id: str, sql: str, *params: object) -> str:
    """Write something; return the finding on a round, the only one there is."""
    said = [each for each in forger.write(sql, *params) if each.table == "rounds"]
    (found,) = said
    assert found.row == round_id
    return found.what


def test_S4_a_seed_is_held_to_its_commitment_and_to_what_was_shown(forger: Forger) -> None:
    for state in ("open", "settled", "voided", "seated", "retired"):
        round_id = one(forger, f"state = '{state}'")
        sql = "UPDATE rounds SET commitment = 'x' WHERE id = ?"
        assert told(forger, round_id, sql, round_id) == "its seed does not match its commitment"
    for state in ("settled", "voided", "retired"):
        round_id = one(forger, f"state = '{state}'")
        sql = "UPDATE rounds SET server_seed = zeroblob(32) WHERE id = ?"
        said = told(forger, round_id, sql, round_id)
        assert said == "its revealed seed is not its encrypted seed"


@pytest.mark.parametrize(
    "change",
    ["opened_at_ms = opened_at_ms + 1", "client_seed = 'other'", "balance_before_cents = 1"],
)
def test_S4_a_record_is_held_to_its_mark(forger: Forger, change: str) -> None:
    for state in ("open", "settled", "voided"):
        round_id = one(forger, f"state = '{state}'")
        sql = f"UPDATE rounds SET {change} WHERE id = ?"
        assert told(forger, round_id, sql, round_id) == "its record does not match its mark"


def test_S4_a_deal_that_waits_has_moved_nothing(forger: Forger) -> None:
    for state in ("seated", "retired"):
        round_id = one(forger, f"state = '{state}'")
        sql = (
            "INSERT INTO transfers (at_ms, debit, credit, currency, units, reason, player_id,"
            " round_id) SELECT 0, 'house:a', 'house:b', 'FUN', 300000, 'win', player_id, id"
            " FROM rounds WHERE id = ?"
        )
        said = told(forger, round_id, sql, round_id)
        assert said == "was never dealt, but its transfers are win  3"


def test_S4_a_row_that_nobody_of_ours_wrote_cannot_be_replayed(forger: Forger) -> None:
    round_id = won(forger)
    said = told(forger, round_id, "UPDATE rounds SET stakes = '{' WHERE id = ?", round_id)
    assert said == "cannot be replayed: DecodeError('Input data was truncated')"
    said = told(forger, round_id, "UPDATE rounds SET edition = 99 WHERE id = ?", round_id)
    assert said.startswith("cannot be replayed: Refused('round/unknown_edition ")


def test_S4_a_state_its_answers_do_not_lead_to_is_told(forger: Forger) -> None:
    round_id = won(forger)
    said = told(forger, round_id, "UPDATE rounds SET answers = '[]' WHERE id = ?", round_id)
    assert said == "is stored as settled; its replay does not end"
    waiting = one(forger, "state = 'open' AND game = 'casino-stud'")
    sql = "UPDATE rounds SET answers = '[\"play\"]' WHERE id = ?"
    said = told(forger, waiting, sql, waiting)
    assert said == "is stored as open; its replay ends"


def test_S4_money_that_a_replay_does_not_say_is_told_with_what_it_says(forger: Forger) -> None:
    round_id = won(forger)
    win = "round_id = ? AND reason = 'win' AND bet = 'ante'"
    sql = f"UPDATE transfers SET units = units + 100000 WHERE {win}"
    moved = PLAYED.replace("win ante 1000", "win ante 1001")
    said = told(forger, round_id, sql, round_id)
    assert said == f"its transfers are {moved}; its replay gives {PLAYED}"
    sql = (
        "INSERT INTO transfers (at_ms, debit, credit, currency, units, reason, player_id, round_id,"
        " bet) SELECT at_ms, debit, credit, currency, 100000, reason, player_id, round_id, bet"
        f" FROM transfers WHERE {win}"
    )
    said = told(forger, round_id, sql, round_id)  # a second time is counted with the first
    assert said == f"its transfers are {moved}; its replay gives {PLAYED}"
    sql = "DELETE FROM transfers WHERE round_id = ?"
    said = told(forger, round_id, sql, round_id)
    assert said == f"its transfers are nothing; its replay gives {PLAYED}"
    waiting = one(forger, "state = 'open' AND game = 'casino-stud'")
    sql = "UPDATE transfers SET bet = 'x' WHERE round_id = ? AND bet = 'bonus'"
    said = told(forger, waiting, sql, waiting)
    assert said == f"its transfers are stake ante 1000, stake x 500; its replay gives {STAKES}"


def test_S4_totals_are_held_to_the_replay(forger: Forger) -> None:
    round_id, waiting = won(forger), one(forger, "state = 'open' AND game = 'casino-stud'")
    cases = (
        ("staked_cents", round_id, (1, 6000), "3500 and 6000"),
        ("returned_cents", round_id, (3500, 1), "3500 and 6000"),
        ("staked_cents", waiting, (1, None), "1500 and 0"),
        ("returned_cents", waiting, (1500, 1), "1500 and 0"),
    )
    for column, each, stored, expected in cases:
        said = told(forger, each, f"UPDATE rounds SET {column} = 1 WHERE id = ?", each)
        assert said == f"stores {stored} as staked, returned; its replay gives {expected}"


def test_S4_what_a_round_holds_is_what_is_not_settled(forger: Forger) -> None:
    waiting, over = one(forger, "state = 'open' AND game = 'casino-stud'"), won(forger)
    sql = "UPDATE accounts SET units = 100000 WHERE id = ?"
    said = told(forger, waiting, sql, f"round:{waiting}")
    assert said == "holds 1 cents; 1500 are staked and not settled"
    said = told(forger, over, sql, f"round:{over}")
    assert said == "holds 1 cents; 0 are staked and not settled"
    # Insurance was lost before the hand is played: only the hand is held.
    insured = one(forger, "state = 'open' AND game = 'blackjack'")
    said = told(forger, insured, sql, f"round:{insured}")
    assert said == "holds 1 cents; 1000 are staked and not settled"


def test_S4_a_reversal_moves_back_every_net_result_and_no_other(forger: Forger) -> None:
    first = forger.value("SELECT DISTINCT round_id FROM transfers WHERE id = 48")
    said = told(forger, str(first), "DELETE FROM reversals WHERE round_id = ?", first)
    moved = "ante 1000, blind 1000, play 4000"
    assert said == f"its reversal moved {moved}; its net results are nothing"
    said = told(forger, str(first), "DELETE FROM transfers WHERE id = 49")
    assert said == f"its reversal moved ante 1000, play 4000; its net results are {moved}"
    second = forger.value("SELECT DISTINCT round_id FROM transfers WHERE id = 55")
    said = told(forger, str(second), "DELETE FROM transfers WHERE id = 55")
    assert said == (
        "its reversal moved ante 1000, bonus 500, play 500; its net results are"
        " ante 1000, bonus 500, play 2000"
    )


def test_S4_what_is_kept_of_a_reversal_is_what_the_journal_says(forger: Forger) -> None:
    ((first,), (second,)) = forger.rows("SELECT round_id FROM reversals ORDER BY at_ms, rowid")
    differs, missing = "differs from the journal", "is missing, but the journal records it"

    def found(sql: str, *params: object) -> list[Finding]:
        return [each for each in forger.write(sql, *params) if each.table == "reversals"]

    for column, value in (
        *(("by", "bert"), ("reason", "")),
        *((f"{name}_cents", 1) for name in ("given", "taken", "debt")),
    ):
        sql = f"UPDATE reversals SET {column} = ? WHERE round_id = ?"
        assert found(sql, value, second) == [Finding("reversals", str(second), differs)]
    sql = "DELETE FROM reversals WHERE round_id = ?"
    assert found(sql, second) == [Finding("reversals", str(second), missing)]
    # The first of each kind, and no more.
    alone = min(str(first), str(second))
    assert found("DELETE FROM reversals") == [Finding("reversals", alone, missing)]
    with forger.trying():
        forger.file.execute("UPDATE reversals SET by = 'bert'")
        (only,) = (each for each in forger.found() if each.table == "reversals")
        assert only.what == differs
    assert found(
        "INSERT INTO reversals SELECT ?, at_ms, by, reason, given_cents, taken_cents, debt_cents"
        " FROM reversals WHERE round_id = ?",
        won(forger),
        first,
    ) == [Finding("reversals", won(forger), "is stored, but the journal does not record it")]
    # An event that is not JSON is found by its chain, and by the reversal it recorded.
    sql = "UPDATE significant_events SET data = '{' WHERE id = 4"
    assert found(sql) == [Finding("reversals", str(first), differs)]


def test_S4_the_first_sheet_with_another_content_is_told(forger: Forger) -> None:
    (first,), *_ = forger.rows("SELECT hash FROM sheets ORDER BY hash")
    sql = "UPDATE sheets SET body = CAST(body || ' ' AS BLOB)"
    wrong = Finding("sheets", str(first), "its content does not match its hash")
    assert forger.write(f"{sql} WHERE hash = ?", first) == (wrong,)
    with forger.trying():
        forger.file.execute(sql)
        assert forger.found() == (wrong,)


def audited(forger: Forger, seen: list[int] | None = None) -> Audit:
    tx, dealer = SqliteTx(forger.file), Dealer(Sealer(KEY), shuffle=known_deck)
    if seen is None:
        return audit(tx, dealer)
    return audit(tx, dealer, progress=seen.append)


@pytest.mark.parametrize("page", [1, 2, 3, 500])
def test_S4_rounds_are_walked_in_pages_none_twice_and_none_left_out(
    forger: Forger, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audits, "_PAGE", page)
    played = forger.value("SELECT COUNT(*) FROM rounds WHERE opened_at_ms IS NOT NULL")
    seen: list[int] = []
    done = audited(forger, seen)
    assert (done.findings, done.rounds) == ((), played)
    # Now and then it says how many it has seen; a deal that waits is not one of them.
    assert set(seen) - {0} == set(range(page, played + 1, page))
    assert audited(forger) == done


def test_S4_an_audit_tells_what_no_seal_covers(forger: Forger) -> None:
    with forger.trying():
        forger.file.execute("DELETE FROM seals WHERE id > 2")
        assert (audited(forger).seals, audited(forger).unsealed) == (2, 32)
        forger.file.execute("DELETE FROM seals")
        done = audited(forger)
        assert (done.seals, done.unsealed, done.anchor) == (0, 63, "0" * 64)


def test_S4_the_first_bad_round_in_the_order_of_ids_is_told(forger: Forger) -> None:
    with forger.trying():
        forger.file.execute("UPDATE rounds SET client_seed = client_seed || 'x'")
        (found,) = (each for each in forger.found() if each.table == "rounds")
    assert found.row == min(
        str(each) for (each,) in forger.rows("SELECT id FROM rounds WHERE client_seed IS NOT NULL")
    )
