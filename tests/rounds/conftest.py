"""Fixtures of this folder."""

from __future__ import annotations

from rounds.fixtures import anne as anne
from rounds.fixtures import audited as audited
from rounds.fixtures import forger as forger
from rounds.fixtures import house as house
from rounds.fixtures import pot_house as pot_house
from rounds.fixtures import time as time
