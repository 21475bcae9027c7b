"""What would have happened after a fold: told once the round has ended, and never before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from houses import Guest, Indifferent, client_of
from rounds.house_with_operator import TABLES, open_tables
from tapisvert.games.registry import GAMES
from web.scene import code_of

# The games with a fold, by their layouts: the page offers the button by the same words.
FOLDS = [
    game
    for game in TABLES
    if re.search(r"loses: \{ fold:", (GAMES[game].folder / "layout.js").read_text("utf-8"))
]
PATHS = (
    *("", "?since=0", "/recall", "/proof", "/what-if", "/what-if?choice=fold", "/review"),
    *("/advice", "/what-if/advice"),
)


def test_three_games_have_a_fold() -> None:
    assert set(FOLDS) == {"casino-stud", "high-card-flush", "ultimate"}


@pytest.mark.parametrize("game", FOLDS)
def test_hidden_cards_are_on_the_wire_only_after_the_fold(tmp_path: Path, game: str) -> None:
    said: list[str] = []
    with client_of(open_tables(tmp_path / "tapis.db"), Indifferent()) as client:
        guest = Guest(client)
        reply = guest.open(TABLES[game].stakes, game=game)
        round_id, choices = reply.json()["round"]["id"], list[str]()
        while ask := reply.json()["round"]["ask"]:
            said.append(reply.text)
            options = [option["id"] for option in ask["options"]]
            for option in options:  # what playing on would give, asked too soon
                asked = "&".join(f"choice={each}" for each in [*choices, option])
                early = guest.get(f"/rounds/{round_id}/what-if?{asked}")
                assert code_of(early) == (409, "round/not_ended")
                said.append(early.text)
            for path in PATHS:
                early = guest.get(f"/rounds/{round_id}{path}")
                if path not in ("", "?since=0", "/advice"):
                    assert code_of(early) == (409, "round/not_ended")
                said.append(early.text)
            choices.append("fold" if "fold" in options else "check")
            reply = guest.choose(round_id, choices[-1], ask["step"])
        said.append(reply.text)  # the result of the fold itself
        playing_on = [*choices[:-1], next(option for option in options if option != "fold")]
        asked = "&".join(f"choice={each}" for each in playing_on)
        told = guest.get(f"/rounds/{round_id}/what-if?{asked}")
        shown = told.json()["hands"]["house"]
        hidden = [card for card in shown if card not in reply.json()["round"]["hands"]["house"]]
        assert len(hidden) == {"casino-stud": 4, "high-card-flush": 7, "ultimate": 2}[game]
        assert told.json()["ask"] is None
        for card in hidden:
            assert f'"{card}"' in told.text
            assert not any(f'"{card}"' in each for each in said)
