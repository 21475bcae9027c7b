"""A simulated player of Blackjack Royal Poker: one hand, or two hands and Royal Poker."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from tapisvert.cards import STANDARD, Card
from tapisvert.games.blackjack.odds.decision_tables import decisions
from tapisvert.games.blackjack.odds.hands import value
from tapisvert.games.blackjack.odds.round import MOST_SAID, RESULTS, SAID, house_of, play_rounds
from tapisvert.games.blackjack.odds.rules import Rules, rules_of
from tapisvert.games.blackjack.odds.strategies import HABITS
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.parallel import Progress
from tapisvert.odds.simulation import Codes, Decks, Ends, Played, ends_of, played
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES

TWO_HANDS = "each-hand-alone"
STRATEGIES = ("optimal", TWO_HANDS, *HABITS)
_VALUES = np.array([value(card) for card in STANDARD], dtype=np.uint8)
_NOT_RECORDED = np.empty((0, MOST_SAID), dtype=np.int64)


class SimulatedPlayer:
    """Plays one hand; or two hands, each as if alone, with Royal Poker."""

    cards = deck = len(STANDARD)

    def __init__(self, sheet: Blackjack, strategy: str, tell: Progress) -> None:
        self._hands = 2 if strategy == TWO_HANDS else 1
        self.first_cards = 14 * self._hands  # one round in thousands needs more
        self.bets = ("hand-1", "hand-2", "royal") if self._hands == 2 else ("main",)
        rules = rules_of(sheet)
        stake = sheet.spots["royal"].min_cents
        prizes = {row: Fraction(cents, stake) for row, cents in sheet.royal.prizes_cents.items()}
        for row, share in sheet.royal.shares.items():  # the pot is always at its reset value
            prizes[row] = Fraction(int(sheet.demonstration_pot_cents * share), stake)
        pays = (rules.pays, rules.blackjack_pays, rules.even_money_pays, rules.insurance_pays / 2)
        self.unit = lcm(2, *(each.denominator for each in (*pays, *prizes.values())))
        royal = [(prizes.get(row, Fraction(0)) - 1, 1) for row in CATEGORIES]
        hand, bonus = _hand_ends(rules, self.unit), ends_of(self.unit, royal)
        self.ends = (hand, hand, bonus) if self._hands == 2 else (hand,)
        self._way = decisions(rules, "optimal" if strategy == TWO_HANDS else strategy, tell)
        self._house = house_of(hits_soft_17=rules.hits_soft_17)

    def codes(self, decks: Decks) -> Codes:
        """Play the hands; Royal Poker is ranked as dealt."""
        return self._played(decks, _NOT_RECORDED)

    def play(self, decks: Decks) -> Played:
        """Play one round from each deck, and record the choices."""
        said = np.zeros((len(decks), MOST_SAID), dtype=np.int64)
        return played(self.ends, self._played(decks, said), said)

    def said(self, cards: Sequence[Card], line: Sequence[int]) -> tuple[str, ...]:
        """Return every choice in order."""
        return tuple(SAID[choice] for choice in line if choice)

    def _played(self, decks: Decks, said: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> Codes:
        found = np.empty((len(self.bets), len(decks)), dtype=np.uint16)
        play_rounds(decks, _VALUES, self._way, self._house, found[: self._hands], said)
        if "royal" in self.bets:  # of both hands and the up card, as dealt
            found[2] = strengths(decks[:, :5]) >> 20
        return found


def _hand_ends(rules: Rules, unit: int) -> Ends:
    """Return the net result and the stake of each code of a hand, in the order of `round`."""
    pays, half = rules.pays, Fraction(1, 2)
    once = [(Fraction(-1), 1), (Fraction(0), 1), (pays, 1)]
    results = [*once, *((2 * net, 2) for net, _ in once)]
    assert len(results) == RESULTS
    ends = [(rules.even_money_pays, 1), (Fraction(-1), 1), (Fraction(0), 1)]
    ends += [(rules.blackjack_pays, 1), *results]
    ends += [(one + two, put + more) for one, put in results for two, more in results]
    insured = ((Fraction(0), Fraction(0)), (-half, half), (rules.insurance_pays / 2, half))
    rows = [(net + more, put + extra) for more, extra in insured for net, put in ends]
    return np.array([(int(net * unit), int(put * unit)) for net, put in rows])
