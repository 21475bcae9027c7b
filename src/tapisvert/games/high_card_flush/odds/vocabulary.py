"""The words of strategy files at High Card Flush, over the positions that its proof counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import RANKS, text
from tapisvert.games.high_card_flush.odds.proof import (
    DEALS,
    HOUSE_HANDS,
    most_times,
    played,
    positions,
    raise_values,
)
from tapisvert.games.high_card_flush.odds.weaker_hands import (
    HAND,
    SETS,
    flush_sizes,
    flush_values,
)
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.odds.figures import Figure
from tapisvert.odds.mathematics import Position
from tapisvert.odds.parallel import Progress
from tapisvert.odds.suits import cards_of
from tapisvert.odds.vocabulary import (
    AtTable,
    Decide,
    Question,
    Spots,
    Values,
    Vocabulary,
    Word,
    Written,
    flag,
    in_order,
    whole,
)
from tapisvert.ranking.flush import suits as suits_of

QUESTION = "raise-or-fold"
FOLD, MOST = "fold", "raise-most"
_TEN = RANKS.index("T")
_SURE = (1 << len(RANKS)) - (1 << RANKS.index("8"))  # the suited A-K-Q-J-T-9-8


def read_flush(written: Written) -> int:
    """Return the order of a flush: longer ones first, then by their ranks.

    >>> read_flush("A32") < read_flush("5432"), read_flush("T86") < read_flush("T87")
    (True, True)
    """
    ranks = [RANKS.find(rank) for rank in written] if isinstance(written, str) else []
    if not 2 <= len(ranks) <= HAND or sorted(set(ranks) - {-1}, reverse=True) != ranks:
        raise ValueError('must be the ranks of a flush, highest first, such as "T86"')
    return _order(sum(1 << rank for rank in ranks))


def write_flush(order: int) -> str:
    """Write a flush by its ranks.

    >>> write_flush(read_flush("AQ6"))
    'AQ6'
    """
    return in_order([rank for rank in range(len(RANKS)) if order >> rank & 1])


def _order(ranks: int) -> int:
    return ranks.bit_count() << len(RANKS) | ranks


FLUSH = Values(read=read_flush, write=write_flush, such_as='`"T86"`, `"5432"`')
WORDS: Mapping[str, Word] = {
    "at_least": Word(
        column="flush",
        compare="at least",
        values=FLUSH,
        means="Your flush is this one or a better one: a longer flush beats a shorter one.",
    ),
    "below": Word(
        column="flush",
        compare="below",
        values=FLUSH,
        means="Your flush is weaker than this one.",
    ),
    "flush_length": Word(
        column="length",
        compare="at least",
        values=whole(2, 7),
        means="Your longest flush has at least so many cards.",
    ),
    "off_suit_high": Word(
        column="off_suit_high",
        compare="at least",
        values=whole(1, 5),
        means="At least so many cards outside your flush rank above a ten.",
    ),
    "off_suit_tens": Word(
        column="off_suit_tens",
        compare="at least",
        values=whole(1, 5),
        means="At least so many cards outside your flush rank ten or higher.",
    ),
    "second_length": Word(
        column="second",
        compare="at least",
        values=whole(1, 3),
        means="Your second longest suit has at least so many cards.",
    ),
    "suits_held": Word(
        column="suits",
        compare="at least",
        values=whole(1, 4),
        means="You hold cards of at least so many suits.",
    ),
    "qualifies": flag("qualifies", "Whether your flush would qualify if the house held it."),
}


class Counted:
    """Every hand of seven cards: 6,009,159 suit patterns."""

    deals = DEALS

    def __init__(self, sheet: HighCardFlush, tell: Progress) -> None:
        self._sheet, self._at = sheet, positions(sheet, tell)
        self._most = most_times(sheet, self._at).astype(np.int64)
        self._times = int(self._most.max())
        _, self.unit = raise_values(sheet, self._at, 1)

    def play(self, name: str, decide: Decide, tell: Progress) -> Figure:
        """Ask the one question of every hand."""
        chosen = decide(QUESTION, self._spots).astype(np.int64)
        raises = np.where(chosen > self._times, self._most, chosen)
        tell(1.0)
        return played(self._sheet, self._at, name, raises.astype(np.int8))

    @cached_property
    def _spots(self) -> Spots:
        at, times = self._at, range(1, self._times + 1)
        raised = np.stack([raise_values(self._sheet, at, each)[0] for each in times])
        folded = np.full((1, len(at.weights)), -HOUSE_HANDS * self.unit)
        most = np.take_along_axis(raised, self._most[None] - 1, axis=0)
        legal = np.ones((self._times + 2, len(at.weights)), dtype=np.bool_)
        legal[0] = at.flushes != _SURE  # flush.7
        for each in times:
            legal[each] = self._most >= each
        return Spots(
            options=(FOLD, *(f"raise-{each}" for each in times), MOST),
            weights=at.weights,
            hidden=HOUSE_HANDS,
            values=np.concatenate((folded, raised, most)),
            legal=legal,
            column=cache(self._column),
            position=self._position,
        )

    def _column(self, name: str) -> NDArray[np.int64]:
        at = self._at
        return _column(name, at.suits, at.flushes, at.qualified)

    def _position(self, place: int) -> dict[str, list[str]]:
        hand = cards_of(self._at.suits[place : place + 1], HAND)[0].tolist()
        suits = [sorted((c for c in hand if c & 3 == suit), reverse=True) for suit in range(4)]
        suits.sort(key=lambda held: (len(held), [card >> 2 for card in held]), reverse=True)
        return {"player": [text(card) for held in suits for card in held]}  # the flush first


def _column(
    name: str,
    suits: NDArray[np.int16],
    flushes: NDArray[np.int16],
    qualified: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Return a column of hands, from the ranks of their suits and of their flush."""
    sizes = flush_sizes()

    def outside(ranks: int) -> NDArray[np.int64]:
        """Return the number of cards of these ranks outside the flush."""
        kept = ranks & SETS - 1
        found: NDArray[np.int64] = sizes[suits & kept].sum(axis=1) - sizes[flushes & kept]
        return found

    columns: dict[str, Callable[[], NDArray[np.int64]]] = {
        "flush": lambda: sizes[flushes].astype(np.int64) << len(RANKS) | flushes,
        "length": lambda: sizes[flushes].astype(np.int64),
        "off_suit_high": lambda: outside(~((2 << _TEN) - 1)),
        "off_suit_tens": lambda: outside(~((1 << _TEN) - 1)),
        "second": lambda: np.sort(sizes[suits], axis=1)[:, -2],
        "suits": lambda: (suits > 0).sum(axis=1),
        "qualifies": lambda: qualified.astype(np.int64),
    }
    return columns[name]()


