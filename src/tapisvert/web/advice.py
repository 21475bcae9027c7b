"""The coach over HTTP: the value of every option of an open round."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Protocol

import msgspec
from litestar import Response, Router, get
from litestar.params import FromQuery
from msgspec import Struct, structs

from tapisvert.coach.position_from_round import position_of, stake_of
from tapisvert.coach.warm import CoachState
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES
from tapisvert.learning.position_address import write_address
from tapisvert.refusal import Refused
from tapisvert.rounds import player_views
from tapisvert.strategies import card_store
from tapisvert.strategies.card_store import Texts
from tapisvert.web.api import RoundId, answers, reply
from tapisvert.web.problems import problem
from tapisvert.web.session import Call, done, house, token
from tapisvert.words import pick


class Coach(Protocol):
    """Interface of the coach: values the options of a position."""

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        """Return the advice for a position, or refuse."""
        ...

    async def state(self, game: str | None = None) -> CoachState:
        """Return the warm-up state of one game, or of all; refuse if there can be no coach."""
        ...

    async def close(self) -> None:
        """Close the connection."""
        ...


class RuleApplied(Struct, frozen=True):
    """The rule of a strategy card that decides this question, and what it says, by language."""

    card: str
    question: str
    number: int
    option: str
    says: Texts
    does: Texts
    otherwise: bool  # whether it is the last rule, which has no condition
    first: bool  # whether its card is the one shown first


class AdviceView(Struct, frozen=True):
    """Value of each legal option: the mean net result, in units of `unit_cents`."""

    round_id: str
    step: int
    unit_cents: int
    options: dict[str, float]
    best: str
    house_way: str | None = None
    position: str = ""  # the path of the question on the page of positions
    rules: tuple[RuleApplied, ...] = ()
    chart_cell: str = ""  # the key of a cell of the card's chart; empty if none applies


@get("/rounds/{round_id:str}/advice", responses=answers(AdviceView))
async def advice(request: Call, round_id: RoundId) -> Response[bytes]:
    """Return the exact value of each option of your open round."""
    query = house(request).query(
        token(request), lambda context: player_views.waiting(context, round_id)
    )
    return await advised(request, round_id, await done(query))


@get("/coach", responses=answers(CoachState))
async def coach_state(request: Call, game: FromQuery[str | None] = None) -> Response[bytes]:
    """Return the coach's warm-up state; a game named here is warmed up next."""
    coach: Coach | None = request.app.state.coach
    named = None if game is None else house(request).game(game).id
    try:
        found = CoachState("absent") if coach is None else await coach.state(named)
    except Refused as refusal:
        told = problem(refusal, pick(request.headers.get("accept-language", "")))
        found = CoachState("absent", code=told.code, detail=told.detail)
    return reply(msgspec.json.encode(found), 200)


async def advised(request: Call, round_id: str, waiting: player_views.Waiting) -> Response[bytes]:
    """Respond with the coach's values for a question."""
    shown = addressed(request, await valued(coach_of(request), round_id, waiting), waiting)
    return reply(msgspec.json.encode(shown), 200)


def addressed(request: Call, shown: AdviceView, waiting: player_views.Waiting) -> AdviceView:
    """Add the address of the question's position to its values."""
    sheet, ask, hands, stakes = waiting
    own = house(request).sheet_of(sheet.game)
    path = write_address(own, sheet, position_of(sheet, ask, hands, stakes))
    return structs.replace(shown, position=path)


def coach_of(request: Call) -> Coach:
    """Return the coach of this server; refuse if it has none."""
    coach: Coach | None = request.app.state.coach
    if coach is None:
        raise Refused("coach/unavailable")
    return coach


async def valued(coach: Coach, round_id: str, waiting: player_views.Waiting) -> AdviceView:
    """Return the coach's values for the legal options of a question."""
    sheet, ask, hands, stakes = waiting
    found = await coach.ask(position_of(sheet, ask, hands, stakes))
    options = {each.id: found["options"][each.id] for each in ask.options if each.legal}
    return AdviceView(
        round_id=round_id,
        step=ask.step,
        unit_cents=stake_of(sheet, ask, stakes),
        options=options,
        best=max(options, key=lambda option: options[option]),
        house_way=found.get("house_way"),
        rules=tuple(rules_applied(sheet, found.get("rules", ()), options)),
        chart_cell=GAMES[sheet.game].chart_cell(ask, hands),
    )


def rules_applied(
    sheet: Sheet, found: Iterable[Mapping[str, Any]], options: Collection[str]
) -> Iterator[RuleApplied]:
    """Yield the rules that the coach found, with their texts; only those of a legal option."""
    cards = card_store.find(sheet)
    if cards is None:
        return
    rules = {
        (card.name, rule.question, rule.number): rule for card in cards.cards for rule in card.rules
    }
    for each in found:
        rule = rules.get((each["card"], each["question"], each["number"]))
        if rule is not None and each["option"] in options:
            yield RuleApplied(
                card=each["card"],
                question=rule.question,
                number=rule.number,
                option=each["option"],
                says=rule.says,
                does=rule.does,
                otherwise=not rule.when and rule.number > 1,
                first=each["card"] == cards.first,
            )


COACH_API = Router("/api/v1", route_handlers=[advice, coach_state])
