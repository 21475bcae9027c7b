"""One hand at the table, as the rules of a strategy file see it."""

from __future__ import annotations

import numpy as np

from tapisvert.games.blackjack.odds.hands import (
    ACES,
    VALUES,
    best_total,
    counts,
    pack,
    points,
    value,
)
from tapisvert.games.blackjack.odds.play import CHOICES, DOUBLE, HIT, SPLIT, STAND
from tapisvert.games.blackjack.odds.rule_columns import column_of_dealt, column_of_table
from tapisvert.games.blackjack.odds.rule_count import INSURANCE, PLAY
from tapisvert.games.blackjack.odds.rule_positions import FIRST, SECOND, WHOLE, Table, doubles
from tapisvert.games.blackjack.odds.rules import rules_of
from tapisvert.games.blackjack.odds.up_card import BLACKJACK, hand_of
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.mathematics import Position
from tapisvert.odds.vocabulary import AtTable

_NONE = np.zeros(1, dtype=np.int64)  # a number of a row that no word reads


def see(sheet: Blackjack, position: Position) -> list[AtTable]:
    """Return the questions of a hand: insurance against an ace, and how to play on."""
    hand = counts(list(map(value, position.cards["hand"])))
    up = value(position.cards["up"][0])
    natural = hand == hand_of(BLACKJACK)
    found = []
    if up == ACES and sum(hand) == 2 and not position.cards["other_half"]:
        found.append(AtTable(INSURANCE, lambda name: column_of_dealt(name, [hand])))
    if not natural or position.cards["other_half"]:
        table, rows = _row(sheet, position), np.zeros(1, dtype=np.intp)
        found.append(AtTable(PLAY, lambda name: column_of_table(table, rows, name)))
    return found


def _row(sheet: Blackjack, position: Position) -> Table:
    """Return a hand as the only row of a table."""
    rules, other = rules_of(sheet), position.cards["other_half"]
    hand = counts(list(map(value, position.cards["hand"])))
    stage = WHOLE if not other else FIRST if len(other) == 1 else SECOND
    size = np.array([sum(hand)])
    total = np.array([best_total(hand)])
    legal = np.zeros((len(CHOICES), 1), dtype=np.bool_)
    legal[STAND], legal[HIT] = True, points(hand) < 21
    doubling = rules.doubling if stage == WHOLE else rules.doubling_halves
    legal[DOUBLE] = doubles(doubling, size, total)
    legal[SPLIT] = stage == WHOLE and position.flags["can_split"]
    return Table(
        stage=stage,
        up=np.array([value(position.cards["up"][0])]),
        start=_NONE,
        number=_NONE,
        packed=np.array([pack(hand)]),
        size=size,
        hard=np.array([points(hand)]),
        total=total,
        next=np.zeros((1, VALUES), dtype=np.int64),
        chance=np.zeros(1),
        values=np.zeros((len(CHOICES), 1)),
        best=np.zeros(1),
        legal=legal,
    )
