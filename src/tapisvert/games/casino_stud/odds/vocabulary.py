"""The words of strategy files at Casino Stud, over the positions that its proof counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import RANKS, text
from tapisvert.games.casino_stud.odds.proof import (
    DEALS,
    play_values,
    played,
    positions,
)
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.odds.combinatorics import all_sets
from tapisvert.odds.figures import Figure
from tapisvert.odds.mathematics import Position
from tapisvert.odds.parallel import Progress
from tapisvert.odds.vocabulary import (
    RANK,
    AtTable,
    Decide,
    Question,
    Spots,
    Values,
    Vocabulary,
    Word,
    Written,
    flag,
    whole,
)
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES, ROYAL, category, pack, telling_ranks

QUESTION = "play-or-fold"
PLAY, FOLD = range(2)
_HIDDEN = comb(46, 4)
_NO_HAND = (
    'must be a hand: ranks, highest first, such as "AKJ83", or one of'
    f' {", ".join(CATEGORIES)}, alone or with ranks, such as "pair T"'
)


def read_hand(written: Written) -> int:
    """Return the weakest strength that a text names: a category, ranks, or both.

    >>> read_hand("AK") == pack(0, [12, 11]), read_hand("pair T") == pack(1, [8])
    (True, True)
    """
    words = written.split() if isinstance(written, str) else []
    kind = CATEGORIES.index(words.pop(0)) if words and words[0] in CATEGORIES else 0
    ranks = [RANKS.find(rank) for rank in "".join(words)]
    if not isinstance(written, str) or not written or len(words) > 1 or len(ranks) > 5:
        raise ValueError(_NO_HAND)
    if min(ranks, default=0) < 0 or (kind == 0 and sorted(set(ranks), reverse=True) != ranks):
        raise ValueError(_NO_HAND)
    return pack(kind, ranks)


@cache
def _every_strength() -> NDArray[np.int32]:
    return np.unique(strengths(all_sets(52, 5)))


def write_hand(strength: int) -> str:
    """Name a hand with as few ranks as distinguish it from every weaker one.

    >>> write_hand(read_hand("AK432")), write_hand(read_hand("AKJ83"))
    ('AK', 'AKJ83')
    """
    place = int(np.searchsorted(_every_strength(), strength))
    weaker = int(_every_strength()[place - 1]) if place else -1
    kind, ranks = category(strength), telling_ranks(strength)
    for shown in range(len(ranks) + 1):
        name = f"{kind if kind != CATEGORIES[0] else ''} {ranks[:shown]}".strip()
        if name and weaker < read_hand(name) <= strength:
            return name
    raise AssertionError(f"{strength} is not a strength")


HAND = Values(
    read=read_hand,
    write=write_hand,
    such_as='ranks, highest first: `"AKJ83"`, `"AK"`; or a category, alone or with ranks: '
    + ", ".join(f'`"{kind}"`' for kind in CATEGORIES)
    + '; `"pair T"`',
)
WORDS: Mapping[str, Word] = {
    "at_least": Word(
        column="strength",
        compare="at least",
        values=HAND,
        means="Your hand is this hand or a better one. Ranks that are not named count lowest.",
    ),
    "below": Word(
        column="strength",
        compare="below",
        values=HAND,
        means="Your hand is weaker than this one.",
    ),
    "holds": Word(
        column="ranks",
        compare="holds all",
        values=RANK,
        means="You hold a card of this rank; of a list, one of each.",
        searched=False,
    ),
    "holds_any": Word(
        column="ranks",
        compare="holds any",
        values=RANK,
        means="You hold a card of one of these ranks.",
        searched=False,
    ),
    "up": Word(
        column="up",
        compare="one of",
        values=RANK,
        means="The house's up card has this rank, or one of a list.",
    ),
    "up_at_least": Word(
        column="up",
        compare="at least",
        values=RANK,
        means="The up card has this rank or a higher one.",
    ),
    "up_at_most": Word(
        column="up",
        compare="at most",
        values=RANK,
        means="The up card has this rank or a lower one.",
    ),
    "up_matches": flag("matches", "Whether the up card has the rank of one of your cards."),
    "cards_above_up": Word(
        column="above",
        compare="at least",
        values=whole(1, 5),
        means="At least so many of your cards rank above the up card.",
    ),
    "cards_of_up_suit": Word(
        column="suited_with_up",
        compare="at least",
        values=whole(1, 5),
        means="At least so many of your cards have the suit of the up card.",
        searched=False,
    ),
    "longest_suit": Word(
        column="longest",
        compare="at least",
        values=whole(2, 5),
        means="You hold at least so many cards of one suit.",
        searched=False,
    ),
}


class Counted:
    """Every hand with every up card: 6,319,573 positions of different suit patterns."""

    deals = DEALS

    def __init__(self, sheet: CasinoStud, tell: Progress) -> None:
        self._sheet, self._at = sheet, positions(sheet.least_to_qualify, tell)
        value, self.unit = play_values(sheet, self._at)
        self._row, self._up = np.nonzero(self._at.there)
        self._played = value[self._row, self._up]

    def play(self, name: str, decide: Decide, tell: Progress) -> Figure:
        """Ask the one question in every position."""
        chosen = decide(QUESTION, self._spots)
        plays = np.zeros(self._at.there.shape, dtype=np.bool_)
        plays[self._row, self._up] = chosen == PLAY
        tell(1.0)
        return played(self._sheet, self._at, name, plays)

    @cached_property
    def _spots(self) -> Spots:
        folded = np.full_like(self._played, -_HIDDEN * self.unit)
        legal = np.ones((2, len(self._row)), dtype=np.bool_)
        legal[FOLD] = (self._at.strengths >> 20 != ROYAL)[self._row]  # stud.7
        return Spots(
            options=("play", "fold"),
            weights=self._at.weights[self._row],
            hidden=_HIDDEN,
            values=np.stack((self._played, folded)),
            legal=legal,
            column=cache(self._column),
            position=self._position,
        )

    def _column(self, name: str) -> NDArray[np.int64]:
        return _column(name, self._at.hands, self._at.strengths, self._row, self._up)

    def _position(self, place: int) -> dict[str, list[str]]:
        hand = sorted(self._at.hands[self._row[place]].tolist(), reverse=True)
        return {"player": list(map(text, hand)), "house": [text(int(self._up[place]))]}


def _column(
    name: str,
    hands: NDArray[np.uint8],
    found: NDArray[np.int32],
    row: NDArray[np.intp],
    up: NDArray[np.intp],
) -> NDArray[np.int64]:
    """Return a column of positions: `row` is the hand of each, `found` the strength of a hand."""
    cards, ups = hands.astype(np.int64), up.astype(np.int64)
    by_hand: dict[str, Callable[[], NDArray[np.int64]]] = {
        "strength": lambda: found.astype(np.int64),
        "ranks": lambda: _ranks(cards),
        "longest": lambda: _suits(cards).max(axis=1),
    }
    by_position: dict[str, Callable[[], NDArray[np.int64]]] = {
        "up": lambda: ups >> 2,
        "matches": lambda: _ranks(cards)[row] >> (ups >> 2) & 1,
        "above": lambda: (cards[:, :, None] >> 2 > np.arange(13)).sum(axis=1)[row, ups >> 2],
        "suited_with_up": lambda: _suits(cards)[row, ups & 3],
    }
    return by_hand[name]()[row] if name in by_hand else by_position[name]()


def _ranks(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the ranks of each hand as a set of bits."""
    found: NDArray[np.int64] = np.bitwise_or.reduce(np.int64(1) << (hands >> 2), axis=1)
    return found


def _suits(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of cards of each suit."""
    found: NDArray[np.int64] = ((hands & 3)[:, :, None] == np.arange(4)).sum(axis=1)
    return found


def see(sheet: CasinoStud, position: Position) -> list[AtTable]:
    """Return the one question of a hand against an up card."""
    hands = np.array([position.cards["player"]], dtype=np.uint8)
    up, row = np.array([position.cards["house"][0]]), np.zeros(1, dtype=np.intp)
    return [AtTable(QUESTION, lambda name: _column(name, hands, strengths(hands), row, up))]


VOCABULARY = Vocabulary(
    questions={
        QUESTION: Question(
            asks="Five cards against the house's up card.",
            words=WORDS,
            options=("play", "fold"),
            limits={"fold": "a royal flush of your own five cards may not be folded (stud.7)"},
            whole=True,
        )
    },
    count=Counted,
    see=see,
)
