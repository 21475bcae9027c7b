"""Practice over HTTP: a question, the answer to it, and a player's progress (docs/practice.md)."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import msgspec
from litestar import MediaType, Response, Router, get, post
from litestar.params import FromPath, QueryParameter
from msgspec import Meta, Struct

from tapisvert.coach import drill
from tapisvert.coach.drill import Chance
from tapisvert.engine import AnyEvent
from tapisvert.engine.view import AskView
from tapisvert.games.registry import known
from tapisvert.learning import practice, round_mistakes
from tapisvert.learning.practice import Next, Outcome, Progress
from tapisvert.learning.practice_repository import PracticeQuestion, Worth
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.schemas import Text
from tapisvert.web.advice import AdviceView, addressed, coach_of
from tapisvert.web.api import Body, answers, checked, reply
from tapisvert.web.drill import (
    Because,
    Memory,
    Mistakes,
    Pick,
    look,
    picked_of,
    summary,
    unseen,
    values,
)
from tapisvert.web.session import Call, done, house, token

_OFFSET_MAX_MIN = 840  # 14 hours: the largest difference of a time zone from UTC


class QuestionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The theme to practise; null lets the house choose, a weak theme more often."""

    theme: Text | None = None


class AnswerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a question, by its id. Days in a row are counted in the player's time zone."""

    question: Text
    choice: Text
    # To JSON Schema 60.0 is an integer too, and a client may send it.
    utc_offset_min: Annotated[
        float, Meta(ge=-_OFFSET_MAX_MIN, le=_OFFSET_MAX_MIN, multiple_of=1)
    ] = 0


class PracticeView(Struct, frozen=True):
    """A question of practice. Nothing is staked, and its deck belongs to no open round.

    `repeated` is true if a card is due; `because` is the mistake behind the card.
    """

    id: str
    game: str
    theme: str
    repeated: bool
    events: tuple[AnyEvent, ...]
    ask: AskView
    hands: dict[str, tuple[str, ...]]
    stakes: dict[str, int]
    because: Because | None
    mine: Mistakes


class PracticeReply(Struct, frozen=True):
    """The value of an answer, by the coach, and what it changed."""

    question: str
    choice: str
    advice: AdviceView
    outcome: Outcome


@get("/practice/{game:str}", responses=answers(Progress))
async def my_practice(
    request: Call,
    game: FromPath[str],
    utc_offset_min: Annotated[int, QueryParameter(ge=-_OFFSET_MAX_MIN, le=_OFFSET_MAX_MIN)] = 0,
) -> Response[bytes]:
    """Return your streaks, and your progress at a game by theme."""
    query = house(request).query(
        token(request), lambda context: practice.progress(context, game, utc_offset_min)
    )
    return reply(msgspec.json.encode(await done(query)), 200)


@post("/practice/{game:str}/questions", status_code=200, responses=answers(PracticeView))
async def ask_practice(
    request: Call, game: FromPath[str], data: Body[QuestionRequest]
) -> Response[bytes]:
    """Ask for a question. Until it is answered, the same question is returned."""
    wanted = checked(data, QuestionRequest).theme
    at, who = house(request), token(request)
    mine = await _take_mistakes(request, known(game))
    chance: Chance = request.app.state.chance
    following = await done(
        at.query(who, lambda context: practice.next_up(context, game, wanted, chance))
    )
    asked = following.waits or await _valued(request, following, wanted)
    shown = await done(at.change(who, lambda context: _posed(context, game, asked, mine)))
    return reply(msgspec.json.encode(shown), 200)


@post(
    "/practice/{game:str}/answers",
    status_code=200,
    media_type=MediaType.JSON,
    responses=answers(PracticeReply),
)
async def answer_practice(
    request: Call, game: FromPath[str], data: Body[AnswerRequest]
) -> Response[bytes]:
    """Answer the current question; it is graded once, by the coach's values."""
    given = checked(data, AnswerRequest)
    at, who, offset = house(request), token(request), int(given.utc_offset_min)
    asked, outcome = await done(
        at.change(
            who,
            lambda context: practice.answer(context, game, given.question, given.choice, offset),
        )
    )
    # A query replays the position: the database's single writer only stores the answer.
    waiting = await done(
        at.query(who, lambda context: practice.shown(context, game, asked).waiting)
    )
    advice = addressed(request, _advice(asked), waiting)
    shown = PracticeReply(asked.id, given.choice, advice, outcome)
    return reply(msgspec.json.encode(shown), 200)


def _posed(
    context: QueryContext, game: str, asked: PracticeQuestion, mine: Mistakes
) -> PracticeView:
    asked = practice.pose(context, game, asked)
    waiting, events, _ = practice.shown(context, game, asked)
    because = None
    if asked.because_round is not None:
        because = Because(asked.because_round, asked.because_cost or 0.0)
    return PracticeView(
        id=asked.id,
        game=game,
        theme=asked.theme,
        repeated=asked.card is not None,
        events=events,
        ask=waiting.ask,
        hands=waiting.hands,
        stakes=dict(waiting.stakes),
        because=because,
        mine=mine,
    )


def _advice(asked: PracticeQuestion) -> AdviceView:
    worth = asked.worth
    options, best = worth.options, worth.best
    return AdviceView("", worth.step, worth.unit_cents, options, best, worth.house_way)


async def _valued(request: Call, following: Next, wanted: str | None) -> PracticeQuestion:
    """Let the coach value the positions, and make a question of one of them."""
    coach, near = coach_of(request), following.near
    pick: Pick = drill.telling
    if near is not None:
        sheet, ask, hands, _ = near.waiting
        (worth_near,) = await values(coach, [near.waiting])
        if worth_near is not None:
            like = drill.asked(sheet.game, ask, hands, worth_near.options)
            pick = partial(drill.nearest, like)
    position, advice = await picked_of(coach, following.positions, pick)
    worth = Worth(advice.step, advice.options, advice.unit_cents, advice.house_way)
    question_id = f"{request.app.state.chance.getrandbits(128):032x}"
    return practice.question_of(following, position, worth, wanted, question_id)


async def _take_mistakes(request: Call, game: str) -> Mistakes:
    """Let the coach judge some of the player's newest rounds; make cards of the mistakes."""
    memory: Memory = request.app.state.practice_memory
    at, who = house(request), token(request)
    ids, new = await done(at.query(who, lambda context: unseen(context, game, memory)))
    if new:
        coach = coach_of(request)
        await asyncio.gather(*(look(coach, memory, *each) for each in new.items()))
        found = [each for each in memory.recall(list(new)) if each.cost > drill.MISTAKE]
        if found:
            # A query replays the rounds: the database's single writer only stores the cards.
            cards = await done(
                at.query(who, lambda context: round_mistakes.cards_of(context, game, found))
            )
            await done(
                at.change(who, lambda context: round_mistakes.add_cards(context, game, cards))
            )
    return summary(memory, ids)


PRACTICE_API = Router("/api/v1", route_handlers=[my_practice, ask_practice, answer_practice])
