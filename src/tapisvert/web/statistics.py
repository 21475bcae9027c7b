"""Statistics over HTTP: the player's results beside the proved figures."""

from __future__ import annotations

from litestar import Response, Router, get

from tapisvert.history.statistics import Statistics, statistics
from tapisvert.web.api import answers, query
from tapisvert.web.session import Call, house


@get("/statistics", responses=answers(Statistics))
async def my_statistics(request: Call) -> Response[bytes]:
    """Return your results over time, per game and per bet, with the expected band."""
    proofs = house(request).proofs
    return await query(request, lambda context: statistics(context, proofs))


STATISTICS_API = Router("/api/v1", route_handlers=[my_statistics])
