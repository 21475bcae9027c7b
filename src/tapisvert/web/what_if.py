"""What if, over HTTP: the same deck with other choices, and the value of each option."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from litestar import Response, Router, get
from litestar.params import QueryParameter
from msgspec import Struct

from tapisvert.coach.position_from_round import net_of, stake_of
from tapisvert.engine import AnyEvent, view
from tapisvert.engine.events import Asked, Chose
from tapisvert.engine.view import AskView, LineView
from tapisvert.history import what_if
from tapisvert.web.advice import AdviceView, advised
from tapisvert.web.api import RoundId, answers, query
from tapisvert.web.session import Call, done, house, token

Choices = Annotated[
    list[str] | None,
    QueryParameter(name="choice", max_items=64, description="The choices taken, first to last."),
]


class Decision(Struct, frozen=True):
    """A choice, and the net result of the bets its value covers."""

    step: int
    hand: str | None
    choice: str
    unit_cents: int
    net_cents: int | None  # None until those bets are settled


class WhatIf(Struct, frozen=True):
    """A finished round replayed with other choices, as far as they reach. Nothing is paid."""

    round_id: str
    ask: AskView | None
    lines: tuple[LineView, ...]
    staked_cents: int
    returned_cents: int
    hands: dict[str, tuple[str, ...]]
    events: tuple[AnyEvent, ...]
    decisions: tuple[Decision, ...]


@get("/rounds/{round_id:str}/what-if", responses=answers(WhatIf))
async def other(request: Call, round_id: RoundId, choice: Choices = None) -> Response[bytes]:
    """Replay a finished round with other choices, on the same deck."""
    return await query(
        request, lambda context: shown(round_id, what_if.branch(context, round_id, choice or ()))
    )


@get("/rounds/{round_id:str}/what-if/advice", responses=answers(AdviceView))
async def advice(request: Call, round_id: RoundId, choice: Choices = None) -> Response[bytes]:
    """Return the value of each option of a finished round after these choices."""
    waiting = house(request).query(
        token(request), lambda context: what_if.question(context, round_id, choice or ())
    )
    return await advised(request, round_id, await done(waiting))


def shown(round_id: str, branch: what_if.Branch) -> WhatIf:
    """Return the view of a branch of a round."""
    seen = view(branch.played)
    return WhatIf(
        round_id=round_id,
        ask=seen.ask,
        lines=seen.lines,
        staked_cents=seen.staked_cents,
        returned_cents=seen.returned_cents,
        hands=seen.hands,
        events=branch.played.events,
        decisions=tuple(decisions(branch)),
    )


def decisions(branch: what_if.Branch) -> Iterator[Decision]:
    """Yield the choices of a branch, each with the net result of its bets."""
    sheet, played = branch
    asked: Asked | None = None
    for event in played.events:
        match event:
            case Asked():
                asked = event
            case Chose(step=step, option=option) if asked is not None:
                unit = stake_of(sheet, asked, played.stakes)
                net = net_of(sheet, asked, played.lines.values()) if played.settled else None
                yield Decision(step, asked.hand, option, unit, net)


WHAT_IF_API = Router("/api/v1", route_handlers=[other, advice])
