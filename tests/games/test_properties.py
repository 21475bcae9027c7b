"""Invariants of every round of the shipped games, on random decks, stakes and choices.

The kit (tests/kit) checks for any game that rounds end and add up.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tapisvert.cards import JOKER, Card, parse, rank, suit, text
from tapisvert.engine import Transcript, replay
from tapisvert.engine.events import Asked
from tapisvert.engine.script import Answer, Claim
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import SHIPPED, current
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.testing.random_rounds import random_stakes as random_stakes
from tapisvert.testing.random_rounds import unseen_shuffled
from tiers import few_or_many, long

POT = 2_000_000


class Played(NamedTuple):
    """A game, its sheet, and the number of random rounds for `make test-all`."""

    script: Callable[..., Any]
    sheet: Sheet
    rounds: int


GAMES = {  # a round of Pai Gow takes as long as ten of another game
    game: Played(current(game).script, load(game), 500 if game == "pai-gow" else 5_000)
    for game in SHIPPED
}
ROUNDS = int(os.environ.get("TAPIS_ROUNDS", "0"))  # of every game, for a long run (`make rounds`)
FIRST_TIER = 5  # it plays one in this many rounds
each_game = pytest.mark.parametrize("name", GAMES)


def samples(*names: str) -> list[object]:
    """Return games and the number of rounds of each, for `parametrize`."""
    if ROUNDS:
        return [(name, ROUNDS) for name in names]
    few: list[object] = [
        pytest.param(name, GAMES[name].rounds // FIRST_TIER, id=name) for name in names
    ]
    return few + [
        pytest.param(name, GAMES[name].rounds, id=f"{name}-more", marks=long) for name in names
    ]


each_sample = pytest.mark.parametrize(("name", "rounds"), samples(*GAMES))


def bank(claim: Claim) -> int:
    return int(POT * claim.share)


def run(
    game: Played, deck: list[Card], stakes: dict[str, int], answers: list[Answer]
) -> Transcript:
    return replay(game.script, game.sheet, deck, stakes, answers, bank=bank)


def random_round(
    game: Played, chance: random.Random
) -> tuple[list[Card], dict[str, int], list[Transcript]]:
    """Play a round to its end; return its deck, its stakes, and its state after each answer."""
    deck = list(game.sheet.deck)
    chance.shuffle(deck)
    stakes = random_stakes(game.sheet, chance)
    stages = [run(game, deck, stakes, [])]
    while isinstance(question := stages[-1].waiting, Asked):
        legal = [option.id for option in question.options if option.why_not is None]
        stages.append(run(game, deck, stakes, [*stages[-1].answers, chance.choice(legal)]))
    return deck, stakes, stages


@each_sample
def test_relabelling_suits_never_changes_a_settlement(name: str, rounds: int) -> None:
    game, chance = GAMES[name], random.Random(f"suits {name}")
    for _ in range(rounds // 3):
        deck, stakes, stages = random_round(game, chance)
        names = chance.sample(range(4), 4)
        answers = [relabelled_answer(answer, names) for answer in stages[-1].answers]
        other = run(game, [relabelled(card, names) for card in deck], stakes, answers)
        # Not a cent, and no reason, row or price either.
        assert other.lines == stages[-1].lines, (deck, names)


def relabelled(card: Card, names: list[int]) -> Card:
    return card if card == JOKER else 4 * rank(card) + names[suit(card)]


def relabelled_answer(answer: Answer, names: list[int]) -> Answer:
    """Return an answer with other suits: only a set of Pai Gow names cards."""
    if not isinstance(answer, str) or " " not in answer:
        return answer
    return " ".join(text(relabelled(parse(card), names)) for card in answer.split())


@each_sample
def test_R7_while_a_round_waits_nothing_in_it_depends_on_a_card_the_player_has_not_seen(
    name: str, rounds: int
) -> None:
    game, chance = GAMES[name], random.Random(f"hidden {name}")
    compared = 0
    for _ in range(rounds // 4):
        deck, stakes, stages = random_round(game, chance)
        for stage in stages[:-1]:
            other = unseen_shuffled(deck, stage, chance)
            if name == "blackjack" and has_blackjack(other, stakes):
                continue  # the house would have looked, and ended the round before
            assert run(game, other, stakes, [*stage.answers]) == stage, (deck, other)
            compared += 1
    assert compared > rounds // 8


def has_blackjack(deck: list[Card], stakes: dict[str, int]) -> bool:
    """Say whether the house is dealt an ace and a ten-value."""
    first = 2 * sum(bet.startswith("hand") for bet in stakes)
    ranks = sorted(text(card)[0] for card in deck[first : first + 2])
    return "A" in ranks and bool(set(ranks) & set("TJQK"))


@pytest.mark.parametrize(("name", "rounds"), samples("casino-stud", "pai-gow"))
def test_a_cap_that_bites_is_never_exceeded_and_only_ever_cuts(name: str, rounds: int) -> None:
    """The shipped caps equal the largest possible wins; these are lower (stud.15, pai.11)."""
    game, chance = GAMES[name], random.Random(f"caps {name}")
    cut = 0
    for _ in range(rounds // 4):
        deck, stakes, stages = random_round(game, chance)
        free = stages[-1]
        caps = {bet: chance.randint(1, 20_000) for bet in game.sheet.caps_cents}
        changes = {f"caps_cents.{bet}": cents for bet, cents in caps.items()}
        low = game._replace(sheet=with_changes(game.sheet, changes))
        held = run(low, deck, stakes, [*free.answers])
        total = sum(line.returned_cents for line in held.lines.values())
        assert total <= caps["round"]
        for bet, line in held.lines.items():
            whole = free.lines[bet].returned_cents
            assert 0 <= line.returned_cents <= min(whole, caps.get(bet, whole))
            assert line.capped == (line.returned_cents < whole)
            cut += line.capped
    assert cut > rounds // 100


@each_game
def test_a_deck_that_is_not_the_games_own_is_refused(name: str) -> None:
    """The deck must be complete, each card once: stud.1 flush.1 uth.1 pai.1 bj.1."""
    game = GAMES[name]
    stakes = random_stakes(game.sheet, random.Random(name))
    own = list(game.sheet.deck)
    assert own == list(range(53 if name == "pai-gow" else 52))
    other = own[:-1] if name == "pai-gow" else [*own, JOKER]
    for deck in (other, own[1:], [own[1], *own[1:]], []):
        with pytest.raises(Refused, match="deck/invalid"):
            run(game, deck, stakes, [])


@each_game
@pytest.mark.parametrize("rounds", few_or_many(40, 200))
def test_a_round_left_open_is_void_and_gives_back_what_is_not_settled(
    name: str, rounds: int
) -> None:
    """After 30 days, or 24 hours at Blackjack: stud.17 flush.15 uth.14 pai.12 bj.15."""
    game, chance = GAMES[name], random.Random(f"void {name}")
    assert game.sheet.void_after_s == (24 if name == "blackjack" else 30 * 24) * 3600
    for _ in range(rounds):
        deck, stakes, stages = random_round(game, chance)
        for stage in stages[:-1]:
            end = replay(
                game.script, game.sheet, deck, stakes, stage.answers, bank=bank, void="expired"
            )
            assert end.settled
            for bet, line in end.lines.items():
                kept = stage.lines.get(bet)
                assert line.returned_cents == (kept.returned_cents if kept else end.stakes[bet])
