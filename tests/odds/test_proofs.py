"""Stored proofs: a figure is shown only for the sheet it was counted from (G7)."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from houses import client_of, make_house
from tapisvert.engine.sheet import Sheet, content
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import GAMES as INSTALLED
from tapisvert.games.registry import SHIPPED
from tapisvert.lab import proof_store
from tapisvert.odds.figures import Outcome, counted, write_return
from tapisvert.sheets import load

GAMES = tuple(SHIPPED)


@pytest.mark.parametrize("game", GAMES)
def test_a_proof_follows_from_its_own_outcomes(game: str) -> None:
    """The file can be checked by itself: mean, money staked, variance and hits are sums."""
    for proof in proof_store.find(load(game)):
        if not proof.outcomes:
            assert not proof.exact or proof.parts
            continue
        outcomes = [
            Outcome(each.name, each.deals, Fraction(each.net), Fraction(each.staked))
            for each in proof.outcomes
        ]
        deals = sum(each.deals for each in outcomes)
        made = proof_store.written(load(game), counted(proof.bet, proof.strategy, deals, outcomes))
        # The pot of Royal Poker varies beside the cards: its rows hold the mean of what they pay.
        fields = {"edge", "staked", "returned", "hit"} | (
            {"variance"} if not proof.parts else set()
        )
        for field in sorted(fields):
            assert getattr(made, field) == getattr(proof, field), (proof.bet, field)


def test_proofs_kept_in_a_folder_are_found_beside_the_shipped_ones(tmp_path: Path) -> None:
    sheet = with_changes(load("casino-stud"), {"bonus.pays.flush": "16:1"})
    coin = counted(
        "bonus", "none", 2, [Outcome("a", 1, Fraction(1)), Outcome("b", 1, -Fraction(1))]
    )
    proof_store.keep(tmp_path, sheet, [proof_store.written(sheet, coin)])
    assert [each.bet for each in proof_store.find(sheet)].count("bonus") == 0
    (found,) = [each for each in proof_store.find(sheet, tmp_path) if each.bet == "bonus"]
    assert (found.edge, found.returned) == ("0/1", "1.000000000000")
    proof_store.keep(tmp_path, load("casino-stud"), [])  # another sheet leaves it where it is
    assert found in proof_store.find(sheet, tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_G7_the_table_shows_what_was_proved_with_its_base_and_strategy(
    game: str, tmp_path: Path
) -> None:
    house = make_house(tmp_path / "tapis.db")
    with client_of(house) as client:
        shown = client.get(f"/api/v1/games/{game}").json()["returns"]
    assert [(each["bet"], each["strategy"], each["return"]) for each in shown] == [
        (proof.bet, proof.strategy, proof.returned) for proof in proof_store.find(load(game))
    ]
    for each in shown:
        edge, staked = Fraction(each["edge"]), Fraction(each["staked"])
        assert each["return"] == write_return(1 + edge / staked)


def test_G7_a_table_with_another_price_shows_no_figure_of_the_old_one(tmp_path: Path) -> None:
    def dearer(game: str) -> Sheet:
        return with_changes(load(game), {"play.pays.flush": "7:1"} if game == "casino-stud" else {})

    house = make_house(tmp_path / "tapis.db", sheet_of=dearer)
    with client_of(house) as client:
        shown = client.get("/api/v1/games/casino-stud").json()["returns"]
    assert {each["bet"] for each in shown} == {"bonus"}


@pytest.mark.parametrize("game", GAMES)
def test_G7_every_bet_returns_at_least_75_percent(game: str) -> None:
    for proof in proof_store.find(load(game)):
        if proof.strategy in ("optimal", "house-way", "none"):  # a habit may be as bad as it likes
            assert Fraction(proof.returned) >= Fraction(3, 4), (proof.bet, proof.strategy)


def test_a_key_names_every_field_of_the_sheet_or_says_why_not() -> None:
    """A new field of a sheet must be assigned to the bets it affects."""
    apart = {"game", "step_cents", "void_after_s", "spots", "caps_cents", "published"}
    for game, bets in ((game.id, game.bets) for game in INSTALLED.values()):
        fields = {name for bet in bets.values() for name in bet.fields}
        assert set(content(load(game))) - apart <= fields
