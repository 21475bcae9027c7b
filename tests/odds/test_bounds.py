"""The largest prices of a sheet: sums are exact, or the sheet is refused; nothing overflows."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from odds.renaming import sheet_of
from tapisvert.games.casino_stud.odds import proof as casino_stud
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.games.high_card_flush.odds import proof as high_card_flush
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.games.ultimate.odds.sums import prices
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.odds.combinatorics import must_fit
from tapisvert.ranking.standard import CATEGORIES
from tapisvert.refusal import Refused

STUD_HANDS, FLUSH_HANDS = comb(46, 4), comb(45, 7)


def limits(cents: int, *spots: str) -> dict[str, object]:
    """Return a table with one possible stake, so large that fine prices pay whole cents."""
    ends = [f"spots.{spot}.{end}_cents" for spot in spots for end in ("min", "max")]
    return {**dict.fromkeys(ends, cents), "step_cents": cents}


def stud_row(unqualified: int, beaten: int, better: int) -> casino_stud.Positions:
    """Return one position of a royal flush, with these counts of the house's hands."""
    one = {name: np.array([[0]]) for name in casino_stud.Positions._fields}
    one["strengths"] = np.array([CATEGORIES.index("royal-flush") << 20], dtype=np.int32)
    counts = {"unqualified": unqualified, "beaten": beaten, "better": better}
    one |= {name: np.array([[count]], dtype=np.int32) for name, count in counts.items()}
    return casino_stud.Positions(**one)


def flush_row(unqualified: int, beaten: int, better: int) -> high_card_flush.Positions:
    """Return one position of a flush of seven, with these counts of the house's hands."""
    one = {name: np.array([0]) for name in high_card_flush.Positions._fields}
    one["lengths"] = np.array([7], dtype=np.int8)
    counts = {"unqualified": unqualified, "beaten": beaten, "better": better}
    one |= {name: np.array([count], dtype=np.int32) for name, count in counts.items()}
    return high_card_flush.Positions(**one)


@pytest.mark.parametrize(
    "changes",
    [
        # The finest unit and the largest prices that the ledger can hold at all.
        {"play.times_ante": 1, "play.pays.royal-flush": 10**6, "ante.pays": "1:9000000"},
        {"play.times_ante": 100, "play.pays.royal-flush": 10**4, "ante.pays": "10000001:9000000"},
    ],
    ids=["once", "a hundred times"],
)
def test_no_sheet_of_casino_stud_is_too_large(changes: dict[str, object]) -> None:
    sheet = sheet_of(CasinoStud, limits(9_000_000, "ante", "bonus") | changes)
    times = sheet.play.times_ante
    won = sheet.ante.pays + times * sheet.play.pays["royal-flush"]
    for counts, net in (
        ((0, STUD_HANDS, 0), won),
        ((STUD_HANDS, 0, 0), sheet.ante.pays),
        ((0, 0, STUD_HANDS), Fraction(-1 - times)),
    ):
        value, unit = casino_stud.play_values(sheet, stud_row(*counts))
        assert unit == 9_000_000
        assert int(value[0, 0]) == STUD_HANDS * net * unit


def test_what_the_ledger_cannot_hold_is_no_sheet_at_all() -> None:
    with pytest.raises(Refused, match="more could be won than the ledger can hold"):
        sheet_of(
            CasinoStud,
            limits(9_000_000, "ante", "bonus")
            | {"play.times_ante": 2, "play.pays.royal-flush": 10**6},
        )


def test_a_raise_at_High_Card_Flush_is_exact_or_refused() -> None:
    changes: dict[str, object] = {"ante.pays": "1:90000", "raise.pays": 10**6}
    changes |= limits(90_000, "ante", "flush", "straight-flush")
    changes |= {f"raise.most_times.flush-{cards}": 3 for cards in range(2, 8)}
    sheet = sheet_of(HighCardFlush, changes)
    for times in (1, 2):
        value, unit = high_card_flush.raise_values(sheet, flush_row(0, FLUSH_HANDS, 0), times)
        assert int(value[0]) == FLUSH_HANDS * (Fraction(1, 90_000) + times * 10**6) * unit
    with pytest.raises(Refused, match="prove/too_large"):
        high_card_flush.raise_values(sheet, flush_row(0, FLUSH_HANDS, 0), 3)
    with pytest.raises(Refused, match="prove/too_large"):
        high_card_flush.optimal(sheet, flush_row(0, FLUSH_HANDS, 0))


def test_prices_at_Ultimate_fit_or_are_refused() -> None:
    rows: dict[str, object] = {f"blind.pays.{row}": 10**6 for row in sheet_of(Ultimate).blind.pays}
    rows |= {"ante.pays": 10**6, "play.pays": 10**6}
    assert prices(sheet_of(Ultimate, rows)).unit == 1
    fits = sheet_of(Ultimate, rows | {"blind.pays.flush": "1999999:2"})
    most = (10**6 + 10**6 + 4 * 10**6 + 6) * prices(fits).unit
    # All deals beside a pair, each ending with the most: the largest sum there could be.
    assert comb(50, 3) * comb(47, 2) * comb(45, 2) * most < 2**63
    with pytest.raises(Refused, match="prove/too_large"):
        prices(sheet_of(Ultimate, rows | {"blind.pays.flush": "99999999:100"}))


def test_the_last_number_that_fits_is_taken_and_the_next_refused() -> None:
    must_fit(2**63 - 1)
    with pytest.raises(Refused, match="prove/too_large"):
        must_fit(2**63)
