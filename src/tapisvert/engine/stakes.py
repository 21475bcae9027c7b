"""The stakes placed before the deal, checked against the spots of the layout."""

from __future__ import annotations

from collections.abc import Mapping

from tapisvert.engine.sheet import Sheet, Spot
from tapisvert.refusal import Refused


class Placed(dict[str, int]):
    """Stakes in cents, checked against their sheet."""


def check_stakes(sheet: Sheet, stakes: Mapping[str, object]) -> Placed:
    """Return the stakes in layout order; refuse any the sheet does not allow."""
    try:
        return _check(sheet, stakes)
    except Refused as refusal:
        refusal.details["game"] = sheet.game  # the reader renders the refusal in this game's words
        raise


def _check(sheet: Sheet, stakes: Mapping[str, object]) -> Placed:
    for bet in stakes:
        if bet not in sheet.layout:
            raise Refused("stake/unknown", bet=bet)
    placed = Placed(
        (bet, _check_amount(bet, stakes[bet], sheet.spots[bet], sheet.step_of(bet)))
        for bet in sheet.layout
        if bet in stakes
    )
    for bet in placed:
        for needed in sheet.layout[bet].requires:
            if needed not in placed:
                raise Refused("stake/needs_main", bet=bet, needs=needed)
    mains = [bet for bet, place in sheet.layout.items() if place.main]
    if not any(bet in placed for bet in mains):
        raise Refused("stake/missing", bet=mains[0])
    for bet, place in sheet.layout.items():
        if place.equals:
            _check_equal(bet, placed.get(bet), place.equals, placed.get(place.equals))
    return placed


def _check_amount(bet: str, amount: object, spot: Spot, step_cents: int) -> int:
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise Refused("stake/not_a_number", bet=bet)
    if amount < spot.min_cents:
        raise Refused("stake/under_limit", bet=bet, min_cents=spot.min_cents)
    if amount > spot.max_cents:
        raise Refused("stake/over_limit", bet=bet, max_cents=spot.max_cents)
    if amount % step_cents:
        raise Refused("stake/off_step", bet=bet, step_cents=step_cents)
    return amount


def _check_equal(bet: str, cents: int | None, twin: str, twin_cents: int | None) -> None:
    """Refuse unless both spots have the same stake, or neither has one."""
    if cents is None or twin_cents is None:
        if cents != twin_cents:
            raise Refused("stake/missing", bet=bet if cents is None else twin)
    elif cents < twin_cents:
        raise Refused("stake/under_limit", bet=bet, min_cents=twin_cents)
    elif cents > twin_cents:
        raise Refused("stake/over_limit", bet=bet, max_cents=twin_cents)
