"""The words of strategy files at Ultimate Texas Hold'em, by question."""

from __future__ import annotations

from collections.abc import Mapping

from tapisvert.cards import RANKS
from tapisvert.odds.vocabulary import RANK, Question, Values, Word, Written, flag, whole
from tapisvert.ranking.standard import CATEGORIES, pack

BEFORE_FLOP, AFTER_FLOP, AFTER_RIVER = "before-flop", "after-flop", "after-river"


def _read_held(written: Written) -> int:
    return RANK.read(written) + 1


def _write_held(number: int) -> str:
    if not number:
        raise ValueError("none is held")
    return RANKS[number - 1]


HELD = Values(read=_read_held, write=_write_held, such_as=RANK.such_as)  # 0: no such card


def _read_category(written: Written) -> int:
    if written in CATEGORIES:
        return pack(CATEGORIES.index(str(written)), [])
    raise ValueError(f"must be one of {', '.join(CATEGORIES)}")


def _write_category(strength: int) -> str:
    return CATEGORIES[strength >> 20]


_CATEGORIES = "a category: " + ", ".join(f'`"{kind}"`' for kind in CATEGORIES)
HAND = Values(read=_read_category, write=_write_category, such_as=_CATEGORIES)
_PAIR: Mapping[str, Word] = {
    "pocket_pair": Word(
        column="pocket",
        compare="at least",
        values=HELD,
        means="Your two cards are a pair of this rank or a higher one.",
    ),
    "high": Word(
        column="high",
        compare="one of",
        values=RANK,
        means="Your higher card has this rank, or one of a list.",
    ),
    "high_at_least": Word(
        column="high",
        compare="at least",
        values=RANK,
        means="Your higher card has this rank or a higher one.",
    ),
    "low_at_least": Word(
        column="low",
        compare="at least",
        values=RANK,
        means="Your lower card has this rank or a higher one.",
    ),
    "suited": flag("suited", "Whether your two cards are of one suit."),
}
_HIDDEN_PAIR = flag(
    "hidden_pair",
    "Whether one of your two cards has the rank of the other or of a card of the board.",
)
_AT_LEAST = Word(
    column="category",
    compare="at least",
    values=HAND,
    means="The best five of your cards and the board are of this category or a higher one.",
)
_RAISES = tuple(f"raise-{times}" for times in (1, 2, 3, 4))


def _offered(key: str, clause: str) -> dict[str, str]:
    """Return for every raise the note that the sheet decides which raises are offered."""
    return dict.fromkeys(_RAISES, f"the raises offered here are those of `{key}` ({clause})")


QUESTIONS: Mapping[str, Question] = {
    BEFORE_FLOP: Question(
        asks="Before the flop: your two cards.",
        words=_PAIR,
        options=("check", *_RAISES),
        limits=_offered("play.before_flop", "uth.4"),
        whole=True,
    ),
    AFTER_FLOP: Question(
        asks="On the flop: your two cards and the first three of the board.",
        words={
            "at_least": _AT_LEAST,
            "hidden_pair": _HIDDEN_PAIR,
            "four_flush_with": Word(
                column="four_flush",
                compare="at least",
                values=HELD,
                means="Four or more cards are of one suit, and of that suit you hold this rank or "
                "a higher one.",
            ),
            "board_trips": flag("board_trips", "Whether the flop is three of a kind."),
            **_PAIR,
        },
        options=("check", *_RAISES),
        limits=_offered("play.after_flop", "uth.5"),
        whole=True,
    ),
    AFTER_RIVER: Question(
        asks="At the river: your two cards and all five of the board.",
        words={
            "at_least": _AT_LEAST,
            "hidden_pair": _HIDDEN_PAIR,
            "improves": flag(
                "improves",
                "Whether your hand is of a higher category than the five cards of the board alone.",
            ),
            "beats_board": flag(
                "beats_board",
                "Whether your hand beats the five cards of the board alone, if only by a kicker.",
            ),
            "dealer_outs_below": Word(
                column="outs",
                compare="below",
                values=whole(1, 45),
                means="Fewer of the 45 unseen cards, each alone with the board, beat your hand.",
            ),
            **_PAIR,
        },
        options=("fold", *_RAISES),
        limits=_offered("play.after_river", "uth.6"),
    ),
}
