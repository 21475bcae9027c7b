"""The server: the API, a plain page, and the door."""

from __future__ import annotations

from collections.abc import Iterable

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from tapisvert import __version__
from tapisvert.refusal import Refused
from tapisvert.rounds import House
from tapisvert.web.api import api
from tapisvert.web.guard import LOCAL_HOSTS, Guard
from tapisvert.web.pages import errors, home, style
from tapisvert.web.problems import BODY_BYTES_MAX, on_crash, on_http_error, on_refused


def create_app(house: House, hosts: Iterable[str] = LOCAL_HOSTS) -> Litestar:
    """Build the server of a house; it closes the house's store when it stops."""
    return Litestar(
        route_handlers=[api(), home, errors, style],
        middleware=[DefineMiddleware(Guard, hosts=tuple(hosts))],
        exception_handlers={
            Refused: on_refused,
            HTTPException: on_http_error,
            Exception: on_crash,
        },
        openapi_config=OpenAPIConfig(
            title="Tapis Vert",
            version=__version__,
            description="Casino table games: seats, rounds, wallet. Errors: /errors.",
            path="/openapi",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],  # others load foreign scripts
            use_handler_docstrings=True,
        ),
        state=State({"house": house}),
        request_max_body_size=BODY_BYTES_MAX,
        on_shutdown=[house.store.close],
        logging_config=None,
    )
