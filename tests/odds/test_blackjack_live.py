"""The options of a live hand against the reference: whole decks, and decks almost all seen."""

from __future__ import annotations

from math import factorial

import pytest

from odds.blackjack_twin import UNIT, Done, Node, Twin, total
from odds.renaming import sheet_of
from tapisvert.cards import STANDARD, parse, parse_hand
from tapisvert.games.blackjack.odds.hands import VALUES, value
from tapisvert.games.blackjack.odds.play import CHOICES
from tapisvert.games.blackjack.odds.position_values import Position, options
from tapisvert.games.blackjack.odds.rules import rules_of
from tapisvert.games.blackjack.sheet import Blackjack

HIDDEN = "5c 6d 8h 8s 9c Tc Jc Qc Kc Td Jd"  # the unseen cards, in the small decks


SHEET = sheet_of(Blackjack)


def lying(hand: str, up: str, other_half: str = "", *, hidden: str = "") -> Position:
    """Return a position; with `hidden`, every other card has been seen."""
    cards = {*parse_hand(hand), *parse_hand(other_half), parse(up)}
    unseen = {*parse_hand(hidden)}
    assert not cards & unseen
    return {
        "hand": parse_hand(hand),
        "up": parse(up),
        "other_half": parse_hand(other_half),
        "seen": [card for card in STANDARD if hidden and card not in cards | unseen],
        "can_split": True,
    }


def by_the_tree(position: Position, sheet: Blackjack = SHEET, stakes: int = 1) -> dict[str, float]:
    """Value the options by the game tree."""
    hand, up = tuple(sorted(map(value, position["hand"]))), value(position["up"])
    other = tuple(map(value, position["other_half"]))
    out = {*position["seen"], *position["hand"], *position["other_half"], position["up"]}
    unseen = [value(card) for card in STANDARD if card not in out]
    left = tuple(unseen.count(card) for card in range(VALUES))
    bar = {0: 9, 9: 0}.get(up)
    orders = tuple(
        0 if hole == bar else held * factorial(len(unseen) - 1) for hole, held in enumerate(left)
    )
    done: Done = ()
    if len(other) > 1:
        points = total(other)[0]
        done = ((points if points <= 21 else 0, stakes),)
    twin, half = Twin(rules_of(sheet)), len(other) > 0
    waiting = other[0] if len(other) == 1 else None
    return {
        name: twin.option(name, up, Node(orders, left), done, hand, waiting, half).net
        / (UNIT * sum(orders))
        for name in twin.offered(hand, half)
    }


def played(found: dict[str, float]) -> dict[str, float]:
    return {name: worth for name, worth in found.items() if name in CHOICES}


def close(wanted: dict[str, float]) -> object:
    return pytest.approx(wanted, abs=1e-12, rel=0)


@pytest.mark.parametrize(
    ("hand", "up"),
    [("9c 7d", "Ts"), ("Tc 6d", "Ts"), ("Ac 8d", "Ts"), ("Tc 7d", "8s"), ("8c 2d 6h", "8s")],
)
def test_a_hand_of_a_whole_deck(hand: str, up: str) -> None:
    assert options(SHEET, lying(hand, up)) == close(by_the_tree(lying(hand, up)))


@pytest.mark.parametrize("after_split", ["10-11", "any", "none"])
@pytest.mark.parametrize(
    ("hand", "up", "other_half"),
    [
        ("8c 8d", "Ad", ""),
        ("8c 8d", "Th", ""),
        ("5d 5h", "6h", ""),
        ("Th Ts", "6h", ""),
        ("Ah Ad", "9h", ""),
        ("4d 7c", "Ad", ""),
        ("8c 3d", "9d", "8d"),  # the first half, of a card that waits
        ("8c 9d", "Th", "8d"),
        ("5d 6h", "Ad", "5h 8d 7d"),  # the second half, of one that stands on 20
        ("8c 3d", "7h", "8d 4d Th"),  # and of one that is bust
        ("Th Ah", "6h", "Ts 5h"),  # 21 after a split is soft, and asked
    ],
)
def test_every_option_with_the_halves_together(
    hand: str, up: str, other_half: str, after_split: str
) -> None:
    sheet = sheet_of(Blackjack, {"hand.double_after_split": after_split})
    position = lying(hand, up, other_half, hidden=HIDDEN)
    assert played(options(sheet, position)) == close(by_the_tree(position, sheet))


