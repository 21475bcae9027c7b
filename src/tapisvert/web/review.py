"""Review over HTTP: what each choice of a finished round cost."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Response, Router, get

from tapisvert.history.practice import Answered
from tapisvert.learning.review import JudgedChoice, RoundReview, judged, questions
from tapisvert.refusal import Refused
from tapisvert.web.advice import Coach, coach_of, valued
from tapisvert.web.api import RoundId, answers, reply
from tapisvert.web.session import Call, done, house, token


@get("/rounds/{round_id:str}/review", responses=answers(RoundReview))
async def review(request: Call, round_id: RoundId) -> Response[bytes]:
    """Return each choice of your finished round, the best one and the exact cost."""
    asked = house(request).query(token(request), lambda context: questions(context, round_id))
    game, answered = await done(asked)
    coach = coach_of(request)
    found = await asyncio.gather(*(_judged(coach, each) for each in answered))
    choices = tuple(each for each in found if each is not None)
    shown = RoundReview(round_id, game, choices, len(found) - len(choices))
    return reply(msgspec.json.encode(shown), 200)


async def _judged(coach: Coach, answer: Answered) -> JudgedChoice | None:
    """Judge one choice; None if no values exist for the rules of its round."""
    try:
        found = await valued(coach, "", answer.waiting)
    except Refused as refusal:
        if refusal.code.startswith("advice/"):
            return None
        raise
    return judged(answer, found.options, found.unit_cents)


REVIEW_API = Router("/api/v1", route_handlers=[review])
