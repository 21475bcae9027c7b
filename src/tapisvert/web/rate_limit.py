"""Rate limits: new guests add a row, an account and a transfer; positions cost computing time.

A token bucket per address, in memory only: each server process limits for itself, and a restart
resets the buckets.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable

from tapisvert.refusal import Refused

GUESTS_AT_ONCE = 100
GUESTS_PER_MINUTE = 30
POSITIONS_AT_ONCE = 300  # a position takes 1 to 30 ms; with its next decisions, 200 ms
POSITIONS_PER_MINUTE = 600
_ADDRESSES_MAX = 10_000


def neighbourhood(address: str) -> str:
    """Return the key an address is counted under; with IPv6 its /64, as one household has.

    >>> neighbourhood("192.0.2.7"), neighbourhood("2001:db8:0:1:aaaa::1"), neighbourhood("unix")
    ('192.0.2.7', '2001:db8:0:1::/64', 'unix')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return (
        str(found) if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))
    )


class TokenBucket:
    """Token buckets by key; each admitted request takes one token."""

    def __init__(
        self, at_once: int, per_minute: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._at_once = at_once
        self._per_second = per_minute / 60
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}  # tokens, and the time of that count

    def take(self, key: str) -> None:
        """Take one token, or refuse with the seconds to wait."""
        now = self._clock()
        tokens, since = self._left.pop(key, (self._at_once, now))
        tokens = min(self._at_once, tokens + (now - since) * self._per_second)
        if tokens < 1:
            self._left[key] = (tokens, now)
            wait = math.ceil((1 - tokens) / self._per_second)
            raise Refused("request/too_many", retry_after_s=wait)
        self._left[key] = (tokens - 1, now)
        if len(self._left) > _ADDRESSES_MAX:
            del self._left[next(iter(self._left))]  # the least recently used
