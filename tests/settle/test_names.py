"""Both programs name the hands of a round equally, in every edition of Blackjack."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from golden.golden import Golden, read, sheet_of
from golden.recordings import FILES
from node import WEB, run
from settle.program import lay_out
from tapisvert.engine.events import Named, Settled
from tapisvert.engine.sheet import content
from tapisvert.games.registry import GAMES

RECORDED = [golden for path in FILES if (golden := read(path)).game == "blackjack"]


def named(golden: Golden) -> dict[str, tuple[str, int | None]]:
    """Return the final name of each hand of the player."""
    events = (event for step in golden.steps for event in step.events)
    hands = {event.zone: event.hand for event in events if isinstance(event, Named)}
    hands.pop("house", None)  # a certificate leaves it out if no hand was compared with it
    return {zone: (hand.category, hand.total) for zone, hand in hands.items()}


def answers(golden: Golden) -> list[object]:
    """Return the answers: the bank's at the deal, then the choices."""
    events = (event for step in golden.steps for event in step.events)
    paid = [event for event in events if isinstance(event, Settled) and event.bet == "royal"]
    shares = {"royal-flush", "straight-flush"}
    return [*(line.returned_cents for line in paid if line.row in shares), *golden.choices]


def named_again(rounds: list[Golden], folder: Path) -> list[dict[str, tuple[str, int | None]]]:
    """Return the names of the certificate's program."""
    sheets = [content(sheet_of(golden)) for golden in rounds]
    lines = [
        {
            "game": golden.game,
            "edition": golden.edition,
            "sheet": place,
            "deck": golden.deck,
            "stakes": golden.stakes,
            "answers": answers(golden),
            "void_reason": None,
        }
        for place, golden in enumerate(rounds)
    ]
    found = run(
        str(WEB.parent / "testing" / "settle_again.mjs"),
        lay_out(folder),
        "names",
        lines=[msgspec.json.encode(each) for each in (sheets, *lines)],
    )
    return [
        {
            zone: (hand["category"], hand.get("total"))
            for zone, hand in names.items()
            if zone != "house"
        }
        for names in map(msgspec.json.decode, found)
    ]


@pytest.mark.parametrize("number", [each.number for each in GAMES["blackjack"].editions])
def test_every_recorded_hand_is_called_the_same_by_both_programs(
    number: int, tmp_path: Path
) -> None:
    rounds = [golden for golden in RECORDED if golden.edition == number]
    assert len(rounds) > 60
    assert named_again(rounds, tmp_path / "program") == [named(golden) for golden in rounds]


def test_bj_11_only_split_aces_with_a_ten_are_called_otherwise_than_by_edition_1() -> None:
    by = {
        number: {
            path.stem.removesuffix(".edition-1"): named(golden)
            for path in FILES
            if (golden := read(path)).game == "blackjack" and golden.edition == number
        }
        for number in (1, 2)
    }
    assert by[1].keys() == by[2].keys()
    differing = {
        (name, zone): (old, by[2][name][zone])
        for name, hands in by[1].items()
        for zone, old in hands.items()
        if by[2][name][zone] != old
    }
    assert set(differing) == {("split-aces", "hand-1"), ("split-aces-house-21", "split-1")}
    assert set(differing.values()) == {(("soft", 21), ("hard", 21))}
