"""The certificate over HTTP: a download of the player's own finished round."""

from __future__ import annotations

from litestar import MediaType, Response, get
from litestar.params import FromQuery

from tapisvert.coach.decisions import DecisionValue, values
from tapisvert.history import player_history
from tapisvert.history.round_proof import Proof, decisions_of, proof_of
from tapisvert.rounds.context import QueryContext
from tapisvert.web.advice import Coach
from tapisvert.web.api import RoundId
from tapisvert.web.app_page import language_of
from tapisvert.web.certificate.page import HouseSays, certificate_page
from tapisvert.web.session import Call, done, house, token
from tapisvert.words import LANGUAGES


@get("/rounds/{round_id:str}/certificate", media_type=MediaType.HTML, include_in_schema=False)
async def certificate(
    request: Call, round_id: RoundId, language: FromQuery[str] = ""
) -> Response[str]:
    """Return the certificate of your finished round as a download."""
    chosen = language if language in LANGUAGES else language_of(request)
    page = await written(request, round_id, chosen)
    name = f"certificate-{round_id}.html"
    return Response(page, headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def written(request: Call, round_id: str, language: str) -> str:
    """Write the certificate of the player's round, with values if a coach is available."""

    def told(context: QueryContext) -> tuple[Proof, HouseSays]:
        proof = proof_of(context, round_id)
        recalled = player_history.recall(context, round_id).round
        return proof, HouseSays(recalled.opened_at, recalled.reversal)

    proof, says = await done(house(request).query(token(request), told))
    return certificate_page(proof, language, says, await _values(request.app.state.coach, proof))


async def _values(coach: Coach | None, proof: Proof) -> list[DecisionValue] | None:
    return None if coach is None else await values(coach.ask, decisions_of(proof))
