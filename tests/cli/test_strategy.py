"""`tapis strategy`: its output for each game, and its refusals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from cli.typed import WAYS, Run, refused, typed
from tapisvert.games.blackjack.odds.chart import Chart as BlackjackChart
from tapisvert.games.blackjack.odds.chart import Odd
from tapisvert.games.high_card_flush.odds.chart import Chart as FlushChart
from tapisvert.games.pai_gow.odds.chart import Chart as PaiGowChart
from tapisvert.games.pai_gow.odds.chart import Difference, Laid
from tapisvert.games.ultimate.odds.chart import Start
from tapisvert.lab import mathematics
from tapisvert.odds.thresholds import Between, PlayingLine

LINE = PlayingLine(
    plays_from="high-card AKQJ2",
    folds_to="high-card AQJT9",
    between=[
        Between(
            hand="high-card AKQ32",
            positions=40,
            played=Fraction(3, 4),
            against={"A": (20, 20), "2": (10, 20)},
        )
    ],
)


def started(hand: str) -> Start:
    best = "raise-4" if hand[0] == "A" else "check"
    return Start(hand, 4, best, {"check": Fraction(1, 3), "raise-4": Fraction(1, 2)})


def hands() -> list[str]:
    ranks = "AKQJT98765432"
    pairs = [a + a for a in ranks]
    return pairs + [a + b + s for n, a in enumerate(ranks) for b in ranks[n + 1 :] for s in "so"]


CHARTS: dict[str, tuple[Any, list[str]]] = {
    "casino-stud": (LINE, ["Always play high card A-K-Q-J-2 or better", "A-K-Q", "100%", "50%"]),
    "high-card-flush": (
        FlushChart(
            PlayingLine(
                plays_from="J32",
                folds_to=None,
                between=[Between(hand="T98", positions=1234, played=Fraction(1, 3))],
            ),
            {"flush-3": {"fold": 5, "raise-1": 7_000}},
        ),
        ["Always raise J-3-2 or better", "10-9-8", "1,234", "33.33%", "7,000"],
    ),
    "ultimate": ([started(hand) for hand in hands()], ["4× 0.50", "0.33"]),
    "blackjack": (
        BlackjackChart(
            {"hard-16": {"T": "hit", "6": "stand"}, "pair-8": {"T": "split", "6": "double"}},
            [Odd("7 9", "T", "hard-16", "hit", "stand", 0.0123)],
        ),
        ["Stand", "S", "H", "P", "D", "1 of 1", "7-9", "1.230%"],
    ),
    "pai-gow": (
        PaiGowChart(
            200,
            {1: 50, 2: 150},
            [
                Difference(
                    2, Laid("pair", "pair"), Laid("two-pair", "high-card"), 20, Fraction(1, 8)
                )
            ],
        ),
        ["25.000%", "20 of 200 hands", "12.5000% of the stake"],
    ),
}


def drawn(*words: str) -> str:
    done = typed("strategy", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("game", CHARTS)
def test_each_game_is_drawn_in_its_own_form_and_every_value_is_in_its_json(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart, words = CHARTS[game]
    monkeypatch.setattr(mathematics, "strategy", lambda sheet, tell: chart)
    out = drawn(game)
    for word in words:
        assert word in out, out
    found = msgspec.json.decode(drawn(game, "--json"))
    assert (found["game"], len(found["sheet_hash"])) == (game, 64)
    if game == "ultimate":  # no float for a fraction
        assert found["strategy"][0]["values"] == {"check": "1/3", "raise-4": "1/2"}
    if game == "casino-stud":
        assert found["strategy"]["between"][0]["played"] == "3/4"


@pytest.mark.parametrize("way", WAYS)
def test_a_changed_sheet_is_drawn_by_the_same_command(way: Run) -> None:
    done = way("strategy", "casino-stud", "--set", 'house.qualifies_with=["K","Q"]', "--json")
    assert done.returncode == 0, done.stderr
    assert msgspec.json.decode(done.stdout)["strategy"]["plays_from"] != LINE.plays_from


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("baccarat", "request/unknown_game"),
        ("ultimate --set play.pays.moon=1:1", "sheet/unknown_key"),
        ("ultimate --sheet /nowhere.toml", "sheet/unreadable"),
    ],
)
def test_what_cannot_be_drawn_is_told(words: str, code: str) -> None:
    assert refused(typed("strategy", *words.split()))[1] == code
