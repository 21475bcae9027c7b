"""Refusals on the wire: RFC 9457 problem details with our stable codes (docs/errors.md)."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any, cast

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from msgspec import Struct

from tapisvert.refusal import Arg, Refused
from tapisvert.words import catalogue, explain, pick

STATUS: dict[str, int] = {
    "request/malformed": 400,
    "request/unknown_game": 404,
    "game/incomplete": 404,
    "request/not_found": 404,
    "request/method": 405,
    "request/unknown_method": 501,
    "request/content_type": 415,
    "request/too_large": 413,
    "request/too_many": 429,
    "request/host": 421,
    "request/origin": 403,
    "request/failed": 500,
    "session/missing": 401,
    "idempotency/missing": 400,
    "idempotency/reused": 422,
    "request/in_flight": 409,
    "stake/unknown": 422,
    "stake/not_a_number": 422,
    "stake/off_step": 422,
    "stake/under_limit": 422,
    "stake/over_limit": 422,
    "stake/needs_main": 422,
    "stake/missing": 422,
    "choice/not_offered": 422,
    "choice/not_legal": 422,
    "choice/too_many": 422,
    "seat/unknown": 409,
    "seat/stale": 409,
    "seat/client_seed": 422,
    "round/unknown": 404,
    "round/already_open": 409,
    "round/stale_step": 409,
    "round/ended": 409,
    "round/not_ended": 409,
    "coach/warming": 503,
    "coach/unavailable": 503,
    "coach/not_installed": 503,
    "advice/not_proved": 409,
    "advice/impossible": 422,
    "position/too_long": 422,
    "position/unreadable": 422,
    "position/unknown_name": 422,
    "position/card": 422,
    "position/twice": 422,
    "position/count": 422,
    "position/impossible": 422,
    "par/not_proved": 404,
    "practice/unknown_theme": 422,
    "practice/stale": 409,
    "practice/answered": 409,
    "wallet/insufficient_funds": 402,
    "wallet/not_broke": 409,
    "wallet/play_money_only": 403,
    "rules/real_money": 403,
    "rules/of_the_house": 422,
    "rules/invalid": 422,
    "rules/unknown_figure": 422,
    "rules/both": 422,
    "rules/unknown": 422,
    "rules/too_many": 409,
    "round/already_voided": 409,
    "play/stopped": 403,
    "jackpot/closed": 403,
    "jackpot/no_rate": 403,
    "cashier/in_debt": 409,
    "cashier/amount": 422,
    "cashier/balance": 422,
    "ledger/overflow": 422,
    "cashier/play_money": 403,
    "player/unknown": 404,
    "player/currency": 422,
    "operator/missing": 401,
    "operator/name": 422,
    "operator/exists": 409,
    "operator/reason": 422,
    "switch/unknown": 422,
    "revoke/unknown": 422,
    "round/unknown_edition": 500,
    "sheet/invalid": 500,
    "sheet/unreadable": 500,
    "seal/broken": 500,
    "dealing/unavailable": 503,
    "store/unavailable": 503,
}
# Temporary: a retry may succeed.
_RETRYABLE = (
    "request/in_flight",
    "store/unavailable",
    "request/failed",
    "request/too_many",
    "coach/warming",
    "coach/unavailable",
)
_LOGGED_ELSEWHERE = ("request/failed", "coach/", "store/unavailable")
BODY_BYTES_MAX = 16_384
CODE = "tapisvert.code"  # scope key of a refusal's code
PROBLEM_JSON = "application/problem+json"

_log = logging.getLogger("tapisvert")
AnyRequest = Request[Any, Any, Any]


class Problem(Struct, frozen=True, omit_defaults=True):
    """The body of every refusal. `code` is stable; `detail` is for people."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    retryable: bool
    args: dict[str, Arg]
    round_id: str | None = None


def problem(refusal: Refused, language: str) -> Problem:
    """Return a refusal as a problem document, in the reader's language."""
    status = STATUS.get(refusal.code, 500)
    round_id = refusal.details.get("round_id")
    return Problem(
        type=f"/errors#{refusal.code}",
        title=HTTPStatus(status).phrase,
        status=status,
        code=refusal.code,
        detail=explain(catalogue(language), refusal),
        retryable=refusal.code in _RETRYABLE,
        args=refusal.details,
        round_id=round_id if isinstance(round_id, str) else None,
    )


def problem_body(refusal: Refused, accept_language: str) -> tuple[int, bytes]:
    """Return status and encoded body of a refusal."""
    told = problem(refusal, pick(accept_language))
    return told.status, msgspec.json.encode(told)


def on_refused(request: AnyRequest, refusal: Refused) -> Response[bytes]:
    """Respond to a refusal; log it too if it is a server error.

    A database outage is not logged here: the store logs it (store/outage.py).
    """
    cast(dict[str, Any], request.scope)[CODE] = refusal.code
    status, body = problem_body(refusal, request.headers.get("accept-language", ""))
    if status >= 500 and not refusal.code.startswith(_LOGGED_ELSEWHERE):
        cause = refusal.__cause__
        _log.error("%s %s: %s", request.method, request.url.path, refusal, exc_info=cause)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    if "retry_after_s" in refusal.details:
        headers["Retry-After"] = str(refusal.details["retry_after_s"])
    return Response(body, status_code=status, media_type=PROBLEM_JSON, headers=headers)


def on_http_error(request: AnyRequest, error: HTTPException) -> Response[bytes]:
    """Respond to an error of the framework with a problem document."""
    match error.status_code:
        case 404:
            refusal = Refused("request/not_found")
        case 405:
            refusal = Refused("request/method", method=request.method)
        case 413:
            refusal = Refused("request/too_large", max_bytes=BODY_BYTES_MAX)
        case status if status >= 500 and "disconnected" in error.detail:
            refusal = Refused("request/malformed", reason="the body ends too soon")
        case status if status >= 500:
            return on_crash(request, error)
        case _:
            refusal = Refused("request/malformed", reason=_reason(error))
    answer = on_refused(request, refusal)
    answer.headers.update(error.headers or {})
    return answer


def on_unreadable(request: AnyRequest, error: Exception) -> Response[bytes]:
    """Respond to a body that the JSON decoder cannot read: not UTF-8, or nested too deeply."""
    return on_refused(request, Refused("request/malformed", reason=type(error).__name__))


def on_crash(request: AnyRequest, error: Exception) -> Response[bytes]:
    """Respond to an unexpected exception; the traceback goes to the log only."""
    _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return on_refused(request, Refused("request/failed"))


def _reason(error: HTTPException) -> str:
    if isinstance(error, ValidationException) and isinstance(error.extra, list) and error.extra:
        first = error.extra[0]
        if first.get("message") == "'data'":  # the framework's message for a missing body
            return "a JSON body is expected"
        return f"{first.get('key', 'body')}: {first.get('message', '')}"
    return str(error.detail)
