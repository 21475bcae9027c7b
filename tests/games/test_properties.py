"""What holds in every round of every game, tried on random decks, stakes and choices (G5, G8)."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tapisvert.sheets
from tapisvert.cards import JOKER, Card, parse, rank, suit, text
from tapisvert.games.blackjack import blackjack
from tapisvert.games.casino_stud import casino_stud
from tapisvert.games.high_card_flush import high_card_flush
from tapisvert.games.pai_gow import pai_gow
from tapisvert.games.ultimate import ultimate
from tapisvert.refusal import Refused
from tapisvert.sheets import (
    Blackjack,
    CasinoStud,
    HighCardFlush,
    PaiGow,
    Sheet,
    Ultimate,
    load_file,
)
from tapisvert.table import Transcript, replay
from tapisvert.table.events import Asked
from tapisvert.table.script import Answer, Claim

POT = 2_000_000


class Played(NamedTuple):
    """A game, its sheet, and how many random rounds a test run has time for."""

    script: Callable[..., Any]
    sheet: Sheet
    rounds: int


def shipped(kind: type[Sheet]) -> Sheet:
    return load_file(Path(tapisvert.sheets.__file__).with_name(f"{kind.game_id}.toml"), kind)


GAMES = {
    "casino-stud": Played(casino_stud, shipped(CasinoStud), 5_000),
    "high-card-flush": Played(high_card_flush, shipped(HighCardFlush), 5_000),
    "ultimate": Played(ultimate, shipped(Ultimate), 5_000),
    "blackjack": Played(blackjack, shipped(Blackjack), 5_000),
    "pai-gow": Played(pai_gow, shipped(PaiGow), 500),
}
TIMES = int(os.environ.get("TAPIS_ROUNDS_TIMES", "1"))  # more of them, for a long run
each_game = pytest.mark.parametrize("name", GAMES)


def bank(claim: Claim) -> int:
    return int(POT * claim.share)


def run(
    game: Played, deck: list[Card], stakes: dict[str, int], answers: list[Answer]
) -> Transcript:
    return replay(game.script, game.sheet, deck, stakes, answers, bank=bank)


def random_stakes(sheet: Sheet, chance: random.Random) -> dict[str, int]:
    """Stake at random what the layout allows."""
    stakes: dict[str, int] = {}
    mains = [bet for bet, place in sheet.layout.items() if place.main]
    wanted = set(chance.sample(mains, chance.randint(1, len(mains))))
    for bet, place in sheet.layout.items():
        spot = sheet.spots[bet]
        steps = chance.randint(
            spot.min_cents // sheet.step_cents, spot.max_cents // sheet.step_cents
        )
        if place.equals in stakes:
            stakes[bet] = stakes[str(place.equals)]
        elif bet in wanted or (
            not place.main
            and all(main in stakes for main in place.requires)
            and chance.random() < 0.5
        ):
            stakes[bet] = steps * sheet.step_cents
    return stakes


def random_round(
    game: Played, chance: random.Random
) -> tuple[list[Card], dict[str, int], list[Transcript]]:
    """Play a round to its end; return its deck, its stakes, and what it was after each answer."""
    deck = list(game.sheet.deck)
    chance.shuffle(deck)
    stakes = random_stakes(game.sheet, chance)
    stages = [run(game, deck, stakes, [])]
    while isinstance(question := stages[-1].waiting, Asked):
        legal = [option.id for option in question.options if option.why_not is None]
        stages.append(run(game, deck, stakes, [*stages[-1].answers, chance.choice(legal)]))
    return deck, stakes, stages


@each_game
def test_G8_a_random_round_ends_with_every_stake_settled_and_sums_that_agree(name: str) -> None:
    game, chance = GAMES[name], random.Random(name)
    caps = game.sheet.caps_cents
    for _ in range(game.rounds * TIMES):
        deck, _, stages = random_round(game, chance)
        end = stages[-1]
        assert end.settled, deck
        assert end.lines.keys() == end.stakes.keys()
        returned = sum(line.returned_cents for line in end.lines.values())
        closing: Any = end.events[-1]
        assert (closing.staked_cents, closing.returned_cents) == (
            sum(end.stakes.values()),
            returned,
        )
        assert returned <= caps.get("round", returned)
        for bet, line in end.lines.items():
            assert 0 <= line.returned_cents <= caps.get(bet, line.returned_cents)
            assert line.staked_cents == end.stakes[bet]


@each_game
def test_a_further_answer_never_changes_what_has_happened(name: str) -> None:
    game, chance = GAMES[name], random.Random(f"prefix {name}")
    for _ in range(game.rounds * TIMES // 2):
        _, _, stages = random_round(game, chance)
        for before, after in pairwise(stages):
            assert after.events[: len(before.events)] == before.events


@each_game
def test_relabelling_suits_never_changes_a_settlement(name: str) -> None:
    game, chance = GAMES[name], random.Random(f"suits {name}")
    for _ in range(game.rounds * TIMES // 3):
        deck, stakes, stages = random_round(game, chance)
        names = chance.sample(range(4), 4)
        answers = [relabelled_answer(answer, names) for answer in stages[-1].answers]
        other = run(game, [relabelled(card, names) for card in deck], stakes, answers)
        assert {b: line.returned_cents for b, line in other.lines.items()} == {
            b: line.returned_cents for b, line in stages[-1].lines.items()
        }, (deck, names)


def relabelled(card: Card, names: list[int]) -> Card:
    return card if card == JOKER else 4 * rank(card) + names[suit(card)]


def relabelled_answer(answer: Answer, names: list[int]) -> Answer:
    """Return an answer with other suits: only a set of Pai Gow names cards."""
    if not isinstance(answer, str) or " " not in answer:
        return answer
    return " ".join(text(relabelled(parse(card), names)) for card in answer.split())


@each_game
def test_G5_an_illegal_answer_is_always_refused(name: str) -> None:
    game, chance = GAMES[name], random.Random(f"illegal {name}")
    for _ in range(game.rounds * TIMES // 4):
        deck, stakes, stages = random_round(game, chance)
        for stage in stages:
            question = stage.waiting
            forbidden = ["", "raise-9", "PLAY", " stand", "Jk Jk"]
            if isinstance(question, Asked):
                forbidden += [option.id for option in question.options if option.why_not]
            for answer in forbidden:
                with pytest.raises(Refused):
                    run(game, deck, stakes, [*stage.answers, answer])


@each_game
def test_a_deck_that_is_not_the_games_own_is_refused(name: str) -> None:
    """The deck is the whole of it, each card once: stud.1 flush.1 uth.1 pai.1 bj.1."""
    game = GAMES[name]
    stakes = random_stakes(game.sheet, random.Random(name))
    own = list(game.sheet.deck)
    assert own == list(range(53 if name == "pai-gow" else 52))
    other = own[:-1] if name == "pai-gow" else [*own, JOKER]
    for deck in (other, own[1:], [own[1], *own[1:]], []):
        with pytest.raises(Refused, match="deck/invalid"):
            run(game, deck, stakes, [])


@each_game
def test_a_round_left_open_is_void_and_gives_back_what_is_not_settled(name: str) -> None:
    """After 30 days, or 24 hours at Blackjack: stud.17 flush.15 uth.14 pai.12 bj.15."""
    game, chance = GAMES[name], random.Random(f"void {name}")
    assert game.sheet.void_after_s == (24 if name == "blackjack" else 30 * 24) * 3600
    for _ in range(200):
        deck, stakes, stages = random_round(game, chance)
        for stage in stages[:-1]:
            end = replay(
                game.script, game.sheet, deck, stakes, stage.answers, bank=bank, void="expired"
            )
            assert end.settled
            for bet, line in end.lines.items():
                kept = stage.lines.get(bet)
                assert line.returned_cents == (kept.returned_cents if kept else end.stakes[bet])