def see(sheet: HighCardFlush, position: Position) -> list[AtTable]:
    """Return the one question of seven cards."""
    ranks = np.array([suits_of(position.cards["player"])], dtype=np.int16)
    values = flush_values()[ranks[0]]
    flushes = ranks[:, int(values.argmax())]
    qualified = flush_values()[flushes] >= sheet.least_to_qualify
    most = sheet.raises.most_times.get(f"flush-{flush_sizes()[flushes[0]]}", 0)

    def option(choice: str) -> str:
        return f"raise-{most}" if choice == MOST else choice

    return [AtTable(QUESTION, lambda name: _column(name, ranks, flushes, qualified), option)]


_TOO_SHORT = "a flush may raise up to `raise.most_times` antes, by its length (flush.5)"
VOCABULARY = Vocabulary(
    questions={
        QUESTION: Question(
            asks="Seven cards. Of two flushes the better one counts.",
            words=WORDS,
            options=(FOLD, "raise-1", "raise-2", "raise-3", MOST),
            limits={
                FOLD: "the suited A-K-Q-J-10-9-8 may not be folded (flush.7)",
                "raise-2": _TOO_SHORT,
                "raise-3": _TOO_SHORT,
            },
            whole=True,
        )
    },
    count=Counted,
    see=see,
)
