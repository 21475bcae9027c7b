"""Practice: chooses the next question, and records what an answer changes.

Every question is a replay of a deck that belongs to no open round. Nothing here touches money,
rounds, history or statistics. The coach values the positions between `next_up` and `pose`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from tapisvert.cards import parse_hand, write_hand
from tapisvert.coach import drill
from tapisvert.coach.drill import Chance
from tapisvert.decoding import read_json
from tapisvert.engine.sheet import Sheet
from tapisvert.games.game import Edition
from tapisvert.games.registry import GAMES, current, edition, known
from tapisvert.history import practice
from tapisvert.history.practice import Laid, PracticePosition
from tapisvert.learning import practice_repository as repository
from tapisvert.learning.practice_repository import PracticeCard, PracticeQuestion, Source, Worth
from tapisvert.learning.progress import ThemeProgress, by_theme, day_of
from tapisvert.learning.schedule import Grade, grade, reviewed
from tapisvert.learning.selection import Answered, select
from tapisvert.refusal import Refused
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.player_views import Waiting
from tapisvert.rounds.schemas import iso
from tapisvert.rounds.stored_sheets import stored_sheet

POSITIONS = 16  # positions that the coach values for one question
_NEAR = 64  # positions dealt for a card at a game with features; the nearest are valued
_DECKS = 64  # decks to deal; after these, two positions of a rare theme are enough
_DECKS_MAX = 200


class Progress(Struct, frozen=True):
    """Streaks at all games, and the figures of a game by theme, over its newest 500 answers."""

    game: str
    days: int  # in a row, up to today or yesterday
    days_longest: int
    run: int  # right answers in a row
    run_longest: int
    themes: tuple[ThemeProgress, ...]


class Outcome(Struct, frozen=True):
    """What an answer changed. `again_at` is when the question comes back; null: never."""

    grade: Grade
    cost: float
    again_at: str | None
    learned: bool
    progress: Progress


class Next(NamedTuple):
    """The next question: one that is still unanswered, or positions to choose from.

    `near` is the position of the due card, if a similar one is to be asked.
    """

    waits: PracticeQuestion | None
    card: PracticeCard | None
    near: PracticePosition | None
    positions: Sequence[PracticePosition]


def next_up(context: QueryContext, game: str, wanted: str | None, chance: Chance) -> Next:
    """Return the unanswered question, or select a card or a theme and deal positions of it.

    A card due within minutes is asked as a similar position, a card due later with its own cards.
    """
    themes = GAMES[known(game)].themes.ids
    if wanted is not None and wanted not in themes:
        raise Refused("practice/unknown_theme", theme=wanted[:64])
    found = repository.question(context.tx, context.player.id, game)
    if found and found[1] is None and found[0].wanted == wanted:
        return Next(found[0], None, None, [])
    cards = repository.cards(context.tx, context.player.id, game)
    answers = repository.answers(context.tx, context.player.id, game)
    among = [wanted] if wanted else themes
    chosen = select(repository.in_hand(cards), answers, among, context.now_ms, chance)
    card = next((each for each in cards if each.position == chosen.card), None)
    same = _of_card(context, game, card) if card else None
    if card and same and not card.memory.learning:
        return Next(None, card, None, [same])
    positions = deal(context, game, chosen.theme, same, chance)
    if same and not any(theme_of(game, each.waiting) == chosen.theme for each in positions):
        return Next(None, card, None, [same])
    return Next(None, card, same, positions)


def deal(
    context: QueryContext,
    game: str,
    theme: str,
    like: PracticePosition | None,
    chance: Chance,
) -> list[PracticePosition]:
    """Deal positions of a theme, the most similar to `like` first; others if none is found."""
    wanted = like and _features(like)
    enough = _NEAR if wanted else POSITIONS
    found: list[PracticePosition] = []
    others: list[PracticePosition] = []
    for decks in range(_DECKS_MAX):
        if len(found) >= enough or (decks >= _DECKS and len(found) > 1 and not wanted):
            break
        for position in practice.dealt(context, game, chance.choice):
            of_theme = theme_of(game, position.waiting) == theme
            (found if of_theme else others).append(position)
    if wanted:
        found.sort(key=lambda position: drill.apart(_features(position), wanted))
    return (found or others)[:POSITIONS]


def question_of(
    following: Next, position: PracticePosition, worth: Worth, wanted: str | None, question_id: str
) -> PracticeQuestion:
    """Return the question that a position makes, once the coach has valued it."""
    waiting, card = position.waiting, following.card
    of_card = card is not None and identity(waiting) == card.position
    return PracticeQuestion(
        id=question_id,
        theme=theme_of(waiting.sheet.game, waiting),
        wanted=wanted,
        position=identity(waiting),
        card=card.position if card else None,
        source=card.source if card and of_card else source_of(position.laid),
        worth=worth,
        because_round=card.source.round_id if card else None,
        because_cost=card.source.cost if card else None,
    )


def pose(context: QueryContext, game: str, asked: PracticeQuestion) -> PracticeQuestion:
    """Store a question and return it; if one of the same wish was stored meanwhile, return that."""
    found = repository.question(context.tx, context.player.id, game)
    if found and found[1] is None and found[0].wanted == asked.wanted:
        return found[0]
    repository.ask(context.tx, context.player.id, game, asked)
    return asked


def shown(context: QueryContext, game: str, asked: PracticeQuestion) -> PracticePosition:
    """Return the position of a question."""
    return practice.position(*rules_of(context, game, asked.source), _laid(asked.source))


def answer(
    context: QueryContext, game: str, question_id: str, choice: str, utc_offset_min: int
) -> tuple[PracticeQuestion, Outcome]:
    """Grade the answer to a question, once; a repeated answer gets the stored reply."""
    tx, player_id = context.tx, context.player.id
    found = repository.question(tx, player_id, known(game))
    if found is None or found[0].id != question_id:
        raise Refused("practice/stale")
    asked, before, reply = found
    if reply is not None:
        if before != choice:
            raise Refused("practice/answered", choice=str(before))
        return asked, read_json(reply, Outcome)
    if choice not in asked.worth.options:
        raise Refused("choice/not_offered", choice=choice[:64])
    said = Answered(asked.theme, asked.worth.cost(choice))
    given = grade(said.cost, asked.worth.lead)
    card = _remembered(context, game, asked, said, given)
    repository.add_answer(tx, player_id, game, said, context.now_ms)
    day = day_of(context.now_ms, utc_offset_min)
    streak = repository.streak(tx, player_id).after(right=said.right, day=day)
    repository.put_streak(tx, player_id, streak)
    outcome = Outcome(
        grade=given,
        cost=said.cost,
        again_at=iso(card.memory.due_ms) if card else None,
        learned=card is not None and card.memory.learned,
        progress=progress(context, game, utc_offset_min),
    )
    repository.reply(tx, player_id, game, choice, outcome)
    return asked, outcome


def progress(context: QueryContext, game: str, utc_offset_min: int) -> Progress:
    """Return a player's progress at a game."""
    tx, player_id = context.tx, context.player.id
    cards = repository.in_hand(repository.cards(tx, player_id, known(game)))
    answers = repository.answers(tx, player_id, game)
    day = day_of(context.now_ms, utc_offset_min)
    streak = repository.streak(tx, player_id).on(day)
    return Progress(
        game=game,
        days=streak.days,
        days_longest=streak.days_longest,
        run=streak.run,
        run_longest=streak.run_longest,
        themes=by_theme(GAMES[game].themes.ids, cards, answers, context.now_ms),
    )


