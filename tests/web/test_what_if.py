"""What if: a finished round with other choices on the same deck, neither stored nor paid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from coach.present import Present
from houses import Guest, client_of, make_house
from rounds.guest_seat import rows_of
from rounds.house_with_operator import TABLES, open_tables
from tapisvert.cards import parse
from tapisvert.coach.advice import advise
from tapisvert.engine import Answer, replay, view
from tapisvert.games.registry import current
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from web.scene import code_of

SIDE_BETS = {"bonus", "flush", "straight-flush", "fortune", "trips", "royal"}


@pytest.fixture(params=TABLES)
def finished(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Guest, str, Any]]:
    """Play one round of a game to its end; yield the guest, the round's id and its proof."""
    game: str = request.param
    with client_of(open_tables(tmp_path / "tapis.db"), Present()) as client:
        guest = Guest(client)
        round_id = guest.open(TABLES[game].stakes, game=game).json()["round"]["id"]
        for step, choice in enumerate(TABLES[game].choices):
            guest.choose(round_id, choice, step)
        yield guest, round_id, guest.get(f"/rounds/{round_id}/proof").json()


def other(guest: Guest, round_id: str, *choices: str, rest: str = "") -> Any:
    asked = urlencode([("choice", choice) for choice in choices])
    return guest.get(f"/rounds/{round_id}/what-if{rest}?{asked}")


def test_the_choices_that_were_taken_lead_to_the_lines_that_were_paid(finished: Any) -> None:
    guest, round_id, proof = finished
    shown = other(guest, round_id, *TABLES[proof["game"]].choices).json()
    assert shown["lines"] == proof["lines"]
    assert shown["ask"] is None
    assert [each["choice"] for each in shown["decisions"]] == list(TABLES[proof["game"]].choices)
    staked = {line["bet"]: line["staked_cents"] for line in proof["lines"]}
    net = shown["returned_cents"] - shown["staked_cents"]
    assert (shown["staked_cents"], net) == (sum(staked.values()), TABLES[proof["game"]].net_cents)


def test_any_choices_give_what_the_script_gives_on_that_deck(finished: Any) -> None:
    """Every sequence of up to three options gives the script's result, or its refusal."""
    guest, round_id, proof = finished
    sheet, script = load(proof["game"]), current(proof["game"]).script
    deck = [parse(card) for card in proof["deck"]]
    first = view(replay(script, sheet, deck, proof["stakes"], [])).ask
    assert first is not None
    words = [*[option.id for option in first.options][:4], "stand", "raise-2", "nonsense"]
    asked = answered = 0
    for length in range(3):
        for choices in product(words, repeat=length):
            asked += 1
            answers: list[Answer] = list(choices)
            reply = other(guest, round_id, *choices)
            shown = reply.json()
            if reply.status_code != 200:
                with pytest.raises(Refused, match=shown["code"]):
                    replay(script, sheet, deck, proof["stakes"], answers)
                continue
            meant = view(replay(script, sheet, deck, proof["stakes"], answers))
            answered += 1
            assert (shown["ask"] is None) == (meant.ask is None)
            assert shown["returned_cents"] == meant.returned_cents
            assert shown["hands"] == {zone: list(cards) for zone, cards in meant.hands.items()}
    assert asked > 30
    assert answered > 2


def test_a_decision_has_the_net_of_the_bets_its_value_speaks_of(finished: Any) -> None:
    guest, round_id, proof = finished
    shown = other(guest, round_id, *TABLES[proof["game"]].choices).json()
    nets = {line["bet"]: line["returned_cents"] - line["staked_cents"] for line in proof["lines"]}
    spoken = {bet: net for bet, net in nets.items() if bet not in SIDE_BETS}
    if proof["game"] == "blackjack":  # the value of standing is the hand's, after the look
        assert [each["net_cents"] for each in shown["decisions"]] == [500, 1000]
    else:
        assert [each["net_cents"] for each in shown["decisions"]] == [sum(spoken.values())]
    assert {each["unit_cents"] for each in shown["decisions"]} == {1000}


def test_the_coach_values_the_question_such_choices_lead_to(finished: Any) -> None:
    guest, round_id, proof = finished
    found = other(guest, round_id, rest="/advice").json()
    assert found["options"][found["best"]] == max(found["options"].values())
    if proof["game"] == "casino-stud":
        position = {"game": "casino-stud", "player": proof["deck"][:5], "house": proof["deck"][5:6]}
        assert found["options"] == advise(position).options
    ended = other(guest, round_id, *TABLES[proof["game"]].choices, rest="/advice")
    assert code_of(ended) == (409, "round/ended")


def test_nothing_is_written_or_paid(tmp_path: Path) -> None:
    house = open_tables(tmp_path / "tapis.db")
    with client_of(house) as client:
        guest = Guest(client)
        round_id = guest.open({"ante": 1000}).json()["round"]["id"]
        guest.choose(round_id, "fold")
        tables = ("transfers", "rounds", "commands", "significant_events")
        before = [rows_of(house, f"SELECT * FROM {table}") for table in tables]
        assert other(guest, round_id, "play").json()["returned_cents"] > 1000
        assert [rows_of(house, f"SELECT * FROM {table}") for table in tables] == before


def test_a_round_that_waits_tells_nothing(tmp_path: Path) -> None:
    with client_of(open_tables(tmp_path / "tapis.db"), Present()) as client:
        guest = Guest(client)
        round_id = guest.open({"ante": 1000}).json()["round"]["id"]
        for rest in ("", "/advice"):
            refused = other(guest, round_id, "play", rest=rest)
            assert code_of(refused) == (409, "round/not_ended")
            assert refused.json()["args"] == {"round_id": round_id}
            assert "Ks" not in refused.text  # the house's second card


def test_a_branch_that_waits_says_what_it_waits_for(tmp_path: Path) -> None:
    """A hand that stood on 12 is asked again after a hit."""
    with client_of(make_house(tmp_path / "tapis.db", "Th 2s 6d Tc 3c 9h"), Present()) as client:
        guest = Guest(client)
        round_id = guest.open({"hand-1": 1000}, game="blackjack").json()["round"]["id"]
        guest.choose(round_id, "stand")
        drawn = other(guest, round_id, "hit").json()
        assert drawn["hands"]["hand-1"] == ["Th", "2s", "3c"]
        assert drawn["ask"]["step"] == 1
        assert drawn["decisions"] == [
            {"step": 0, "hand": "hand-1", "choice": "hit", "unit_cents": 1000, "net_cents": None}
        ]
        assert "??" in drawn["hands"]["house"]
        ended = other(guest, round_id, "hit", "stand").json()
        assert [each["net_cents"] for each in ended["decisions"]] == [1000, 1000]  # the house busts
        asked = other(guest, round_id, "hit", "stand", rest="/advice").json()
        assert (asked["code"], asked["args"]) == ("round/ended", {"round_id": round_id})


def test_more_choices_than_any_round_has_are_refused(finished: Any) -> None:
    guest, round_id, _ = finished
    assert code_of(other(guest, round_id, *["hit"] * 65)) == (400, "request/malformed")
