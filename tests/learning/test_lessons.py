"""Lessons: every step is played by the script, every value counted, every answer explained."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from math import isclose
from typing import Any

import pytest

from tapisvert.cards import STANDARD, parse_hand
from tapisvert.coach.advice import advise
from tapisvert.engine.events import Asked, Settled
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.learning import lessons
from tapisvert.learning.lessons import (
    LessonStep,
    decisions,
    has_lesson,
    lesson_of,
    steps_of,
    words_of,
)
from tapisvert.ranking.standard import strength
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES, Catalogue, catalogue
from tapisvert.words.catalogue import places
from tiers import one_in

DECISIONS_LEAST = 8
READ, WORDS_PER_MINUTE, CHOICE_S = (".before", ".why"), 200, 10  # docs/lessons.md
# Counting Casino Stud takes a second, and is in the first tier.
SLOWEST_LAST = ("casino-stud", "high-card-flush", "pai-gow", "ultimate", "blackjack")
every_game = pytest.mark.parametrize("game", SHIPPED)


def dotted(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from dotted(part, f"{prefix}{name}.")
    else:
        yield prefix.rstrip("."), value


@every_game
def test_a_lesson_has_eight_decisions_and_asks_what_bets_become(game: str) -> None:
    steps = lesson_of(game).steps
    assert len(steps) == len({step.id for step in steps}) == len(steps_of(game))
    assert sum(step.bet is None for step in steps) >= DECISIONS_LEAST
    assert sum(step.bet is not None for step in steps) >= 3


@every_game
def test_every_legal_option_has_its_value_and_the_best_are_right(game: str) -> None:
    legal = {each.step: set(each.legal) for each in decisions(game)}
    for step in lesson_of(game).steps:
        if step.bet is None:
            assert {option.id for option in step.options} == legal[step.id]
            assert len(step.options) >= 2
            best = max(option.value for option in step.options if option.value is not None)
            for option in step.options:
                assert option.value is not None
                assert option.right == isclose(option.value, best, rel_tol=0, abs_tol=1e-9)


@every_game
def test_the_low_hand_tells_a_wrong_set_from_the_best(game: str) -> None:
    """The page names a set by what goes low."""
    for step in (each for each in lesson_of(game).steps if each.bet is None):
        asked = next(event for event in reversed(step.events) if isinstance(event, Asked))
        low = {option.id: option.hands.get("low") for option in asked.options}
        right = {low[option.id] for option in step.options if option.right}
        wrong = {low[option.id] for option in step.options if not option.right}
        assert not right & wrong - {None}, step.id


@every_game
def test_what_becomes_of_a_bet_is_what_the_script_settles(game: str) -> None:
    for step in lesson_of(game).steps:
        if step.bet is not None:
            [right] = [option for option in step.options if option.right]
            [line] = [
                event
                for event in right.events
                if isinstance(event, Settled) and event.bet == step.bet
            ]
            assert right.net_cents == line.returned_cents - line.staked_cents
            assert len(step.options) >= 3
            assert not any(isinstance(event, Settled) for event in step.events)


def expected(step: LessonStep) -> tuple[set[str], set[str]]:
    """Return the keys of a step that must have a text, and those that may."""
    wrong = {f"{step.id}.wrong.{option.id}" for option in step.options if not option.right}
    return {f"{step.id}.before", f"{step.id}.why"}, wrong


@every_game
def test_every_answer_is_explained_in_both_languages(game: str) -> None:
    """`why` explains every answer; `wrong` replaces it for one of them."""
    words, steps = words_of(game), lesson_of(game).steps
    assert words["fr"].keys() == words["en"].keys()
    needed = set[str]().union(*(expected(step)[0] for step in steps))
    allowed = set[str]().union(*(expected(step)[1] for step in steps))
    assert needed <= words["fr"].keys() <= needed | allowed
    for key, text in words["fr"].items():
        assert text.strip()
        assert places(text) == places(words["en"][key]), key


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_figures_come_from_the_sheet(game: str, language: str) -> None:
    """Every placeholder can be filled, and no price or percentage is typed."""
    words = words_of(game)[language]
    told = Catalogue(language, {**catalogue(language).templates, **words})
    figures = dict(dotted(lesson_of(game).sheet))
    for step in lesson_of(game).steps:
        args = {**figures, **{f"stakes.{bet}": cents for bet, cents in step.stakes.items()}}
        for key in (key for key in words if key.startswith(f"{step.id}.")):
            assert not re.search(r"\d\s?:\s?\d|[$%]", words[key]), key
            assert told.write(key, args, game)


@pytest.mark.parametrize("game", one_in(len(SHIPPED), sorted(SHIPPED, key=SLOWEST_LAST.index)))
def test_the_values_are_counted_again(game: str) -> None:
    options = {step.id: step.options for step in lesson_of(game).steps}
    for each in decisions(game):
        counted = advise(each.position).options
        for option in options[each.step]:
            assert option.value is not None
            assert isclose(option.value, counted[option.id], rel_tol=0, abs_tol=1e-9), each.step


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_a_lesson_takes_five_minutes_by_its_words_and_choices(game: str, language: str) -> None:
    read = [text for key, text in words_of(game)[language].items() if key.endswith(READ)]
    minutes = sum(len(text.split()) for text in read) / WORDS_PER_MINUTE
    assert 4.5 <= minutes + len(steps_of(game)) * CHOICE_S / 60 <= 5.25


def test_values_of_another_sheet_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    other = with_changes(load("casino-stud"), {"play.pays.flush": "6:1"})
    monkeypatch.setattr(lessons, "load", lambda game: other)
    with pytest.raises(Refused) as refused:
        lesson_of.__wrapped__("casino-stud")
    assert refused.value.code == "request/not_found"


def test_a_game_without_the_files_has_no_lesson() -> None:
    without = [game for game in GAMES if game not in SHIPPED]
    assert not any(has_lesson(game) for game in without)
    for game in without:
        with pytest.raises(Refused):
            lesson_of(game)


@pytest.mark.parametrize(("name", "beating"), [("paired-board", 16), ("river-fold", 23)])
def test_the_cards_that_beat_an_ultimate_hand_are_as_many_as_its_text_says(
    name: str, beating: int
) -> None:
    [step] = [each for each in steps_of("ultimate") if each.id == name]
    cards = parse_hand(" ".join(step.deck))
    hand, board = cards[:2], cards[4:]
    mine, unseen = strength([*hand, *board]), set(STANDARD) - {*hand, *board}
    stronger = [card for card in unseen if strength([*board, card]) > mine]
    assert len(stronger) == beating
    if name == "paired-board":  # "you win or tie four times in ten"
        hidden = [strength([*board, *two]) <= mine for two in combinations(unseen, 2)]
        assert round(10 * sum(hidden) / len(hidden)) == 4