def theme_of(game: str, waiting: Waiting) -> str:
    """Return the theme of a question, from what the player sees."""
    return GAMES[game].themes.of(waiting.ask, waiting.hands)


def identity(waiting: Waiting) -> str:
    """Return the hash of what the player sees: the name of a position."""
    sheet, ask, hands, stakes = waiting
    seen = GAMES[sheet.game].position.of_question(ask, hands, stakes)
    text = msgspec.json.encode([ask.key, seen], order="sorted")
    return hashlib.sha256(text).hexdigest()[:32]


def source_of(laid: Laid) -> Source:
    """Return the stored form of what a replay needs."""
    return Source(write_hand(laid.deck), dict(laid.stakes), laid.answers)


def _remembered(
    context: QueryContext, game: str, asked: PracticeQuestion, said: Answered, given: Grade
) -> PracticeCard | None:
    """Update the card of a question; create one for a mistake without a card."""
    tx, player_id = context.tx, context.player.id
    known_cards = {each.position: each for each in repository.cards(tx, player_id, game)}
    card = known_cards.get(asked.card or "") or known_cards.get(asked.position)
    if card is not None:
        memory = reviewed(card.memory, given, context.now_ms)
        repository.remember(tx, player_id, game, card.position, memory)
        return msgspec.structs.replace(card, memory=memory)
    if said.right:
        return None
    new = PracticeCard(
        position=asked.position,
        theme=asked.theme,
        memory=reviewed(None, given, context.now_ms),
        source=msgspec.structs.replace(asked.source, cost=said.cost),
    )
    repository.add_cards(tx, player_id, game, [new])
    return new


def _of_card(context: QueryContext, game: str, card: PracticeCard) -> PracticePosition | None:
    """Return the position of a card; None if the rules no longer lead to it."""
    try:
        return practice.position(*rules_of(context, game, card.source), _laid(card.source))
    except Refused:
        return None


def rules_of(context: QueryContext, game: str, source: Source) -> tuple[Sheet, Edition]:
    """Return the sheet and the edition a source is replayed by."""
    if source.sheet_hash is None or source.edition is None:
        return context.sheet_of(game), current(game)
    by = edition(game, source.edition)
    return stored_sheet(context.tx, source.sheet_hash, by), by


def _laid(source: Source) -> Laid:
    return Laid(parse_hand(source.deck), source.stakes, source.answers)


def _features(position: PracticePosition) -> tuple[int, ...]:
    waiting = position.waiting
    return drill.features(waiting.sheet.game, waiting.ask, waiting.hands)
