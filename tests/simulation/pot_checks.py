"""Invariants of the progressive pot: its sums agree, and it pays its share."""

from __future__ import annotations

from collections.abc import Iterator

from simulation.letters import Unit
from simulation.model import CENT, Model
from simulation.money_checks import POT_CURRENCY
from simulation.state_checks import Ledger, StateCheck
from simulation.unit_checks import Check

POT, WAITING = "jackpot:blackjack", "contributed:blackjack"


def pot_adds_up(seen: Ledger) -> Iterator[str]:
    """The displayed pot equals its account; the waiting account equals the ungathered
    contributions.
    """
    books = seen.model.units
    for shown in (row[0] for row in seen.rows("SELECT units FROM jackpots")):
        if shown != books[POT, POT_CURRENCY]:
            yield f"the pot shows {shown} and holds {books[POT, POT_CURRENCY]}"
    ((waiting,),) = seen.rows(
        "SELECT COALESCE(SUM(units), 0) FROM contributions WHERE fold IS NULL"
    )
    if waiting != books[WAITING, POT_CURRENCY]:
        yield f"{books[WAITING, POT_CURRENCY]} wait for the pot, and its rows say {waiting}"


def pot_pays_its_share(model: Model, unit: Unit) -> Iterator[str]:
    """A win takes all or a tenth of the pot, its own contribution included, in whole cents."""
    own = sum(moved.units for moved in unit.transfers if moved.credit == WAITING)
    there = model.units[POT, POT_CURRENCY] + model.units[WAITING, POT_CURRENCY] + own
    shares = (there // CENT * CENT, there // 10 // CENT * CENT)
    for moved in unit.transfers:
        if moved.reason == "award" and moved.debit == POT and moved.units not in shares:
            yield f"{moved.units} was won of {there}"


POT_UNIT_CHECKS: dict[str, Check] = {"pot-pays-its-share": pot_pays_its_share}
POT_STATE_CHECKS: dict[str, StateCheck] = {"pot-adds-up": pot_adds_up}
