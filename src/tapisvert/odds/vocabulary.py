"""The words in which rules of a strategy are written, and the positions they decide.

A rule names conditions ("at_least": "pair") and an option. Each condition is a `Word` of the game's
vocabulary. It compares one column of numbers of the positions with a value. A game counts its
positions, hands them over question by question, and receives the option of each (`Counted`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, runtime_checkable

from tapisvert.cards import RANKS
from tapisvert.odds.figures import Figure
from tapisvert.odds.parallel import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tapisvert.odds.mathematics import Position

Compare = Literal["at least", "at most", "below", "one of", "holds all", "holds any"]
Written = str | int | bool  # one value of a word in a file


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """How the values of a word are written, and the number that stands for each."""

    read: Callable[[Written], int]
    """Return the number of a written value; raise ValueError with the reason for another."""

    write: Callable[[int], Written]
    """Write a number; `read` of it gives the number again."""

    such_as: str
    """What may be written, for a reader: `a rank, "2" to "A"`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One condition: a column of the positions compared with a value or a list of values."""

    column: str
    compare: Compare
    values: Values
    means: str
    """A sentence for the page of the vocabulary. The text on cards is `rule.word.NAME` in the words
    of the game.
    """

    searched: bool = True
    """Whether the search combines the word with others. Every word is tried alone."""

    @property
    def lists(self) -> bool:
        """Tell whether a list of values may be written."""
        return self.compare in ("one of", "holds all", "holds any") and self.values is not FLAG


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question of the game: the words its rules may use."""

    asks: str
    words: Mapping[str, Word]
    options: Collection[str]
    limits: Mapping[str, str] = field(default_factory=dict)
    """By option, why it is not always allowed: shown on the page and in refusals."""

    whole: bool = False
    """Whether all its positions are put in one call. If not, only the last call shows that a rule
    never applies.
    """


class Judged(NamedTuple):
    """The loss of the chosen options against the best play, and the best options."""

    lost: NDArray[np.int64]
    best: Callable[[int], str]  # by place


class Spots(NamedTuple):
    """Some positions of a question. Each stands for `weights` x `hidden` deals.

    A value is the net result of an option with best play afterwards, summed over `hidden` deals.
    """

    options: tuple[str, ...]
    weights: NDArray[np.int64]
    hidden: int
    values: NDArray[np.int64]  # a row for each option
    legal: NDArray[np.bool_]  # a row for each option
    column: Callable[[str], NDArray[np.int64]]
    position: Callable[[int], Mapping[str, Sequence[str]]]  # the cards, as `tapis advise` has them
    ceiling: NDArray[np.int64] | None = None
    """The value of the best play where it sees more than the words can say, as at Blackjack the
    other half of a split; None: that of the best option.
    """
    judge: Callable[[NDArray[np.int8]], Judged] | None = None
    """Where it is cheaper than the values of all options: judge the chosen ones; `values` is then
    not read.
    """


Decide = Callable[[str, Spots], "NDArray[np.int8]"]  # by question: the option of each position


class Counted(Protocol):
    """The positions of a sheet, counted."""

    unit: int  # parts of the first stake in which values are whole
    deals: int

    def play(self, name: str, decide: Decide, tell: Progress) -> Figure:
        """Ask every question of every deal; return the figure of the main bet.

        A question is asked only in the positions that the earlier answers reach.
        """
        ...


@runtime_checkable
class KnowsBest(Protocol):
    """Counted positions whose values are rounded: the exact edge of the best play is separate."""

    best_edge: Fraction


@runtime_checkable
class Surveys(Protocol):
    """Counted positions that have the values of all options only where a search asks for them."""

    def survey(self, decide: Decide, tell: Progress) -> None:
        """Put every question with the values of all options; count no figure."""
        ...


@runtime_checkable
class AsksAlone(Protocol):
    """Counted positions whose questions can be put one at a time."""

    def alone(
        self, question: str, others: Mapping[str, str], decide: Decide, tell: Progress
    ) -> None:
        """Put one question, with fixed answers to the others; the values assume these answers.

        It is not put if the sheet does not offer an answer, or if a question is not reached.
        """
        ...

    def bound(self, question: str, others: Mapping[str, str]) -> int | None:
        """Return an upper bound on the sum of all deals, with fixed answers to the other questions.

        None if the question is not put.
        """
        ...


class LinkedPositions(Protocol):
    """Positions that lead to one another, joined into classes: lists are valued in doubles."""

    options: tuple[str, ...]
    legal: NDArray[np.bool_]  # by option and class
    columns: Mapping[str, NDArray[np.int64]]  # of the classes

    def value(self, chosen: NDArray[np.int8]) -> float:
        """Return the net result per first stake when classes choose these options."""
        ...

    def gains(self, chosen: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return, by option and class, what another choice there gains, other choices equal."""
        ...


@runtime_checkable
class LinksPositions(Protocol):
    """Counted positions that lead to one another at some questions, as at Blackjack."""

    def linked(self, question: str, tell: Progress) -> LinkedPositions | None:
        """Return the positions of a question; None if they do not lead to one another."""
        ...


class AtTable(NamedTuple):
    """A question as it is put at the table: the columns of one position, one number each."""

    question: str
    column: Callable[[str], NDArray[np.int64]]
    option: Callable[[str], str | None] = lambda choice: choice
    """The option of the table that a rule's choice means; None if the cards do not have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The questions of a game in the order of a round. `Any` is the game's own type of sheet."""

    questions: Mapping[str, Question]
    count: Callable[[Any, Progress], Counted]
    see: Callable[[Any, Position], Sequence[AtTable]] | None = None
    """The questions that a position of `tapis advise` raises; None: rules are only counted."""


def _read_rank(written: Written) -> int:
    if isinstance(written, str) and len(written) == 1 and written in RANKS:
        return RANKS.index(written)
    raise ValueError(f"must be a rank, one of {RANKS}")


def _read_flag(written: Written) -> int:
    if isinstance(written, bool):
        return int(written)
    raise ValueError("must be true or false")


RANK = Values(read=_read_rank, write=RANKS.__getitem__, such_as='a rank, `"2"` to `"A"`')
FLAG = Values(read=_read_flag, write=bool, such_as="`true` or `false`")


def whole(least: int, most: int) -> Values:
    """Return whole numbers in a range.

    >>> whole(1, 4).read(5)
    Traceback (most recent call last):
    ValueError: must be a whole number from 1 to 4
    """

    def read(written: Written) -> int:
        if isinstance(written, int) and not isinstance(written, bool) and least <= written <= most:
            return written
        raise ValueError(f"must be a whole number from {least} to {most}")

    return Values(read=read, write=int, such_as=f"a whole number, `{least}` to `{most}`")


def flag(column: str, means: str) -> Word:
    """Return a word that is true or false."""
    return Word(column=column, compare="one of", values=FLAG, means=means)


def in_order(ranks: Sequence[int]) -> str:
    """Write ranks, highest first.

    >>> in_order([3, 12, 5])
    'A75'
    """
    return "".join(RANKS[rank] for rank in sorted(ranks, reverse=True))
