"""The words of strategy files at Blackjack."""

from __future__ import annotations

from collections.abc import Mapping

from tapisvert.games.blackjack.odds.chart import NAMES
from tapisvert.games.blackjack.odds.hands import ACES, DECK, counts, pack, points, unpack
from tapisvert.games.blackjack.odds.rule_count import INSURANCE, PLAY, RulePositions
from tapisvert.games.blackjack.odds.rule_position import see
from tapisvert.games.blackjack.odds.rules import rules_of
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.parallel import Progress
from tapisvert.odds.vocabulary import Question, Values, Vocabulary, Word, Written, flag, whole


def _read_value(written: Written) -> int:
    """Return 2 to 10 for a deuce to a ten-value, 11 for an ace."""
    if isinstance(written, str) and len(written) == 1 and written in NAMES:
        return NAMES.index(written) + 1 if written != NAMES[ACES] else 11
    raise ValueError(f"must be a value, one of {' '.join(NAMES)}")


def _write_value(number: int) -> str:
    return NAMES[ACES] if number == 11 else NAMES[number - 1]


def read_hand(written: Written) -> int:
    """Return the cards of a hand, packed.

    >>> read_hand("T2") == read_hand("2T"), write_hand(read_hand("7A4"))
    (True, 'A47')
    """
    if isinstance(written, str) and len(written) >= 2 and set(written) <= set(NAMES):
        hand = counts([NAMES.index(card) for card in written])
        if points(hand) <= 21 and all(held <= all_ for held, all_ in zip(hand, DECK, strict=True)):
            return pack(hand)
    raise ValueError('must be the values of a hand, such as "T2" or "A47"')


def write_hand(packed: int) -> str:
    """Write the cards of a hand, aces first."""
    return "".join(NAMES[card] * held for card, held in enumerate(unpack(packed)))


VALUE = Values(
    read=_read_value, write=_write_value, such_as='a value, `"2"` to `"9"`, `"T"` or `"A"`'
)
HAND = Values(read=read_hand, write=write_hand, such_as='`"T2"`, `"A47"`')
_CARDS: Mapping[str, Word] = {
    "hand": Word(
        column="packed",
        compare="one of",
        values=HAND,
        means="Your cards have exactly these values, in any order. T is a ten or a court card.",
        searched=False,
    ),
    "holds": Word(
        column="held",
        compare="holds all",
        values=VALUE,
        means="You hold a card of this value; of a list, one of each.",
        searched=False,
    ),
    "holds_any": Word(
        column="held",
        compare="holds any",
        values=VALUE,
        means="You hold a card of one of these values.",
        searched=False,
    ),
}
INSURANCE_WORDS: Mapping[str, Word] = {
    "blackjack": flag(
        "blackjack",
        "Whether your two cards are a blackjack. It is offered even money, other hands insurance.",
    ),
    **_CARDS,
}
PLAY_WORDS: Mapping[str, Word] = {
    "total": Word(
        column="total",
        compare="one of",
        values=whole(4, 21),
        means="Your best total: an ace counts 11 where that does not bust.",
    ),
    "total_at_least": Word(
        column="total",
        compare="at least",
        values=whole(4, 21),
        means="Your best total is this or more.",
    ),
    "total_at_most": Word(
        column="total",
        compare="at most",
        values=whole(4, 21),
        means="Your best total is this or less.",
    ),
    "soft": flag("soft", "Whether an ace counts 11 in your total."),
    "pair_of": Word(
        column="pair",
        compare="one of",
        values=VALUE,
        means="You may split, and your two cards have this value.",
    ),
    **_CARDS,
    "cards": Word(
        column="cards",
        compare="one of",
        values=whole(2, 11),
        means="You have so many cards.",
    ),
    "cards_at_least": Word(
        column="cards",
        compare="at least",
        values=whole(2, 11),
        means="You have so many cards or more.",
    ),
    "up": Word(
        column="up",
        compare="one of",
        values=VALUE,
        means="The house's up card has this value, or one of a list.",
    ),
    "up_at_least": Word(
        column="up",
        compare="at least",
        values=VALUE,
        means="The up card has this value or a higher one; an ace is the highest.",
    ),
    "up_at_most": Word(
        column="up",
        compare="at most",
        values=VALUE,
        means="The up card has this value or a lower one; an ace is the highest.",
    ),
    "can_double": flag("double", "Whether you may double."),
    "after_split": flag("half", "Whether this hand is half of a split."),
    "second_half": flag("second", "Whether this hand is the second half of a split."),
}


def count(sheet: Blackjack, tell: Progress) -> RulePositions:
    """Count the positions of a sheet."""
    return RulePositions(rules_of(sheet), tell)


VOCABULARY = Vocabulary(
    questions={
        INSURANCE: Question(
            asks="Two cards against an ace, before the house looks.",
            words=INSURANCE_WORDS,
            options=("insure", "even-money", "decline"),
            limits={
                "insure": "a blackjack is offered even money instead of insurance (bj.6)",
                "even-money": "even money is offered to a blackjack only (bj.6)",
            },
            whole=True,
        ),
        PLAY: Question(
            asks="A hand against the up card of a house that has no blackjack.",
            words=PLAY_WORDS,
            options=("stand", "hit", "double", "split"),
            limits={
                "double": "only two cards that the sheet allows may be doubled (bj.10, bj.12)",
                "split": "only a pair of equal value may be split, once (bj.11)",
            },
        ),
    },
    count=count,
    see=see,
)
