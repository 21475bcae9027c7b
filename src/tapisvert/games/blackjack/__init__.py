"""Blackjack Royal Poker with its progressive jackpot."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tapisvert.cards import parse
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.view import AskView
from tapisvert.games.blackjack.chart_page import cell, draw
from tapisvert.games.blackjack.script import blackjack, split_forbidden, total
from tapisvert.games.blackjack.script_1 import blackjack_1
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.games.blackjack.themes import THEMES
from tapisvert.games.game import (
    Bet,
    Edition,
    Game,
    Hands,
    PositionShape,
    Question,
    Stakes,
)
from tapisvert.ranking.standard import CATEGORIES


def _position(ask: AskView, hands: Hands, stakes: Stakes) -> dict[str, Any]:
    """Return the hand in question, its other half, and every other visible card."""
    assert ask.hand is not None
    number = ask.hand[-1]
    other = f"split-{number}" if ask.hand == f"hand-{number}" else f"hand-{number}"
    others = [
        zone
        for zone in hands
        if zone.startswith(("hand-", "split-")) and zone not in (ask.hand, other)
    ]
    doubled = f"double-{number}" in stakes if other.startswith("hand") else False
    # While insurance is offered, a split is not on offer yet.
    equal = split_forbidden([parse(card) for card in hands[ask.hand]]) is None
    offered = {option.id: option.legal for option in ask.options}
    return {
        "hand": hands[ask.hand],
        "up": hands["house"][0],
        "seen": [card for zone in others for card in hands[zone]],
        "other_half": hands.get(other, ()),
        "other_doubled": doubled,
        "can_split": offered.get("split", equal),
    }


def _usual(cards: Hands) -> dict[str, bool]:
    """Return whether a pair may be split and the other half was doubled, where that can be."""
    other = cards.get("other_half", ())
    if len(other) == 3:
        return {"other_doubled": False}
    pair = not other and split_forbidden([parse(card) for card in cards["hand"]]) is None
    return {"can_split": True} if pair else {}


def _bets(sheet: Sheet, ask: Question, bets: Iterable[str]) -> list[str]:
    """Return the bets of the hand in question; its insurance only while insurance is offered."""
    assert ask.hand is not None
    number = ask.hand[-1]
    main = f"hand-{number}"
    insured = any(option.id in ("insure", "even-money") for option in ask.options)
    others = [
        bet
        for bet in bets
        if bet.rstrip("b").endswith(f"-{number}") and (insured or not bet.startswith("insurance"))
    ]
    return [main, *(bet for bet in others if bet != main)]


def _features(ask: AskView, hands: Hands) -> tuple[int, ...]:
    """Return the points of the up card and of the hand in question."""
    assert ask.hand is not None
    shown = hands["house"][:1], hands[ask.hand]
    return tuple(total([parse(card) for card in cards]) for cards in shown)


GAME = Game(
    id="blackjack",
    folder=Path(__file__).parent,
    clauses="bj",
    editions=(Edition(1, blackjack_1, Blackjack), Edition(2, blackjack, Blackjack)),
    bets={
        "main": Bet(("hand", "insurance", "house")),
        "royal": Bet(("royal", "spots.royal")),
    },
    odds="tapisvert.games.blackjack.odds",
    strategies=(
        *("optimal", "each-hand-alone"),
        *("always-stand", "never-bust", "like-the-house", "chart"),
    ),
    blind=("always-stand",),
    position=PositionShape(
        cards={"hand": range(2, 12), "seen": range(50), "other_half": range(12)},
        optional=("seen", "other_half"),
        single=("up",),
        flags=("can_split", "other_doubled"),
        usual=_usual,
        of_question=_position,
        bets=_bets,
        features=_features,
        example={"hand": ["8s", "8d"], "up": "9d", "can_split": True},
        warm_s=14.0,
    ),
    themes=THEMES,
    # An ace and a ten are rarer than a pair and more frequent than two pair.
    hand_order=("bust", "hard", "soft", *CATEGORIES[:2], "blackjack", *CATEGORIES[2:]),
    fan=("Ac", "Kd", "8s", "8h", "Td"),
    cards_dealt=None,
    draw_chart=draw,
    chart_cell=cell,
)
