"""A simulated player of Blackjack as it was at commit 795e69f: an oracle of the kernels."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np

from odds.plain_blackjack_round import (
    MOST_SAID,
    Ended,
    Prices,
    Way,
    halves,
    play_rounds,
    way_of,
)
from tapisvert.cards import STANDARD
from tapisvert.games.blackjack.odds.chart import chart_rows
from tapisvert.games.blackjack.odds.hands import LONE, VALUES, hands, value
from tapisvert.games.blackjack.odds.play import Felt
from tapisvert.games.blackjack.odds.rules import Rules, lay, rules_of
from tapisvert.games.blackjack.odds.strategies import HABITS, ways_of
from tapisvert.games.blackjack.odds.strategy_count import best_strategy, habitual
from tapisvert.games.blackjack.odds.up_card import face
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.parallel import spread
from tapisvert.odds.simulation import Decks, Played
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES

TWO_HANDS = "each-hand-alone"
_VALUES = np.array([value(card) for card in STANDARD], dtype=np.uint8)


class PlainBlackjack:
    """Plays one hand; or two hands, each as if alone, with Royal Poker."""

    cards = deck = len(STANDARD)

    def __init__(self, sheet: Blackjack, strategy: str) -> None:
        self._hands = 2 if strategy == TWO_HANDS else 1
        self.bets = ("hand-1", "hand-2", "royal") if self._hands == 2 else ("main",)
        rules = rules_of(sheet)
        self._hits_soft_17 = rules.hits_soft_17
        stake = sheet.spots["royal"].min_cents
        prizes = {row: Fraction(cents, stake) for row, cents in sheet.royal.prizes_cents.items()}
        for row, share in sheet.royal.shares.items():  # the pot is always at its reset value
            prizes[row] = Fraction(int(sheet.demonstration_pot_cents * share), stake)
        pays = (rules.pays, rules.blackjack_pays, rules.even_money_pays, rules.insurance_pays / 2)
        self.unit = lcm(2, *(each.denominator for each in (*pays, *prizes.values())))
        self._prices = Prices(self.unit, *(int(each * self.unit) for each in pays))
        self._royal = np.array([int((prizes.get(row, 0) - 1) * self.unit) for row in CATEGORIES])
        facing = spread(lambda up, _: _facing(rules, up, strategy), VALUES, pieces=VALUES)
        self._facing = dict(enumerate(facing))

    def play(self, decks: Decks) -> Played:
        """Play the rounds facing each up card."""
        values, seats = _VALUES[decks], self._hands
        net, staked = (np.full((len(decks), len(self.bets)), self.unit) for _ in range(2))
        said = np.zeros((len(decks), MOST_SAID), dtype=np.int64)
        for up, (felt, way) in self._facing.items():
            rows = np.flatnonzero(values[:, 2 * seats] == up)
            ended = Ended(net[rows, :seats], staked[rows, :seats], said[rows])
            rules = self._hits_soft_17, hands(LONE), halves()
            play_rounds(values[rows], *rules, felt, way, self._prices, ended)
            net[rows, :seats], staked[rows, :seats], said[rows] = ended
        if "royal" in self.bets:  # of both hands and the up card, as dealt
            net[:, 2] = self._royal[strengths(decks[:, :5]) >> 20]
        return Played(net, staked, said)


def _facing(rules: Rules, up: int, strategy: str) -> tuple[Felt, Way]:
    """Return the strategy facing an up card."""
    felt, _ = lay(rules, up)
    found = face(rules, up, felt)
    if strategy in HABITS:
        habit = ways_of(rules, chart_rows(rules, found))[strategy]
        return felt, way_of(rules, habitual(rules, up, habit))
    return felt, way_of(rules, best_strategy(rules, found))