def test_a_finished_half_counts_twice_when_it_was_doubled() -> None:
    position = lying("5d 6h", "9h", "5h 6c 8d", hidden=HIDDEN)
    position["other_doubled"] = True
    assert options(SHEET, position) == close(by_the_tree(position, stakes=2))


def test_insurance_and_even_money_are_worth_the_whole_hand() -> None:
    position = lying("9d 7d", "As")
    found = options(SHEET, position)
    best = max(found["hit"], found["stand"])
    declined = best * 33 / 49 - 16 / 49
    assert found["decline"] == pytest.approx(declined, abs=1e-12)
    assert found["insure"] == pytest.approx(declined + (2 * 16 - 33) / 49 / 2, abs=1e-12)
    bought = options(SHEET, lying("Ad Kd", "As"))
    assert bought == pytest.approx({"even-money": 1.0, "decline": 1.5 * 34 / 49}, abs=1e-12)
    assert "insure" not in options(SHEET, lying("9d 7d", "Ts"))
    assert "insure" not in options(SHEET, lying("9d 2d 4d", "As"))


def test_what_is_not_asked_has_no_options() -> None:
    assert options(SHEET, lying("Ad Kd", "9s")) == {}  # a blackjack is paid
    assert options(SHEET, lying("Td 5d 6d", "9s")) == {}  # a hard 21 stands by itself
    assert options(SHEET, lying("Ad 5d", "9s", "Ah")) == {}  # split aces stand,
    assert options(SHEET, lying("Ad 5d", "9s", "Ah 7d")) == {}  # the second one too
    assert options(SHEET, lying("Ad 5d", "9s", "5h Ah"))  # but fives were split here


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (lying("5d 5d", "9s"), "one deck"),
        ({**lying("5d 6d", "9s"), "seen": parse_hand("9s")}, "one deck"),
        ({**lying("5d 6d", "9s"), "up": 52}, "one deck"),  # the joker
        (lying("5d", "9s"), "not the cards of a hand"),
        (lying("Td Th Tc 5d", "9s"), "not the cards of a hand"),  # drew after it was bust
        (lying("9d 9h 9c 3d", "9s"), "not the cards of a hand"),  # drew on 21
        (lying("5d 6d", "9s", "5h Th Td 6c"), "not the cards of a hand"),
        (lying("Td 5d", "9s", "8h"), "same value"),
        (lying("As 9s", "9h", "Td 2c"), "same value"),
        (lying("Ad 5d 6h", "9s", "Ah"), "split aces"),
        (lying("Ad 5d", "9s", "Ah 7d 2d"), "split aces"),
        ({**lying("5d 6d", "9s"), "other_doubled": True}, "three cards"),
        ({**lying("5d 6d", "9s", "5h"), "other_doubled": True}, "three cards"),
        ({**lying("5d 6d", "9s", "5h 4d"), "other_doubled": True}, "three cards"),
        (lying("5d 6d", "9s", hidden="Tc Jc Qc Kc Td 9c"), "too few"),
        (lying("5d 6d", "9s", hidden=""), None),
        (lying("5d 6d", "As", hidden="Tc Jc Qc Kc Td Jd Qd Kd Th"), "nothing but a blackjack"),
        (lying("5d 6d", "As", hidden="Tc Jc Qc Kc Td Jd Qd Kd 9h"), None),
    ],
)
def test_a_position_that_cannot_be_is_refused(wrong: Position, reason: str | None) -> None:
    if reason is None:  # the next one that can be
        assert options(SHEET, wrong)
        return
    with pytest.raises(ValueError, match=reason):
        options(SHEET, wrong)
