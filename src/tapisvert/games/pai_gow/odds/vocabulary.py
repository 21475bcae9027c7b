"""The words of strategy files at Pai Gow: kinds of hands, and ways to set them."""

from __future__ import annotations

from collections.abc import Mapping

from tapisvert.cards import RANKS
from tapisvert.games.pai_gow.odds.rule_count import QUESTION, Counted, see_one, write_low
from tapisvert.games.pai_gow.odds.rule_sets import KINDS
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


def _rank(column: str, compare: Compare, means: str, says: str) -> Word:
    return Word(column=column, compare=compare, values=RANK, means=means, says=says)


def _ranks(column: str, name: str) -> dict[str, Word]:
    """Return the words for the rank of a group; a hand without it has none."""
    return {
        column: _rank(column, "one of", f"Your {name} has this rank.", f"a {name} of {{}}"),
        f"{column}_at_least": _rank(
            column,
            "at least",
            f"Your {name} has this rank or a higher one.",
            f"a {name} of {{}} or higher",
        ),
    }


WORDS: Mapping[str, Word] = {
    "kind": Word(
        column="kind",
        compare="one of",
        values=KIND,
        means="Your cards by rank, the joker as an ace; straights and flushes do not count here.",
        says="{}",
    ),
    **_ranks("high_pair", "highest pair"),
    **_ranks("low_pair", "lowest pair"),
    **_ranks("three", "highest three"),
    **_ranks("four", "four"),
    **_ranks("single", "highest single card"),
    **_ranks("second_single", "second highest single card"),
    "complete": flag(
        "complete",
        "Whether some set leaves a straight, a flush or both as the high hand.",
        "a straight or a flush is there",
        "no straight and no flush",
    ),
    "complete_low_at_least": Word(
        column="complete_low",
        compare="at least",
        values=LOW,
        means="The best low hand that leaves a straight or a flush is this one or a better one.",
        says="{} or better goes low beside the straight or flush",
    ),
    "complete_low_below": Word(
        column="complete_low",
        compare="below",
        values=LOW,
        means="The best low hand that leaves a straight or a flush is weaker, or there is none.",
        says="less than {} goes low beside a straight or flush",
    ),
    "singles_beat_complete": flag(
        "singles_beat",
        "Whether the two highest single cards are a better low hand than the best one that leaves"
        " a straight or a flush.",
        "the two highest singles are a better low hand than beside the straight or flush",
        "the two highest singles are no better low hand than beside the straight or flush",
    ),
    "three_completes": flag(
        "three_completes",
        "Whether two of your highest three go low and leave a straight or a flush.",
        "a pair of the three leaves a straight or a flush",
        "a pair of the three leaves no straight and no flush",
    ),
    "ace_low_completes": flag(
        "ace_low_completes",
        "Whether some set with an ace and another rank as the low hand leaves a straight or a"
        " flush.",
        "an ace goes low beside the straight or flush",
        "no ace goes low beside a straight or flush",
    ),
    "joker": flag("joker", "Whether you hold the joker.", "with the joker", "without the joker"),
}


def count(sheet: PaiGow, tell: Progress) -> Counted:
    """Count the positions of a sheet."""
    return Counted(sheet, tell)


VOCABULARY = Vocabulary(
    questions={
        QUESTION: Question(
            asks="Seven cards to be set as a low hand of two and a high hand of five. Of several"
            " sets with the low hand an option names, the one with the best high hand is meant.",
            words=WORDS,
            options={
                "second-and-third": "the second and third highest single cards low",
                "two-singles": "the two highest single cards low",
                "high-pair": "the highest pair low",
                "low-pair": "the lowest pair low",
                "pair-of-three": "two of the highest three low",
                "one-of-three": "one of the three and the highest single card low",
                "pair-of-four": "two of the four low",
                "pair-of-aces": "two aces low",
                "keep-complete": "keep the straight or flush, with the best low hand",
                "keep-complete-ace-low": "keep the straight or flush, with an ace low",
                "best-high": "the best high hand, then the best low hand",
                "best-low": "the best low hand, then the best high hand",
            },
        )
    },
    count=count,
    see=see_one,
    searchable=False,
)
