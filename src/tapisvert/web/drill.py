"""The drill over HTTP: a practice question similar to a mistake of the player, without stakes.

The coach values the player's answers in the newest rounds of the game. A finished round never
changes, so its values are cached. Then questions are dealt from new decks, and the one nearest to a
mistake is returned (`coach/drill.py` defines the distance).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from litestar import Response, Router, get
from litestar.params import FromPath
from msgspec import Struct
from msgspec.structs import replace

from tapisvert.coach import drill
from tapisvert.coach.drill import Chance, DrillQuestion, Judged
from tapisvert.engine import AnyEvent
from tapisvert.engine.view import AskView
from tapisvert.history import practice
from tapisvert.history.practice import Answered, PracticePosition
from tapisvert.refusal import Refused
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.player_views import Waiting
from tapisvert.web.advice import AdviceView, Coach, addressed, coach_of, valued
from tapisvert.web.api import answers, reply
from tapisvert.web.session import Call, done, house, token

QUESTIONS_AT_ONCE = 48  # examined per request, from the player's rounds; the next request continues
CANDIDATES = 16  # dealt questions the coach values
DEALT = 64  # at games with features (Blackjack): the candidates are the nearest of these
Pick = Callable[[Sequence[DrillQuestion]], int]  # the index of one of them
_DECKS_MAX = 400
_ROUNDS_KEPT = 20_000


class Because(Struct, frozen=True):
    """The mistake a question is similar to: its round, and its cost in units of the stake."""

    round_id: str
    cost: float


class Mistakes(Struct, frozen=True):
    """Mistakes in the player's newest rounds of the game, among the rounds examined so far.

    `mean_cost` is per decision, correct ones included, in units of the stake.
    """

    rounds: int
    looked_at: int
    decisions: int
    mistakes: int
    mean_cost: float | None


class Drill(Struct, frozen=True):
    """A practice question. Nothing is staked, and its deck belongs to no round."""

    game: str
    events: tuple[AnyEvent, ...]
    ask: AskView
    hands: dict[str, tuple[str, ...]]
    stakes: dict[str, int]
    advice: AdviceView
    because: Because | None
    mine: Mistakes


class Memory:
    """Cache of judged answers by finished round; the oldest entry is evicted."""

    def __init__(self) -> None:
        self._rounds: OrderedDict[str, tuple[Judged, ...]] = OrderedDict()

    def __contains__(self, round_id: str) -> bool:
        return round_id in self._rounds

    def keep(self, round_id: str, said: tuple[Judged, ...]) -> None:
        """Store the judged answers of a round."""
        self._rounds[round_id] = said
        if len(self._rounds) > _ROUNDS_KEPT:
            self._rounds.popitem(last=False)

    def recall(self, round_ids: Sequence[str]) -> list[Judged]:
        """Return the judged answers of those of these rounds that are cached."""
        return [each for name in round_ids for each in self._rounds.get(name, ())]


@get("/drill/{game:str}", responses=answers(Drill))
async def my_drill(request: Call, game: FromPath[str]) -> Response[bytes]:
    """Return a practice question, similar to a costly mistake of your own."""
    memory: Memory = request.app.state.memory
    at, who = house(request), token(request)
    ids, new = await done(at.query(who, lambda context: unseen(context, game, memory)))
    coach = coach_of(request)
    await asyncio.gather(*(look(coach, memory, *each) for each in new.items()))
    said = memory.recall(ids)
    mistakes = [each for each in said if each.cost > drill.MISTAKE]
    chance: Chance = request.app.state.chance
    wanted = drill.picked(mistakes, chance)
    like = wanted.asked if wanted else None
    positions = await done(at.query(who, lambda context: candidates(context, game, like, chance)))
    pick = partial(drill.nearest, like) if like else drill.closest
    position, advice = await picked_of(coach, positions, pick)
    shown = Drill(
        game=game,
        events=position.events,
        ask=position.waiting.ask,
        hands=position.waiting.hands,
        stakes=dict(position.waiting.stakes),
        advice=addressed(request, advice, position.waiting),
        because=Because(wanted.round_id, wanted.cost) if wanted else None,
        mine=summary(memory, ids),
    )
    return reply(msgspec.json.encode(shown), 200)


def summary(memory: Memory, ids: Sequence[str]) -> Mistakes:
    """Summarise the mistakes in those of these rounds that the coach has examined."""
    said = memory.recall(ids)
    return Mistakes(
        rounds=len(ids),
        looked_at=sum(each in memory for each in ids),
        decisions=len(said),
        mistakes=sum(each.cost > drill.MISTAKE for each in said),
        mean_cost=sum(each.cost for each in said) / len(said) if said else None,
    )


def unseen(
    context: QueryContext, game: str, memory: Memory
) -> tuple[list[str], dict[str, list[Answered]]]:
    """Return the newest rounds of a game, and the questions of some not yet examined."""
    ids = practice.finished(context, game)
    found: dict[str, list[Answered]] = {}
    for round_id in (each for each in ids if each not in memory):
        found[round_id] = practice.answered(context, round_id)
        if sum(map(len, found.values())) >= QUESTIONS_AT_ONCE:
            break
    return ids, found


def candidates(
    context: QueryContext, game: str, like: DrillQuestion | None, chance: Chance
) -> list[PracticePosition]:
    """Deal candidate questions with the key of `like`; with other keys if none comes."""
    enough = DEALT if like and like.features else CANDIDATES
    found: list[PracticePosition] = []
    others: list[PracticePosition] = []
    for _ in range(_DECKS_MAX):
        for position in practice.dealt(context, game, chance.choice):
            same = like is None or position.waiting.ask.key == like.key
            (found if same else others).append(position)
        if len(found) >= enough:
            break
    if like:
        found.sort(key=lambda position: _far(position.waiting, like))
    return (found or others)[:CANDIDATES]


def _far(waiting: Waiting, like: DrillQuestion) -> int:
    own = drill.features(waiting.sheet.game, waiting.ask, waiting.hands)
    return drill.apart(own, like.features)


async def look(coach: Coach, memory: Memory, round_id: str, questions: Sequence[Answered]) -> None:
    """Judge the player's answers in a round, and cache the result."""
    found = await values(coach, [each.waiting for each in questions])
    said = (
        replace(
            drill.judged(
                round_id, choice, waiting.sheet.game, waiting.ask, waiting.hands, advice.options
            ),
            place=place,
        )
        for (waiting, choice, place), advice in zip(questions, found, strict=True)
        if advice is not None
    )
    memory.keep(round_id, tuple(said))


async def picked_of(
    coach: Coach, positions: Sequence[PracticePosition], pick: Pick
) -> tuple[PracticePosition, AdviceView]:
    """Return the question that `pick` chooses by the values of its options."""
    worth = await values(coach, [position.waiting for position in positions])
    found = [
        (position, advice)
        for position, advice in zip(positions, worth, strict=True)
        if advice is not None
    ]
    if not found:
        raise Refused("advice/not_proved")
    told = [
        drill.asked(waiting.sheet.game, waiting.ask, waiting.hands, advice.options)
        for (waiting, *_), advice in found
    ]
    return found[pick(told)]


async def values(coach: Coach, questions: Sequence[Waiting]) -> list[AdviceView | None]:
    """Ask the coach about questions; None where no proof exists."""
    return await asyncio.gather(*(_value(coach, each) for each in questions))


async def _value(coach: Coach, waiting: Waiting) -> AdviceView | None:
    try:
        return await valued(coach, "", waiting)
    except Refused as refusal:
        if refusal.code.startswith("advice/"):
            return None
        raise


DRILL_API = Router("/api/v1", route_handlers=[my_drill])
