"""Lessons over HTTP: a whole lesson in one reply, the same for everybody.

No session is needed and nothing is stored: the browser keeps the player's progress.
"""

from __future__ import annotations

import asyncio
import gzip
from functools import cache

import msgspec
from litestar import MediaType, Response, Router, get
from litestar.params import FromPath

from tapisvert.learning.lessons import LessonView, lesson_of
from tapisvert.web.api import answers
from tapisvert.web.session import Call

_HEADERS = {"Cache-Control": "public, max-age=3600", "Vary": "Accept-Encoding"}


@get("/lessons/{game:str}", responses=answers(LessonView))
async def lesson(request: Call, game: FromPath[str]) -> Response[bytes]:
    """Return the lesson of a game, in both languages; needs no session."""
    plain, packed = await asyncio.to_thread(_encoded, game)  # the first time, it plays the lesson
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(plain, headers=_HEADERS, media_type=MediaType.JSON)
    headers = {**_HEADERS, "Content-Encoding": "gzip"}
    return Response(packed, headers=headers, media_type=MediaType.JSON)


@cache
def _encoded(game: str) -> tuple[bytes, bytes]:
    plain = msgspec.json.encode(lesson_of(game))
    return plain, gzip.compress(plain, 9, mtime=0)


LESSONS_API = Router("/api/v1", route_handlers=[lesson])
