"""Rate limit for new guests: each costs a row, an account and a transfer.

A bucket per address holds some tokens and fills up slowly. It lives in memory: a limit is a brake,
not a record, and each server brakes for itself.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable

from tapisvert.refusal import Refused

GUESTS_AT_ONCE = 100
GUESTS_PER_MINUTE = 30
_ADDRESSES_MAX = 10_000


def neighbourhood(address: str) -> str:
    """Return what is counted as one visitor: with IPv6 a household has a whole /64.

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
    """Tokens by key; one is taken for each thing that is let through."""

    def __init__(
        self, at_once: int, per_minute: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._at_once = at_once
        self._per_second = per_minute / 60
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}  # tokens, and when they were counted

    def take(self, key: str) -> None:
        """Let one through, or refuse with the seconds to wait."""
        now = self._clock()
        tokens, since = self._left.pop(key, (self._at_once, now))
        tokens = min(self._at_once, tokens + (now - since) * self._per_second)
        if tokens < 1:
            self._left[key] = (tokens, now)
            wait = math.ceil((1 - tokens) / self._per_second)
            raise Refused("request/too_many", retry_after_s=wait)
        self._left[key] = (tokens - 1, now)
        if len(self._left) > _ADDRESSES_MAX:
            del self._left[next(iter(self._left))]  # the one that has not come for longest
