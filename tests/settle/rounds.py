"""Random rounds of every game, settled by the scripts: test vectors for the browser's program."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from games.test_properties import GAMES, Played, random_stakes
from settle.variants import variants
from tapisvert.cards import (
    ACE,
    JOKER,
    Card,
    rank,
    suit,
    text,
)
from tapisvert.engine import Answer, Transcript, replay, view
from tapisvert.engine.events import Asked
from tapisvert.engine.script import Claim
from tapisvert.engine.sheet import Sheet, content
from tapisvert.refusal import Refused

VARIANTS = 60
VOIDED = 0.12
WRONG = 0.12
REFUSED = b"refused answers"
RUN_OVER = {"casino-stud": 5, "high-card-flush": 7, "pai-gow": 7, "blackjack": 5, "ultimate": 5}


class Round(NamedTuple):
    """A recorded round, and the settlement of the scripts."""

    written: bytes  # input of node
    expected: bytes  # expected output: the lines, or the refusal


def random_rounds(name: str, count: int, seed: str) -> tuple[bytes, list[Round]]:
    """Return the sheets, and `count` settled rounds besides refused ones."""
    chance = random.Random(seed)
    sheets = variants(name, VARIANTS, chance)
    rounds: list[Round] = []
    settled = 0
    while settled < count:
        number = chance.randrange(len(sheets)) if chance.random() < 0.5 else 0
        dealt = Dealt(GAMES[name]._replace(sheet=sheets[number]), number, chance)
        for made in _sets(dealt) if name == "pai-gow" else _stages(dealt):
            rounds.append(made)
            settled += made.expected != REFUSED
    return msgspec.json.encode([content(sheet) for sheet in sheets]), rounds


class Dealt:
    """A round before its first answer: deck, stakes and bank."""

    def __init__(self, game: Played, number: int, chance: random.Random) -> None:
        self.game, self.number, self.chance = game, number, chance
        self.deck = random_deck(game.sheet, chance)
        self.stakes = random_stakes(game.sheet, chance)
        self.void = chance.choice(("expired", "operator")) if chance.random() < VOIDED else None

    def play(self, answers: list[Answer], void: str | None = None) -> Transcript:
        """Play the answers with the script."""
        given = (self.game.script, self.game.sheet, self.deck, self.stakes, answers)
        return replay(*given, bank=self._bank, void=void)

    def written(
        self, answers: Sequence[Answer], expected: bytes = REFUSED, void: str | None = None
    ) -> Round:
        """Return the round encoded as its proof does."""
        deck = " ".join(text(card) for card in self.deck)
        facts = {"game": self.game.sheet.game, "sheet": self.number, "deck": deck}
        recorded = {"stakes": self.stakes, "answers": answers, "void_reason": void}
        return Round(msgspec.json.encode(facts | recorded), expected)

    def _bank(self, claim: Claim) -> int:
        return self.chance.randint(0, 3_000_000)


def _stages(dealt: Dealt) -> Iterator[Round]:
    """Choose at random to the end or to a void; sometimes an illegal option."""
    chance, answers = dealt.chance, list[Answer]()
    left_open = chance.choice((0, 0, 0, 1, 2, 3)) if dealt.void else None
    while True:
        played = dealt.play(answers)
        answers = list(played.answers)
        if not isinstance(played.waiting, Asked):
            yield dealt.written(answers, lines_of(played))
            return
        if left_open is not None and len(answers) >= left_open:
            yield dealt.written(answers, lines_of(dealt.play(answers, dealt.void)), dealt.void)
            return
        options = played.waiting.options
        wrong = [option.id for option in options if option.why_not is not None]
        if chance.random() < WRONG or "fold" in wrong:
            yield dealt.written([*answers, chance.choice(wrong or ["", "even", "Raise-1"])])
        answers.append(chance.choice([option.id for option in options if option.why_not is None]))


def _sets(dealt: Dealt) -> Iterator[Round]:
    """Set seven cards at random until the set is legal; listing all 21 sets would be slow."""
    if dealt.void:
        yield dealt.written([], lines_of(dealt.play([], dealt.void)), dealt.void)
        return
    while True:
        pair = " ".join(text(card) for card in dealt.chance.sample(dealt.deck[:7], 2))
        try:
            played = dealt.play([pair])
        except Refused:
            yield dealt.written([pair])
        else:
            yield dealt.written(played.answers, lines_of(played))
            return


def lines_of(played: Transcript) -> bytes:
    """Return the settlement as in a proof."""
    return msgspec.json.encode(view(played).lines)


def random_deck(sheet: Sheet, chance: random.Random) -> list[Card]:
    """Return a shuffled deck; every other one deals rare hands: few suits, few ranks, straights."""
    deck = list(sheet.deck)
    chance.shuffle(deck)
    theme = chance.random()
    if theme < 0.5:
        return deck
    if theme < 0.65:
        return two_runs(deck, RUN_OVER[sheet.game], chance)
    suits = chance.sample(range(4), chance.choice((1, 1, 2, 4)))
    ranks = chance.sample(range(13), chance.choice((3, 5)))
    if chance.random() < 0.6:
        start = chance.choice((0, 2, 4, 6, 8, 8, 8))
        ranks = [*range(start, min(start + chance.choice((5, 7)), 13)), ACE]
    wanted = [card for card in deck if rank(card) in ranks and suit(card) in suits]
    if JOKER in deck and chance.random() < 0.5:
        wanted.append(JOKER)
    first = chance.sample(wanted, min(len(wanted), chance.randint(3, 14)))
    front = first + [card for card in deck if card not in first][: chance.randint(0, 6)]
    chance.shuffle(front)
    return front + [card for card in deck if card not in front]


def two_runs(deck: list[Card], size: int, chance: random.Random) -> list[Card]:
    """Deal a straight each to player and house, five-high more often than others."""
    front: list[Card] = []
    for _ in range(2):
        length = chance.choice((5, size))
        start = chance.choice((-1, -1, -1, 13 - length, *range(14 - length)))
        places = [start + step if start + step >= 0 else ACE for step in range(length)]
        suits = chance.choice((range(4), (chance.randrange(4),)))
        hand = [4 * place + chance.choice(suits) for place in places]
        hand = [card for card in hand if card not in front]
        hand += [card for card in deck if card not in front and card not in hand][
            : size - len(hand)
        ]
        chance.shuffle(hand)
        front += hand
    return front + [card for card in deck if card not in front]
