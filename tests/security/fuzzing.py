"""Schemathesis calls every route of the document over a real socket and checks the responses.

For each route and caller it sends boundary values of every field (coverage), valid input, partly
with existing ids so that it reaches the tables, and invalid input. No response may be a 5xx.
Status, content type, headers and body must match the document. Valid input must not be refused as
malformed, and invalid input must not be accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode, Response
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.result import Ok
from schemathesis.openapi.checks import AllowHeaderMismatch
from schemathesis.specs.openapi.checks import ignored_auth

from houses import Indifferent
from security.cast import Cast
from security.live import Case, Live
from serving import served
from tapisvert.rounds import PlayerService
from tapisvert.web import create_app
from tapisvert.web.jackpots import Board
from tapisvert.web.problems import PROBLEM_JSON, STATUS
from tapisvert.web.rate_limit import TokenBucket

SHORT_BELOW = 8  # examples; with fewer, one player calls the routes open to players only
POSITIVE, NEGATIVE = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
# A valid request may be refused for its content, never for its form.
_REFUSED_FOR_WHAT_IT_ASKS = ["2xx", "401", "402", "403", "404", "409", "422"]
CONFIG = {
    # Callers have valid sessions; test_matrix.py tests wrong ones.
    "generation": {"with-security-parameters": False},
    "checks": {"positive_data_acceptance": {"expected-statuses": _REFUSED_FOR_WHAT_IT_ASKS}},
}
Operation = schemathesis.APIOperation[Any, Any, Any, Any]
Gap = Callable[[BaseException, Response], bool]


def _is_about_options(failure: BaseException, answer: Response) -> bool:
    return isinstance(failure, AllowHeaderMismatch) and answer.status_code == 204


# Known gaps, none of them a 5xx. Once a gap is fixed, `test_schema.py` fails until its row is
# removed.
GAPS: dict[str, Gap] = {
    "OPTIONS names one method where there are two (the framework's)": _is_about_options
}


@dataclass
class Told:
    """Results of a run."""

    cases: Counter[str] = field(default_factory=Counter)  # by kind of input
    outcomes: dict[str, Counter[tuple[int, str]]] = field(default_factory=dict)  # by route
    gaps: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in self.cases.items())
        return f"{len(self.outcomes)} routes, {self.cases.total():,} calls ({kinds}), none 5xx"

    def never_granted(self) -> list[str]:
        """Return the routes without a successful response."""
        return [
            route
            for route, seen in self.outcomes.items()
            if not any(status < 300 for status, _ in seen)
        ]


@contextmanager
def serving(house: PlayerService) -> Iterator[str]:
    """Serve a house on a real socket, without a rate limit for guests."""
    board = Board(house, life_s=0)  # clients read streams to the end
    app = create_app(house, guests=TokenBucket(10**9, 10**9), coach=Indifferent(), board=board)
    with served(app, server_header=False, proxy_headers=False) as (_, port):
        yield f"http://127.0.0.1:{port}"


class Fuzzer:
    """One caller at one server."""

    def __init__(self, url: str, token: str, live: Live, told: Told) -> None:
        self._url, self._live, self._told = url, live, told
        self._headers = {"Authorization": f"Bearer {token}"}
        self._session = requests.Session()
        self._session.trust_env = False  # no proxy of this machine, no .netrc

    def edges(self, operation: Operation) -> None:
        """Send boundary values of every field, one by one; the same in every run."""
        config = operation.schema.config.generation_for(operation=operation, phase="coverage")
        for case in operation.schema.iter_coverage_cases(
            operation, generation_modes=[POSITIVE, NEGATIVE], generation_config=config
        ):
            self.send(case, "edges")

    def made_up(
        self, operation: Operation, mode: GenerationMode, examples: int, number: int | None
    ) -> None:
        """Send random input; `number` is the seed."""

        @settings(
            max_examples=examples,
            derandomize=number is None,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],  # no shrinking: the state of the house has changed
        )
        @given(case=operation.as_strategy(generation_mode=mode), throw=st.integers(0, 2**32))
        def run(case: Case, throw: int) -> None:
            if mode is POSITIVE:
                # Not drawn from hypothesis: the replacements depend on the state of the house.
                self._live.put_right(case, Random(throw))
            self.send(case, mode.value)

        (run if number is None else seed(number)(run))()

    def send(self, case: Case, kind: str) -> None:
        """Send a case and check its response against the document."""
        answer = case.call(base_url=self._url, session=self._session, headers=self._headers)
        self._session.cookies.clear()
        self._told.cases[kind] += 1
        if case.method == case.operation.method.upper():
            seen = self._told.outcomes.setdefault(case.operation.label, Counter())
            seen[(answer.status_code, _code(answer))] += 1
        try:
            case.validate_response(
                answer,
                headers=self._headers,
                excluded_checks=[ignored_auth],
                additional_checks=[a_refusal_is_one_of_ours],
                transport_kwargs={"session": self._session, "base_url": self._url},
            )
        except FailureGroup as group:
            left = [each for each in group.exceptions if not self._is_known(each, answer)]
            if left:
                raise

    def _is_known(self, failure: BaseException, answer: Response) -> bool:
        for gap, is_it in GAPS.items():
            if is_it(failure, answer):
                self._told.gaps[gap] += 1
                return True
        return False


def a_refusal_is_one_of_ours(ctx: object, response: Response, case: Case) -> None:
    """Check that a refusal has a code of docs/errors.md, and the status that code has."""
    if response.status_code < 400:
        return
    problem = response.json()
    if STATUS.get(problem["code"]) != response.status_code or problem["status"] != (
        response.status_code
    ):
        raise Failure(
            operation=case.operation.label,
            title="Refusal of another kind",
            message=f"{response.status_code} {problem}",
        )


def fuzz(
    cast: Cast, url: str, examples: int, number: int | None = None, only: str | None = None
) -> Told:
    """Call every route, or only one, as a guest, a player with real money and an operator."""
    told, people = Told(), cast.people
    callers = {
        name: Fuzzer(url, people[name].guest.token, Live(cast, people[name]), told)
        for name in ("guest A", "real money")[: 1 if examples < SHORT_BELOW else 2]
    }
    callers["operator"] = Fuzzer(url, cast.clerk.token, Live(cast, None), told)
    schema = schemathesis.openapi.from_url(
        f"{url}/api/v1/openapi.json", config=schemathesis.Config.from_dict(CONFIG)
    )
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result.err()
        operation = result.ok()
        if only not in (None, operation.path):
            continue
        for name, caller in callers.items():
            # A caller without access reaches little; the matrix tests that too.
            shut = (name == "operator") != operation.path.startswith("/api/v1/operator/")
            if shut and examples < SHORT_BELOW:
                continue
            enough = max(2, examples // 10) if shut else examples
            if not shut:
                caller.edges(operation)
            caller.made_up(operation, POSITIVE, enough, number)
            if operation.body or operation.query or operation.headers:
                # Any text is a valid path: a route with only path parameters has no invalid input.
                caller.made_up(operation, NEGATIVE, enough, number)
    return told


def _code(answer: Response) -> str:
    content_type = answer.headers.get("content-type", [""])[0]
    return str(answer.json()["code"]) if content_type == PROBLEM_JSON else ""
