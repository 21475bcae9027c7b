"""Lessons: a player learns a game step by step, and the game's own script plays each step.

A lesson is three kinds of files in the game's folder `lesson/`:

- `lesson.toml`: its steps. Each has the cards from the top of the deck, the stakes and the answers
  that lead to its question. The question is the script's own, or the result of a bet.
- `fr.toml`, `en.toml`: its texts by step: `before`, `ask` (if the question is not the table's),
  `why`, and `wrong` for options whose explanation is not `why`.
- `values.json`: the exact value of each option, counted by `tools/lessons.py` for one sheet.

Nothing is staked or stored: every step is a replay.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from tapisvert.cards import parse_hand
from tapisvert.coach.position_from_round import position_of, stake_of
from tapisvert.decoding import convert, read_json
from tapisvert.engine import AnyEvent, Transcript, replay, view
from tapisvert.engine.events import Chose, Claimed, Said, Settled
from tapisvert.engine.settlement import Line
from tapisvert.engine.sheet import Sheet, content
from tapisvert.games.registry import GAMES, current, known
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES, read_words

_SAME = 1e-9  # values that differ by less count as equal, as in practice
_OUTCOMES = ("lost", "returned")  # offered whenever a step asks for the result of a bet


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One step as it stands in `lesson.toml`."""

    id: str
    deck: tuple[str, ...] = ()  # the cards from the top, in as many strings as is readable
    stakes: dict[str, int] = {}
    like: str = ""  # an earlier step whose deck and stakes are used
    answers: tuple[str, ...] = ()
    bet: str = ""  # asks for the result of this bet, instead of the script's question
    odds: tuple[str, ...] = ()  # wrong answers to that, besides lost and returned


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """The steps of a lesson, in order."""

    steps: tuple[Step, ...]


class Values(Struct, frozen=True):
    """The value of each legal option, by step, in units of `unit_cents` of the step."""

    sheet_hash: str
    edition: int
    steps: dict[str, dict[str, float]]


class LessonOption(Struct, frozen=True):
    """One answer: its value, or the net result it names; and the events that follow it."""

    id: str
    right: bool
    value: float | None
    net_cents: int | None
    events: tuple[AnyEvent, ...]


class LessonStep(Struct, frozen=True):
    """One step: the events before its question, the question, and the answers."""

    id: str
    events: tuple[AnyEvent, ...]
    bet: str | None  # the bet whose net result is asked; None: the last event is the question
    stakes: dict[str, int]
    unit_cents: int
    options: tuple[LessonOption, ...]


class LessonView(Struct, frozen=True):
    """A whole lesson, with its texts by language."""

    game: str
    sheet: dict[str, Any]
    steps: tuple[LessonStep, ...]
    words: dict[str, dict[str, str]]


class Decision(NamedTuple):
    """A step that asks the script's own question, and its position for the coach."""

    step: str
    legal: tuple[str, ...]
    position: dict[str, Any]
    unit_cents: int


def has_lesson(game: str) -> bool:
    """Tell whether a game has a lesson."""
    return (_folder(game) / "lesson.toml").is_file()


@cache
def lesson_of(game: str) -> LessonView:
    """Play every step of a game's lesson; refuse if the game has none for its sheet."""
    sheet = load(known(game))
    if not has_lesson(game):
        raise Refused("request/not_found")
    values = read_json((_folder(game) / "values.json").read_bytes(), Values)
    if (values.sheet_hash, values.edition) != (sheet.hash, current(game).number):
        raise Refused("request/not_found")
    steps = tuple(_played(sheet, step, values.steps.get(step.id, {})) for step in steps_of(game))
    return LessonView(game, content(sheet), steps, words_of(game))


def steps_of(game: str) -> tuple[Step, ...]:
    """Return the steps of a lesson; a step with `like` gets the deck and stakes of that step."""
    read = tomllib.loads((_folder(game) / "lesson.toml").read_text(encoding="utf-8"))
    found: dict[str, Step] = {}
    for step in convert(read, Lesson).steps:
        if step.like:
            other = found[step.like]
            step = msgspec.structs.replace(step, deck=other.deck, stakes=other.stakes)
        found[step.id] = step
    return tuple(found.values())


def words_of(game: str) -> dict[str, dict[str, str]]:
    """Return the texts of a lesson by language and dotted key."""
    return {each: read_words(_folder(game) / f"{each}.toml", each) for each in LANGUAGES}


def transcript(sheet: Sheet, step: Step, *more: str) -> Transcript:
    """Play a step's answers, then the answers in `more`."""
    top = [card for part in step.deck for card in parse_hand(part)]
    deck = [*top, *(card for card in sheet.deck if card not in top)]
    return replay(current(sheet.game).script, sheet, deck, step.stakes, [*step.answers, *more])


def decisions(game: str) -> Iterator[Decision]:
    """Yield the steps that ask the script's own question."""
    sheet = load(game)
    for step in steps_of(game):
        if not step.bet:
            played = transcript(sheet, step)
            seen = view(played)
            if seen.ask is None:
                raise ValueError(f"{game}: {step.id} has no question")
            position = position_of(sheet, seen.ask, seen.hands, played.stakes)
            yield Decision(
                step.id,
                tuple(option.id for option in seen.ask.options if option.legal),
                msgspec.json.decode(msgspec.json.encode(position)),  # as the coach reads it
                stake_of(sheet, seen.ask, played.stakes),
            )


def _played(sheet: Sheet, step: Step, values: Mapping[str, float]) -> LessonStep:
    played = transcript(sheet, step)
    if step.bet:
        return _of_bet(step, played)
    ask = view(played).ask
    assert ask is not None
    best = max(values.values())
    options = tuple(
        LessonOption(
            id=option,
            right=value >= best - _SAME,
            value=value,
            net_cents=None,
            events=transcript(sheet, step, option).since(len(played.events)),
        )
        for option, value in values.items()
    )
    unit = stake_of(sheet, ask, played.stakes)
    return LessonStep(step.id, played.events, None, dict(played.stakes), unit, options)


def _of_bet(step: Step, played: Transcript) -> LessonStep:
    """Ask for the result of a bet, before any event shows it."""
    line, told = played.lines[step.bet], _before_results(played)
    after = played.since(told)
    net = line.returned_cents - line.staked_cents
    nets = {net, *(_net(line, odds) for odds in (*_OUTCOMES, *step.odds))}
    options = tuple(
        LessonOption(id=str(each), right=each == net, value=None, net_cents=each, events=after)
        for each in sorted(nets)
    )
    unit = line.staked_cents
    stakes = dict(played.stakes)
    return LessonStep(step.id, played.events[:told], step.bet, stakes, unit, options)


def _before_results(played: Transcript) -> int:
    """Return the number of events before the first result since the last choice."""
    chosen = [event.n for event in played.events if isinstance(event, Chose)]
    return next(
        event.n
        for event in played.since(chosen[-1] if chosen else 0)
        if isinstance(event, Said | Settled | Claimed)
    )


def _net(line: Line, odds: str) -> int:
    """Return the net result of a bet that is lost, returned, or paid at some odds."""
    if odds == "lost":
        return -line.staked_cents
    if odds == "returned":
        return 0
    gain, _, stake = odds.partition(":")
    return int(line.staked_cents * Fraction(int(gain), int(stake)))


def _folder(game: str) -> Path:
    return GAMES[known(game)].folder / "lesson"
