"""Fixtures of the stores, from `rounds.fixtures`."""

from __future__ import annotations

from rounds.fixtures import house as house
from rounds.fixtures import store as store
from rounds.fixtures import time as time
