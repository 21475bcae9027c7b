"""The rules a table can be played by are listed: variants, and which figures stay the house's."""

from __future__ import annotations

import pytest

from houses import Guest
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.lab import proof_store
from tapisvert.sheets import load, variants_of


@pytest.mark.parametrize("game", SHIPPED)
def test_the_figures_that_are_listed_as_the_houses_are_those_that_are_refused(
    guest: Guest, game: str
) -> None:
    listed = guest.get(f"/games/{game}/variants").json()
    refused = set()
    for key, value in listed["figures"].items():
        code = guest.post(f"/games/{game}/rules", {"changes": {key: value}}).json().get("code")
        if code == "rules/of_the_house":
            refused.add(key)
        else:
            assert code is None, key
    assert refused == set(listed["stays"]) < set(listed["figures"])
    slow = {key for key in refused if key.startswith(("main.", "house.", "house_way."))}
    assert set(listed["slow"]) == slow
    assert bool(slow) == (game == "pai-gow")


@pytest.mark.parametrize("game", SHIPPED)
def test_every_variant_differs_is_proved_and_is_listed(guest: Guest, game: str) -> None:
    listed = guest.get(f"/games/{game}/variants").json()["variants"]
    sheets = variants_of(load(game))
    assert {each["id"]: each["sheet_hash"] for each in listed} == {
        name: sheet.hash for name, sheet in sheets.items()
    }
    assert sheets
    for each in listed:
        assert each["changes"] == GAMES[game].variants()[each["id"]]
        proofs = proof_store.find(sheets[each["id"]])
        assert {proof.bet for proof in proofs} == set(GAMES[game].bets)
        assert len(each["returns"]) == len(proofs)
