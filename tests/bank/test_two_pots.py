"""A second pot, with rows of its own in every table, changes nothing at the first.

No game but Blackjack has a jackpot, so the second pot is copied in by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import msgspec
import pytest
from msgspec.structs import astuple, replace

from bank.forging import pot_books
from bank.tampering import Forger
from rounds.house_with_pot import GAME, named_deck
from tapisvert.bank import jackpot, jackpot_audit, money, rate_repository
from tapisvert.bank.money import Purse
from tapisvert.bank.pot import award, marked
from tapisvert.operations.jackpot_views import meters, pot_report, wins_after
from tapisvert.refusal import Broken, Refused
from tapisvert.store import Tx
from tapisvert.store.sqlite_tx import SqliteTx

NOW_MS = 1_700_000_100_000
QUESTIONS: dict[str, Callable[[Tx], object]] = {
    "report": lambda tx: pot_report(tx, jackpot.load(tx, GAME)),
    "meter": lambda tx: next(each for each in meters(tx, NOW_MS).jackpots if each.id == GAME),
    "wins": lambda tx: wins_after(tx, GAME, 0),
    "last wins": lambda tx: wins_after(tx, GAME, 1),
    "no wins": lambda tx: wins_after(tx, GAME, 3),
    "rates": lambda tx: rate_repository.all_of(tx, GAME),
    "rates in force": lambda tx: rate_repository.all_in_force(tx, GAME),
    "a rate": lambda tx: rate_repository.in_force(tx, GAME, "EUR"),
    "no rate": lambda tx: rate_repository.in_force(tx, GAME, "GBP"),
    "findings": lambda tx: [
        each
        for each in jackpot_audit.check_pots(tx)
        if each.row == GAME or each.table != "jackpots"
    ],
    "fold": lambda tx: jackpot.gathered(tx, jackpot.load(tx, GAME), NOW_MS),
}


@pytest.fixture(scope="module")
def forger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forger]:
    path = tmp_path_factory.mktemp("pots") / "tapis.db"
    pot_books(path, crashed=True)
    made = Forger(path, named_deck)
    waiting = "SELECT id FROM contributions ORDER BY id DESC LIMIT 2"
    made.file.execute(f"UPDATE contributions SET fold = NULL WHERE id IN ({waiting})")
    yield made
    made.file.close()


def add_second(forger: Forger, name: str) -> None:
    """Copy every row of the pot to another, with other figures; its rows come before and after."""
    columns = ", ".join(forger.columns("jackpots")[1:])
    forger.file.execute(
        f"INSERT INTO jackpots (id, {columns}) SELECT ?, {columns} FROM jackpots", (name,)
    )
    forger.file.execute("UPDATE jackpots SET folds = 77, units = units + 1 WHERE id = ?", (name,))
    for table, number in (("contributions", "id"), ("rates", "id")):
        named = [each for each in forger.columns(table) if each not in (number, "pot")]
        rest = ", ".join(named)
        values = ", ".join(
            {"units": "units + 5", "round_id": "'x' || round_id", "fold": "fold + 1"}.get(
                each, each
            )
            for each in named
        )
        for shift in (-1000, 1000):
            renamed = values.replace("'x'", f"'{shift}'")
            forger.file.execute(
                f"INSERT INTO {table} ({number}, pot, {rest})"
                f" SELECT {number} + {shift}, ?, {renamed} FROM {table} WHERE pot = ?",
                (name, GAME),
            )
    named = [each for each in forger.columns("awards") if each not in ("pot", "round_id")]
    rest = ", ".join(named)
    forger.file.execute(
        f"INSERT INTO awards (pot, round_id, {rest})"
        f" SELECT ?, 'x' || round_id, {rest.replace('award_units', 'award_units + 100000')}"
        " FROM awards WHERE pot = ?",
        (name, GAME),
    )
    moved = "at_ms, currency, units + 7, reason, player_id, round_id, bet"
    columns = moved.replace(" + 7", "")
    for side in ("debit", "credit"):
        other = "credit" if side == "debit" else "debit"
        for kind in ("jackpot", "contributed"):
            forger.file.execute(
                f"INSERT INTO transfers (id, {side}, {other}, {columns})"
                f" SELECT id - 5000 - {len(kind) * 100}, '{kind}:{name}', 'house:x', {moved}"
                f" FROM transfers WHERE {side} = '{kind}:{GAME}'"
            )


@pytest.mark.parametrize("name", ["aaa", "ultimate"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_second_pot_changes_nothing_at_the_first(
    forger: Forger, question: str, name: str
) -> None:
    ask = QUESTIONS[question]
    with forger.trying():
        alone = ask(SqliteTx(forger.file))
    with forger.trying():
        add_second(forger, name)
        assert ask(SqliteTx(forger.file)) == alone
        assert [pot.id for pot in jackpot.pots(SqliteTx(forger.file))] == sorted([GAME, name])


def test_what_waits_for_the_next_fold_is_reported_and_nothing_else(forger: Forger) -> None:
    rows = forger.rows("SELECT units FROM contributions WHERE fold IS NULL")
    report = pot_report(SqliteTx(forger.file), jackpot.load(SqliteTx(forger.file), GAME))
    assert len(rows) == 2
    assert report.waiting_units == sum(units for (units,) in rows)


def test_wins_are_told_in_order_after_the_one_named(forger: Forger) -> None:
    tx = SqliteTx(forger.file)
    assert [win.trigger for win in wins_after(tx, GAME, 0)] == [1, 2, 3, 4]
    assert [win.trigger for win in wins_after(tx, GAME, 2)] == [3, 4]
    (shown,) = meters(tx, NOW_MS).jackpots
    assert shown.last_win == wins_after(tx, GAME, 3)[-1]
    assert shown.age_ms == NOW_MS - jackpot.load(tx, GAME).as_of_ms
    (early,) = meters(tx, 0).jackpots  # a clock that was set back shows no negative age
    assert early.age_ms == 0


def test_a_pot_is_kept_as_its_account_holds_it_and_no_other_pot_with_it(forger: Forger) -> None:
    with forger.trying():
        add_second(forger, "ultimate")
        tx = SqliteTx(forger.file)
        tx.mark = lambda content: content  # type: ignore[method-assign]
        other, pot = jackpot.load(tx, "ultimate"), jackpot.load(tx, GAME)
        jackpot.save(tx, replace(pot, as_of_ms=5))
        assert jackpot.load(tx, GAME).as_of_ms == 5
        assert jackpot.load(tx, "ultimate") == other
        with pytest.raises(Broken, match=r"^a pot's units must equal its account's balance$"):
            jackpot.save(tx, replace(pot, units=pot.units + 1))


def test_the_mark_of_a_pot_covers_the_name_of_its_table_and_its_row(forger: Forger) -> None:
    pot = jackpot.load(SqliteTx(forger.file), GAME)
    assert msgspec.json.decode(marked(pot)) == ["jackpots", *astuple(pot)]


def test_a_total_that_cannot_be_counted_is_no_award(forger: Forger) -> None:
    pot = jackpot.load(SqliteTx(forger.file), GAME)
    purse = Purse("", pot.currency, 1)
    most = replace(pot, funded_units=money.UNITS_MAX)
    taken = award(most, purse, "royal", Fraction(1, 10), None, restarts=False)
    assert taken.after.funded_units == money.UNITS_MAX
    for over in ("funded_units", "awarded_units"):
        full = replace(pot, **{over: money.UNITS_MAX})
        with pytest.raises(Refused):
            award(full, purse, "royal", Fraction(1), None, restarts=True)


def test_in_another_currency_nothing_is_awarded_without_a_rate(forger: Forger) -> None:
    pot = jackpot.load(SqliteTx(forger.file), GAME)
    with pytest.raises(Refused, match="jackpot/no_rate"):
        award(pot, Purse("", "GBP", 1), "royal", Fraction(1, 10), None, restarts=False)
