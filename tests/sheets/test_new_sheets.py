"""Unplayable figures in the sheets of the four later games are refused by name."""

from __future__ import annotations

import json

import pytest

from tapisvert.engine.sheet import Sheet, content
from tapisvert.engine.sheet_file import load_body, load_file, with_changes
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.games.registry import GAMES
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.refusal import Refused
from tapisvert.sheets import load

WRONG: list[tuple[type[Sheet], str, object]] = [
    (HighCardFlush, "ante.pays", "1:3"),
    (HighCardFlush, "raise.pays", "1:3"),
    (HighCardFlush, "flush.pays.flush-4", "1:3"),
    (HighCardFlush, "house.qualifies_with", ["9", "T"]),
    (HighCardFlush, "house.qualifies_with", ["K", "Q", "J", "T"]),
    (HighCardFlush, "raise.most_times.flush-7", 0),
    (Ultimate, "ante.pays", "1:3"),
    (Ultimate, "play.pays", "1:3"),
    (Ultimate, "house.opens_with", "a good hand"),
    (Ultimate, "play.before_flop", [4, 3]),
    (Ultimate, "play.after_river", []),
    (PaiGow, "main.pays", "1:3"),
    (PaiGow, "fortune.pays.straight", "1:3"),
    (PaiGow, "house.not_eligible_with", "1"),
    (PaiGow, "house_way.fours_stay_to", "10"),
    (PaiGow, "house_way.two_pairs_split_with", 6),
    (PaiGow, "house_way.pair_stays_from", ""),
    (Blackjack, "hand.pays", "1:3"),
    (Blackjack, "hand.blackjack_pays", "1:3"),
    (Blackjack, "hand.even_money_pays", "1:3"),
    (Blackjack, "insurance.pays", "1:4"),
    (Blackjack, "hand.double_after_split", "sometimes"),
    (Blackjack, "royal.shares.straight-flush", "11:10"),
    (Blackjack, "step_cents", 101),
]


@pytest.mark.parametrize(("kind", "key", "figure"), WRONG, ids=lambda it: str(it)[:40])
def test_a_figure_that_cannot_be_played_by_is_refused_by_name(
    kind: type[Sheet], key: str, figure: object
) -> None:
    sheet = load_file(GAMES[kind.game_id].folder / "sheet.toml", kind)
    changes: dict[str, object] = {key: figure}
    if key == "insurance.pays":
        changes["step_cents"] = 2  # the least stake: half of it is one cent
    with pytest.raises(Refused) as refused:
        with_changes(sheet, changes)
    assert refused.value.code == "sheet/invalid"
    assert refused.value.details["key"] == key


def test_a_sheet_stored_before_the_house_way_had_figures_is_played_as_it_was() -> None:
    shipped = load("pai-gow")
    figures = content(shipped)
    del figures["house_way"]
    assert load_body(json.dumps(figures).encode(), PaiGow) == shipped
