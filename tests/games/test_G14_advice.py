"""G14: the highlighted set of Pai Gow is the declared house way, and the record stores it.

Ten thousand hands here; `make rounds` compares a million (tests/games/declared_way.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games import declared_way
from games.declared_way import declared, random_hands, ranked
from games.replayed import asked, replayed
from games.test_house_way import CASES
from houses import Guest, client_of, counting_entropy, make_house
from tapisvert.cards import Card, parse_hand, write_hand
from tapisvert.games.pai_gow.house_way import house_way
from tiers import few_or_many

HANDS, ASKED = 10_000, 200


def suggestion(seven: list[Card]) -> tuple[Card, ...]:
    """Return the highlighted set for these cards."""
    question = asked(replayed("pai-gow", write_hand(seven), {"main": 1_000}, []))
    [one] = [option for option in question.options if option.suggested]
    assert one.why_not is None
    return tuple(parse_hand(one.id))


@pytest.mark.parametrize("hands", few_or_many(2_000, 10_000))
def test_G14_thousands_of_hands_are_set_as_declared(hands: int) -> None:
    for seven in random_hands(hands, 14):
        assert ranked(seven, house_way(seven)) == declared(seven), write_hand(seven)


def test_G14_the_highlighted_split_is_the_declared_one() -> None:
    written = [parse_hand(line.split("|")[1]) for line in CASES.strip().splitlines()]
    for seven in [*map(list, written), *random_hands(ASKED, 7)]:
        assert ranked(seven, suggestion(seven)) == declared(seven), write_hand(seven)


@pytest.mark.parametrize("rule", ["two_pairs", "four_of_a_kind"])
def test_G14_a_house_that_set_otherwise_would_be_noticed(
    monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    monkeypatch.setattr(declared_way, rule, lambda *groups: list(groups[-1][:2]))
    hands = random_hands(HANDS, 14)
    assert any(ranked(seven, house_way(seven)) != declared(seven) for seven in hands)


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    with client_of(make_house(tmp_path / "tapis.db", entropy=counting_entropy())) as client:
        yield Guest(client)


def asked_in(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the options of the one question of a round, from its record."""
    [question] = [event for event in told["events"] if event["kind"] == "asked"]
    return list(question["options"])


def test_G14_the_advice_is_kept_in_the_record_beside_the_choice(guest: Guest) -> None:
    for _ in range(10):
        opened = guest.open({"main": 1_000}, game="pai-gow").json()["round"]
        seven = parse_hand(" ".join(opened["hands"]["player"]))
        legal = [option["id"] for option in opened["ask"]["options"] if option["legal"]]
        guest.choose(opened["id"], legal[-1])
        recall = guest.get(f"/rounds/{opened['id']}/recall").json()
        [kept] = [each["id"] for each in asked_in(recall["round"]) if each["suggested"]]
        assert ranked(seven, parse_hand(kept)) == declared(seven)
        assert recall["choices"] == [legal[-1]]
