"""The ASGI application: API, pages, static files, middleware."""

from __future__ import annotations

from collections.abc import Iterable

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from tapisvert.coach.drill import CHANCE, Chance
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.web.access_log import AccessLog
from tapisvert.web.advice import Coach
from tapisvert.web.api import API, HOT
from tapisvert.web.app_page import shell, verifier
from tapisvert.web.assets import static
from tapisvert.web.certificate.route import certificate
from tapisvert.web.document_pages import opened_certificate, par, strategy
from tapisvert.web.drill import Memory
from tapisvert.web.head import Head
from tapisvert.web.hot_routes import HotRoutes
from tapisvert.web.jackpots import Board
from tapisvert.web.metrics import metrics
from tapisvert.web.pages import APIS, errors, on_lost, openapi
from tapisvert.web.positions import picture
from tapisvert.web.problems import BODY_BYTES_MAX, on_crash, on_refused, on_unreadable
from tapisvert.web.pwa import manifest, offline, opened_verifier, worker
from tapisvert.web.rate_limit import (
    GUESTS_AT_ONCE,
    GUESTS_PER_MINUTE,
    POSITIONS_AT_ONCE,
    POSITIONS_PER_MINUTE,
    TokenBucket,
)
from tapisvert.web.request_checks import LOCAL_HOSTS, RequestChecks


def create_app(
    house: PlayerService,
    hosts: Iterable[str] = LOCAL_HOSTS,
    *,
    behind_tls: bool = False,
    guests: TokenBucket | None = None,
    coach: Coach | None = None,
    board: Board | None = None,
    chance: Chance | None = None,  # for the questions of practice
) -> Litestar:
    """Build the ASGI application of a house; it closes the house's store on shutdown."""
    app = Litestar(
        route_handlers=[
            *APIS,
            shell,
            verifier,
            picture,
            certificate,
            opened_verifier,
            manifest,
            worker,
            offline,
            par,
            strategy,
            opened_certificate,
            static,
            errors,
            metrics,
            openapi,
        ],
        exception_handlers={
            Refused: on_refused,
            HTTPException: on_lost,
            UnicodeDecodeError: on_unreadable,
            RecursionError: on_unreadable,
            Exception: on_crash,
        },
        openapi_config=None,
        state=State(
            {
                "house": house,
                "behind_tls": behind_tls,
                "guests": guests or TokenBucket(GUESTS_AT_ONCE, GUESTS_PER_MINUTE),
                "positions": TokenBucket(POSITIONS_AT_ONCE, POSITIONS_PER_MINUTE),
                "coach": coach,
                "board": board or Board(house),
                "chance": chance or CHANCE,
                "memory": Memory(),
                "practice_memory": Memory(),
            }
        ),
        request_max_body_size=BODY_BYTES_MAX,
        on_shutdown=[house.store.close, *([coach.close] if coach else [])],
        logging_config=None,
    )
    # Outside the router, so that requests for unknown paths are checked too.
    app.asgi_handler = AccessLog(Head(RequestChecks(HotRoutes(app, API.path, HOT), hosts)))
    return app
