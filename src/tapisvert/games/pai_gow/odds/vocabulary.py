"""The words of strategy files at Pai Gow: kinds of hands, and ways to set them."""

from __future__ import annotations

from collections.abc import Mapping

from tapisvert.cards import RANKS
from tapisvert.games.pai_gow.odds.rule_count import QUESTION, Counted, see_one, write_low
from tapisvert.games.pai_gow.odds.rule_sets import KINDS, OPTIONS
from tapisvert.games.pai_gow.odds.sets import low_class
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.odds.parallel import Progress
from tapisvert.odds.vocabulary import (
    RANK,
    Compare,
    Question,
    Values,
    Vocabulary,
    Word,
    Written,
    flag,
)


def _read_kind(written: Written) -> int:
    if isinstance(written, str) and written in KINDS:
        return KINDS.index(written)
    raise ValueError(f"must be a kind, one of {', '.join(KINDS)}")


def read_low(written: Written) -> int:
    """Return the class of a low hand.

    >>> read_low("32"), write_low(read_low("KA")), write_low(read_low("99"))
    (0, 'AK', '99')
    """
    if isinstance(written, str) and len(written) == 2 and set(written) <= set(RANKS):
        return int(low_class(RANKS.index(written[0]), RANKS.index(written[1])))
    raise ValueError('must be two ranks, such as "AK" or "22"')


KIND = Values(
    read=_read_kind,
    write=KINDS.__getitem__,
    such_as="a kind: " + ", ".join(f'`"{kind}"`' for kind in KINDS),
)
LOW = Values(read=read_low, write=write_low, such_as='`"AK"`, `"22"`')


def _rank(column: str, compare: Compare, means: str, *, searched: bool) -> Word:
    return Word(column=column, compare=compare, values=RANK, means=means, searched=searched)


def _ranks(column: str, name: str, *, searched: bool = True) -> dict[str, Word]:
    """Return the words for the rank of a group; a hand without it has none."""
    means = f"Your {name} has this rank"
    return {
        column: _rank(column, "one of", f"{means}.", searched=searched),
        f"{column}_at_least": _rank(
            column, "at least", f"{means} or a higher one.", searched=searched
        ),
    }


WORDS: Mapping[str, Word] = {
    "kind": Word(
        column="kind",
        compare="one of",
        values=KIND,
        means="Your cards by rank, the joker as an ace; straights and flushes do not count here.",
    ),
    **_ranks("high_pair", "highest pair"),
    **_ranks("low_pair", "lowest pair"),
    **_ranks("three", "highest three"),
    **_ranks("four", "four"),
    **_ranks("single", "highest single card"),
    **_ranks("second_single", "second highest single card", searched=False),
    "complete": flag(
        "complete", "Whether some set leaves a straight, a flush or both as the high hand."
    ),
    "complete_low_at_least": Word(
        column="complete_low",
        compare="at least",
        values=LOW,
        means="The best low hand that leaves a straight or a flush is this one or a better one.",
    ),
    "complete_low_below": Word(
        column="complete_low",
        compare="below",
        values=LOW,
        means="The best low hand that leaves a straight or a flush is weaker, or there is none.",
    ),
    "singles_beat_complete": flag(
        "singles_beat",
        "Whether the two highest single cards are a better low hand than the best one that leaves"
        " a straight or a flush.",
    ),
    "three_completes": flag(
        "three_completes",
        "Whether two of your highest three go low and leave a straight or a flush.",
    ),
    "ace_low_completes": flag(
        "ace_low_completes",
        "Whether some set with an ace and another rank as the low hand leaves a straight or a"
        " flush.",
    ),
    "joker": flag("joker", "Whether you hold the joker."),
}


def count(sheet: PaiGow, tell: Progress) -> Counted:
    """Count the positions of a sheet."""
    return Counted(sheet, tell)


_NOT_LOW = "the low hand must be among your cards and not beat the high hand (pai.4)"
VOCABULARY = Vocabulary(
    questions={
        QUESTION: Question(
            asks="Seven cards to be set as a low hand of two and a high hand of five. An option"
            " names the low hand. If several sets have it, the one with the best high hand is"
            " meant.",
            words=WORDS,
            options=OPTIONS,
            limits=dict.fromkeys(OPTIONS[:-2], _NOT_LOW),
        )
    },
    count=count,
    see=see_one,
)
