"""Prometheus metrics of a server: counts, durations, state of the house.

Each server process has its own counters. Several workers share a folder, which must be set in
`PROMETHEUS_MULTIPROC_DIR` before this module is imported; the worker that is scraped sums them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache

from litestar import Response, get
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from tapisvert.bank import ledger, seals
from tapisvert.rounds import PlayerService
from tapisvert.rounds.repository import open_count
from tapisvert.store import Tx
from tapisvert.web.operator import operator_service
from tapisvert.web.session import Call, done

_TOGETHER = "PROMETHEUS_MULTIPROC_DIR"
_BUCKETS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
OWN = CollectorRegistry()
REQUESTS = Counter(
    "tapis_requests", "Requests answered.", ["method", "route", "status"], registry=OWN
)
SECONDS = Histogram(
    "tapis_request_seconds",
    "From a request's arrival to the last byte of its answer.",
    ["method", "route"],
    registry=OWN,
    buckets=_BUCKETS_S,
)
REFUSALS = Counter("tapis_refusals", "Refusals, by their stable code.", ["code"], registry=OWN)


@cache
def _counters(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Return the counters of these labels; the cache grows no faster than the registry."""
    return REQUESTS.labels(method, route, str(status)), SECONDS.labels(method, route)


def count(method: str, route: str, status: int, code: str, seconds: float) -> None:
    """Count a completed request."""
    requests, times = _counters(method, route, status)
    requests.inc()
    times.observe(seconds)
    if code:
        REFUSALS.labels(code).inc()


class Standing(Collector):
    """Gauges of the house's state, read from the database at each scrape."""

    def __init__(self, tx: Tx, house: PlayerService) -> None:
        last = seals.last_seal(tx)
        sealed_s = (house.clock() - last.at_ms) / 1000 if last.id else 0
        unsealed = ledger.newest_number(tx) - last.last_transfer
        self._figures = (
            ("tapis_rounds_open", "Rounds that wait for their player.", open_count(tx)),
            ("tapis_transfers_unsealed", "Newest transfers no seal covers yet.", unsealed),
            ("tapis_seal_age_seconds", "Since the last seal over the books.", sealed_s),
            ("tapis_dealing", "Whether this server can deal.", int(house.dealer.working)),
        )

    def collect(self) -> Iterable[Metric]:
        """Yield the gauges."""
        for name, told, value in self._figures:
            yield GaugeMetricFamily(name, told, value=value)


@get("/metrics", include_in_schema=False)
async def metrics(request: Call) -> Response[bytes]:
    """Serve the metrics; requires an operator's token."""
    standing = CollectorRegistry()
    service = operator_service(request)
    seen = await done(service.query(lambda operator: Standing(operator.tx, operator.house)))
    standing.register(seen)
    counted = CollectorRegistry() if _TOGETHER in os.environ else OWN
    if counted is not OWN:
        MultiProcessCollector(counted)
    told = generate_latest(counted) + generate_latest(standing)
    return Response(told, media_type=CONTENT_TYPE_PLAIN_0_0_4)
