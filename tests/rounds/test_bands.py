"""The expected band of a player's results, compared with figures worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from houses import HOUSE_WINS, Guest, client_of, make_house
from rounds.house_with_operator import open_tables
from rounds.test_statistics import known, statistics
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.history.bet_counts import Alike
from tapisvert.sheets import load


def bands(guest: Guest, game: str) -> dict[str, Any]:
    (found,) = [each for each in statistics(guest)["games"] if each["game"] == game]
    return {bet["bet"]: bet["band"] for bet in found["bets"]}


def test_the_band_of_casino_stud_is_the_one_worked_out_by_hand(tmp_path: Path) -> None:
    """Antes of 10, 10 and 20: the mean is 40 x -0.05224306 = -2.09, the variance of a round
    5.0308259 per ante squared: 2 x sqrt(5.0308259 x (100 + 100 + 400)) = 109.88. Of the bonus,
    5 once: 5 x -0.08561408 = -0.43 and 2 x 5 x sqrt(29.684961) = 54.48, of which 5 can be lost.
    """
    with client_of(make_house(tmp_path / "tapis.db", HOUSE_WINS)) as client:
        guest = Guest(client)
        for stakes in ({"ante": 1000}, {"ante": 1000, "bonus": 500}, {"ante": 2000}):
            guest.choose(guest.open(stakes).json()["round"]["id"], "fold")
        found = bands(guest, "casino-stud")
    assert found == {
        "main": {
            "strategy": "optimal",
            "return": "0.974447143852",
            "mean_cents": -209,
            "low_cents": -209 - 10988,
            "high_cents": -209 + 10988,
        },
        "bonus": {
            "strategy": "none",
            "return": "0.914385918033",
            "mean_cents": -43,
            "low_cents": -500,
            "high_cents": -43 + 5448,
        },
    }


def test_two_hands_of_blackjack_vary_at_most_like_one_with_both_stakes(tmp_path: Path) -> None:
    """10 and 5 on two hands: 2 x 15 x sqrt(1.22851094) = 33.25. A jackpot has no band."""
    with client_of(make_house(tmp_path / "tapis.db", "Th 9s Tc 8s 7d Td")) as client:
        guest = Guest(client)
        stakes = {"hand-1": 1000, "hand-2": 500, "royal": 100}
        round_id = guest.open(stakes, game="blackjack").json()["round"]["id"]
        for step in range(2):
            guest.choose(round_id, "stand", step)
        found = bands(guest, "blackjack")
    mean = round(1500 * -0.003363442)
    assert found["main"]["mean_cents"] == mean
    assert found["main"]["high_cents"] - mean == 3325
    assert found["royal"] is None


def test_a_spot_without_a_stake_adds_nothing_to_the_first_stake() -> None:
    alike = Alike(load("blackjack"), {"hand-2": 500, "royal": 100}, 1, 600, 0)
    assert [alike.first_cents(bet) for bet in ("main", "royal")] == [500, 100]
    assert Alike(load("ultimate"), {"ante": 5}, 1, 5, 0).first_cents("trips") == 0


def test_a_raise_is_no_first_stake(tmp_path: Path) -> None:
    """Ultimate, 10 on ante and blind, raised by 40: the band is based on the ante of 10."""
    with client_of(open_tables(tmp_path / "tapis.db")) as client:
        guest = Guest(client)
        known(guest, "ultimate")
        found = bands(guest, "ultimate")["main"]
    assert found["mean_cents"] == round(1000 * -0.021849714)
    assert found["high_cents"] - found["mean_cents"] == int(2 * 1000 * 24.396673537659613**0.5)


def test_what_was_not_proved_has_no_band(tmp_path: Path) -> None:
    changed = with_changes(load("casino-stud"), {"play.times_ante": 3})

    def sheet_of(game: str) -> Sheet:
        return changed if game == "casino-stud" else load(game)

    house = make_house(tmp_path / "tapis.db", HOUSE_WINS)
    with client_of(house) as client:
        guest = Guest(client)
        stakes = {"ante": 1000, "bonus": 500}
        guest.choose(guest.open(stakes).json()["round"]["id"], "fold")
        assert bands(guest, "casino-stud")["main"] is not None
        house.sheet_of = sheet_of
        guest.seat()
        guest.choose(guest.open(stakes).json()["round"]["id"], "fold")
        found = bands(guest, "casino-stud")
    assert found["main"] is None  # of two rounds one has no figure: no figure for both
    assert found["bonus"]["mean_cents"] == round(1000 * -0.085614082)
