"""Values of options, compared with slow computations that share no code with them."""

from __future__ import annotations

from random import Random

import pytest

from coach.sums import written
from odds import oracle_flush, oracle_stud, oracle_ultimate
from odds.renaming import sheet_of
from tapisvert.cards import STANDARD
from tapisvert.coach.advice import advise
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.ranking.flush import length, strength
from tapisvert.ranking.standard import category
from tapisvert.ranking.standard import strength as standard
from tiers import few_or_many

EXACT = 1e-12
each_sample = pytest.mark.parametrize("count", few_or_many(5, 25))
STUD = {"house.qualifies_with": ["K", "Q"], "play.pays.pair": "2:1"}
FLUSH = {"raise.most_times.flush-6": 3, "house.qualifies_with": ["8"]}
ULTIMATE = {"house.opens_with": "high-card", "play.after_flop": [1, 2]}


@each_sample
@pytest.mark.parametrize("changes", [{}, STUD], ids=["shipped", "changed"])
def test_casino_stud_against_each_of_163_185_hands(changes: dict[str, object], count: int) -> None:
    sheet, chance = sheet_of(CasinoStud, changes), Random(4)
    for _ in range(count):
        *player, up = chance.sample(STANDARD, 6)
        ends = oracle_stud.ends(player, up, sheet.house.qualifies_with)
        asked = {"game": "casino-stud", "player": written(player), "house": written([up])}
        found = advise({**asked, "sheet": changes})
        worth = oracle_stud.play_value(sheet, player, ends)
        assert found.options == pytest.approx({"play": float(worth), "fold": -1.0}, abs=EXACT)
        assert found.best == ("play" if worth > -1 else "fold")


@each_sample
@pytest.mark.parametrize("changes", [{}, FLUSH], ids=["shipped", "changed"])
def test_high_card_flush_against_hands_counted_by_shares(
    changes: dict[str, object], count: int
) -> None:
    sheet, chance = sheet_of(HighCardFlush, changes), Random(5)
    for _ in range(count):
        player = chance.sample(STANDARD, 7)
        ends = oracle_flush.ends_by_shares(player, sheet.least_to_qualify)
        most = sheet.raises.most_times[f"flush-{length(strength(player))}"]
        wanted = {
            f"raise-{times}": float(oracle_flush.raise_value(sheet, ends, times))
            for times in range(1, most + 1)
        }
        asked = {"game": "high-card-flush", "player": written(player), "sheet": changes}
        assert advise(asked).options == pytest.approx(wanted | {"fold": -1.0}, abs=EXACT)


@each_sample
@pytest.mark.parametrize("changes", [{}, ULTIMATE], ids=["shipped", "changed"])
def test_ultimate_on_the_flop_against_a_million_endings(
    changes: dict[str, object], count: int
) -> None:
    sheet, chance = sheet_of(Ultimate, changes), Random(6)
    for _ in range(count):
        *pair, one, two, three = chance.sample(STANDARD, 5)
        flop = [one, two, three]
        fixed, per_ante, checked = oracle_ultimate.on_flop(sheet, pair, flop)
        wanted = {"check": checked} | {
            f"raise-{times}": fixed + times * per_ante for times in sheet.play.after_flop
        }
        asked = {"game": "ultimate", "player": written(pair), "board": written(flop)}
        found = advise({**asked, "sheet": changes})
        endings = {name: float(worth / (1081 * 990)) for name, worth in wanted.items()}
        assert found.options == pytest.approx(endings, abs=EXACT)


@each_sample
@pytest.mark.parametrize("changes", [{}, ULTIMATE], ids=["shipped", "changed"])
def test_ultimate_at_the_river_against_the_990_pairs(
    changes: dict[str, object], count: int
) -> None:
    sheet, chance = sheet_of(Ultimate, changes), Random(7)
    for _ in range(count):
        *pair, a, b, c, d, e = chance.sample(STANDARD, 7)
        board = [a, b, c, d, e]
        met = oracle_ultimate.showdowns(pair, board, sheet.house.opens_with)
        row = category(standard([*pair, *board]))
        worth = float(oracle_ultimate.raised_worth(sheet, row, met, 1) / 990)
        asked = {"game": "ultimate", "player": written(pair), "board": written(board)}
        found = advise({**asked, "sheet": changes})
        assert found.options == pytest.approx({"raise-1": worth, "fold": -2.0}, abs=EXACT)
